// Reads the words of checks: print, out, expect. See launch/language/grammar.h.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "launch/language/grammar.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

Diagnostic wrong_check(const std::string& message, std::string help = {}) {
  return command_error(kBadLaunchFile, message, std::move(help));
}

/// Reads one word after the slice of a print, and takes its parameters off `rest`.
Status read_print_word(PrintStep& print, std::string_view word, std::string_view& rest) {
  if (word == "hex") {
    print.style = PrintStep::Style::kHexadecimal;
  } else if (word == "cols") {
    const auto columns = parse_columns(take_word(rest));
    if (!columns) return columns.errors();
    print.columns = *columns;
  } else if (word == "as") {
    const auto type = parse_type(take_word(rest));
    if (!type) return type.errors();
    print.type = *type;
  } else if (word == "ranges") {
    const std::string_view profile = take_word(rest);
    if (profile != "full" && profile != "embedded")
      return wrong_check(fmt::format("there is no profile '{}'", profile),
                         suggestion(profile, {"full", "embedded"}, "profiles"));
    print.ranges = profile == "full" ? Profile::kFull : Profile::kEmbedded;
  } else if (word.starts_with('>')) {
    const std::string_view file = word.size() > 1 ? word.substr(1) : take_word(rest);
    return wrong_check("'>' writes no file here",
                       fmt::format("write 'out {} = {}', '--out {}={}' on the command line",
                                   print.slice.name, file, print.slice.name, file));
  } else {
    const std::string near = nearest(word, {"hex", "cols", "as", "ranges"});
    return wrong_check(
        fmt::format("'{}' was not expected here", word),
        near.empty()
            ? "write 'print y[0..7]', with 'as TYPE', 'hex', 'cols N' or 'ranges full' after it "
              "if needed"
            : fmt::format("did you mean '{}'?", near));
  }
  return Unit{};
}

}  // namespace

Result<PrintStep> parse_print(std::string_view text) {
  PrintStep print;
  std::string_view rest = trimmed(text);
  const std::size_t slice_end = std::min(rest.find_first_of(" \t"), rest.size());
  const auto slice = parse_slice(rest.substr(0, slice_end));
  if (!slice) return slice.errors();
  print.slice = *slice;
  rest = trimmed(rest.substr(slice_end));
  while (!rest.empty()) {
    const std::string_view word = take_word(rest);
    if (const Status read = read_print_word(print, word, rest); !read) return read.errors();
  }
  if (print.ranges && print.columns)
    return wrong_check("'ranges' shows one number in a line, 'cols' several");
  return print;
}

namespace {

/// The last two words, if a name is before them.
std::optional<std::pair<std::string_view, std::string_view>> last_two_words(std::string_view text) {
  const std::size_t second = text.find_last_of(" \t");
  if (second == text.npos) return std::nullopt;
  const std::string_view rest = trimmed(text.substr(0, second));
  const std::size_t first = rest.find_last_of(" \t");
  if (first == rest.npos) return std::nullopt;
  return std::pair{rest.substr(first + 1), text.substr(second + 1)};
}

/// Error about an unquoted file name with blanks. Usually the author mistyped a word behind the name.
Diagnostic blanks_in_name(std::string_view name) {
  std::string_view rest = name;
  take_word(rest);
  while (!rest.empty()) {
    const std::string_view word = take_word(rest);
    const std::string near = nearest(word.substr(0, word.find('=')), {"as", "cols"});
    if (!near.empty() && near != word)
      return command_error(kBadLaunchFile,
                           fmt::format("'{}' was not expected behind the file's name", word),
                           fmt::format("did you mean '{}'?", near));
  }
  return command_error(kBadLaunchFile,
                       fmt::format("'{}' is no name of a file: it has blanks", name),
                       "write 'out y = a.png as uchar4 cols 640'; a name with blanks stands in "
                       "double quotes");
}

}  // namespace

