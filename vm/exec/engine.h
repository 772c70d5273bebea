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

#include "vm/ops/op.h"

namespace transpire::memory {
struct AddressMap;
}

namespace transpire::vm {
struct Program;
}

namespace transpire::vm::exec {

inline constexpr std::uint32_t kMaxLanes = 256;
inline constexpr std::uint32_t kMaxMaskWords = kMaxLanes / 64;

inline constexpr std::uint8_t kGenericSpace = 4;  ///< memory::PointerSpace::kGeneric
inline constexpr std::uint32_t kNoPending = 0xffffffffu;
inline constexpr std::uint32_t kLaneListStep = 8;

struct Batch;
struct GroupParts;
struct GroupState;
struct Inst;

/// Runs `ip` and returns the next instruction, or null to leave the engine (Batch::stop says why).
/// `r` is the batch's register block.
using Handler = const Inst* (*)(const Inst* ip, std::byte* r, Batch* batch);

/// One lowered instruction, 32 bytes.
///
///     | run 8 | d 4 | a 4 | b 4 | c 4 | imm 8 |
///
/// d, a, b, c are byte offsets into the register block: of a row for varying operands, of an 8-byte
/// scalar slot for uniform ones. imm is an immediate or an index into a side table, by handler.
struct Inst {
  Handler run;
  std::uint32_t d, a, b, c;
  std::uint64_t imm;
};
static_assert(sizeof(Inst) == 32);

/// Side data of a load, store or atomic; Inst::imm points to it. Plain data, owned by the Program.
/// One cache line: handlers read most of it.
struct alignas(64) Access {
  std::int64_t scale = 1;                 ///< of the index, bytes
  std::int64_t offset = 0;                ///< bytes
  std::int64_t index_stride = 0;          ///< affine forms: of the index, per lane
  std::int64_t byte_stride = 0;           ///< affine forms: of the address, per lane
  const std::uint32_t* values = nullptr;  ///< register offsets of the components' rows (or scalars)
  /// The accesses that became this one, in their order: instructions that never run, with an Access
  /// each. When the whole cannot be done at once each is checked, done and reported by itself.
  const Inst* parts = nullptr;
  std::uint16_t components = 1;
  /// One bit of memory::PointerSpaces: of the pointer that is read through, and of the one that is stored
  /// through; no bit where the parameter promises not to be written.
  std::uint8_t loads = 1u << kGenericSpace, stores = 1u << kGenericSpace;
  std::uint32_t bytes = 4;           ///< of all components
  std::uint32_t align_mask = 0;      ///< required alignment - 1
  std::uint8_t part_count = 0;       ///< 0: this is one access
  std::uint8_t first_component = 0;  ///< of a part: where it begins in the whole
  bool zero_extend = false;          ///< 32-bit indices: zero- instead of sign-extended
  std::uint8_t space = kGenericSpace;  ///< the memory::PointerSpace of the pointer; of a copy, its target's
};
static_assert(sizeof(Access) == 64);

/// Side data of an access of one component by a row of indices into one private variable. What
/// index windows find out at run time is known when the program is made. Inst::imm points to the
/// Access in front, which serves when an index is not good.
struct PrivateAccess {
  Access access;
  std::uint64_t start = 0;     ///< of index 0 in a lane's own memory, bytes, modulo 2^64
  std::uint64_t least = 0;     ///< the least good index
  std::uint64_t more = 0;      ///< good ones above it
  std::uint32_t variable = 0;  ///< its number
};

/// Side data of a switch; Inst::imm points to it. Cases are sorted by value.
struct SwitchTable {
  const std::uint64_t* values = nullptr;
  const std::uint32_t* targets = nullptr;  ///< linear block numbers, by case
  std::uint32_t count = 0;
  std::uint32_t default_target = 0;
  /// When the cases lie close together: targets of values[0], values[0] + 1, ... up to `span` of
  /// them.
  const std::uint32_t* dense = nullptr;
  std::uint64_t span = 0;
};

enum class Stop : std::uint8_t { kDone, kBarrier, kNamedBarrier, kLimit, kCancelled };

/// What a finding says about one faulting access or event of some lanes; the receiver turns it into
/// a diagnostic with names and folds equal ones.
struct Event {
  std::uint16_t rule = 0;             ///< a transpire::Rule
  const Inst* instruction = nullptr;  ///< Program::source_of() gives its place in the module
  std::uint32_t lane = 0;             ///< the lowest lane concerned
  std::uint32_t lanes = 1;            ///< how many lanes of the batch
  std::uint64_t address = 0;          ///< virtual, of that lane; 0 when the event concerns none
  std::uint64_t size_bytes = 0;
  std::int64_t index = 0;  ///< of R0028: the index that was used
};

/// What a launch that records its results says of every scalar that is stored. For anything but
/// floats both ends are 0.
struct StoredResult {
  std::uint64_t address = 0;  ///< virtual
  std::uint32_t bytes = 0;
  std::uint32_t site = 0;     ///< index into Program::result_sites
  double low = 0, high = 0;   ///< the results that fusing products and sums may give
};

/// Receives findings and printf text. One per worker; called with the engine stopped at an
/// instruction.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void finding(const Batch& batch, const Event& event) = 0;
  /// False when there is no room for the text, which is dropped then.
  virtual bool print(const Batch& batch, std::uint32_t lane, const char* text,
                     std::size_t size) = 0;
  /// A lane stored a value, see StoredResult.
  virtual void stored(const Batch& /*batch*/, const StoredResult& /*result*/) {}
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
struct alignas(64) Batch {
  std::uint64_t mask[kMaxMaskWords];  ///< lanes running now
  std::uint64_t live[kMaxMaskWords];  ///< lanes that have not returned
  const Inst* ip = nullptr;           ///< where to continue; null when done
  const Program* program = nullptr;
  std::byte* registers = nullptr;             ///< Program::register_bytes, 64-byte aligned
  std::uint64_t* pending = nullptr;           ///< [block][mask word]
  std::uint64_t* pending_set = nullptr;       ///< one bit a block
  std::uint32_t lowest_pending = kNoPending;  ///< lowest block of pending_set
  const Inst* const* block_entry = nullptr;   ///< first instruction by block; set by run()
  std::uint32_t block_count = 0;              ///< set by run()
  /// The lanes of `listed_mask` in ascending order, the last one repeated up to a multiple of
  /// kLaneListStep. Handlers that walk over lanes keep it for those behind them.
  std::uint64_t listed_mask[kMaxMaskWords] = {};
  std::uint32_t listed_count = 0;  ///< with the repetitions
  std::uint8_t listed[kMaxLanes + 8];
  std::byte* private_memory =
      nullptr;  ///< interleaved by 4-byte words: (offset/4*W + lane)*4 + offset%4
  std::byte* workgroup_memory = nullptr;  ///< of the (first) group of the batch
  std::uint64_t* private_live = nullptr;  ///< [private variable][mask word]: lanes in its lifetime
  const memory::AddressMap* memory = nullptr;
  EventSink* sink = nullptr;
  const LaunchIds* launch = nullptr;
  std::uint64_t group_id[3] = {0, 0, 0};    ///< of the (first) group of the batch
  std::uint64_t local_size[3] = {1, 1, 1};  ///< of this group
  const std::uint32_t* local_id[3] = {nullptr, nullptr, nullptr};  ///< rows: [lane]
  /// Packed batches: rows of group ids, and of the byte offset of the lane's group in
  /// workgroup_memory.
  const std::uint32_t* packed_group_id[3] = {nullptr, nullptr, nullptr};
  const std::uint32_t* packed_workgroup_base = nullptr;
  std::uint64_t steps = 0;                ///< instructions times active lanes, so far
  std::uint64_t steps_left = 0;           ///< row instructions this batch may still run
  const volatile bool* cancel = nullptr;  ///< set by another thread to stop: see Stop::kCancelled
  Stop stop = Stop::kDone;
  const Inst* barrier = nullptr;  ///< the barrier it waits at, when stop is kBarrier
  /// What must be done for every work-group that waits at `barrier` before it goes on; null: nothing.
  void (*complete)(const Inst* ip, GroupParts group) = nullptr;
  const std::uint64_t* exists = nullptr;  ///< lanes that are work-items, also those that returned
  std::uint32_t group_items = 0;          ///< packed batches: work-items of each group; else 0
  GroupState* group_state = nullptr;      ///< of the group; packed batches: of each
  std::uint64_t named_barrier = 0;        ///< it waits at, when stop is kNamedBarrier
  std::uint64_t* executed = nullptr;  ///< [opcode]: work-items that executed it, see Op::kCount
};

/// Operand forms: bit i set means operand i is a scalar slot, else a row. kUniform: the result is a
/// scalar slot too (then every operand is).
using Form = std::uint8_t;
inline constexpr Form kRows = 0;
inline constexpr Form kUniform = 8;
inline constexpr std::size_t kFormCount = 9;

/// The handlers of one instruction set. A null entry means the form does not exist there, and
/// emission spreads the scalar operand to a row first (form kRows and form kUniform always exist).
struct HandlerTable {
  bool is_reference = false;  ///< math functions are correctly rounded (vm/reference/)
  const char* isa = "";     ///< "baseline", "avx2", "avx512"
  std::uint32_t lanes = 0;  ///< W
  Handler simple[kOpCount][kKindCount][kFormCount] =
      {};  ///< by op, Value::from (operand kind), form
  Handler convert[kOpCount][kKindCount][kKindCount][2] =
      {};  ///< by op, from, to, 0 rows / 1 uniform

