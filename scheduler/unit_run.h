// UnitRun: a unit of work that one thread runs: its groups, the fibers of its batches, its findings; and how one of its batches runs to
// its next barrier or its end.
//
// Two ways to run all batches of a unit share it: one after the other, each as far as it goes (batches.h), and by turns (turns.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/collector.h"
#include "scheduler/divergence.h"
#include "scheduler/group_notifier.h"
#include "scheduler/launch_control.h"
#include "scheduler/unit_groups.h"
#include "scheduler/unit_memory.h"

namespace transpire::scheduler {

class Turns;
class UnitRun;

/// The requests of a unit to the thread that runs it.
class UnitHost {
 public:
  /// Reports that the launch ends at this batch of the unit; Batch::stop says why.
  virtual void report_end(UnitRun& unit, const vm::exec::Batch& batch) = 0;
  /// True if the thread may have more fibers.
  virtual bool has_room() const = 0;
  /// Counts steps of fibers that only exist for turns.
  virtual void count_steps(std::uint64_t steps) = 0;

 protected:
  ~UnitHost() = default;
};

class UnitRun {
 public:
  /// Everything must outlive this object. `resident`: the thread runs it beside its own unit.
  UnitRun(const vm::Program& launched, const GeometryPlan& plan, std::uint64_t workgroup_bytes,
          UnitHost& thread, bool resident);
  ~UnitRun();
  UnitRun(const UnitRun&) = delete;
  UnitRun& operator=(const UnitRun&) = delete;

  /// Begins a launch, in which no unit has begun.
  void begin(LaunchControl& launch, const memory::AddressMap& map, GroupNotifier& watching);

  // The functions below that return bool return false if the launch ends there, unless they say otherwise.

  /// Begins a unit: sets the coordinates and the shape of its groups, and resets their memory.
  template <Filling filling>
  bool begin_unit(std::uint64_t number);
  bool begin_unit(std::uint64_t number);
  /// Runs a batch to its next barrier, to its end, or until it may wait for others (Stop::kTurn).
  bool resume(Fiber& fiber);
  /// Gives the batch another budget of steps. False if some of its work-items certainly exceeded the limit.
  bool refill(Fiber& fiber) const;
  /// Reports that the launch ends at this batch. Returns false.
  bool end_at(const vm::exec::Batch& batch);
  /// Completes the group instruction at which `waiting` stands, for all parts of the group.
  bool complete(const vm::exec::Batch& waiting, vm::exec::GroupParts group);
  /// Completes the group instruction in a diverged work-group: each waiting work-item from lane `begin` up to `end` is a group of its
  /// own, so that the result does not depend on the width of a batch.
  bool complete_alone(vm::exec::Batch& batch, std::uint32_t begin, std::uint32_t end);
  /// Checks a group that has ended. `batch` and `lane`: one of its work-items.
  bool finish_group(std::uint32_t group, vm::exec::Batch& batch, std::uint32_t lane);
  /// As finish_group(), for all groups.
  bool finish_groups();

  /// Sets the order in which `count` batches of the group run to their next barrier.
  void order_round(std::uint32_t count);
  /// The number of the batch at a place of the order.
  std::uint32_t at_turn(std::uint32_t turn) const { return order_.empty() ? turn : order_[turn]; }
  /// The lanes of a group of a packed batch.
  Lanes packed_lanes(std::uint32_t slot) const;

  const vm::Program& program;
  const GeometryPlan& geometry;
  UnitHost& host;
  const bool is_resident;
  const std::uint64_t slower;  ///< estimated slowdown of a step by observers; 1: not watched
  LaunchControl* control = nullptr;
  GroupNotifier* observer = nullptr;
  UnitGroups unit;
  Collector collector;
  UnitMemory memory;
  std::vector<std::uint32_t> rounds;  ///< [group of the batch]: barriers passed until it diverged
  std::unique_ptr<Turns> turns;       ///< null unless the unit runs by turns

 private:
  bool takes_another_turn(Fiber& fiber) const;

  std::vector<std::uint32_t> order_;  ///< the order of the batches of the group; empty in lockstep
};

template <Filling filling>
[[gnu::always_inline]] inline bool UnitRun::begin_unit(std::uint64_t number) {
  collector.begin_unit();
  if (program.uses_barrier) std::fill(rounds.begin(), rounds.end(), 0);
  unit.go_to<filling>(number);
  for (Fiber& fiber : memory.fibers()) unit.enter(fiber.batch);
  if (filling == Filling::kFlowing)  // the prologue depends on local ids, which are new
    memory.fibers()[0].prologue_shape = nullptr;
  if (filling == Filling::kByGroup) observer->begins(unit);
  return memory.reset_workgroup_memory();
}

}  // namespace transpire::scheduler
