// Reads the text form of the launch language: one statement a line, `#` starts a comment. Also finds launch
// lines inside kernel sources. docs/launch-file.md describes the language.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "launch/language/asked_settings.h"
#include "launch/language/plan_builder.h"
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

using Statement = Status (PlanBuilder::*)(std::string_view);
using Assignment = Status (PlanBuilder::*)(std::string_view, std::string_view);

struct Keyword {
  std::string_view word;
  Statement statement = nullptr;    ///< WORD REST
  Assignment assignment = nullptr;  ///< WORD LEFT = RIGHT
};

constexpr std::array kStatements{
    Keyword{"module", &PlanBuilder::named_module},
    Keyword{"options", &PlanBuilder::options},
    Keyword{"suppress", &PlanBuilder::suppress},
    Keyword{"spec", nullptr, &PlanBuilder::specialise},
    Keyword{"buffer", nullptr, &PlanBuilder::buffer},
    Keyword{"shared", nullptr, &PlanBuilder::shared},
    Keyword{"variable", nullptr, &PlanBuilder::variable},
    Keyword{"queue", &PlanBuilder::queue},
    Keyword{"default-queue", &PlanBuilder::default_queue},
    Keyword{"kernel", &PlanBuilder::kernel},
    Keyword{"global", &PlanBuilder::global},
    Keyword{"local", &PlanBuilder::local},
    Keyword{"offset", &PlanBuilder::offset},
    Keyword{"arg", nullptr, &PlanBuilder::argument},
    Keyword{"repeat", &PlanBuilder::repeat},
    Keyword{"print", &PlanBuilder::print},
    Keyword{"out", nullptr, &PlanBuilder::output},
    Keyword{"expect", &PlanBuilder::expect},
};

// Keywords that kStatements does not have. The settings and limits of the tables come before `shared-base`.
constexpr std::string_view kFirst[] = {"launch", "isa", "threads"};

const std::vector<Keyword>& keywords() {
  static const std::vector<Keyword> all = [] {
    std::vector<Keyword> keywords(kStatements.begin(), kStatements.end());
    for (const std::string_view word : kFirst) keywords.push_back({word});
    for (const std::string_view word : setting_words()) keywords.push_back({word});
    keywords.push_back({"shared-base"});
    return keywords;
  }();
  return all;
}

bool is_keyword(std::string_view word) {
  return std::ranges::find(keywords(), word, &Keyword::word) != keywords().end();
}

Diagnostic unknown_keyword(std::string_view word) {
  std::vector<std::string> words;
  for (const Keyword& keyword : keywords()) words.emplace_back(keyword.word);
  return command_error(kBadLaunchFile, fmt::format("'{}' is not a statement of launch files", word),
                       suggestion(word, words, "statements"));
}

Status read_line(PlanBuilder& builder, std::string_view line) {
  std::string_view rest = line;
  const std::string_view word = take_word(rest);
  for (const Keyword& keyword : keywords()) {
    if (keyword.word != word) continue;
    if (keyword.statement != nullptr) return (builder.*keyword.statement)(rest);
    if (keyword.assignment != nullptr) {
      std::string_view left;
      std::string_view right;
      if (!split_at_equals(rest, left, right))
        return command_error(kBadLaunchFile, fmt::format("'=' is missing after '{}'", word));
      return (builder.*keyword.assignment)(left, right);
    }
    if (word != "launch") return builder.setting(word, rest);
    if (rest.empty()) return builder.launch();
    return command_error(kBadLaunchFile, fmt::format("'{}' was not expected after 'launch'", rest));
  }
  return unknown_keyword(word);
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
