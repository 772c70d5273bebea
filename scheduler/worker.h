// Worker: what one thread needs to run work-groups of a launch, and how it runs them.
//
// A fiber is a batch with memory of its own: registers, pending masks, private memory. Kernels with
// barriers need one for every batch of a group, as they wait for each other; others have as many as
// are useful.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "scheduler/aligned.h"
#include "scheduler/launch.h"
#include "vm/exec/group.h"
#include "vm/exec/launch_notes.h"

namespace transpire::scheduler {

class Worker;

/// What the workers of one launch share.
struct LaunchControl {
  LaunchControl(const LaunchSpec& launch, std::uint64_t unit_count, unsigned workers);

  const LaunchSpec& spec;
  std::uint64_t units;
  std::uint64_t chunk;  ///< units claimed at once
  // On lines of their own: every batch reads `stop`.
  alignas(64) std::atomic<std::uint64_t> next_unit{0};
  std::atomic<std::uint64_t> done{0};  ///< groups; of a flowing plan, units
  alignas(64) bool stop = false;       ///< accessed atomically; batches see it as `cancel`
  std::atomic<LaunchResult::End> end{LaunchResult::End::kCompleted};
  FindingLimit findings;
  std::unique_ptr<vm::exec::LaunchNotes> notes;  ///< of programs that keep such
  std::mutex watched_mutex;
  std::vector<const Worker*> watched;  ///< see began()

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
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Claims and runs units until none is left or the launch is stopped.
  void run(LaunchControl& control);
  Collector& collector() { return collector_; }
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
    std::uint64_t refills = 0;  ///< of the step budget
  };

  void make_fiber(Fiber& fiber);
  void begin(LaunchControl& control);
  void run_groups(std::uint64_t first, std::uint64_t end);
  void run_scheduled(std::uint64_t first, std::uint64_t end);
  void run_packed(std::uint64_t first, std::uint64_t end);
  void run_flowing(std::uint64_t first, std::uint64_t end);
  bool run_group(const std::uint64_t group_id[3]);
  bool run_items(const GroupShape& shape, const std::uint64_t group_id[3]);
  bool run_fibers(const GroupShape& shape, const std::uint64_t group_id[3]);
  bool run_packed_batch(Fiber& fiber, std::uint32_t groups);
  void order_round(std::uint32_t fibers);
  /// The batch whose turn it is.
  std::uint32_t at_turn(std::uint32_t turn) const { return order_.empty() ? turn : order_[turn]; }
  bool resume_all(std::uint32_t fibers, std::uint32_t& waiting, const Lanes* open = nullptr);

  void set_group(Fiber& fiber, const GroupShape& shape, const std::uint64_t group_id[3]);
  void set_packed_groups(Fiber& fiber, std::uint32_t groups, std::uint64_t id[3]);
  void set_flowing_items(std::uint64_t first);
  bool start(Fiber& fiber, const BatchShape& shape);
  bool prepare_private(Fiber& fiber);
  bool resume(Fiber& fiber);
  bool refill(Fiber& fiber);

  // As everything below that gives a bool: false when the launch ends there.
  bool end_at(const vm::exec::Batch& batch);
  bool zero(std::byte* bytes, std::uint64_t size);
  bool zero_workgroup_memory();

  bool met(std::uint32_t fibers) const;
  bool complete(const vm::exec::Batch& waiting, vm::exec::GroupParts group);
  bool complete_together(std::uint32_t fibers);
  bool pass_together(vm::exec::Batch& batch, std::uint32_t groups);
  bool complete_alone(vm::exec::Batch& batch, std::uint32_t begin, std::uint32_t end);
  bool finish_groups(std::uint32_t groups);
  bool run_released(std::uint32_t fibers);

  // named_barriers.cpp
  bool run_subgroups(std::uint32_t fibers);
  bool release_named(std::uint32_t fibers, std::vector<bool>& may_run);
  bool nobody_can_go_on(std::uint32_t fibers);
  bool run_diverged(std::uint32_t fibers);
  std::array<std::uint64_t, vm::exec::kMaxMaskWords> packed_lanes(std::uint32_t slot) const;

  const vm::Program& program_;
  const GeometryPlan& geometry_;
  const std::uint64_t workgroup_bytes_;
  LaunchControl* control_ = nullptr;
  vm::Observer* observer_ = nullptr;  ///< of an observed program; null when nobody watches
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
};

}  // namespace transpire::scheduler
