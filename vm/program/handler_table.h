// The handlers of an instruction set, as emission chooses from them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/ops/op.h"
#include "vm/program/instruction.h"

namespace transpire::vm {

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
  const char* isa = "";       ///< "baseline", "avx2", "avx512"
  std::uint32_t lanes = 0;    ///< W
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
  Handler make_plan[2] = {};  ///< d = plan of row a; [1] of 64-bit indices
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
  Handler observe = nullptr;  ///< tells the observer, if any, of the instruction imm behind it
  Handler poll = nullptr;     ///< looks at Batch::cancel where no backward edge does for long
};

}  // namespace transpire::vm
