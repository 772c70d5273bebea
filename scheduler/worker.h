// Worker: what one thread needs to run work-groups of a launch, and how it runs them.
//
// A fiber is a batch with memory of its own: registers, pending masks, private memory. Kernels with
// barriers need one for every batch of a group, as they wait for each other; others have as many as
// are useful.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "scheduler/aligned.h"
#include "scheduler/cycle.h"
#include "scheduler/fiber_layout.h"
#include "scheduler/launch.h"
#include "scheduler/running.h"
#include "scheduler/stall.h"
#include "vm/exec/group.h"
#include "vm/exec/launch_notes.h"
#include "vm/exec/undefined_notes.h"

namespace transpire::scheduler {

class Divergence;
class Whereabouts;
class Worker;

/// Gives a batch `steps`, `turn` of them for its next turn, or what one block takes.
inline void give_steps(vm::exec::Batch& batch, std::uint64_t steps, std::uint64_t turn) {
  batch.steps_left = steps < turn ? steps : turn;
  batch.steps_kept = steps - batch.steps_left;
}

/// What the workers of one launch share.
struct LaunchControl {
  LaunchControl(const LaunchSpec& launch, std::uint64_t unit_count, unsigned workers);
  LaunchControl(const LaunchControl&) = delete;
  LaunchControl& operator=(const LaunchControl&) = delete;

  const LaunchSpec& spec;
  std::uint64_t units;
  std::uint64_t chunk;  ///< units claimed at once
  // On lines of their own: every batch reads `stop`.
  alignas(64) std::atomic<std::uint64_t> next_unit{0};
  std::atomic<std::uint64_t> done{0};  ///< groups; of a flowing plan, units
  alignas(64) bool stop = false;       ///< accessed atomically; batches see it as `cancel`
  std::atomic<LaunchResult::End> end{LaunchResult::End::kCompleted};
  FindingLimit findings;
  std::unique_ptr<vm::exec::LaunchNotes> notes;         ///< of programs that keep such
  std::unique_ptr<vm::exec::UndefinedNotes> undefined;  ///< of programs that track undefined values
  std::mutex watched_mutex;
  std::vector<const Worker*> watched;  ///< see began()
  Stall stall;
  RunningLaunch running;

  /// Ends the launch early; the first reason counts.
  void stop_because(LaunchResult::End why);
  /// A worker takes part. Kept only where somebody asks how many instructions were executed.
  void began(const Worker& worker);
  /// Those of all workers, while they run.
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
  /// Of the last run, those of groups that it ran by turns among them.
  void add_collectors(std::vector<Collector*>& collectors);
  /// Instructions times lanes of the last run; other threads may ask while it runs.
  std::uint64_t instructions() const;
  /// By opcode, of all runs; empty unless the program counts.
  std::vector<std::uint64_t>& executed() { return executed_; }

  static Checked bytes_needed(const vm::Program& program, const GeometryPlan& geometry,
                              std::uint64_t workgroup_bytes);

 private:
  struct Fiber {
    vm::exec::Batch batch;
    AlignedArray<std::byte> memory;  ///< all arrays of the batch, see make_fiber
    const BatchShape* shape = nullptr;
    const BatchShape* prologue_shape = nullptr;  ///< for which the prologue's registers are filled
    std::uint64_t steps_at_start = 0;
    std::uint64_t refills = 0;     ///< of the step budget
    std::uint64_t turns = 0;       ///< that the batch has taken before others had one
    std::uint64_t kept_state = 0;  ///< after some of these
    /// Batch::items; parts of a batch share them.
    std::shared_ptr<vm::exec::ItemNotes> notes;
    std::shared_ptr<vm::exec::UndefinedItems> undefined;  ///< likewise
  };
  struct Turns;  // turns.h
  struct Part;
  /// What became of those that had a turn.
  struct Round {
    bool moved = false;  ///< some ended, came to a barrier or left one
    bool runs = false;   ///< some are in other states than they were
  };

