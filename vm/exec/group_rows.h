// Handlers of instructions that a group executes together: for a sub-group at once, for a
// work-group when all of its batches are there.
#pragma once

#include "vm/exec/group.h"
#include "vm/exec/handlers.h"

namespace transpire::vm::TRANSPIRE_ISA {

/// Leaves the engine until every batch of the work-group is here.
TRANSPIRE_INLINE const Inst* meet(const Inst* ip, Batch* batch, GroupFunction complete) {
  batch->stop = Stop::kBarrier;
  batch->barrier = ip;
  batch->complete = complete;
  batch->ip = ip + 1;
  return nullptr;
}

/// imm names the group: it is a GroupOperation or begins with one.
template <GroupFunction kFunction>
const Inst* group(const Inst* ip, std::byte* r, Batch* batch) {
  const GroupOperation operation = GroupOperation::decode(ip->imm);
  if (operation.size == 0) return meet(ip, batch, kFunction);
  each_subgroup(ip, operation, batch, kFunction);
  TRANSPIRE_TAIL return next(ip, r, batch);
}

}  // namespace transpire::vm::TRANSPIRE_ISA
