// Worker: runs work-groups of a launch on one thread, and owns the memory for this. LaunchControl: the state that the workers of a
// launch share.
//
// A fiber is a batch with memory of its own: registers, pending masks, private memory. Kernels with barriers need a fiber for
// every batch of a group, since batches wait for each other. Other kernels have as many as are useful.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "scheduler/aligned.h"
#include "scheduler/cycle.h"
#include "scheduler/deadlock.h"
#include "scheduler/fiber_layout.h"
#include "scheduler/group_cursor.h"
#include "scheduler/launch.h"
#include "scheduler/running_launch.h"
#include "scheduler/unit_claims.h"
#include "vm/exec/group.h"
#include "vm/exec/launch_notes.h"
#include "vm/exec/undefined_notes.h"

namespace transpire::scheduler {

class Divergence;
class ItemLocations;
class Worker;

/// Gives a batch a budget of `steps`. It may use `turn` of them in its next turn and keeps the others for later turns.
inline void give_steps(vm::exec::Batch& batch, std::uint64_t steps, std::uint64_t turn) {
  batch.steps_left = steps < turn ? steps : turn;
  batch.steps_kept = steps - batch.steps_left;
}

/// State that the workers of one launch share.
struct LaunchControl {
  LaunchControl(const LaunchSpec& launch, std::uint64_t unit_count, unsigned workers);
  LaunchControl(const LaunchControl&) = delete;
  LaunchControl& operator=(const LaunchControl&) = delete;

  const LaunchSpec& spec;
  UnitCounter units;
  std::atomic<std::uint64_t> done{0};  ///< groups that have ended; in flowing launches, units
  /// Accessed atomically; Batch::cancel points to it. Every batch reads it, so it has a cache line of its own.
  alignas(64) bool stop = false;
  std::atomic<LaunchResult::End> end{LaunchResult::End::kCompleted};
  FindingLimit findings;
  std::unique_ptr<vm::exec::LaunchNotes> notes;  ///< null unless the program keeps notes
  std::unique_ptr<vm::exec::UndefinedNotes>
      undefined;  ///< null unless the program tracks undefined values
  std::mutex counted_mutex;
  std::vector<const Worker*> counted;  ///< see began()
  DeadlockState deadlock;
  RunningLaunch running;

  /// Ends the launch early. The first reason counts.
  void stop_because(LaunchResult::End why);
  /// Registers a worker that takes part, if instructions() will be called.
  void began(const Worker& worker);
  /// Instructions times lanes that all workers have executed so far. May be called while they run.
  std::uint64_t instructions();
  bool stopped() const { return __atomic_load_n(&stop, __ATOMIC_RELAXED); }
};

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
  std::uint64_t instructions() const;
  /// [opcode]: executions by work-items in the last run; empty unless the program counts.
  std::vector<std::uint64_t>& executed() { return executed_; }

  /// Bytes of memory that a worker needs, and that count towards the memory limit of a launch.
  static Checked bytes_needed(const vm::Program& program, const GeometryPlan& geometry,
                              std::uint64_t workgroup_bytes);

 private:
  struct Fiber {
    vm::exec::Batch batch;
    AlignedArray<std::byte> memory;  ///< all arrays of the batch, see FiberLayout
    const BatchShape* shape = nullptr;
    const BatchShape* prologue_shape =
        nullptr;  ///< the shape for which the prologue filled registers
    std::uint64_t steps_at_start = 0;
    std::uint64_t refills = 0;     ///< times that refill() was called for the batch
    std::uint64_t turns = 0;       ///< turns in loops that the batch took one after the other
    std::uint64_t kept_state = 0;  ///< digest of the state after one of these turns
    /// Owner of Batch::items, shared by the parts of a batch.
    std::shared_ptr<vm::exec::ItemNotes> notes;
    std::shared_ptr<vm::exec::UndefinedItems> undefined;  ///< owner of Batch::undefined, likewise
  };
  struct Turns;  // turns.h
  struct Part;
  /// Result of a round of turns.
  struct Round {
    bool moved = false;  ///< a part ended, came to a barrier, left one, or was split
    bool runs = false;   ///< a part is in a state that it was not in before
  };

  void make_fiber(Fiber& fiber);
  void begin(LaunchControl& control);
  void begin_fiber(Fiber& fiber);
  void begin_undefined(Fiber& fiber);
  template <Filling filling>
  void run_units();
  template <Filling filling>
  bool begin_unit(std::uint64_t unit);
  bool begin_unit(std::uint64_t unit);
  void announce_begin();
  void announce_resume();
  void announce_end();
  bool run_batches();
  bool run_in_order();
  bool run_fibers();
  bool run_packed_batch();
  void order_round(std::uint32_t fibers);
  /// The number of the batch at a place of the order.
  std::uint32_t at_turn(std::uint32_t turn) const { return order_.empty() ? turn : order_[turn]; }
  bool resume_each(std::uint32_t fibers, std::uint32_t& waiting);

