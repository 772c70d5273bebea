// Worker: runs units of a launch on one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "scheduler/collector.h"
#include "scheduler/current_unit.h"
#include "scheduler/deadlock.h"
#include "scheduler/group_observer.h"
#include "scheduler/launch_control.h"
#include "scheduler/unit_claims.h"
#include "scheduler/unit_memory.h"

namespace transpire::scheduler {

class Divergence;
class ItemLocations;
class Worker;

class Worker {
 public:
  Worker(const vm::Program& program, const GeometryPlan& geometry, std::uint64_t workgroup_bytes);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Claims and runs units until none is left or the launch is stopped.
  void run(LaunchControl& control);
  /// Adds the collectors of the last run: this worker's and its residents'.
  void add_collectors(std::vector<Collector*>& collectors);
  /// Instructions times lanes of the last run. Thread-safe.
  std::uint64_t instructions() const { return memory_.instructions(); }
  /// [opcode]: executions by work-items in the last run; empty unless the program counts.
  std::vector<std::uint64_t>& executed() { return memory_.executed(); }

 private:
  struct Turns;  // turns.h
  struct Part;
  /// Result of a round of turns.
  struct Round {
    bool moved = false;  ///< a part ended, came to a barrier, left one, or was split
    bool runs = false;   ///< a part is in a state that it was not in before
  };

  void begin(LaunchControl& control, const memory::AddressMap& map);
  template <Filling filling>
  void run_units();
  template <Filling filling>
  bool begin_unit(std::uint64_t unit);
  bool begin_unit(std::uint64_t unit);
  bool run_batches();
  bool run_in_order();
  bool run_fibers();
  bool run_packed_batch();
  void order_round(std::uint32_t fibers);
  /// The number of the batch at a place of the order.
  std::uint32_t at_turn(std::uint32_t turn) const { return order_.empty() ? turn : order_[turn]; }
  bool resume_each(std::uint32_t fibers, std::uint32_t& waiting);

  bool resume(Fiber& fiber);
  bool refill(Fiber& fiber);
  bool takes_another_turn(Fiber& fiber);

  // end_at() and the functions below that return bool return false when the launch ends there, unless they say otherwise.
  bool end_at(const vm::exec::Batch& batch);
  bool met(std::uint32_t fibers) const;
  bool complete(const vm::exec::Batch& waiting, vm::exec::GroupParts group);
  bool complete_together(std::uint32_t fibers);
  bool pass_together(vm::exec::Batch& batch, std::uint32_t groups);
  bool complete_alone(vm::exec::Batch& batch, std::uint32_t begin, std::uint32_t end);
  bool finish_groups();

  // named_barriers.cpp
  bool release_named(const std::vector<Part*>& parts);
  bool report_named(const std::vector<Part*>& parts);
  std::array<std::uint64_t, vm::exec::kMaxMaskWords> packed_lanes(std::uint32_t slot) const;

  // turns.cpp
  bool continue_by_turns(Fiber& fiber, std::uint32_t last);
  void begin_turns(std::uint32_t fibers);
  void set_diverged(std::uint32_t group, Divergence divergence, const Lanes& open);
  bool run_by_turns();
  bool run_round(Round& round);
  bool run_to_barriers(Round& round);
  bool take_turns(Round& round);
  bool take_turn(Part& part, Round& round);
  bool judge_turn(Part& part, Round& round);
  static void give_turn(Part& part);
  void mark_past_divergence(const Part& part);
  bool begin_next_batch();
  bool begin_more(bool& begun);
  bool begin_resident();
  bool begin_by_turns(std::uint64_t unit);
  bool all_begun() const;
  Part& add_part(Fiber& fiber, const BatchShape& shape, std::uint32_t batch, std::uint32_t group);
  void count_steps(std::uint64_t steps);
  bool has_room() const;
  void end_turns();
  // split_batch.cpp
  /// Units of progress, by group and sub-group or work-item: true if one of its lanes runs, and its lanes.
  using ProgressUnits = std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<bool, Lanes>>;
  ProgressUnits progress_units_of(const Part& part) const;
  bool split(Part& part);
  bool split_running();
  void split_off(Part& part, const Lanes& lanes);
  // turn_barriers.cpp
  bool advance_groups(Round& round);
  bool advance_group(std::uint32_t group, Round& round);
  bool met(const std::vector<Part*>& parts) const;
  static void resume_parts(const std::vector<Part*>& parts);
  bool advance_diverged(std::uint32_t group, const std::vector<Part*>& parts, bool done);
  bool release_parts(const std::vector<Part*>& parts);
  bool complete_parts(const std::vector<Part*>& parts);
  bool pass_barrier(std::uint32_t group, const std::vector<Part*>& parts);
  void report_divergence(std::uint32_t group);
  void report_all_divergence();
  bool end_group(std::uint32_t group, const std::vector<Part*>& parts);
  // waiting_rounds.cpp
  bool run_round_and_detect_deadlock(Round& round);
  bool others_may_store() const;
  std::uint64_t state_by_turns() const;
  void add_places(ItemLocations& places, const vm::exec::Batch* interrupted) const;
  void add_not_begun(ItemLocations& places) const;
  void report_deadlock();

  const vm::Program& program_;
  const GeometryPlan& geometry_;
  const std::uint64_t workgroup_bytes_;
  LaunchControl* control_ = nullptr;
  GroupObserver own_observer_;
  GroupObserver* observer_ = nullptr;  ///< residents use their host's
  UnitClaims claims_;
  CurrentUnit unit_;
  UnitMemory memory_;
  std::vector<std::uint32_t> rounds_;  ///< [group of the batch]: barriers passed until it diverged
  Collector collector_;
  std::vector<std::uint32_t> order_;  ///< order of the group's batches; empty in lockstep
  const memory::AddressMap* map_ = nullptr;
  std::unique_ptr<Turns> turns_;  ///< the unit's turns; null unless it runs by turns
  /// Workers of the same thread; each has a unit that runs by turns with this worker's.
  std::vector<std::unique_ptr<Worker>> residents_;
  Worker* host_ = nullptr;      ///< the worker that runs this resident; null if this is no resident
  const std::uint64_t slower_;  ///< estimated slowdown of a step by observers; 1: not watched
  const bool by_item_;          ///< fair progress: each work-item makes progress by itself
  DeadlockWatch watch_;
  std::uint32_t split_subgroups_ =
      0;  ///< units split off by split_running(); residents use their host's
  bool deadlock_reported_ = false;  ///< where its work-items are, of a launch that can never end
};

}  // namespace transpire::scheduler
