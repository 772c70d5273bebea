// The list of families, and functions over all rules.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "validator/example.h"
#include "validator/family_list.h"
#include "validator/rule.h"

namespace transpire::validator {
namespace {

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The effect of a breach in each strictness, for the rule's page.
std::string strictness_text(const ValidationRule& rule) {
  if (rule.kind == RuleKind::kAccepts)
    return "Validators have to accept such modules, so nothing is ever reported under this rule.";
  std::string text = rule.severity == Severity::kError
                         ? "Breaking this rule is an error with `--strictness strict`"
                         : "Breaking this rule is a warning with `--strictness strict`";
  switch (rule.in_field) {
    case InField::kError:
      return rule.severity == Severity::kError
                 ? "Breaking this rule is an error with every `--strictness`."
                 : text + " and with `field`.";
    case InField::kWarning:
      return text + " and a warning with `field`, because producers in use break it.";
    case InField::kIgnored:
      return text + ", and is not checked with `field`, because producers in use break it.";
  }
  return text;
}

std::string explanation_of(const ValidationRule& rule) {
  std::string sentence(rule.statement);
  if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z')
    sentence[0] = static_cast<char>(sentence[0] - 'a' + 'A');
  return fmt::format("{}. {}\n\n{}", sentence, strictness_text(rule), rule.hint);
}

}  // namespace

std::span<const Family* const> families() { return kFamilies; }

std::string folded_rule_id(std::string_view id) {
  std::string text;
  for (const char c : id) text += folded(c);
  return text.starts_with("tsp-") ? text.substr(4) : text;
}

bool names_rule(const std::vector<std::string>& rules, std::string_view id) {
  return std::ranges::find(rules, folded_rule_id(id), folded_rule_id) != rules.end();
}

const ValidationRule* find_validation_rule(std::string_view id) {
  const std::string wanted = folded_rule_id(id);
  for (const Family* family : families())
    for (const ValidationRule* rule : family->rules)
      if (folded_rule_id(rule->id) == wanted) return rule;
  return nullptr;
}

namespace {

/// An id for sorting: V, ENV, UNI, LIM; numbers by their value.
std::string sort_key(const std::string& id) {
  constexpr std::string_view kSections[] = {"TSP-V", "TSP-ENV", "TSP-UNI", "TSP-LIM"};
  std::string key = "9";
  for (std::size_t n = 0; n < std::size(kSections); ++n)
    if (id.starts_with(kSections[n])) key = fmt::to_string(n);
  for (std::size_t at = 0; at < id.size();) {
    const std::size_t end = std::min(id.find_first_not_of("0123456789", at), id.size());
    if (end == at) {
      key += id[at++];
      continue;
    }
    key += fmt::format("{:0>6}", id.substr(at, end - at));
    at = end;
  }
  return key;
}

}  // namespace

std::vector<RulePage> validation_rule_pages() {
  std::map<std::string, const ValidationRule*> sorted;
  for (const Family* family : families())
    for (const ValidationRule* rule : family->rules)
      sorted.emplace(sort_key(fmt::format("TSP-{}", rule->id)), rule);
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> texts;
  for (const Example& example : examples()) texts[{example.id, example.kind}] = example.text;
  std::vector<RulePage> pages;
  pages.reserve(sorted.size());
  for (const auto& [key, rule] : sorted) {
    const Severity severity = rule->kind == RuleKind::kAccepts ? Severity::kNote : rule->severity;
    pages.push_back({fmt::format("TSP-{}", rule->id), std::string(rule->statement),
                     explanation_of(*rule), std::string(rule->clause), severity,
                     std::string(texts[{rule->id, "bad"}]),
                     std::string(texts[{rule->id, "good"}])});
  }
  return pages;
}

}  // namespace transpire::validator
