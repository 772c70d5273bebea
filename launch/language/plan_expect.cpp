// Reads expectations: see launch/language/plan_builder.h.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

/// True if a keyword is the name of a buffer here: "fault = 3", "printf[0] = 1".
bool is_buffer_after_all(std::string_view rest) {
  return !rest.empty() && (rest[0] == '=' || rest[0] == '~' || rest[0] == '[');
}

}  // namespace

void PlanBuilder::expect_printf(std::string text) {
  // Several lines for the same launch form one text.
  std::vector<Step>& checks = dirty_ ? waiting_ : plan_.steps;
  for (auto step = checks.rbegin(); step != checks.rend(); ++step) {
    if (std::holds_alternative<LaunchStep>(*step)) break;
    if (auto* earlier = std::get_if<ExpectPrintfStep>(&*step)) {
      earlier->text += text;
      return;
    }
  }
  add_check(ExpectPrintfStep{std::move(text), where_});
}

Status PlanBuilder::expect(std::string_view text) {
  std::string_view rest = trimmed(text);
  const std::string_view word = take_word(rest);
  if (!is_buffer_after_all(rest)) {
    if (word == "fault") return expect_fault(rest);
    if (word == "no" && rest == "faults") {
      plan_.no_faults = where_;
      return Unit{};
    }
    if (word == "printf") {
      auto string = unquoted(rest);
      if (!string) return string.errors();
      expect_printf(std::move(string).value());
      return Unit{};
    }
    if (word == "refused") {
      if (!rest.starts_with("TSP-"))
        return syntax_error("a rule is expected after 'expect refused'",
                            "write 'expect refused TSP-U0001'");
      plan_.expected_refusals.push_back({std::string(rest), where_});
      return Unit{};
    }
  }
  return expect_values(trimmed(text));
}

namespace {

constexpr const char* kFaultExample = "write 'expect fault TSP-R0021 on y at 5 line 12:3'";

/// "12", "12:3"
Status read_place(std::string_view text, ExpectedFault& fault) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto line = parse_count(text.substr(0, colon), "line");
  if (!line) return line.errors();
  Result<std::uint64_t> column = std::uint64_t{0};
  if (colon != text.size()) column = parse_count(text.substr(colon + 1), "column");
  if (!column) return column.errors();
  constexpr std::uint64_t kMost = UINT32_MAX;
  if (*line == 0 || *line > kMost || *column > kMost || (colon != text.size() && *column == 0))
    return command_error(kBadLaunchFile, fmt::format("'{}' is no line and column", text),
                         kFaultExample);
  fault.line = static_cast<std::uint32_t>(*line);
  fault.column = static_cast<std::uint32_t>(*column);
  return Unit{};
}

/// Takes a word, or the text in double quotes.
Result<std::string> take_name(std::string_view& text) {
  std::size_t end = 0;
  if (text.starts_with('"'))
    for (++end; end < text.size() && text[end] != '"'; ++end)
      if (text[end] == '\\') ++end;
  if (end == 0 || end >= text.size()) return std::string(take_word(text));
  auto name = unquoted(text.substr(0, end + 1));
  text = trimmed(text.substr(end + 1));
  return name;
}

/// Takes the text before the keyword `line`.
std::string_view take_sizes(std::string_view& text) {
  const std::size_t end = std::min(text.find(" line "), text.size());
  const std::string_view sizes = trimmed(text.substr(0, end));
  text = trimmed(text.substr(end));
  return sizes;
}

}  // namespace

Status PlanBuilder::expect_fault(std::string_view text) {
  ExpectedFault fault;
  fault.where = where_;
  fault.rule = take_word(text);
  if (!fault.rule.starts_with("TSP-"))
    return syntax_error("a rule is expected after 'expect fault'", kFaultExample);
  while (!text.empty()) {
    const std::string_view word = take_word(text);
    if (word == "on" && !text.empty()) {
      auto name = take_name(text);
      if (!name) return name.errors();
      fault.buffer = std::move(name).value();
    } else if (word == "at" && !text.empty()) {
      const auto id = parse_sizes(take_sizes(text));
      if (!id) return id.errors();
      fault.at = id->size;
    } else if (word == "line" && !text.empty()) {
      if (Status place = read_place(take_word(text), fault); !place) return place;
    } else {
      return syntax_error(fmt::format("'{}' was not expected here", word), kFaultExample);
    }
  }
  plan_.expected_faults.push_back(std::move(fault));
  return Unit{};
}

namespace {

/// Offset and length of a comparison sign of other languages, outside brackets and quotes; length 0 if there is none.
std::pair<std::size_t, std::size_t> foreign_comparison(std::string_view text) {
  const std::size_t at = find_outside(text, "=!<>");
  if (at == std::string_view::npos) return {0, 0};
  if (text.substr(at + 1).starts_with('=')) return {at, 2};
  return {at, text[at] == '<' || text[at] == '>' ? 1 : 0};
}

Diagnostic wrong_comparison(std::string_view text, std::size_t at, std::size_t length) {
  const std::string_view sign = text.substr(at, length);
  const std::string_view left = trimmed(text.substr(0, at));
  const std::string_view right = trimmed(text.substr(at + length));
  if (sign == "==")
    return command_error(kBadLaunchFile, "'==' is no sign of expectations",
                         fmt::format("write 'expect {} = {}'", left, right));
  return command_error(
      kBadLaunchFile, fmt::format("'{}' is nothing that can be expected of values", sign),
      fmt::format(
          "values are expected to be equal, as in 'expect {} = {}', or within a tolerance, as "
          "in 'expect {} ~ 1e-5 = {}'",
          left, right, left, right));
}

}  // namespace

Status PlanBuilder::expect_values(std::string_view text) {
  if (const auto [at, length] = foreign_comparison(text); length != 0)
    return wrong_comparison(text, at, length);
  std::string_view left;
  std::string_view right;
  if (!split_at_equals(text, left, right)) {
    std::string_view rest = text;
    const std::string_view word = take_word(rest);
    if (const std::string near = nearest(word, {"fault", "printf", "refused", "no faults"});
        !near.empty())
      return syntax_error(fmt::format("'{}' is nothing that can be expected", word),
                          fmt::format("did you mean '{}'?", near));
    return syntax_error(fmt::format("'=' is missing in 'expect {}'", text),
                        "write 'expect y[0..3] = 1 2 3 4', or 'expect fault', 'expect printf', "
                        "'expect refused', 'expect no faults'");
  }
  ExpectBufferStep step;
  step.where = where_;
  step.text = text;
  const std::size_t tilde = left.find('~');
  if (tilde != std::string_view::npos) {
    auto tolerances = parse_tolerances(left.substr(tilde + 1));
    if (!tolerances) return tolerances.errors();
    step.tolerances = std::move(tolerances).value();
    left = left.substr(0, tilde);
  }
  const auto slice = parse_slice(left);
  if (!slice) return slice.errors();
  step.slice = *slice;
  auto value = parse_value_spec(right);
  if (!value) return value.errors();
  step.value = located(std::move(value).value());
  add_check(std::move(step));
  return Unit{};
}

}  // namespace transpire::launch
