// Worker: one thread's part in a launch. It runs the units that it claims one after the other. While one of them busy-waits, it begins
// further ones as residents, and lets all of them take turns, until none waits or the launch is found deadlocked.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/deadlock.h"
#include "scheduler/turns.h"
#include "scheduler/unit_claims.h"
#include "scheduler/unit_run.h"

namespace transpire::scheduler {

class Worker final : public UnitHost {
 public:
  Worker(const vm::Program& program, const GeometryPlan& geometry, std::uint64_t workgroup_bytes);

  /// Claims and runs units until none is left or the launch is stopped.
  void run(LaunchControl& control);
  /// Adds the collectors of the last run: its own unit's and its residents'.
  void add_collectors(std::vector<Collector*>& collectors);
  /// Instructions times lanes of the last run. Thread-safe.
  std::uint64_t instructions() const { return own_.memory.instructions(); }
  /// [opcode]: executions by work-items in the last run; empty unless the program counts.
  std::vector<std::uint64_t>& executed() { return own_.memory.executed(); }

  void report_end(UnitRun& unit, const vm::exec::Batch& batch) override;
  bool has_room() const override;
  void count_steps(std::uint64_t steps) override { own_.memory.add_steps(steps); }

 private:
  // The functions below that return bool return false if the launch ends there, unless they say otherwise.
  template <Filling filling>
  void run_units();
  bool run_by_turns();
  bool run_round(Round& round);
  bool some_take_turns() const;
  bool begin_more(bool& begun);
  bool begin_resident();
  bool begin_by_turns(UnitRun& resident, std::uint64_t unit);
  void end_turns(UnitRun& run);
  void give_up_turns();

  // worker_deadlock.cpp
  bool run_round_and_detect_deadlock(Round& round);
  bool others_may_store() const;
  std::uint64_t state_by_turns() const;
  bool split_running();
  void add_places(ItemLocations& places, const vm::exec::Batch* interrupted) const;
  void add_not_begun(ItemLocations& places) const;
  void report_deadlock();

  const vm::Program& program_;
  const GeometryPlan& geometry_;
  const std::uint64_t workgroup_bytes_;
  LaunchControl* control_ = nullptr;
  const memory::AddressMap* map_ = nullptr;
  GroupNotifier observer_;
  UnitClaims claims_;
  UnitRun own_;
  std::vector<std::unique_ptr<UnitRun>> residents_;  ///< idle if they have no turns
  DeadlockWatch watch_;
  std::uint32_t splits_left_ = 0;   ///< units of progress that split_running() may still split off
  bool deadlock_reported_ = false;  ///< where its work-items are, of a launch that can never end
};

}  // namespace transpire::scheduler
