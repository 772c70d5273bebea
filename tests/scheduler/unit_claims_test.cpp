// UnitCounter and UnitClaims: every unit is claimed once. GroupCursor: its coordinates are those of the plan.
#include "scheduler/unit_claims.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "scheduler/group_cursor.h"
#include "tests/scheduler/fake_program.h"

namespace transpire::test {

TEST_CASE("threads that claim in turn get each unit once, in order") {
  for (const std::uint64_t units : {1, 2, 31, 32, 33, 1000}) {
    UnitCounter counter(units, 2);
    UnitClaims claims[2];
    std::vector<std::uint64_t> taken;
    while (claims[0].claim_chunk(counter) || claims[1].claim_chunk(counter))
      for (UnitClaims& each : claims)
        while (!each.empty()) taken.push_back(each.take());
    REQUIRE(taken.size() == units);
    std::ranges::sort(taken);
    for (std::uint64_t i = 0; i < units; ++i) CHECK(taken[i] == i);
  }
}

TEST_CASE("a chunk leaves work for the other threads") {
  UnitCounter counter(3200, 2);
  UnitClaims claims;
  REQUIRE(claims.claim_chunk(counter));
  CHECK(claims.left().end - claims.left().first == 100);
}

TEST_CASE("a single unit is taken from the claimed ones before another is claimed") {
  UnitCounter counter(65, 2);  // chunks of two units
  UnitClaims claims;
  REQUIRE(claims.claim_chunk(counter));
  std::uint64_t unit = 9;
  for (const std::uint64_t expected : {0, 1, 2, 3}) {
    REQUIRE(claims.take_or_claim(counter, unit));
    CHECK(unit == expected);
  }
  CHECK(claims.empty());
  CHECK(counter.claim_rest().first == 4);
  CHECK_FALSE(claims.take_or_claim(counter, unit));
  CHECK_FALSE(claims.claim_chunk(counter));
}

TEST_CASE("units that nobody claimed are claimed as the rest once") {
  UnitCounter counter(10, 1);
  CHECK(counter.claim_one().first == 0);
  const auto rest = counter.claim_rest();
  CHECK(rest.first == 1);
  CHECK(rest.end == 10);
  const auto none = counter.claim_rest();
  CHECK(none.first >= none.end);
}

TEST_CASE("a cursor that steps and jumps is where the plan says") {
  const GeometryPlan plan(make_ids({{6, 4, 3}, {2, 1, 1}}), 64, Filling::kByGroup);
  GroupCursor cursor(plan);
  const auto is_at = [&](std::uint64_t group) {
    std::uint64_t id[3];
    plan.group_at(group, id);
    return std::equal(id, id + 3, cursor.id());
  };
  CHECK_FALSE(cursor.go_to(0));
  for (std::uint64_t group = 1; group < plan.group_count(); ++group) {
    CHECK(cursor.go_to(group));
    CHECK(cursor.go_to(group));
    CHECK(is_at(group));
  }
  CHECK_FALSE(cursor.go_to(9));
  CHECK(is_at(9));
  CHECK(cursor.line_holds(2));
  CHECK_FALSE(cursor.line_holds(3));
  cursor.step_in_line(2);
  CHECK(is_at(11));
}

}  // namespace transpire::test
