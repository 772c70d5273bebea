// The engine: runs a Program for one batch of lanes. Threaded code over rows.
//
// A batch is W lanes (work-items); W is fixed per instruction set. A Program's instruction names
// its handler and the byte offsets of its rows in the batch's register block. Handlers are
// instantiated per instruction set (vm/simd) from the lane functions in vm/ops and extinst.
//
// Divergence: every block has a pending mask; the engine always continues with the lowest pending
// block of the linear order. Execution returns a stop reason to its caller and never calls it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "vm/program/handler_table.h"

namespace transpire::memory {
struct AddressMap;
}

namespace transpire::vm {
struct Program;
class Observer;
}  // namespace transpire::vm

namespace transpire::vm::exec {

/// The most lanes of a batch in any instruction set; vm/exec/lanes.h asserts it for each.
inline constexpr std::uint32_t kMaxLanes = 128;
inline constexpr std::uint32_t kMaxMaskWords = kMaxLanes / 64;

inline constexpr std::uint32_t kNoPending = 0xffffffffu;
inline constexpr std::uint32_t kLaneListStep = 8;

struct GroupParts;
class DeviceQueue;
class ItemNotes;
class LaunchNotes;
struct GroupState;
class UndefinedItems;

/// kTurn: its turn ended where a loop goes round (Batch::steps_left); it may go on.
enum class Stop : std::uint8_t { kDone, kBarrier, kNamedBarrier, kTurn, kLimit, kCancelled };

struct OtherHalf;
struct ReportedOrigin;

/// A faulting access or other event of some lanes. The receiver turns it into a diagnostic with
/// names, and folds equal ones.
struct Event {
  std::uint16_t rule = 0;             ///< a transpire::Rule
  const Inst* instruction = nullptr;  ///< Program::source_of() gives its place in the module
  std::uint32_t lane = 0;             ///< the lowest lane concerned
  std::uint32_t lanes = 1;            ///< number of lanes concerned
  std::uint64_t address = 0;          ///< virtual address in that lane; 0: none
  std::uint64_t size_bytes = 0;
  std::int64_t index = 0;  ///< R0028: the index; R0030: offset of the target in the object
  const OtherHalf* other = nullptr;        ///< second half of the finding, if known
  const ReportedOrigin* origin = nullptr;  ///< origin of an undefined value that is no operand
};

/// Receives findings and printf text. One per worker; called while the engine stands at an
/// instruction.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void finding(const Batch& batch, const Event& event) = 0;
  /// Returns false if there is no room for the text, which is then dropped.
  virtual bool print(const Batch& batch, std::uint32_t lane, const char* text,
                     std::size_t size) = 0;
  /// Longer texts never fit, so callers need not make them.
  virtual std::uint64_t print_room() const { return ~std::uint64_t{0}; }
};

/// Geometry that is the same for a whole launch.
struct LaunchIds {
  std::uint32_t work_dim = 1;
  std::uint64_t global_size[3] = {1, 1, 1};
  std::uint64_t global_offset[3] = {0, 0, 0};
  std::uint64_t enqueued_local_size[3] = {1, 1, 1};
  std::uint64_t num_groups[3] = {1, 1, 1};
};

/// The state of one batch: all that must be kept while it waits at a barrier. Owned by the
/// scheduler. Handlers of every instruction set read it, so it has no inline functions.
///
/// The members that every start of a batch writes come first, in few cache lines: a batch of a
/// small kernel is started every few dozen nanoseconds.
struct alignas(64) Batch {
  std::uint64_t mask[kMaxMaskWords];  ///< lanes running now
  std::uint64_t live[kMaxMaskWords];  ///< lanes that have not returned

  const Inst* ip = nullptr;  ///< where to continue; null when done
  const Program* program = nullptr;
  std::byte* registers = nullptr;             ///< Program::register_bytes, 64-byte aligned
  std::uint64_t* pending = nullptr;           ///< [block][mask word]
  std::uint64_t* pending_set = nullptr;       ///< one bit a block
  const Inst* const* block_entry = nullptr;   ///< first instruction by block; set by run()
  std::uint32_t block_count = 0;              ///< set by run()
  std::uint32_t lowest_pending = kNoPending;  ///< lowest block of pending_set
  const std::uint64_t* exists = nullptr;  ///< lanes that are work-items, also those that returned