  void make_fiber(Fiber& fiber);
  void begin(LaunchControl& control);
  void begin_fiber(Fiber& fiber);
  void begin_undefined(Fiber& fiber);
  void run_groups();
  void run_scheduled();
  void run_packed();
  void run_flowing();
  bool run_group(const std::uint64_t group_id[3]);
  void tell_begins(const std::uint64_t group_id[3]);
  void tell_goes_on(const std::uint64_t group_id[3]);
  void tell_ends(const std::uint64_t group_id[3]);
  bool run_items(const GroupShape& shape, const std::uint64_t group_id[3]);
  bool run_in_order(const GroupShape& shape);
  bool run_fibers(const GroupShape& shape, const std::uint64_t group_id[3]);
  bool run_packed_batch(Fiber& fiber, std::uint32_t groups);
  void order_round(std::uint32_t fibers);
  /// The batch whose turn it is.
  std::uint32_t at_turn(std::uint32_t turn) const { return order_.empty() ? turn : order_[turn]; }
  bool resume_each(std::uint32_t fibers, std::uint32_t& waiting);
  bool resume_all(std::uint32_t fibers, std::uint32_t& waiting, const Lanes* open = nullptr);

  void set_group(Fiber& fiber, const GroupShape& shape, const std::uint64_t group_id[3]);
  void set_packed_groups(Fiber& fiber, std::uint32_t groups, std::uint64_t id[3]);
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

  // As everything below that gives a bool: false when the launch ends there.
  bool end_at(const vm::exec::Batch& batch);
  bool fill(std::byte* bytes, std::uint64_t size, std::byte value);
  bool reset_workgroup_memory() { return workgroup_bytes_ == 0 || reset_workgroup_bytes(); }
  bool reset_workgroup_bytes();

  bool met(std::uint32_t fibers) const;
  bool complete(const vm::exec::Batch& waiting, vm::exec::GroupParts group);
  bool complete_together(std::uint32_t fibers);
  bool pass_together(vm::exec::Batch& batch, std::uint32_t groups);
  bool complete_alone(vm::exec::Batch& batch, std::uint32_t begin, std::uint32_t end);
  bool finish_groups(std::uint32_t groups);
  bool run_released(std::uint32_t fibers);

  // named_barriers.cpp
  bool run_subgroups(std::uint32_t fibers);
  bool release_named(const std::vector<Fiber*>& fibers, std::vector<bool>& may_run);
  bool report_named(const std::vector<Fiber*>& fibers);
  bool nobody_can_go_on(const std::vector<Fiber*>& fibers);
  bool run_diverged(std::uint32_t fibers);
  std::array<std::uint64_t, vm::exec::kMaxMaskWords> packed_lanes(std::uint32_t slot) const;

  bool has_turn(std::uint32_t fibers) const;

  // turns.cpp
  bool go_on_by_turns(const GroupShape& shape, Fiber& fiber, std::uint32_t next);
  void gather(std::uint32_t fibers);
  void gather_packed(Fiber& fiber, std::uint32_t groups);
  void gather_flowing(Fiber& fiber);
  void set_parted(std::uint32_t group, Divergence divergence, const Lanes& open);
  bool run_by_turns();
  bool run_round(Round& round);
  bool take_turns(Round& round);
  bool take_turn(Part& part, Round& round);
  bool judge_turn(Part& part, Round& round);
  static void give_turn(Part& part);
  void show(const Part& part);
  bool begin_next_batch();
  bool begin_more(bool& begun);
  bool begin_resident();
  bool begin_unit(std::uint64_t unit);
  Part& add_part(Fiber& fiber, const BatchShape& shape, std::uint32_t batch, std::uint32_t group);
  Fiber& spare_fiber();
  void count_steps(std::uint64_t steps);
  bool has_room() const;
  bool is_own(const Fiber* fiber) const;
  void forget_turns();
  // parts.cpp
  /// By group and sub-group, or work-item: whether one of it runs, and its lanes.
  using Units = std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<bool, Lanes>>;
  Units units_of(const Part& part) const;
  bool split(Part& part);
  bool split_running();
  void split_off(Part& part, const Lanes& lanes);
  // settle.cpp
  bool settle_groups(Round& round);
  bool settle(std::uint32_t group, Round& round);
  bool met(const std::vector<Part*>& parts) const;
  static void run_on(const std::vector<Part*>& parts);
  bool settle_parted(std::uint32_t group, const std::vector<Part*>& parts, bool done);
  bool release_parts(const std::vector<Part*>& parts);
  bool pass_barrier(std::uint32_t group, const std::vector<Part*>& parts);
  void report_parted(std::uint32_t group);
  void report_all_parted();
  bool end_group(std::uint32_t group, const std::vector<Part*>& parts);
  // stalled.cpp
  bool run_round_stalled(Round& round);
  void leave_stall();
  void leave_stall_locked();
  bool others_may_store() const;
  std::uint64_t state_by_turns() const;
  void add_places(Whereabouts& places, const vm::exec::Batch* interrupted) const;
  void add_not_begun(Whereabouts& places) const;
  void report_stalled();

