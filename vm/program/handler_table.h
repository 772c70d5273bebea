// The handlers of an instruction set, from which emission selects.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vm/ops/op.h"
#include "vm/program/instruction.h"
#include "vm/simd/instruction_set.h"

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
  Isa isa{};                  ///< instruction set of the handlers' code
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
  Handler masked_affine[kKindCount] = {};  ///< row d = scalar a + imm * lane, lanes of Batch::mask
  Handler scalar_copy = nullptr;           ///< scalar d = scalar a

  /// Ops of special shapes (vm/ops/op.h) except kValue and kMemory, and Copy, Spread and Affine: by
  /// op, and by a kind: of the access, of an operand with Value::from, or else of the result; kVoid
  /// if there is none. [0]: operands and result are rows; [1]: they are scalars, as far as such
  /// handlers exist (for an affine value lane 0's). Only the reference mode's tables have the ops
  /// of extinst/exact.def.
  Handler special[kOpCount][kKindCount][2] = {};
  Handler special_of(Op op, Kind kind = Kind::kVoid, bool scalar = false) const {
    return special[static_cast<std::size_t>(op)][static_cast<std::size_t>(kind)][scalar ? 1 : 0];
  }

  // Memory: by log2 of the component's bytes, address form, space class. See
  // vm/exec/memory_handlers.
  enum AddressForm : std::uint8_t {
    kUniformAddress,
    kAffine32,
    kAffine64,
    kRow32,
    kRow64,
    kPlanned32,
    kPlanned64,  ///< a row with a plan from the prologue, see vm/exec/index_plan.h
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
  /// Before a load or a store, with the same operands: calls observers for it.
  enum Announced : std::uint8_t {
    kAnnouncedLoad,
    kAnnouncedStore,
    kAnnouncedStoreOfBools,
    kAnnouncedKinds
  };
  Handler announce_row[kAnnouncedKinds][kAddressForms] = {};
  /// Behind a load or a store of shadows, with the same operands: notes undefined bits
  /// (vm/exec/undefined_notes.h).
  Handler note_undefined[kAddressForms] = {};
  Handler note_uniform_undefined = nullptr;  ///< behind load_uniform
  /// Address arithmetic: d = a + extend(b) * imm's scale + offset (an Access).
  Handler address_uniform[3] = {};  ///< by lir::Extend, scalars; b may be a zero slot
  Handler address_rows[2][3] = {};  ///< [a is a row][lir::Extend], b a row
};

}  // namespace transpire::vm