  /// Instructions times active lanes, so far. Written atomically: the progress report reads it
  /// while the batch runs.
  std::uint64_t steps = 0;
  std::uint64_t steps_left = 0;    ///< row instructions this batch may still run in this turn
  std::uint64_t steps_kept = 0;    ///< steps kept for later turns
  const Inst* barrier = nullptr;   ///< the barrier it waits at, when stop is kBarrier
  std::uint64_t group_id[3] = {};  ///< id of the (first) group of the batch
  std::uint32_t call = 0;  ///< observed programs: Source::called_from of the last instruction
  Stop stop = Stop::kDone;
  bool loaded_undefined = false;  ///< some lane loaded an undefined value, which `undefined` has

  std::uint64_t local_size[3] = {1, 1, 1};                         ///< size of this group
  const std::uint32_t* local_id[3] = {nullptr, nullptr, nullptr};  ///< rows: [lane]
  std::byte* workgroup_memory = nullptr;  ///< memory of the (first) group of the batch
  const memory::AddressMap* memory = nullptr;

  std::byte* private_memory =
      nullptr;  ///< interleaved by 4-byte words, see memory::private_place()
  std::uint32_t private_shift =
      0;  ///< 2^this lanes have private memory: all of the batch that are work-items
  std::uint64_t* private_live = nullptr;  ///< [private variable][mask word]: lanes in its lifetime
  std::uint16_t* lives =
      nullptr;  ///< [counter << private_shift | lane]: see PrivateVariable::life_counter
  EventSink* sink = nullptr;
  const LaunchIds* launch = nullptr;
  std::uint64_t max_steps = 0;            ///< limit for a work-item; 0: none
  const volatile bool* cancel = nullptr;  ///< set by another thread to stop: see Stop::kCancelled
  /// Called for every work-group that waits at `barrier` before it goes on; null: nothing to do.
  void (*complete)(const Inst* ip, GroupParts group) = nullptr;
  GroupState* group_state = nullptr;  ///< state of the group; packed batches: of each group

  /// The lanes of `listed_mask` in ascending order, the last one repeated up to a multiple of
  /// kLaneListStep. Handlers that walk over lanes keep it for those behind them.
  std::uint64_t listed_mask[kMaxMaskWords] = {};
  std::uint32_t listed_count = 0;  ///< with the repetitions
  std::uint8_t listed[kMaxLanes + 8];

  /// Packed batches: rows of group ids, and of the byte offset of the lane's group in
  /// workgroup_memory.
  const std::uint32_t* packed_group_id[3] = {nullptr, nullptr, nullptr};
  const std::uint32_t* packed_workgroup_base = nullptr;
  std::uint32_t group_items = 0;        ///< packed batches: work-items of each group; else 0
  std::uint64_t named_barrier = 0;      ///< it waits at, when stop is kNamedBarrier
  std::uint64_t* executed = nullptr;    ///< [opcode]: work-items that executed it, see Op::kCount
  Observer* observer = nullptr;         ///< null: no observer
  DeviceQueue* queue = nullptr;         ///< for programs that enqueue
  LaunchNotes* notes = nullptr;         ///< for programs with Program::keeps_notes
  ItemNotes* items = nullptr;           ///< where LaunchNotes::has_aliases
  UndefinedItems* undefined = nullptr;  ///< for programs that track undefined values
};

/// The instruction sets that this build has, worst first; at least one.
std::span<const Isa> built_isas();
/// True if this build has the instruction set and this machine runs it.
bool supported(Isa isa);
/// The handlers of a supported instruction set. The first call already runs code of that set, which
/// fills the table.
const HandlerTable& handlers(Isa isa);

/// Runs from `batch.ip` until the batch is done, reaches a barrier, or is stopped.
void run(Batch& batch);

}  // namespace transpire::vm::exec
