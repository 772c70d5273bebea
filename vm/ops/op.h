// Op: what a lowered instruction does, and the facts every pass needs about it. Rows stand in one
// .def file per SPIR-V instruction class (`vm/ops/<class>.def`) and per OpenCL.std family
// (`extinst/<family>.def`); the same row makes the enumerator, the printer's name, the verifier's arity
// and the handler of every instruction set, so a row without a lane function does not compile.
//
//   TRANSPIRE_OP(name, shape, kinds, flags, meaning)
//     name     enumerator k<name>; the lane function is `struct <name>` in the header beside the table
//     shape    which operands it takes and how handlers are made, see Shape
//     kinds    the operand kinds it exists for (a KindSet)
//     flags    OpFlags joined with |
//     meaning  for people: `d` is the result, `a b c` the operands
#pragma once

#include <cstdint>
#include <string_view>

#include "vm/simd/kind.h"

namespace transpire::vm {

enum class Shape : std::uint8_t {
  kUnary,     ///< T -> T
  kBinary,    ///< T, T -> T
  kTernary,   ///< T, T, T -> T
  kCompare,   ///< T, T -> bool
  kTest,      ///< T -> bool
  kMask,      ///< bool, bool -> bool (or bool -> bool); on bit masks
  kSelect,    ///< bool, T, T -> T
  kConvert,   ///< From -> T; both kinds in the row's handler list
  kIntFloat,  ///< T (float), i32 -> T: ldexp, pown, rootn
  kFloatInt,  ///< T (float) -> i32: ilogb, and the integer halves of frexp, remquo, lgamma_r
  kSpecial,   ///< hand-written handlers: memory, control flow, built-ins, barriers
};

enum OpFlags : std::uint8_t {
  kNone = 0,
  kCommutative = 1,  ///< operands 0 and 1 may be swapped
  kEffect = 2,       ///< must not be removed, duplicated or moved over another effect
  kReadsMemory = 4,
  kConvergent = 8,  ///< depends on which lanes execute it together
};

enum class Op : std::uint16_t {
#define TRANSPIRE_OP(name, shape, kinds, flags, meaning) k##name,
#include "vm/ops/all.def"
#undef TRANSPIRE_OP
};

inline constexpr std::size_t kOpCount = 0
#define TRANSPIRE_OP(name, shape, kinds, flags, meaning) +1
#include "vm/ops/all.def"
#undef TRANSPIRE_OP
    ;

struct OpInfo {
  std::string_view name;
  Shape shape;
  KindSet kinds;
  std::uint8_t flags;
  std::string_view meaning;
};

const OpInfo& info(Op op);

}  // namespace transpire::vm
