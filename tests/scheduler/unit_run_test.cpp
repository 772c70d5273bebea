// UnitRun, its batches and its turns, with a host of the test's own and without a launch that runs.
#include "scheduler/unit_run.h"

#include <doctest/doctest.h>

#include <optional>
#include <vector>

#include "scheduler/batches.h"
#include "scheduler/turns.h"
#include "tests/scheduler/fake_program.h"

namespace transpire::test {
namespace {

struct FakeHost final : scheduler::UnitHost {
  void report_end(UnitRun&, const Batch& batch) override { ends.push_back(&batch); }
  bool has_room() const override { return true; }
  void count_steps(std::uint64_t more) override { steps += more; }
  std::vector<const Batch*> ends;
  std::uint64_t steps = 0;
};

/// Takes a step. In lanes whose LocalId[0] is below `waits_below` it stops at the end of a loop, until `is_set`.
struct Flag {
  bool is_set = false;
  std::uint64_t waits_below = 0;
};

const Inst* wait_for_flag(const Inst* ip, std::byte*, Batch* batch) {
  const Flag& flag = *reinterpret_cast<const Flag*>(ip->imm);
  ++batch->steps;
  if (flag.is_set || vm::exec::work_item(*batch, 0).local_id[0] >= flag.waits_below) return ip + 1;
  batch->stop = Stop::kTurn;
  batch->ip = ip;
  return nullptr;
}

/// A group of 150 work-items, in batches of 64, that has begun.
struct OneUnit {
  OneUnit(std::vector<Inst> code, bool barriers, std::uint64_t max_steps = 0)
      : plan(make_ids({{150, 1, 1}, {150, 1, 1}}), 64, Filling::kByGroup) {
    set_code(program, std::move(code));
    program.uses_barrier = barriers;
    spec.memory = &space;
    spec.limits.max_steps = max_steps;
    control.emplace(spec, 1, 1);
    observer.begin(nullptr);
    run.emplace(program, plan, 0, host, false);
    run->begin(*control, map, observer);
    REQUIRE(run->begin_unit(0));
  }

  vm::Program program;
  GeometryPlan plan;
  const memory::AddressSpace space{8};
  const memory::AddressMap map = space.map();
  LaunchSpec spec;
  std::optional<LaunchControl> control;
  scheduler::GroupNotifier observer;
  FakeHost host;
  std::optional<UnitRun> run;
};

TEST_CASE("a unit without barriers runs one batch after the other in few fibers") {
  Record seen;
  OneUnit unit({make(record, seen)}, false);
  CHECK(scheduler::run_batches(*unit.run) == UnitEnd::kRan);
  CHECK(seen.visits.size() == 150);
  CHECK(unit.run->turns == nullptr);
  CHECK(unit.host.ends.empty());
}

TEST_CASE("batches that meet at a barrier pass it together, and count it once") {
  Record before, after;
  OneUnit unit({make(record, before), make(barrier), make(record, after)}, true);
  CHECK(scheduler::run_batches(*unit.run) == UnitEnd::kRan);
  CHECK(before.visits.size() == 150);
  CHECK(after.visits.size() == 150);
  CHECK(unit.run->rounds[0] == 1);
}

TEST_CASE(
    "a group that does not meet goes on by turns, and its divergence is reported when it ends") {
  Record after;
  OneUnit unit({make(skip_next_from, 128), make(barrier), make(record, after)}, true);
  CHECK(scheduler::run_batches(*unit.run) == UnitEnd::kGoesOn);
  REQUIRE(unit.run->turns != nullptr);
  scheduler::Turns& turns = *unit.run->turns;
  CHECK(turns.part_count() == 3);
  CHECK(turns.all_begun());
  CHECK(after.visits.size() == 22);
  for (int rounds = 0; !turns.has_ended(); ++rounds) {
    REQUIRE(rounds < 10);
    Round round;
    REQUIRE(turns.take_turns(round));
    CHECK(round.moved);
  }
  CHECK(after.visits.size() == 150);
  CHECK_FALSE(unit.run->collector.empty());
}

TEST_CASE(
    "a batch that waits lets the next one begin, and its state stays the same until it goes on") {
  Flag flag{.waits_below = 64};
  Record after;
  OneUnit unit({make(wait_for_flag, reinterpret_cast<std::uintptr_t>(&flag)), make(record, after)},
               false);
  CHECK(scheduler::run_batches(*unit.run) == UnitEnd::kGoesOn);
  scheduler::Turns& turns = *unit.run->turns;
  CHECK(turns.part_count() == 1);
  CHECK_FALSE(turns.all_begun());
  const std::uint64_t state = turns.state();
  Round quiet;
  REQUIRE(turns.take_turns(quiet));
  CHECK_FALSE(quiet.moved);
  CHECK(turns.state() == state);
  CHECK(after.visits.empty());
  REQUIRE(turns.begin_next_batch());
  REQUIRE(turns.begin_next_batch());
  CHECK(turns.all_begun());
  Round round;
  REQUIRE(turns.take_turns(round));
  CHECK(round.moved);
  CHECK(after.visits.size() == 86);
  flag.is_set = true;
  for (int rounds = 0; !turns.has_ended(); ++rounds) {
    REQUIRE(rounds < 10);
    REQUIRE(turns.take_turns(round));
  }
  CHECK(after.visits.size() == 150);
  CHECK(unit.host.ends.empty());
}

TEST_CASE("a batch at the limit of steps ends the launch, and the host hears of it") {
  OneUnit unit({make(spin)}, false, 1000);
  CHECK(scheduler::run_batches(*unit.run) == UnitEnd::kLaunchEnded);
  REQUIRE(unit.host.ends.size() == 1);
  CHECK(unit.host.ends[0]->stop == Stop::kLimit);
}

}  // namespace
}  // namespace transpire::test