  const vm::Program& program_;
  const GeometryPlan& geometry_;
  const FiberLayout layout_;
  const std::uint64_t workgroup_bytes_;
  LaunchControl* control_ = nullptr;
  vm::Observer* observer_ = nullptr;  ///< of an observed program; null when nobody watches
  const Worker* told_ = nullptr;  ///< whose group the observer was told of last; not of residents
  std::vector<Fiber> fibers_;
  std::uint32_t group_fibers_ = 0;  ///< that run the group by turns
  AlignedArray<std::byte> workgroup_memory_;
  /// Group ids in x, y, z, then workgroup bases, of a packed or flowing plan; of a flowing one then
  /// local ids in x and zeros.
  AlignedArray<std::uint32_t> packed_rows_;
  BatchShape flowing_shape_;           ///< of the batch that runs
  bool packed_row_is_set_ = false;     ///< y and z of packed_rows_ hold the current line
  std::vector<std::uint32_t> rounds_;  ///< barriers passed, by group of a batch; until it parted
  std::vector<vm::exec::GroupState> group_states_;  ///< by group of a unit
  std::vector<std::uint64_t> executed_;             ///< Batch::executed
  Collector collector_;
  std::vector<std::uint32_t>
      order_;                ///< of the group's batches, where a schedule says it; else empty
  std::uint64_t group_ = 0;  ///< that runs, of a schedule
  bool clean_ = false;       ///< pending masks are all zero
  // Of the launch, for every batch.
  bool prepares_batches_ = false;
  std::uint64_t first_steps_ = 0, later_steps_ = 0;  ///< Batch::steps_left and steps_kept
  const memory::AddressMap* map_ = nullptr;
  std::uint64_t next_unit_ = 0, end_unit_ = 0;  ///< claimed, and not yet begun
  std::unique_ptr<Turns> turns_;                ///< of the unit that runs, once a loop of it waits
  std::vector<std::unique_ptr<Fiber>> spare_fibers_;
  /// Of the launch's last run: each holds a unit that runs by turns with this one's.
  std::vector<std::unique_ptr<Worker>> residents_;
  Worker* host_ = nullptr;            ///< of a resident: the one that runs it
  std::uint64_t unit_ = 0;            ///< of a resident
  std::uint64_t steps_by_turns_ = 0;  ///< of fibers beyond fibers_; atomically
  const std::uint64_t
      slower_;          ///< so many times as long may a step take as one that nobody watches
  const bool by_item_;  ///< each work-item makes progress by itself
  // See Stall.
  bool waits_ = false, stalled_ = false;
  std::uint32_t apart_ = 0;  ///< sub-groups that were parted for they ran as one; not of residents
  bool told_stalled_ = false;  ///< where its work-items are, of a launch that can never end
  std::uint64_t seen_generation_ = 0, rounds_to_look_ = 0;
  Cycle states_;
};

}  // namespace transpire::scheduler
