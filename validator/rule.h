// What a rule of the validator is. Rules stand in tables beside the checks that report them, one file
// per family (validator/rules_*.cpp); `transpire explain`, docs/rules.md and the tests read the tables.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "transpire/diagnostic.hpp"

namespace transpire::validator {

/// What strictness `field` makes of a breach: real producers break some rules harmlessly.
enum class InField : std::uint8_t { kError, kWarning, kIgnored };

/// What kind of statement a rule is.
enum class RuleKind : std::uint8_t {
  kForbids,  ///< a module, or a device's description, can break it
  kAccepts,  ///< it says what has to be accepted; nothing ever reports it
};

/// One rule. All texts are static.
struct ValidationRule {
  std::string_view id;         ///< "ENV-2.1-07"; diagnostics say "TSP-ENV-2.1-07"
  std::string_view clause;     ///< title and heading of the specification
  std::string_view statement;  ///< one sentence in our words: lower case, no final period
  std::string_view hint;  ///< what to do: `help:` of diagnostics that have no better one, and the
                          ///< second paragraph of the rule's page. A full sentence.
  InField in_field = InField::kError;
  Severity severity = Severity::kError;  ///< in `strict`
  RuleKind kind = RuleKind::kForbids;
};

class Context;

/// Rules that belong together and the function that checks them.
struct Family {
  std::string_view name;
  std::span<const ValidationRule* const> rules;
  void (*check)(Context& context);  ///< null for a family of kAccepts rules
};

/// All families, in the order in which they run: the physical layout, then sections of the environment
/// specification and of SPIR-V. What runs first wins where two rules forbid the same (Context::report).
std::span<const Family* const> families();

/// The rule of an id in the form "ENV-2.1-07" or "TSP-ENV-2.1-07", in any case; null when there is none.
const ValidationRule* find_validation_rule(std::string_view id);

/// An id without "TSP-" and in small letters: what is compared.
std::string folded_rule_id(std::string_view id);
/// Whether a rule is among these, however they are spelled.
bool names_rule(const std::vector<std::string>& rules, std::string_view id);

/// The pages of all rules, examples included, for `transpire explain`; sorted by id: V, ENV, UNI, LIM.
std::vector<RulePage> validation_rule_pages();

}  // namespace transpire::validator
