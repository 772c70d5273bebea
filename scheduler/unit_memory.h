// Fiber: a batch with memory of its own: registers, pending masks, private memory. UnitMemory: the fibers of the unit of work that a
// thread runs, and the local memory of its groups.
//
// Kernels with barriers need a fiber for every batch of a group, since batches wait for each other. Other kernels have as many as are
// useful. Units that run by turns add spare fibers. The memory is made once; launches of one program and geometry reuse it. A batch
// of a small kernel runs in some ten nanoseconds, so only state that differs between batches is written for each.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scheduler/aligned.h"
#include "scheduler/fiber_layout.h"
#include "scheduler/launch_control.h"
#include "scheduler/unit_groups.h"
#include "vm/exec/group.h"

namespace transpire::scheduler {

/// Gives a batch a budget of `steps`. It may use `turn` of them in its next turn and keeps the others for later turns.
inline void give_steps(vm::exec::Batch& batch, std::uint64_t steps, std::uint64_t turn) {
  batch.steps_left = steps < turn ? steps : turn;
  batch.steps_kept = steps - batch.steps_left;
}

struct Fiber {
  vm::exec::Batch batch;
  AlignedArray<std::byte> memory;     ///< all arrays of the batch, see FiberLayout
  const BatchShape* shape = nullptr;  ///< null if the fiber is free
  const BatchShape* prologue_shape =
      nullptr;  ///< the shape for which the prologue filled registers
  std::uint64_t steps_at_start = 0;
  std::uint64_t refills = 0;     ///< times that the batch got another budget of steps
  std::uint64_t turns = 0;       ///< turns in loops that the batch took one after the other
  std::uint64_t kept_state = 0;  ///< digest of the state after one of these turns
  /// Owner of Batch::items, shared by the parts of a batch.
  std::shared_ptr<vm::exec::ItemNotes> notes;
  std::shared_ptr<vm::exec::UndefinedItems> undefined;  ///< owner of Batch::undefined, likewise
};

class UnitMemory {
 public:
  /// Everything must outlive this object. `unit` has the rows that batches read ids from.
  UnitMemory(const vm::Program& program, const GeometryPlan& geometry, const UnitGroups& unit,
             std::uint64_t workgroup_bytes, vm::exec::EventSink& sink);
  UnitMemory(const UnitMemory&) = delete;
  UnitMemory& operator=(const UnitMemory&) = delete;

  /// Bytes that one thread needs, and that count towards the memory limit of a launch.
  static Checked bytes_needed(const vm::Program& program, const GeometryPlan& geometry,
                              std::uint64_t workgroup_bytes);

  /// Begins a launch. `first_turn`: the most steps of a batch's first turn.
  void begin(const LaunchControl& control, const memory::AddressMap& map, std::uint64_t first_turn);
  /// Ends a launch.
  void end();

  std::vector<Fiber>& fibers() { return fibers_; }
  const std::vector<Fiber>& fibers() const { return fibers_; }
  /// [group of the unit]; empty for programs without barriers.
  std::vector<vm::exec::GroupState>& group_states() { return group_states_; }
  /// [opcode]: executions by work-items in the launch; empty unless the program counts.
  std::vector<std::uint64_t>& executed() { return executed_; }

  // The functions below that return bool return false if the launch was stopped in between.

  /// Fills local memory with zeros or poison. OpenCL leaves its contents undefined; here no result depends on the group that ran before.
  bool reset_workgroup_memory() { return workgroup_bytes_ == 0 || reset_workgroup_bytes(); }
  /// Begins a batch in a fiber: it stands at the first instruction behind the prologue.
  bool start(Fiber& fiber, const BatchShape& shape);

  /// A fiber that is free since free_fibers() and has no shape. Makes one if there is none.
  Fiber& free_fiber();
  /// Marks all fibers as free.
  void free_fibers();
  /// Number of all fibers.
  std::uint64_t fiber_count() const { return fibers_.size() + spare_fibers_.size(); }
  std::uint64_t spare_count() const { return spare_fibers_.size(); }
  bool is_spare(const Fiber& fiber) const {
    return &fiber < fibers_.data() || &fiber >= fibers_.data() + fibers_.size();
  }
  Checked fiber_bytes() const { return layout_.all + vm::Program::kPhasePeriod; }

  /// Copies the state of a fiber without its step counter, which stays the target's own.
  void copy_state(const Fiber& from, Fiber& to) const;
  /// Digests all state of a batch that decides how its loops continue, except memory that other work-items see. 0: the state is too
  /// large to digest.
  std::uint64_t state_of(const Fiber& fiber) const;
  /// Digests local memory.
  std::uint64_t digest_workgroup_memory(std::uint64_t before) const;

  /// Frees the notes of all fibers, which may have used up the checks' memory limit.
  void forget_notes();
  /// Counts steps that instructions() does not see: those of spare fibers and of other units' fibers.
  void add_steps(std::uint64_t steps) {
    __atomic_store_n(&added_steps_, added_steps_ + steps, __ATOMIC_RELAXED);
  }
  /// Instructions times lanes in the launch. Thread-safe.
  std::uint64_t instructions() const;

 private:
  void make(Fiber& fiber);
  void begin(Fiber& fiber);
  bool fill(std::byte* bytes, std::uint64_t size, std::byte value) const;
  bool reset_workgroup_bytes();
  bool prepare(Fiber& fiber);
  /// False where the private variables of the source are all registers.
  bool has_private() const;
  bool prepare_private(Fiber& fiber);
  void begin_notes(Fiber& fiber);
  void begin_undefined(Fiber& fiber);

  const vm::Program& program_;
  const GeometryPlan& geometry_;
  const UnitGroups& unit_;
  const FiberLayout layout_;
  const std::uint64_t workgroup_bytes_;
  vm::exec::EventSink& sink_;
  std::vector<Fiber> fibers_;
  std::vector<std::unique_ptr<Fiber>> spare_fibers_;
  AlignedArray<std::byte> workgroup_memory_;
  std::vector<vm::exec::GroupState> group_states_;
  std::vector<std::uint64_t> executed_;  ///< Batch::executed
  bool clean_ = false;                   ///< pending masks are all zero
  // Values for every batch of the launch.
  const LaunchControl* control_ = nullptr;
  const memory::AddressMap* map_ = nullptr;
  bool prepares_batches_ = false;
  std::uint64_t first_steps_ = 0, later_steps_ = 0;  ///< Batch::steps_left and steps_kept
  std::uint64_t added_steps_ = 0;                    ///< accessed atomically
};

}  // namespace transpire::scheduler
