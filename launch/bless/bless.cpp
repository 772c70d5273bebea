#include "launch/bless/bless.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "launch/bless/bless_parts.h"
#include "launch/language/launch_writer.h"
#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

/// Parts of a line with a statement, as views into the line.
struct StatementLine {
  std::string_view prefix;  ///< blanks before the statement; in a source, the comment's mark, too
  std::string_view statement;  ///< without a comment
  std::string_view rest;
};

/// Splits a line. `marker` is the result of launch_marker().
StatementLine split_line(std::string_view line, std::string_view marker) {
  std::size_t start = line.find_first_not_of(" \t");
  if (start != line.npos && line.substr(start).starts_with(marker))
    start = line.find_first_not_of(" \t", start + marker.size());
  start = std::min(start, line.size());
  const std::string_view statement = trimmed(without_comment(line.substr(start)));
  return {line.substr(0, start), statement, line.substr(start + statement.size())};
}

std::vector<std::string> written_lines(const LaunchWriter& writer) {
  std::vector<std::string> lines;
  for (const std::string_view line : lines_of(writer.text())) lines.emplace_back(line);
  return lines;
}

class Blesser {
 public:
  Blesser(const LaunchPlan& plan, const RunReport& report)
      : plan_(plan), report_(report), lines_(lines_of(plan.text)) {
    blessing_.path = plan.input;
  }

  Result<Blessing> bless() {
    if (Status possible = check(); !possible) return possible.errors();
    for (const FailedExpectation& failure : report_.failures)
      if (Status done = bless(failure); !done) return done.errors();
    add_findings();
    add_refusal();
    write_text();
    return std::move(blessing_);
  }

 private:
  Status check() const {
    if (plan_.text.empty() || plan_.input == "-" || plan_.input.ends_with(".sim") ||
        !plan_.module_text.empty() || plan_.input.ends_with(".tcf") ||
        plan_.input.ends_with(".amber"))
      return command_error(
          kBadLaunchFile,
          plan_.input == "-" ? "standard input cannot be written into"
                             : fmt::format("'{}' has no words for what is expected", plan_.input),
          "write a launch file, as text or JSON: docs/launch-file.md describes them");
    return check_report(report_);
  }

  std::string_view line(std::uint32_t number) const {
    return number == 0 || number > lines_.size() ? std::string_view() : lines_[number - 1];
  }

  StatementLine split(std::uint32_t number) const {
    return split_line(line(number), launch_marker(plan_.input));
  }

  void replace(std::uint32_t number, std::vector<std::string> after) {
    const std::string before(line(number));
    changes_[number] = {number, before, std::move(after), false};
  }

  Status bless(const FailedExpectation& failure) {
    const std::uint32_t number = failure.diagnostic.source.line;
    if (failure.diagnostic.source.file != plan_.input || line(number).empty())
      return command_error(kBadCommandLine,
                           "an expectation of the command line stands in no file to be written");
    for (const Step& step : plan_.steps) {
      if (const auto* const buffer = std::get_if<ExpectBufferStep>(&step);
          buffer != nullptr && buffer->where.line == number)
        bless_buffer(*buffer, failure);
      if (const auto* const text = std::get_if<ExpectPrintfStep>(&step);
          text != nullptr && text->where.line == number)
        bless_printf(number, failure);
    }
    const auto is_here = [&](const auto& expected) { return expected.where.line == number; };
    if (std::ranges::any_of(plan_.expected_faults, is_here) ||
        std::ranges::any_of(plan_.expected_refusals, is_here))
      replace(number, {});
    return Unit{};
  }

  void bless_buffer(const ExpectBufferStep& expect, const FailedExpectation& failure) {
    if (is_in_file(expect.value)) {
      blessing_.data.push_back(same_file(expect, failure));
      return;
    }
    const StatementLine parts = split(expect.where.line);
    std::string_view left;
    std::string_view right;
    if (!split_at_equals(parts.statement, left, right)) return;
    const std::string_view kept =
        parts.statement.substr(0, static_cast<std::size_t>(right.data() - parts.statement.data()));
    replace(
        expect.where.line,
        {fmt::format("{}{}{}{}", parts.prefix, kept,
                     value_in_words(plan_.input, expect, failure, blessing_.data), parts.rest)});
  }