  // Moves. By kind of row or scalar.
  Handler copy[kKindCount] = {};           ///< row d = row a, all lanes
  Handler masked_copy[kKindCount] = {};    ///< row d = row a, lanes of Batch::mask
  Handler spread[kKindCount] = {};         ///< row d = scalar a, all lanes
  Handler masked_spread[kKindCount] = {};  ///< row d = scalar a, lanes of Batch::mask
  Handler affine[kKindCount] = {};         ///< row d = scalar a + imm * lane, all lanes
  Handler masked_affine[kKindCount] = {};  ///< the same, lanes of Batch::mask
  Handler scalar_copy = nullptr;           ///< scalar d = scalar a
  Handler first_lane[kKindCount] = {};     ///< scalar d = row a in the first running lane

  // Built-ins: row or scalar results, imm dimension. [0] row, [1] scalar (lane 0's value for
  // affine).
  Handler builtin[kOpCount][2] = {};

  // Memory: by log2 of the component's bytes, address form, space class. See
  // vm/exec/memory_handlers.
  enum AddressForm : std::uint8_t {
    kUniformAddress,
    kAffine32,
    kAffine64,
    kRow32,
    kRow64,
    kPlanned32,
    kPlanned64,  ///< of a row that the prologue looked at, see vm/exec/index_plan.h
    kAddressForms
  };
  enum SpaceClass : std::uint8_t {
    kLinear,
    kAnySpace,
    kSpaceClasses
  };                                                   ///< kAnySpace: may be private
  Handler load[4][kAddressForms][kSpaceClasses] = {};  ///< row results
  Handler load_bool[kAddressForms][kSpaceClasses] = {};
  Handler load_uniform[4] = {};  ///< uniform address, scalar results
  Handler load_uniform_bool = nullptr;
  Handler store[4][kAddressForms][kSpaceClasses] = {};  ///< row values
  Handler store_bool[kAddressForms][kSpaceClasses] = {};
  /// Rows of indices into one private variable (PrivateAccess); [1] of 64-bit indices.
  Handler load_private[4][2] = {};
  Handler store_private[4][2] = {};
  Handler special[kOpCount][kKindCount] = {};  ///< atomics, copy memory, lifetime, printf, checks:
                                               ///< row operands, row result
  /// Ops of extinst/exact.def, from kExactDot on, by kind; [1] of scalars. imm points to the
  /// offsets of the operands' rows, c is their number, a the Rounding. Only in the reference mode's
  /// tables.
  Handler list[8][kKindCount][2] = {};
  Handler make_plan[2] = {};                   ///< d = plan of row a; [1] of 64-bit indices
  /// Address arithmetic: d = a + extend(b) * imm's scale + offset (an Access).
  Handler address_uniform[3] = {};  ///< by lir::Extend, scalars; b may be a zero slot
  Handler address_rows[2][3] = {};  ///< [a is a row][lir::Extend], b a row

  // Control flow. d: row instructions of the block, c: 1 when a target is not after this block.
  Handler jump = nullptr;            ///< imm: target block
  Handler branch = nullptr;          ///< a mask row; imm: targets, true in the low half
  Handler branch_uniform = nullptr;  ///< a scalar bool; imm the same
  Handler switch_rows[kKindCount] = {};
  Handler switch_uniform[kKindCount] = {};
  Handler return_lanes = nullptr;
  Handler leave = nullptr;  ///< ends a prologue: leaves the engine, changes nothing
  Handler unreachable = nullptr;
  Handler barrier = nullptr;
};

enum class Isa : std::uint8_t { kBaseline, kAvx2, kAvx512 };

/// The handlers of an instruction set; `supported` says whether this machine can run them.
const HandlerTable& handlers(Isa isa);
bool supported(Isa isa);

/// Runs from `batch.ip` until the batch is done, reaches a barrier, or is stopped.
void run(Batch& batch);

}  // namespace transpire::vm::exec
