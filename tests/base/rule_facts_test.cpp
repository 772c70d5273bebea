// Facts of rules: the rows, and those of rules that have none.
#include "base/rule_facts.h"

#include <doctest/doctest.h>

namespace transpire::test {

TEST_CASE("a rule has the facts of its row, any other one those of most rules") {
  CHECK(facts_of(Rule::kL0001).is_limit);
  CHECK(facts_of(Rule::kL0001).rule == Rule::kL0001);
  CHECK(facts_of(Rule::kR0041).concerns == RuleFacts::Concerns::kSubgroup);
  const RuleFacts other = facts_of(Rule::kD0001);
  CHECK(!other.is_limit);
  CHECK(other.spoils == RuleFacts::Spoils::kAll);
  CHECK(other.access.empty());
  CHECK(other.other_access == "access");
}

TEST_CASE("ids name rules") {
  CHECK(facts_of_id("TSP-R0048").rule == Rule::kR0048);
  CHECK(facts_of_id("TSP-R0048").is_limit);
  CHECK(facts_of_id("TSP-UNI-35").spoils == RuleFacts::Spoils::kNothing);
  CHECK(!facts_of_id("TSP-R9999").is_limit);
  CHECK(!facts_of_id("").is_limit);
}

TEST_CASE("the validator's rules that a run finds spoil nothing") {
  const RuleFacts found = facts_of(as_rule(RunRule::kUniUnequal));
  CHECK(found.spoils == RuleFacts::Spoils::kNothing);
  CHECK(!found.is_limit);
}

}  // namespace transpire::test