Result<OutputStep> parse_output(std::string_view buffer, std::string_view file) {
  OutputStep output;
  output.buffer = buffer;
  file = trimmed(file);
  while (const auto words = last_two_words(file)) {
    const auto& [keyword, value] = *words;
    if (keyword == "cols") {
      const auto columns = parse_columns(value);
      if (!columns) return columns.errors();
      output.columns = *columns;
    } else if (keyword == "as") {
      const auto type = parse_type(value);
      if (!type) return type.errors();
      output.type = *type;
    } else {
      break;
    }
    file = trimmed(file.substr(0, static_cast<std::size_t>(keyword.data() - file.data())));
  }
  if (!file.starts_with('"') && file.find_first_of(" \t") != file.npos) return blanks_in_name(file);
  auto name = parse_name(file);
  if (!name) return name.errors();
  output.file = std::move(name).value();
  return output;
}

Result<OutputStep> parse_picture(std::string_view text) {
  std::string_view left, right;
  std::string file;
  if (split_at_equals(text, left, right)) {
    file = right;
  } else {
    right = text;
    left = take_word(right);
    file = fmt::format("{}.png {}", left, right);
  }
  auto output = parse_output(left, file);
  if (output) output->is_shown = true;
  return output;
}

namespace {

constexpr const char* kFaultExample = "write 'expect fault TSP-R0021 on y at 5 line 12:3'";

}  // namespace

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

namespace {

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

Result<Expectation> parse_fault(std::string_view text) {
  ExpectedFault fault;
  fault.rule = take_word(text);
  if (!fault.rule.starts_with("TSP-"))
    return wrong_check("a rule is expected after 'expect fault'", kFaultExample);
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
      if (Status place = read_place(take_word(text), fault); !place) return place.errors();
    } else {
      return wrong_check(fmt::format("'{}' was not expected here", word), kFaultExample);
    }
  }
  return Expectation(std::move(fault));
}

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

Result<Expectation> parse_expected_values(std::string_view text) {
  if (const auto [at, length] = foreign_comparison(text); length != 0)
    return wrong_comparison(text, at, length);
  std::string_view left;
  std::string_view right;
  if (!split_at_equals(text, left, right)) {
    std::string_view rest = text;
    const std::string_view word = take_word(rest);
    if (const std::string near = nearest(word, {"fault", "printf", "refused", "no faults"});
        !near.empty())
      return wrong_check(fmt::format("'{}' is nothing that can be expected", word),
                         fmt::format("did you mean '{}'?", near));
    return wrong_check(fmt::format("'=' is missing in 'expect {}'", text),
                       "write 'expect y[0..3] = 1 2 3 4', or 'expect fault', 'expect printf', "
                       "'expect refused', 'expect no faults'");
  }
  ExpectBufferStep step;
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
  step.value = std::move(value).value();
  return Expectation(std::move(step));
}

/// True if a keyword is the name of a buffer here: "fault = 3", "printf[0] = 1".
bool is_buffer_after_all(std::string_view rest) {
  return !rest.empty() && (rest[0] == '=' || rest[0] == '~' || rest[0] == '[');
}

}  // namespace

Result<Expectation> parse_expectation(std::string_view text) {
  std::string_view rest = trimmed(text);
  const std::string_view word = take_word(rest);
  if (is_buffer_after_all(rest)) return parse_expected_values(trimmed(text));
  if (word == "fault") return parse_fault(rest);
  if (word == "no" && rest == "faults") return Expectation(ExpectedNoFaults{});
  if (word == "printf") {
    auto string = unquoted(rest);
    if (!string) return string.errors();
    return Expectation(ExpectPrintfStep{std::move(string).value()});
  }
  if (word == "refused") {
    if (!rest.starts_with("TSP-"))
      return wrong_check("a rule is expected after 'expect refused'",
                         "write 'expect refused TSP-U0001'");
    return Expectation(ExpectedRefusal{std::string(rest)});
  }
  return parse_expected_values(trimmed(text));
}

}  // namespace transpire::launch