  /// Replaces all lines of a printf expectation, up to the line that begins the next one.
  void bless_printf(std::uint32_t first, const FailedExpectation& failure) {
    LaunchWriter writer;
    writer.expect_printf(
        {reinterpret_cast<const char*>(failure.found.data()), failure.found.size()});
    const std::string_view prefix = split(first).prefix;
    std::vector<std::string> after = written_lines(writer);
    if (failure.found.empty()) after = {"expect printf \"\""};
    for (std::string& each : after) each.insert(0, prefix);
    replace(first, std::move(after));
    std::set<std::uint32_t> starts;
    for (const Step& step : plan_.steps)
      if (const auto* const text = std::get_if<ExpectPrintfStep>(&step))
        starts.insert(text->where.line);
    for (std::uint32_t number = first + 1; number <= lines_.size() && !starts.contains(number);
         ++number) {
      std::string_view statement = split(number).statement;
      if (statement == "launch") break;
      if (take_word(statement) == "expect" && take_word(statement) == "printf") replace(number, {});
    }
  }

  /// Adds statements behind the last expectation; if there is none, behind the last statement.
  void add(std::vector<std::string> statements) {
    if (statements.empty()) return;
    std::uint32_t last = 0;
    bool is_expectation = false;
    for (std::uint32_t number = 1; number <= lines_.size(); ++number) {
      std::string_view statement = split(number).statement;
      if (statement.empty() || !begins_with_statement(statement)) continue;
      const bool expectation = take_word(statement) == "expect";
      if (expectation || !is_expectation) last = number;
      is_expectation |= expectation;
    }
    for (std::string& each : statements) each.insert(0, split(last).prefix);
    LineChange& change = changes_[last];
    if (change.line == 0) change = {last, std::string(line(last)), {}, true};
    change.after.insert(change.after.end(), statements.begin(), statements.end());
  }

  void add_findings() {
    std::vector<std::string> statements;
    for (const ExpectedFault& fault : open_faults(plan_, report_)) {
      LaunchWriter writer;
      writer.expect(fault);
      statements.push_back(written_lines(writer)[0]);
    }
    add(std::move(statements));
  }

  void add_refusal() {
    if (report_.errors.empty()) return;
    LaunchWriter writer;
    writer.expect(ExpectedRefusal{report_.errors.front().rule, {}});
    add(written_lines(writer));
  }

  void write_text() {
    for (std::uint32_t number = 1; number <= lines_.size(); ++number) {
      const auto change = changes_.find(number);
      if (change == changes_.end() || change->second.added)
        blessing_.text.append(line(number)) += '\n';
      if (change == changes_.end()) continue;
      for (const std::string& each : change->second.after) blessing_.text += each + '\n';
      blessing_.changes.push_back(change->second);
    }
  }

  const LaunchPlan& plan_;
  const RunReport& report_;
  std::vector<std::string_view> lines_;
  std::map<std::uint32_t, LineChange> changes_;
  Blessing blessing_;
};

/// True for a launch file in JSON: no other form begins with '{'.
bool is_document(const LaunchPlan& plan) {
  const std::size_t first = plan.text.find_first_not_of(" \t\r\n");
  return plan.input != "-" && first != plan.text.npos && plan.text[first] == '{' &&
         launch_marker(plan.input).empty();
}

}  // namespace

Result<Blessing> blessing_of(const LaunchPlan& plan, const RunReport& report) {
  return is_document(plan) ? blessing_of_json(plan, report) : Blesser(plan, report).bless();
}

std::string difference_of(const Blessing& blessing) {
  std::string text;
  for (const LineChange& change : blessing.changes) {
    text += fmt::format("{}:{}\n", blessing.path, change.line);
    if (!change.added)
      for (const std::string_view line : lines_of(change.before))
        text += fmt::format("- {}\n", line);
    for (const std::string& line : change.after) text += fmt::format("+ {}\n", line);
  }
  for (const auto& [path, bytes] : blessing.data)
    text += fmt::format("{}: {} bytes\n", path, bytes.size());
  return text;
}

Status write(const Blessing& blessing) {
  for (const auto& [path, bytes] : blessing.data)
    if (Status written = write_file(path, bytes); !written) return written;
  if (blessing.changes.empty()) return Unit{};
  return write_file(blessing.path, std::as_bytes(std::span(blessing.text)));
}

}  // namespace transpire::launch
