// Allocation: a place in the register block for each virtual register.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vm/emit/linear_order.h"
#include "vm/emit/select.h"

namespace transpire::vm::emission {

/// Offsets and sizes are bytes in a batch's register block.
struct Allocation {
  /// By VReg. A phi and a source of it at one offset need no copy. 0 if nobody needs the register.
  std::vector<std::uint32_t> offsets;
  /// The temporaries for cycles of copies, by temporary_class().
  std::array<std::uint32_t, kKindCount + 1> temporaries{};
  std::uint32_t register_bytes = 0;
  std::uint32_t idle_bytes = 0;  ///< see Program

  std::uint32_t offset(VReg reg) const { return reg == kNoReg ? 0 : offsets[reg]; }
  std::uint32_t temporary(const Register& r) const { return temporaries[temporary_class(r)]; }
  /// The kind of a row; behind all kinds that of scalars.
  static std::size_t temporary_class(const Register& r) {
    return r.is_scalar ? kKindCount : static_cast<std::size_t>(r.kind);
  }
};

/// Throws BudgetSpent (L0007) if the registers take more than LowerLimits::register_bytes.
Allocation allocate(const Input& input, const LinearOrder& order, const Selection& selection);

}  // namespace transpire::vm::emission
