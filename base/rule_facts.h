// Facts of rules that findings, their causes and the collector go by: a row for each rule that differs from the others.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string_view>

#include "base/run_rule.h"

namespace transpire {

struct RuleFacts {
  Rule rule{};
  /// The launch ended at the present locations of its work-items. It has one finding of the rule.
  bool is_limit = false;
  /// The note about the first work-item says how many there were. Other findings count them elsewhere, place by place.
  bool tells_count = true;
  /// Results, and bytes that should have been stored, that are wrong after a finding.
  enum class Spoils : std::uint8_t { kAll, kNotOfAccesses, kNothing };
  Spoils spoils = Spoils::kAll;
  /// The subject of the finding.
  enum class Concerns : std::uint8_t {
    kOperands,
    kLastOperand,   ///< a divisor, an amount
    kCoordinates,   ///< an image access has these
    kNoAllocation,  ///< the address was computed from none, so to name a neighbour would mislead
    kGroup,         ///< work-items that do not come together
    kSubgroup,      ///< likewise
    kGroupOperand   ///< an operand that differs within a group
  };
  Concerns concerns = Concerns::kOperands;
  /// Noun of the access; empty: the instruction's.
  std::string_view access{};
  /// Noun of the access of an instruction that has none.
  std::string_view other_access = "access";
};

namespace detail {

using Spoils = RuleFacts::Spoils;
using Concerns = RuleFacts::Concerns;

inline constexpr RuleFacts kRuleFacts[] = {
    {.rule = Rule::kR0001, .concerns = Concerns::kNoAllocation},
    {.rule = Rule::kR0002, .concerns = Concerns::kNoAllocation},
    {.rule = Rule::kR0020, .other_access = "load"},
    {.rule = Rule::kR0021, .access = "store"},
    {.rule = Rule::kR0022, .access = "atomic access"},
    {.rule = Rule::kR0023, .spoils = Spoils::kNotOfAccesses},
    {.rule = Rule::kR0024, .access = "store"},
    {.rule = Rule::kR0025, .access = "store"},
    {.rule = Rule::kR0027, .other_access = "load"},
    {.rule = Rule::kR0040,
     .tells_count = false,
     .spoils = Spoils::kNothing,
     .concerns = Concerns::kGroup},
    {.rule = Rule::kR0041, .concerns = Concerns::kSubgroup},
    {.rule = Rule::kR0043, .spoils = Spoils::kNothing},
    {.rule = Rule::kR0045, .concerns = Concerns::kGroupOperand},
    {.rule = Rule::kR0046, .spoils = Spoils::kNothing},
    {.rule = Rule::kR0048, .is_limit = true, .tells_count = false, .spoils = Spoils::kNothing},
    {.rule = Rule::kR0050, .spoils = Spoils::kNothing},
    {.rule = Rule::kR0051, .spoils = Spoils::kNothing},
    {.rule = Rule::kR0060, .concerns = Concerns::kLastOperand},
    {.rule = Rule::kR0062, .concerns = Concerns::kLastOperand},
    {.rule = Rule::kR0068, .spoils = Spoils::kNothing},
    {.rule = Rule::kR0070, .concerns = Concerns::kCoordinates},
    {.rule = Rule::kR0071, .concerns = Concerns::kCoordinates},
    {.rule = Rule::kR0073, .concerns = Concerns::kCoordinates},
    {.rule = Rule::kL0001, .is_limit = true, .spoils = Spoils::kNothing},
    {.rule = Rule::kL0002, .is_limit = true, .spoils = Spoils::kNothing},
    {.rule = Rule::kL0008, .is_limit = true},
};

static_assert(std::ranges::adjacent_find(kRuleFacts, std::ranges::greater_equal{},
                                         &RuleFacts::rule) == std::ranges::end(kRuleFacts),
              "rows stand in the order of their rules, each rule once");

inline constexpr auto kFactsByRule = [] {
  std::array<RuleFacts, kRuleCount> all{};
  for (const RuleFacts& row : kRuleFacts) all[static_cast<std::size_t>(row.rule)] = row;
  return all;
}();

}  // namespace detail

/// Rules of the validator that are found at run time spoil nothing.
constexpr RuleFacts facts_of(Rule rule) {
  if (is_run_rule(rule)) return {.rule = rule, .spoils = RuleFacts::Spoils::kNothing};
  return detail::kFactsByRule[static_cast<std::size_t>(rule)];
}

/// Facts of the rule with an id such as "TSP-R0048"; those of most rules if the table has no such id.
RuleFacts facts_of_id(std::string_view id);

}  // namespace transpire
