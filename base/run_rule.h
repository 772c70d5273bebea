// Rules of the validator that the VM checks at run time (base/rules/found_at_run.def). Their numbers follow those of
// base/rule.h. Ids, severities and pages are the validator's.
#pragma once

#include "base/rule.h"

namespace transpire {

inline constexpr std::uint16_t kRuleCount = 0
#define TRANSPIRE_RULE(id, severity, title, clause, explanation) +1
#include "base/rules/all.def"
#undef TRANSPIRE_RULE
    ;

enum class RunRule : std::uint16_t {
  kBeforeFirst = kRuleCount - 1,
#define TRANSPIRE_RUN_RULE(name, id, severity) k##name,
#include "base/rules/found_at_run.def"
#undef TRANSPIRE_RUN_RULE
};

constexpr Rule as_rule(RunRule rule) { return static_cast<Rule>(rule); }
constexpr bool is_run_rule(Rule rule) { return static_cast<std::uint16_t>(rule) >= kRuleCount; }

}  // namespace transpire
