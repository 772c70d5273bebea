// Rule ids of every diagnostic, one X-macro table per family under base/rules/, and makers of
// diagnostics from them. A rule's text for `transpire explain` stands in the same row.
#pragma once

#include <string>
#include <string_view>

#include "transpire/diagnostic.hpp"

namespace transpire {

/// kD*: decoder, kV*: validator, kU*: unsupported, kR*: run time, kL*: limits, kC*: command line
/// and launch files.
enum class Rule : std::uint16_t {
#define TRANSPIRE_RULE(id, severity, title, clause, explanation) k##id,
#include "base/rules/all.def"
#undef TRANSPIRE_RULE
};

/// The stable spelling, e.g. "TSP-D0003".
std::string_view rule_id(Rule rule);

/// Makes a diagnostic of the rule with the rule's severity and clause.
Diagnostic make_diagnostic(Rule rule, std::string message);

/// The pages of the rules above. The validator's pages are defined beside its checks; `rule_pages()` returns both.
std::vector<RulePage> base_rule_pages();

}  // namespace transpire