  static void set_group(vm::exec::Batch& batch, const std::uint64_t id[3],
                        const std::uint64_t size[3]);
  void set_packed_groups(Fiber& fiber);
  void set_flowing_items(std::uint64_t first);
  void set_flowing_unit(std::uint64_t unit);
  bool start(Fiber& fiber, const BatchShape& shape);
  bool prepare(Fiber& fiber);
  bool prepare_private(Fiber& fiber);
  void begin_notes(Fiber& fiber);
  void forget_notes();
  bool resume(Fiber& fiber);
  bool refill(Fiber& fiber);
  bool takes_another_turn(Fiber& fiber);
  std::uint64_t state_of(const Fiber& fiber) const;
  Checked fiber_bytes() const { return layout_.all + vm::Program::kPhasePeriod; }
  void copy_state(const Fiber& from, Fiber& to) const;

  // end_at() and the functions below that return bool return false when the launch ends there, unless they say otherwise.
  bool end_at(const vm::exec::Batch& batch);
  bool fill(std::byte* bytes, std::uint64_t size, std::byte value);
  bool reset_workgroup_memory() { return workgroup_bytes_ == 0 || reset_workgroup_bytes(); }
  bool reset_workgroup_bytes();

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
  Fiber& spare_fiber();
  void count_steps(std::uint64_t steps);
  bool has_room() const;
  bool is_own(const Fiber* fiber) const;
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
  // deadlock.cpp
  bool run_round_and_detect_deadlock(Round& round);
  void stop_waiting();
  void stop_waiting_locked();
  bool others_may_store() const;
  std::uint64_t state_by_turns() const;
  void add_places(ItemLocations& places, const vm::exec::Batch* interrupted) const;
  void add_not_begun(ItemLocations& places) const;
  void report_deadlock();

  const vm::Program& program_;
  const GeometryPlan& geometry_;
  const FiberLayout layout_;
  const std::uint64_t workgroup_bytes_;
  LaunchControl* control_ = nullptr;
  vm::Observer* observer_ = nullptr;  ///< the observer of an observed program, else null
  /// The worker whose group the observer was last told about. Residents use their host's.
  const Worker* announced_ = nullptr;
  UnitClaims claims_;
  // The present unit.
  GroupCursor cursor_;                   ///< behind its groups; unused by flowing launches
  std::uint64_t group_ = 0;              ///< linear number of its group, if it is one
  std::uint32_t groups_ = 1;             ///< number of its groups; 1 in flowing launches
  std::span<const BatchShape> batches_;  ///< shapes of its batches
  std::vector<Fiber> fibers_;
  AlignedArray<std::byte> workgroup_memory_;
  /// Rows of packed and flowing plans: group ids in x, y, z, then workgroup bases. Flowing plans also have local ids in x,
  /// and zeros.
  AlignedArray<std::uint32_t> packed_rows_;
  BatchShape flowing_shape_;           ///< the shape of the present batch
  bool packed_row_is_set_ = false;     ///< y and z of packed_rows_ hold the current line
  std::vector<std::uint32_t> rounds_;  ///< [group of the batch]: barriers passed until it diverged
  std::vector<vm::exec::GroupState> group_states_;  ///< [group of the unit]
  std::vector<std::uint64_t> executed_;             ///< Batch::executed
  Collector collector_;
  std::vector<std::uint32_t> order_;  ///< order of the group's batches; empty in lockstep
  bool clean_ = false;                ///< pending masks are all zero
  // Values for every batch of the launch.
  bool prepares_batches_ = false;
  std::uint64_t first_steps_ = 0, later_steps_ = 0;  ///< Batch::steps_left and steps_kept
  const memory::AddressMap* map_ = nullptr;
  std::unique_ptr<Turns> turns_;  ///< the unit's turns; null unless it runs by turns
  std::vector<std::unique_ptr<Fiber>> spare_fibers_;
  /// Workers of the same thread; each has a unit that runs by turns with this worker's.
  std::vector<std::unique_ptr<Worker>> residents_;
  Worker* host_ = nullptr;  ///< the worker that runs this resident; null if this is no resident
  std::uint64_t steps_by_turns_ = 0;  ///< steps of fibers beyond fibers_; accessed atomically
  const std::uint64_t slower_;        ///< estimated slowdown of a step by observers; 1: not watched
  const bool by_item_;                ///< fair progress: each work-item makes progress by itself
  // Deadlock detection, see DeadlockState.
  bool waits_ = false, state_repeated_ = false;
  std::uint32_t split_subgroups_ =
      0;  ///< units split off by split_running(); residents use their host's
  bool deadlock_reported_ = false;  ///< where its work-items are, of a launch that can never end
  std::uint64_t seen_generation_ = 0, rounds_to_look_ = 0;
  Cycle states_;
};

}  // namespace transpire::scheduler
