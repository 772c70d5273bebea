// Reads outputs and pictures: see launch/language/plan_builder.h.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "launch/language/plan_builder.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
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

/// Reads "NAME [as TYPE] [cols N]", where the name may be in double quotes.
Result<OutputStep> read_output(std::string_view buffer, std::string_view file) {
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
  output.file = file;
  if (file.starts_with('"')) {
    auto name = unquoted(file);
    if (!name) return name.errors();
    output.file = std::move(name).value();
  } else if (file.find_first_of(" \t") != file.npos) {
    return blanks_in_name(file);
  }
  return output;
}

}  // namespace

Status PlanBuilder::output(std::string_view buffer, std::string_view file) {
  auto output = read_output(buffer, file);
  if (!output) return output.errors();
  return add_output(std::move(output).value());
}

Status PlanBuilder::show(std::string_view text) {
  std::string_view left, right;
  std::string file;
  if (split_at_equals(text, left, right)) {
    file = right;
  } else {
    right = text;
    left = take_word(right);
    file = fmt::format("{}.png {}", left, right);
  }
  auto output = read_output(left, file);
  if (!output) return output.errors();
  output->is_shown = true;
  return add_output(std::move(output).value());
}

Status PlanBuilder::add_output(OutputStep output) {
  if (output.buffer.empty() || output.file.empty())
    return syntax_error("an output needs a buffer and a file", "write 'out y = result.bin'");
  output.file = path_of(output.file);
  output.where = where_;
  add_check(std::move(output));
  return Unit{};
}

}  // namespace transpire::launch
