// The blocks at which execution may continue behind an instruction.
#pragma once

#include <cstdint>

#include "vm/program/program.h"

namespace transpire::vm {

/// True if the instruction is the last one of its block.
inline bool ends_block(const Program& program, const Inst& inst) {
  return info(program.site_of(&inst).op).shape == Shape::kTerminator;
}

/// Calls `visit` with the first instruction of each block to which an instruction may branch. A
/// block comes twice if two ways lead to it.
template <class Visit>
void for_each_target(const Program& program, const Inst& inst, Visit visit) {
  const auto visit_block = [&](std::uint64_t block) { visit(program.block_entry[block]); };
  switch (program.site_of(&inst).op) {
    case Op::kBranch:
      return visit_block(inst.imm);
    case Op::kBranchConditional:
      visit_block(inst.targets.on_true);
      return visit_block(inst.targets.on_false);
    case Op::kSwitch:
      visit_block(inst.cases->default_target);
      for (std::uint32_t i = 0; i < inst.cases->count; ++i) visit_block(inst.cases->targets[i]);
      return;
    default:
      return;
  }
}

}  // namespace transpire::vm
