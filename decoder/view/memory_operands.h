// The memory operands of loads, stores and copies, one bit of the mask at a time.
#pragma once

#include <cstdint>

#include "decoder/view/module_view.h"

namespace transpire::decoder::view {

/// Calls `visit(bit, n)` for each bit of each mask of memory operands; `n` is the operand that the bit's own parameter has.
template <class Visit>
void each_memory_operand(const ModuleView& view, std::uint32_t instruction, Visit visit) {
  const auto operands = view.operands(instruction);
  for (std::size_t mask = 0; mask < operands.size(); ++mask) {
    if (operands[mask].kind != OperandKind::kMemoryAccess) continue;
    std::size_t at = mask + 1;
    for (std::uint32_t rest = view.word(instruction, mask); rest != 0; rest &= rest - 1) {
      const std::uint32_t bit = rest & (0u - rest);
      const auto* info = find_enumerant(OperandKind::kMemoryAccess, bit);
      if (info == nullptr) break;  // the meaning of the rest is unknown
      visit(static_cast<spv::MemoryAccessMask>(bit), at);
      at += info->parameters.size();
    }
  }
}

}  // namespace transpire::decoder::view
