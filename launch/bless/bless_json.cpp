// Blesses launch files in JSON. Changes only the text of expectations that failed.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/json.h"
#include "launch/bless/bless_parts.h"
#include "launch/language/launch_writer.h"
#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"
#include "launch/report/json_places.h"

namespace transpire::launch {
namespace {

/// Replaces a part of the text.
struct Edit {
  std::size_t begin = 0, end = 0;
  std::string after;
};

/// The text as a JSON string; nothing if it is not valid UTF-8.
std::optional<std::string> json_string(std::string_view text) {
  try {
    return Json(text).dump();
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

/// A literal as the launch language writes it. Numbers that JSON cannot spell, such as -0, become strings.
std::string json_text(const Literal& literal) {
  const std::string& number = literal.number;
  if (!literal.is_list)
    return Json::accept(number) && number != "-0" ? number : Json(number).dump();
  const bool named =
      std::ranges::any_of(literal.items, [](const Literal& item) { return !item.name.empty(); });
  std::string text;
  for (const Literal& item : literal.items)
    text +=
        (text.empty() ? "" : ", ") + (named ? Json(item.name).dump() + ": " : "") + json_text(item);
  return named ? "{" + text + "}" : "[" + text + "]";
}

std::string hex_digits(const std::vector<std::byte>& bytes) {
  std::string text;
  for (const std::byte b : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(b));
  return text;
}

std::string json_element(const FoundValues& values, std::uint64_t index) {
  const auto literals = parse_literals(values.element(index));
  return literals && literals->size() == 1 ? json_text((*literals)[0]) : "null";
}

/// "[1, 2, 3]"
std::string json_list(const FoundValues& values) {
  std::string text;
  for (std::uint64_t i = 0; i < values.count(); ++i)
    text += (i == 0 ? "" : ", ") + json_element(values, i);
  return "[" + text + "]";
}

class JsonBlesser {
 public:
  JsonBlesser(const LaunchPlan& plan, const RunReport& report)
      : plan_(plan), report_(report), text_(plan.text), places_(text_, plan.input) {
    blessing_.path = plan.input;
    root_ = Json::parse(text_);
    removed_.resize(root_["steps"].size());
  }

  Result<Blessing> bless() {
    if (Status possible = check_report(report_); !possible) return possible.errors();
    for (const FailedExpectation& failure : report_.failures) {
      const auto step = step_at(failure.diagnostic.source);
      if (!step)
        return command_error(kBadCommandLine,
                             "an expectation of the command line stands in no file to be written");
      bless(*step, failure);
    }
    add_expectations();
    remove_steps();
    apply();
    return std::move(blessing_);
  }

 private:
  // ---- Places ----

  std::string pointer(std::size_t step) const { return fmt::format("/steps/{}", step); }
  std::size_t start(const std::string& pointer) const { return *places_.offset_of(pointer); }
  std::size_t end(const std::string& pointer) const {
    std::size_t end = end_of_json_value(text_, start(pointer));
    while (text_[end - 1] == ' ' || is_blank(text_[end - 1])) --end;
    return end;
  }

  /// The step whose expectation contains the place.
  std::optional<std::size_t> step_at(const SourceLine& where) const {
    if (where.file != plan_.input || where.line == 0 || where.column == 0) return std::nullopt;
    std::size_t at = 0;
    for (std::uint32_t line = 1; line < where.line; ++line) at = line_end(at) + 1;
    at += where.column - 1;
    for (std::size_t i = 0; i < removed_.size(); ++i)
      if (is_expectation(i) && at >= start(pointer(i)) && at < end(pointer(i))) return i;
    return std::nullopt;
  }
  const Json& expectation(std::size_t step) const { return root_["steps"][step]["expect"]; }

  void replace(const std::string& pointer, std::string after) {
    edits_.push_back({start(pointer), end(pointer), std::move(after)});
  }

  // ---- Expectations that failed ----

  void bless(std::size_t step, const FailedExpectation& failure) {
    const SourceLine where = places_.of(pointer(step) + "/expect");
    for (const Step& planned : plan_.steps) {
      if (const auto* const buffer = std::get_if<ExpectBufferStep>(&planned);
          buffer != nullptr && is_at(buffer->where, where))
        return bless_buffer(step, *buffer, failure);
      if (const auto* const text = std::get_if<ExpectPrintfStep>(&planned);
          text != nullptr && is_at(text->where, where))
        return bless_printf(step, failure);
    }
    // The run did not have the expected fault or refusal.
    if (!is_no_faults(expectation(step))) removed_[step] = true;
  }

  static bool is_no_faults(const Json& expect) {
    return expect.is_string() && expect.string() == "no faults";
  }

  static bool is_at(const SourceLine& a, const SourceLine& b) {
    return a.line == b.line && a.column == b.column;
  }

  void bless_buffer(std::size_t step, const ExpectBufferStep& expect,
                    const FailedExpectation& failure) {
    if (is_in_file(expect.value)) {
      blessing_.data.push_back(same_file(expect, failure));
      return;
    }
    const Json& before = expectation(step);
    const std::string here = pointer(step) + "/expect";
    if (before.is_object())
      return replace(here + "/equals", equals(before["equals"], expect, failure));
    const std::string& line = before.string();
    std::string_view left;
    std::string_view right;
    if (!split_at_equals(line, left, right)) return;
    const auto kept = static_cast<std::size_t>(right.data() - line.data());
    replace(here, Json(line.substr(0, kept) +
                       value_in_words(plan_.input, expect, failure, blessing_.data))
                      .dump());
  }

  /// The new value of `equals` in its old form: a list, or an object with a maker of values.
  std::string equals(const Json& before, const ExpectBufferStep& expect,
                     const FailedExpectation& failure) {
    if (before.is_string())
      return Json(value_in_words(plan_.input, expect, failure, blessing_.data)).dump();
    const std::string type = before.is_object() && before.contains("type")
                                 ? fmt::format("\"type\": {}, ", before["type"].dump())
                                 : "";
    if (failure.found.empty()) return fmt::format("{{{}\"zero\": 0}}", type);
    if (expect.value.raw_bytes)
      return fmt::format("{{{}\"hex\": {}}}", type, Json(hex_digits(failure.found)).dump());
    const FoundValues values(failure);
    if (values.are_same()) return fmt::format("{{{}\"fill\": {}}}", type, json_element(values, 0));
    if (values.are_many()) {
      NewFile made = new_file(plan_.input, expect, failure);
      blessing_.data.push_back(std::move(made.file));
      return Json{{made.maker, made.name}}.dump();
    }
    if (before.is_object()) return fmt::format("{{{}\"data\": {}}}", type, json_list(values));
    return before.is_array() || values.count() != 1 ? json_list(values) : json_element(values, 0);
  }

  /// Puts the whole text into the first of the joined expectations, and removes the others.
  void bless_printf(std::size_t step, const FailedExpectation& failure) {
    const std::string_view found(reinterpret_cast<const char*>(failure.found.data()),
                                 failure.found.size());
    const std::string here = pointer(step) + "/expect";
    if (const auto text = json_string(found); text && expectation(step).is_object())
      replace(here + "/printf", *text);
    else
      replace(here, Json("printf " + in_quotes(found)).dump());
    for (std::size_t i = step + 1; i < removed_.size() && !root_["steps"][i].contains("launch");
         ++i)
      if (is_printf(i) && !begins_printf(i)) removed_[i] = true;
  }

  bool is_printf(std::size_t step) const {
    if (!root_["steps"][step].contains("expect")) return false;
    const Json& what = expectation(step);
    return what.is_object() ? what.contains("printf") : what.string().starts_with("printf");
  }
  /// True if the step's printf expectation is not joined to the one before.
  bool begins_printf(std::size_t step) const {
    const SourceLine where = places_.of(pointer(step) + "/expect");
    return std::ranges::any_of(plan_.steps, [&](const Step& planned) {
      const auto* const text = std::get_if<ExpectPrintfStep>(&planned);
      return text != nullptr && is_at(text->where, where);
    });
  }

  // ---- Steps that come and go ----

  /// Adds expectations of further findings behind the last expectation that stays; if there is none, behind the last step.
  void add_expectations() {
    std::vector<std::string> added;
    for (const ExpectedFault& fault : open_faults(plan_, report_)) {
      Json what{{"fault", fault.rule}};
      if (!fault.buffer.empty()) what["on"] = fault.buffer;
      if (fault.at) what["at"] = *fault.at;
      added.push_back(spaced(what));
    }
    if (!report_.errors.empty())
      added.push_back(spaced({{"refused", report_.errors.front().rule}}));
    if (added.empty()) return;
    std::size_t last = removed_.size();
    for (std::size_t i = 0; i < removed_.size(); ++i)
      if (!removed_[i] && (last == removed_.size() || !is_expectation(last) || is_expectation(i)))
        last = i;
    const bool alone = last == removed_.size();
    const std::size_t at = alone ? start(pointer(0)) : end(pointer(last));
    std::string text;
    for (const std::string& each : added)
      text += (alone && text.empty() ? "" : "," + blanks_before(alone ? 0 : last)) + each;
    edits_.push_back({at, at, std::move(text)});
  }

  bool is_expectation(std::size_t step) const { return root_["steps"][step].contains("expect"); }

  /// {"expect": {"fault": "TSP-R0020", "at": [1, 0, 0]}}
  static std::string spaced(const Json& what) {
    std::string text;
    bool in_string = false;
    for (const char c : Json{{"expect", what}}.dump()) {
      in_string ^= c == '"';  // these strings have no escapes
      text += c;
      if (!in_string && (c == ':' || c == ',')) text += ' ';
    }
    return text;
  }

  std::string blanks_before(std::size_t step) const {
    const std::size_t at = start(pointer(step));
    const std::size_t before = text_.find_last_not_of(" \t\r\n", at - 1) + 1;
    return before == at ? " " : text_.substr(before, at - before);
  }

  void remove_steps() {
    std::size_t kept = removed_.size();  // the last step that stays
    for (std::size_t i = 0; i < removed_.size(); ++i)
      if (!removed_[i]) kept = i;
    if (kept == removed_.size()) {
      edits_.push_back({start(pointer(0)), end(pointer(kept - 1)), {}});
      return;
    }
    for (std::size_t i = 0; i < kept; ++i)
      if (removed_[i]) edits_.push_back({start(pointer(i)), start(pointer(i + 1)), {}});
    if (kept + 1 != removed_.size())
      edits_.push_back({end(pointer(kept)), end(pointer(removed_.size() - 1)), {}});
  }

  // ---- The text ----

  std::size_t line_start(std::size_t at) const {
    return at == 0 ? 0 : text_.find_last_of('\n', at - 1) + 1;
  }
  std::size_t line_end(std::size_t at) const {
    return std::min(text_.find('\n', at), text_.size());
  }

  /// Applies all edits. Edits that share a line become one change.
  void apply() {
    std::ranges::stable_sort(edits_, {}, &Edit::begin);
    std::size_t written = 0;  // end of the part of text_ that is done
    for (std::size_t i = 0; i < edits_.size();) {
      const std::size_t first = line_start(edits_[i].begin);
      blessing_.text += text_.substr(written, first - written);
      std::string after;
      std::size_t at = first;
      std::size_t last = first;
      for (; i < edits_.size() && (last == first || edits_[i].begin <= last); ++i) {
        after += text_.substr(at, edits_[i].begin - at) + edits_[i].after;
        at = edits_[i].end;
        last = std::max(last, line_end(at));
      }
      after += text_.substr(at, last - at);
      blessing_.text += after;
      note_change(first, last, after);
      written = last;
    }
    blessing_.text += text_.substr(written);
  }

  /// Notes a change without the equal lines at both of its ends.
  void note_change(std::size_t first, std::size_t last, const std::string& after) {
    const std::string before = text_.substr(first, last - first);
    std::vector<std::string_view> old_lines = lines_of(before);
    std::vector<std::string_view> new_lines = lines_of(after);
    LineChange change;
    change.line = static_cast<std::uint32_t>(std::ranges::count(text_.substr(0, first), '\n')) + 1;
    while (old_lines.size() > 1 && new_lines.size() > 1 && old_lines[0] == new_lines[0]) {
      old_lines.erase(old_lines.begin());
      new_lines.erase(new_lines.begin());
      ++change.line;
    }
    while (old_lines.size() > 1 && !new_lines.empty() && old_lines.back() == new_lines.back()) {
      old_lines.pop_back();
      new_lines.pop_back();
    }
    for (const std::string_view line : old_lines)
      change.before.append(change.before.empty() ? "" : "\n").append(line);
    change.after.assign(new_lines.begin(), new_lines.end());
    blessing_.changes.push_back(std::move(change));
  }

  const LaunchPlan& plan_;
  const RunReport& report_;
  const std::string& text_;
  const JsonPlaces places_;
  Json root_;
  std::vector<bool> removed_;  ///< for each step: true if it is removed
  std::vector<Edit> edits_;
  Blessing blessing_;
};

}  // namespace

Result<Blessing> blessing_of_json(const LaunchPlan& plan, const RunReport& report) {
  return JsonBlesser(plan, report).bless();
}

}  // namespace transpire::launch
