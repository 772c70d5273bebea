// order_blocks: the linear order of blocks that the engine runs by (always the lowest pending
// block).
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"
#include "vm/passes/loops.h"
#include "vm/passes/passes.h"

namespace transpire::vm::lir {

void order_blocks(Function& function) {
  // In topological order the single latch comes last of its loop: all its blocks lead to it.
  const BlockOrder order = reverse_post_order(function);
  const Dominators dominators(function);
  const LoopForest forest(function, order, dominators);
  function.order = linear_order(function, order, forest);
}

}  // namespace transpire::vm::lir
