// A Program's instructions and their side data: plain data that emission makes and handlers read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace transpire::vm::exec {
struct Batch;
}

namespace transpire::vm {

struct Inst;
struct Access;
struct SwitchTable;
struct OperandList;

inline constexpr std::uint8_t kGenericSpace = 4;  ///< memory::PointerSpace::kGeneric

/// Runs `ip` and returns the next instruction, or null to leave the engine (Batch::stop says why).
/// `r` is the batch's register block.
using Handler = const Inst* (*)(const Inst* ip, std::byte* r, exec::Batch* batch);

/// Linear block numbers.
struct BranchTargets {
  std::uint32_t on_true, on_false;
};

/// One lowered instruction, 32 bytes.
///
///     | run 8 | d 4 | a 4 | b 4 | c 4 | payload 8 |
///
/// d, a, b, c are byte offsets into the register block: of a row for varying operands, of an 8-byte
/// scalar slot for uniform ones. For terminators d is the number of the block's instructions, and c
/// is 1 when a target is not after the block.
struct Inst {
  Handler run;
  std::uint32_t d, a, b, c;
  /// The handler decides which member is used. The Program owns the targets of pointers.
  union {
    std::uint64_t imm;  ///< as Value::imm; for a jump the linear number of its target
    BranchTargets targets;
    const Access* access;  ///< may be a PrivateAccess's
    const SwitchTable* cases;
    const OperandList* list;
  };
};
static_assert(sizeof(Inst) == 32);

/// Access::pointer: the memory::PointerSpace of the pointer (for a copy, its target's); a bit if
/// its parameter promises not to be written; for a copy, the memory::PointerSpace of its source; a bit for
/// texels of images.
inline constexpr std::uint8_t kPointerSpace = 7, kPointerNoWrite = 8, kPointerSourceShift = 4,
                              kPointerTexel = 0x80;

/// Side data of a load, store, copy or atomic. Plain data, owned by the Program.
/// One cache line: handlers read most of it.
struct alignas(64) Access {
  std::int64_t scale = 1;                 ///< scale of the index, bytes
  std::int64_t offset = 0;                ///< bytes
  std::int64_t index_stride = 0;          ///< affine forms: difference of the index from lane to
                                          ///< lane
  std::int64_t byte_stride = 0;           ///< affine forms: difference of the address from lane to
                                          ///< lane
  const std::uint32_t* values = nullptr;  ///< register offsets of the components' rows (or scalars)
  /// The accesses that became this one, in their order: instructions that never run, with an Access
  /// each. If the whole cannot be done at once, each is checked, done and reported by itself.
  const Inst* parts = nullptr;
  std::uint16_t components = 1;
  /// For the fast path, one bit of memory::PointerSpaces: of the pointer that is read through, and
  /// of the one that is stored through; no bit if the parameter promises not to be written. In
  /// observed programs no bits at all, so that each lane takes the slow path.
  std::uint8_t loads = 1u << kGenericSpace, stores = 1u << kGenericSpace;
  std::uint32_t bytes = 4;       ///< bytes of all components
  std::uint32_t align_mask = 0;  ///< required alignment - 1
  std::uint8_t part_count = 0;   ///< 0: this is one access
  /// Parts: index of their first component in the whole.
  std::uint8_t first_component : 6 = 0;
  /// An access out of bounds of a descriptor's buffer is no finding but goes to its end (Program::clamps_accesses), or loads zeros
  /// and stores nothing. For copies: the target's, and the source's.
  std::uint8_t is_robust : 1 = 0, is_source_robust : 1 = 0;
  bool zero_extend = false;              ///< 32-bit indices: zero- instead of sign-extended
  std::uint8_t pointer = kGenericSpace;  ///< for the slow path: see kPointerSpace
};
static_assert(sizeof(Access) == 64);

/// Side data of an access of one component by a row of indices into one private variable. Its valid
/// indexes are known when the program is made, not at run time as for index windows. The Access
/// itself serves if an index is not valid.
struct PrivateAccess : Access {
  std::uint64_t start = 0;     ///< address of index 0 in a lane's own memory, bytes, modulo 2^64
  std::uint64_t least = 0;     ///< least valid index
  std::uint64_t more = 0;      ///< number of valid ones above it
  std::uint32_t variable = 0;  ///< the variable's number
};

/// Side data of a switch. Cases are sorted by value.
struct SwitchTable {
  const std::uint64_t* values = nullptr;
  const std::uint32_t* targets = nullptr;  ///< linear block numbers, by case
  std::uint32_t count = 0;
  std::uint32_t default_target = 0;
  /// For close cases: targets of values[0], values[0] + 1, ... up to `span` of them.
  const std::uint32_t* dense = nullptr;
  std::uint64_t span = 0;
};

/// The operands of an op of shape kList.
struct OperandList {
  const std::uint32_t* offsets = nullptr;  ///< offsets of their rows or scalars
  std::uint32_t count = 0;
  std::uint64_t imm = 0;           ///< as Value::imm; of a printf, index into Program::printfs
  const Access* access = nullptr;  ///< for copies
  const std::uint32_t* results =
      nullptr;  ///< image reads, products: offsets of the rows of components
};

}  // namespace transpire::vm
