// UnitMemory: fibers that begin, are copied and digested, without a launch that runs.
#include "scheduler/unit_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "tests/scheduler/fake_program.h"

namespace transpire::test {
namespace {

/// The memory of a unit of one group of 150 work-items, in batches of 64.
struct OneGroup {
  explicit OneGroup(std::vector<Inst> code, std::uint64_t max_steps = 0)
      : plan(make_ids({{150, 1, 1}, {150, 1, 1}}), 64, Filling::kByGroup), unit(plan, 256) {
    set_code(program, std::move(code));
    spec.memory = &space;
    spec.limits.max_steps = max_steps;
    control.emplace(spec, 1, 1);
    memory.emplace(program, plan, unit, 256, collector);
    unit.go_to<Filling::kByGroup>(0);
    begin();
  }
  void begin() { memory->begin(*control, map, 1000); }

  vm::Program program;
  GeometryPlan plan;
  UnitGroups unit;
  Collector collector;
  const memory::AddressSpace space{8};
  const memory::AddressMap map = space.map();
  LaunchSpec spec;
  std::optional<LaunchControl> control;
  std::optional<UnitMemory> memory;
};

TEST_CASE("a program with barriers has a fiber for each batch of a group") {
  CHECK(OneGroup({make(barrier)}).memory->fibers().size() == 3);
  CHECK(OneGroup({}).memory->fibers().size() == 1);
}

TEST_CASE("a batch starts with the lanes of its shape and the launch's steps") {
  OneGroup group({make(barrier)}, 1500);
  Fiber& fiber = group.memory->fibers()[2];
  REQUIRE(group.memory->start(fiber, group.unit.batches()[2]));
  CHECK(fiber.batch.mask[0] == (std::uint64_t{1} << 22) - 1);
  CHECK(fiber.batch.ip == group.program.code.data());
  CHECK(fiber.batch.steps_left == 1000);
  CHECK(fiber.batch.steps_kept == 500);
}

TEST_CASE("a fiber is free once and is made if none is left") {
  OneGroup group({make(barrier)});
  UnitMemory& memory = *group.memory;
  memory.free_fibers();
  std::vector<const Fiber*> all;
  for (int i = 0; i < 5; ++i) {
    Fiber& fiber = memory.free_fiber();
    REQUIRE(memory.start(fiber, group.unit.batches()[0]));
    CHECK(std::ranges::find(all, &fiber) == all.end());
    CHECK(memory.is_spare(fiber) == (i >= 3));
    all.push_back(&fiber);
  }
  CHECK(memory.fiber_count() == 5);
  memory.free_fibers();
  CHECK(&memory.free_fiber() == all[0]);
  group.begin();  // another launch
  CHECK(memory.fiber_count() == 3);
}

TEST_CASE("a copied fiber has the state of the original, in memory of its own") {
  OneGroup group({make(barrier)});
  UnitMemory& memory = *group.memory;
  Fiber& from = memory.fibers()[0];
  Fiber& to = memory.fibers()[1];
  REQUIRE(memory.start(from, group.unit.batches()[0]));
  REQUIRE(memory.start(to, group.unit.batches()[1]));
  from.batch.registers[5] = std::byte{7};
  from.batch.mask[0] = 0xf0;
  from.batch.steps = 30;
  CHECK(memory.state_of(from) != memory.state_of(to));
  memory.copy_state(from, to);
  CHECK(memory.state_of(from) == memory.state_of(to));
  CHECK(to.batch.registers != from.batch.registers);
  CHECK(to.batch.registers[5] == std::byte{7});
  CHECK(to.batch.steps == 0);
  to.batch.registers[5] = std::byte{8};
  CHECK(memory.state_of(from) != memory.state_of(to));
}

TEST_CASE("local memory is reset, and its digest tells when it changes") {
  OneGroup group({make(barrier)});
  UnitMemory& memory = *group.memory;
  REQUIRE(memory.reset_workgroup_memory());
  const std::uint64_t before = memory.digest_workgroup_memory(1);
  memory.fibers()[0].batch.workgroup_memory[9] = std::byte{3};
  CHECK(memory.digest_workgroup_memory(1) != before);
  REQUIRE(memory.reset_workgroup_memory());
  CHECK(memory.digest_workgroup_memory(1) == before);
}

TEST_CASE("instructions are the steps of all fibers and the added ones, in one launch") {
  OneGroup group({make(barrier)});
  UnitMemory& memory = *group.memory;
  memory.fibers()[0].batch.steps = 100;
  memory.fibers()[2].batch.steps = 20;
  memory.add_steps(3);
  CHECK(memory.instructions() == 123);
  group.begin();
  CHECK(memory.instructions() == 0);
}

}  // namespace
}  // namespace transpire::test
