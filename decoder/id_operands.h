// Which of an instruction's operand words are ids, by the grammar.
#pragma once

#include "decoder/grammar.h"
#include "decoder/module.h"

namespace transpire::decoder {

/// Calls `use(id)` for each, in order. Not for those behind masks and in pairs with literals: memory accesses' and
/// switches' own, none of which is a value that the instruction works on.
template <class Use>
void each_id(const Instruction& instruction, const Use& use) {
  const OpcodeInfo* info = find_opcode(static_cast<std::uint32_t>(instruction.op));
  if (info == nullptr) return;
  std::size_t at = 0;
  for (const OperandSpec& operand : info->operands) {
    const Category category = category_of(operand.kind);
    const bool ids = category == Category::kId || operand.kind == OperandKind::kPairIdRefIdRef;
    const bool all = operand.quantifier == Quantifier::kAny;
    if (!ids && (category == Category::kBitEnum || category == Category::kComposite || all)) return;
    for (bool more = true; more && at < instruction.operands.size(); more = all) {
      if (ids) use(instruction.operands[at]);
      ++at;
    }
  }
}

}  // namespace transpire::decoder
