// The rule table, made from base/rules/*.def.
#include "base/rule.h"

#include <algorithm>
#include <iterator>

#include "base/rule_facts.h"

namespace transpire {
namespace {

struct Row {
  const char* id;
  Severity severity;
  const char* title;
  const char* clause;
  const char* explanation;
};

constexpr Row kRows[] = {
#define TRANSPIRE_RULE(id, severity, title, clause, explanation) \
  {"TSP-" #id, Severity::severity, title, clause, explanation},
#include "base/rules/all.def"
#undef TRANSPIRE_RULE
#define TRANSPIRE_RUN_RULE(name, id, severity) {id, Severity::severity, "", "", ""},
#include "base/rules/found_at_run.def"
#undef TRANSPIRE_RUN_RULE
};

const Row& row(Rule rule) { return kRows[static_cast<std::size_t>(rule)]; }

}  // namespace

std::string_view rule_id(Rule rule) { return row(rule).id; }

Diagnostic make_diagnostic(Rule rule, std::string message) {
  Diagnostic diagnostic;
  diagnostic.rule = row(rule).id;
  diagnostic.severity = row(rule).severity;
  diagnostic.message = std::move(message);
  diagnostic.clause = row(rule).clause;
  return diagnostic;
}

RuleFacts facts_of_id(std::string_view id) {
  const Row* const found = std::ranges::find(kRows, id, &Row::id);
  return found != std::end(kRows) ? facts_of(static_cast<Rule>(found - kRows)) : RuleFacts{};
}

std::vector<RulePage> base_rule_pages() {
  std::vector<RulePage> pages;
  for (const Row& r : kRows) {
    if (r.title[0] == 0) continue;
    pages.push_back({r.id, r.title, r.explanation, r.clause, r.severity, {}, {}});
  }
  return pages;
}

}  // namespace transpire
