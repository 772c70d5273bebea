// The dominator tree of a lir::Function. Blocks that the entry does not reach have no place in it; kNoVertex is
// kNoBlock.
#pragma once

#include "base/dominators.h"
#include "vm/lir/lir.h"

namespace transpire::vm::lir {

static_assert(kNoBlock == kNoVertex);

/// Siblings stand in the order of their numbers.
class Dominators : public DominatorTree {
 public:
  /// Draws from the function's budget.
  explicit Dominators(const Function& function);
};

}  // namespace transpire::vm::lir
