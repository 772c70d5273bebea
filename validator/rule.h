// The rules of the validator. They stand in tables beside the checks that report them, one file per
// family (validator/rules_*.cpp); `transpire explain`, docs/rules.md and the tests read the tables.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/diagnostic.hpp"

namespace transpire::validator {

/// The effect of a breach in `field`: compilers in use break some rules harmlessly.
enum class InField : std::uint8_t { kError, kWarning, kIgnored };

/// The kind of a rule's statement.
enum class RuleKind : std::uint8_t {
  kForbids,  ///< a module, or a device's description, can break it
  kAccepts,  ///< names something to accept; no check reports it
};

/// One rule. All texts are static.
struct ValidationRule {
  std::string_view id;         ///< "ENV-2.1-07"; diagnostics say "TSP-ENV-2.1-07"
  std::string_view clause;     ///< title and heading of the specification
  std::string_view statement;  ///< one sentence: lower case, no final period
  std::string_view hint;  ///< instruction to the user: `help:` of diagnostics without a better one,
                          ///< and the second paragraph of the rule's page. A full sentence.
  InField in_field = InField::kError;
  Severity severity = Severity::kError;  ///< in `strict`
  RuleKind kind = RuleKind::kForbids;
};

class Context;

/// A group of rules and the function that checks them.
struct Family {
  std::string_view name;
  std::span<const ValidationRule* const> rules;
  void (*check)(Context& context);  ///< null for a family of kAccepts rules
};

/// All families, in the order in which they run: the physical layout, then sections of the
/// environment specification and of SPIR-V. If two rules forbid the same, the first to run reports
/// it (Context::report).
std::span<const Family* const> families();

/// The rule of an id in the form "ENV-2.1-07" or "TSP-ENV-2.1-07", in any case; null if there is
/// none.
const ValidationRule* find_validation_rule(std::string_view id);

/// The id without "TSP-" and in lower case, for comparison.
std::string folded_rule_id(std::string_view id);
/// True if the list contains the rule in any spelling.
bool names_rule(const std::vector<std::string>& rules, std::string_view id);

/// The pages of all rules, examples included, for `transpire explain`; sorted by id: V, ENV, UNI, LIM.
std::vector<RulePage> validation_rule_pages();

}  // namespace transpire::validator
