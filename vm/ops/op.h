// Op: the operation of a lowered instruction, and the facts every pass needs about it. Rows stand
// in one .def file per SPIR-V instruction class (`vm/ops/<class>.def`) and per OpenCL.std family
// (`extinst/<family>.def`). A row makes the enumerator, the printer's name, the verifier's
// checks and the handlers of every instruction set, so a row without a meaning does not compile.
//
//   TRANSPIRE_OP(name, shape, kinds, cheap, flags, meaning)
//     name     enumerator k<name>; the meaning is `struct <name>`: for lane-wise ops in the header beside
//              the table, for others where their handlers are (vm/exec/<family>_handlers.cpp)
//     shape    how handlers are made, and for lane-wise ops which operands there are, see Shape
//     kinds    operand kinds for which handlers exist (a KindSet)
//     cheap    kinds for which it is one or two instructions a vector (a KindSet)
//     flags    OpFlags joined with |
//     meaning  for people: `d` is the result, `a b c` the operands
//
//   TRANSPIRE_SPECIAL(name, shape, signature, imm, kinds, cheap, flags, meaning)
//     signature  the operands
//     imm        meaning of Value::imm
//
// all.def also works for files that define only TRANSPIRE_OP.
#pragma once

#include <cstdint>
#include <string_view>

#include "vm/ops/signature.h"
#include "vm/simd/kind.h"

namespace transpire::vm {

enum class Shape : std::uint8_t {
  // Lane-wise: made of a lane function for rows and scalars.
  kUnary,      ///< T -> T
  kBinary,     ///< T, T -> T
  kTernary,    ///< T, T, T -> T
  kCompare,    ///< T, T -> bool
  kTest,       ///< T -> bool
  kMask,       ///< bool, bool -> bool; on bit masks
  kMaskUnary,  ///< bool -> bool
  kSelect,     ///< bool, T, T -> T
  kConvert,    ///< From -> T; both kinds in the row's handler list
  kIntFloat,   ///< T (float), i32 -> T: ldexp, pown, rootn
  kFloatInt,   ///< T (float) -> i32: ilogb, and the integer halves of frexp, remquo, lgamma_r
  // Special: with handlers of their own.
  kValue,       ///< no instruction: constants, arguments, phis, further results of loads
  kMemory,      ///< address arithmetic, loads, stores: by the form of the address
  kBuiltin,     ///< no operands; rows or a scalar
  kRows,        ///< up to three operands, all rows
  kAtomic,      ///< as kRows; the first operand is an address
  kList,        ///< any number of operands, see OperandList
  kTerminator,  ///< ends a block
  kEngine,      ///< emission makes it; stands in no lir::Function
};

constexpr bool is_lane_wise(Shape shape) { return shape <= Shape::kFloatInt; }

enum OpFlags : std::uint8_t {
  kNone = 0,
  kCommutative = 1,  ///< operands 0 and 1 may be swapped
  kEffect = 2,       ///< must not be removed, duplicated or moved over another effect
  kReadsMemory = 4,
  kConvergent = 8,     ///< depends on which lanes execute it together
  kRounds = 16,        ///< lane-wise: imm is a Rounding
  kLaunchSize = 32,    ///< a size or offset, equal in all work-items of a group
  kPlaceInGroup = 64,  ///< the place of the work-item in its group
  kLooks = 128,        ///< a check that looks at its operands, and at no memory
};

/// For the column `cheap`.
inline constexpr KindSet kDear = 0, kCheap = bit(Kind::kVoid) | kKindsAll,
                         kCheapFloats = kKindsFloat32And64,
                         kCheapWords = bit(Kind::kI8) | bit(Kind::kI16) | bit(Kind::kI32);

enum class Op : std::uint16_t {
#define TRANSPIRE_OP(name, shape, kinds, cheap, flags, meaning) k##name,
#include "vm/ops/all.def"
#undef TRANSPIRE_OP
};

inline constexpr std::size_t kOpCount = 0
#define TRANSPIRE_OP(name, shape, kinds, cheap, flags, meaning) +1
#include "vm/ops/all.def"
#undef TRANSPIRE_OP
    ;

struct OpInfo {
  std::string_view name;
  Shape shape;
  Signature signature;
  Imm imm;
  KindSet kinds, cheap;
  std::uint8_t flags;
  std::string_view meaning;

  constexpr bool has(OpFlags flag) const { return (flags & flag) != 0; }
  /// True if the op only computes a result, which depends on the operands alone.
  constexpr bool is_pure() const { return (flags & (kEffect | kReadsMemory | kConvergent)) == 0; }
};

const OpInfo& info(Op op);

/// Maximum number of operands of a row of extinst/exact.def: a dot product has 32.
inline constexpr std::size_t kMostExactOperands = 40;

/// Reads of one or several components: the first is the op's result, others are Results.
inline bool is_image_announce(Op op) {
  return op == Op::kImageAnnounce || op == Op::kImageSampleAnnounce ||
         op == Op::kImageBlockAnnounce;
}
inline bool is_image_read(Op op) {
  return op == Op::kImageSample || op == Op::kImageRead || op == Op::kImageBlockRead ||
         op == Op::kImageTexel || op == Op::kImageLevel;
}

inline bool is_atomic(Op op) { return info(op).shape == Shape::kAtomic; }

/// Checks that look at their operands, and at no memory.
inline bool looks_at_operands(Op op) { return info(op).has(kLooks); }

}  // namespace transpire::vm
