// `transpire explain`: the page of a rule, or the list of all rules.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "launch/report/diagnose.h"
#include "launch/report/rule_words.h"
#include "launch/report/text.h"

namespace transpire::cli {
namespace {

constexpr std::size_t kColumns = 80;

const char* severity_word(Severity severity) {
  if (severity == Severity::kError) return "error";
  return severity == Severity::kWarning ? "warning" : "note";
}

std::string format_page(const RulePage& page) {
  std::string text = fmt::format("{} ({}): {}\n\n{}\n", page.id, severity_word(page.severity),
                                 page.title, wrapped(page.explanation, kColumns));
  if (!page.clause.empty()) text += fmt::format("\nsource: {}\n", page.clause);
  if (!page.bad_example.empty()) text += fmt::format("\nThis breaks it:\n\n{}", page.bad_example);
  if (!page.good_example.empty()) text += fmt::format("\nThis does not:\n\n{}", page.good_example);
  return text;
}

int list_rules(const ExplainOptions& options, const std::vector<RulePage>& pages) {
  if (options.json()) {
    print(json_of_rules(pages));
    return kSuccess;
  }
  std::string text;
  for (const RulePage& page : pages)
    text += fmt::format("{}  {:<7}  {}\n", page.id, severity_word(page.severity), page.title);
  print(text);
  return kSuccess;
}

constexpr auto is_same_letter = [](unsigned char x, unsigned char y) {
  return std::toupper(x) == std::toupper(y);
};

bool has_word(std::string_view text, std::string_view word) {
  return std::search(text.begin(), text.end(), word.begin(), word.end(), is_same_letter) !=
         text.end();
}

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Rules with all the words in their title, ignoring case; if there are none, rules with them in
/// their explanation.
std::vector<RulePage> pages_about(const std::string& text) {
  const std::vector<std::string> words = split_words(text);
  std::vector<RulePage> found;
  for (const bool titles : {true, false}) {
    for (const RulePage& page : rule_pages()) {
      const std::string all = titles ? page.title : page.title + " " + page.explanation;
      const bool has_all =
          std::ranges::all_of(words, [&](const std::string& word) { return has_word(all, word); });
      if (has_all && !words.empty()) found.push_back(page);
    }
    if (!found.empty()) break;
  }
  return found;
}

/// A rule's id, or a word of a title, that the text may have meant.
std::string hint_for(const std::string& text) {
  std::vector<std::string> words;
  for (const RulePage& page : rule_pages())
    for (const std::string& word : split_words(page.title))
      if (word.size() > 3) words.push_back(word);
  const bool is_id = text.find_first_of("0123456789") != std::string::npos;
  const std::string near = is_id ? rule_id_near(text) : nearest(text, words);
  constexpr std::string_view kAll = "'transpire explain' without a rule lists all of them";
  return near.empty() ? std::string(kAll) : fmt::format("did you mean '{}'? {}", near, kAll);
}

}  // namespace

int command_explain(const ExplainOptions& options) {
  if (options.rule.empty()) return list_rules(options, rule_pages());
  const RulePage* page = find_rule(full_rule_id(options.rule));
  if (page == nullptr) {
    const std::vector<RulePage> pages = pages_about(options.rule);
    if (pages.size() > 1) return list_rules(options, pages);
    if (pages.empty())
      return fail(
          "explain", options,
          {command_error(kNoSuchRule,
                         fmt::format("no rule has the id '{}', nor speaks of it", options.rule),
                         hint_for(options.rule))});
    page = find_rule(pages[0].id);
  }
  print(options.json() ? json_of_rules({*page}) : format_page(*page));
  return kSuccess;
}

}  // namespace transpire::cli
