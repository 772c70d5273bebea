// UnitGroups: the groups and batches of units in plans of each filling.
#include "scheduler/unit_groups.h"

#include <doctest/doctest.h>

#include <array>

#include "tests/scheduler/fake_program.h"

namespace transpire::test {
namespace {

using Id = std::array<std::uint64_t, 3>;

Id id_of(const UnitGroups& unit) { return {unit.id()[0], unit.id()[1], unit.id()[2]}; }

TEST_CASE("a unit of one group has the group's coordinates, size and batches") {
  const GeometryPlan plan(make_ids({{150, 3, 1}, {100, 1, 1}}), 64, Filling::kByGroup);
  UnitGroups unit(plan, 0);
  Batch batch;
  unit.go_to<Filling::kByGroup>(0);
  CHECK(unit.batches().size() == 2);
  unit.go_to<Filling::kByGroup>(3);  // the smaller group at the end of the second line
  unit.enter(batch);
  CHECK(id_of(unit) == Id{1, 1, 0});
  CHECK(unit.group() == 3);
  CHECK(unit.groups() == 1);
  CHECK(unit.batches().size() == 1);
  CHECK(batch.group_id[1] == 1);
  CHECK(batch.local_size[0] == 50);
  unit.go_to<Filling::kByGroup>(4);
  CHECK(id_of(unit) == Id{0, 2, 0});
}

TEST_CASE("a packed unit has rows of its groups' ids and of their local memory") {
  const GeometryPlan plan(make_ids({{40, 2, 1}, {8, 1, 1}}), 64, Filling::kPacked);
  UnitGroups unit(plan, 256);
  Batch batch;
  unit.attach(batch);
  CHECK(batch.group_items == 8);
  // Ten groups, five in a line: eight in the first unit, two in the last one.
  for (const std::uint64_t number : {0, 1, 0}) {
    unit.go_to<Filling::kPacked>(number);
    CHECK(unit.groups() == (number == 0 ? 8 : 2));
    for (std::uint32_t lane = 0; lane < unit.groups() * 8; ++lane) {
      const std::uint64_t group = number * 8 + lane / 8;
      CHECK(batch.packed_group_id[0][lane] == group % 5);
      CHECK(batch.packed_group_id[1][lane] == group / 5);
      CHECK(batch.packed_workgroup_base[lane] == lane / 8 * 256);
    }
  }
  CHECK(unit.batches().size() == 1);
}

TEST_CASE("packed units within one line follow each other and may be jumped over") {
  const GeometryPlan plan(make_ids({{8 * 100, 2, 1}, {8, 1, 1}}), 64, Filling::kPacked);
  UnitGroups unit(plan, 0);
  Batch batch;
  unit.attach(batch);
  for (const std::uint64_t number : {0, 1, 2, 20, 21, 3}) {
    unit.go_to<Filling::kPacked>(number);
    CHECK(id_of(unit) == Id{number * 8 % 100, number * 8 / 100, 0});
    CHECK(batch.packed_group_id[0][63] == (number * 8 + 7) % 100);
    CHECK(batch.packed_group_id[1][63] == (number * 8 + 7) / 100);
  }
}

TEST_CASE("a flowing unit has consecutive work-items of several groups") {
  const GeometryPlan plan(make_ids({{5 * 50, 1, 1}, {50, 1, 1}}), 64, Filling::kFlowing);
  UnitGroups unit(plan, 0);
  Batch batch;
  unit.attach(batch);
  for (const std::uint64_t number : {0, 1, 2, 3}) {
    unit.go_to<Filling::kFlowing>(number);
    REQUIRE(unit.batches().size() == 1);
    const scheduler::BatchShape& shape = unit.batches()[0];
    CHECK(shape.items == (number == 3 ? 250 - 3 * 64 : 64));
    for (std::uint32_t lane = 0; lane < shape.items; ++lane) {
      CHECK(batch.packed_group_id[0][lane] == (number * 64 + lane) / 50);
      CHECK(shape.local_id[0][lane] == (number * 64 + lane) % 50);
      CHECK(shape.local_id[1][lane] == 0);
    }
  }
}

}  // namespace
}  // namespace transpire::test
