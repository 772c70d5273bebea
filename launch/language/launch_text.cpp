// Reads the text form of the launch language: one statement a line, `#` starts a comment. Also finds launch
// lines inside kernel sources. docs/launch-file.md describes the language.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "launch/language/asked_settings.h"
#include "launch/language/plan_builder.h"
#include "launch/language/statements.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {

std::string_view without_comment(std::string_view line) {
  std::string_view rest = line;
  const bool has_words = take_word(rest) == "options";
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && c == '#') return line.substr(0, i);
    if (quote != 0 && c == '\\' && !has_words)
      ++i;
    else if (quote != 0 && c == quote)
      quote = 0;
    else if (quote == 0 && (c == '"' || (c == '\'' && has_words)))
      quote = c;
  }
  return line;
}

namespace {

std::vector<std::string> keywords() {
  std::vector<std::string> words;
  for (const Statement& statement : statements())
    if (statement.line != nullptr || statement.assignment != nullptr)
      words.emplace_back(statement.word);
  words.insert(words.end(), setting_words().begin(), setting_words().end());
  return words;
}

bool is_keyword(std::string_view word) {
  static const std::vector<std::string> all = keywords();
  return std::ranges::find(all, word) != all.end();
}

Status read_line(PlanBuilder& builder, std::string_view line) {
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  if (!is_keyword(word))
    return command_error(kBadLaunchFile,
                         fmt::format("'{}' is not a statement of launch files", word),
                         suggestion(word, keywords(), "statements"));
  const auto statement = std::ranges::find(statements(), word, &Statement::word);
  if (statement == statements().end()) return builder.setting(word, rest);
  if (statement->line != nullptr) return statement->line(builder, rest);
  std::string_view left;
  std::string_view right;
  if (!split_at_equals(rest, left, right))
    return command_error(kBadLaunchFile, fmt::format("'=' is missing after '{}'", word));
  return statement->assignment(builder, left, right);
}

}  // namespace

Status read_launch_lines(PlanBuilder& builder, std::string_view text, const std::string& file) {
  SourceLine where{file, 0, 0};
  Diagnostics errors;
  bool any_known = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view whole = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++where.line;
    const std::string_view line = trimmed(without_comment(whole));
    if (line.empty()) continue;
    where.column = static_cast<std::uint32_t>(line.data() - whole.data()) + 1;
    builder.set_place(where);
    any_known |= begins_with_statement(line);
    const Status read = read_line(builder, line);
    if (read) continue;
    for (Diagnostic& error : placed(read.errors(), where)) errors.push_back(std::move(error));
  }
  // In a file that is no launch file every line is wrong; one error is enough.
  if (!any_known && errors.size() > 1) errors.resize(1);
  if (!errors.empty()) return errors;
  return Unit{};
}

bool begins_with_statement(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = trimmed(without_comment(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty()) return is_keyword(take_word(line));
  }
  return false;
}

Result<LaunchPlan> parse_launch_text(std::string_view text, const std::string& file) {
  PlanBuilder builder(file);
  const Status read = read_launch_lines(builder, text, file);
  if (!read) return read.errors();
  return builder.finish();
}

std::optional<std::string> embedded_launch_text(std::string_view source, std::string_view marker) {
  std::string text;
  bool any = false;
  while (!source.empty()) {
    const std::size_t end = std::min(source.find('\n'), source.size());
    const std::string_view line = trimmed(source.substr(0, end));
    source.remove_prefix(std::min(end + 1, source.size()));
    if (line.starts_with(marker)) {
      text += line.substr(marker.size());
      any = true;
    }
    text += '\n';
  }
  if (!any) return std::nullopt;
  return text;
}

}  // namespace transpire::launch
