// `transpire explain`: the page of a rule, or the list of all rules.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/commands.h"
#include "cli/json_output.h"
#include "launch/diagnose.h"
#include "launch/rule_words.h"
#include "launch/text.h"

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

/// Whether the words stand in the text, letter case aside.
bool has_words(std::string_view text, std::string_view words) {
  return std::search(text.begin(), text.end(), words.begin(), words.end(), is_same_letter) !=
         text.end();
}

/// Rules with the words in their title, letter case aside; else those with them in their explanation.
std::vector<RulePage> pages_about(std::string_view words) {
  std::vector<RulePage> found;
  for (const std::string RulePage::*text : {&RulePage::title, &RulePage::explanation}) {
    for (const RulePage& page : rule_pages())
      if (has_words(page.*text, words)) found.push_back(page);
    if (!found.empty()) break;
  }
  return found;
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
                         "'transpire explain' without a rule lists all of them")});
    page = find_rule(pages[0].id);
  }
  print(options.json() ? json_of_rules({*page}) : format_page(*page));
  return kSuccess;
}

}  // namespace transpire::cli
