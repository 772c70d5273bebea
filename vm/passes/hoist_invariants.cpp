// hoist_invariants: moves values that a loop computes anew each time from operands outside it to
// its preheader, and on through the loops around it.
#include <algorithm>
#include <utility>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"
#include "vm/passes/loops.h"
#include "vm/passes/op_cost.h"
#include "vm/passes/passes.h"

namespace transpire::vm::lir {
namespace {

// Each is a row that lives through the whole loop; more would push the loop's own rows out of the
// first-level cache.
constexpr std::uint32_t kMaxHoistedPerLoop = 64;

class Hoisting {
 public:
  explicit Hoisting(Function& function)
      : function_(function),
        order_(reverse_post_order(function)),
        dominators_(function),
        forest_(function, order_, dominators_),
        preheaders_(forest_.loops().size(), kNoBlock),
        latches_(forest_.loops().size(), kNoBlock),
        counts_(forest_.loops().size(), 0) {}

  void run() {
    if (forest_.loops().empty()) return;
    for (LoopId loop = 0; loop < forest_.loops().size(); ++loop) find_ends(loop);
    // In this order operands have been moved before the values that use them.
    for (const BlockId block : order_.blocks) {
      if (forest_.loop_of(block) != kNoLoop) visit(block);
    }
  }

 private:
  // Loops that are not canonical stay as they are.
  void find_ends(LoopId loop) {
    std::vector<BlockId> outside;
    std::vector<BlockId> inside;
    for (const BlockId pred : function_.blocks[forest_.loops()[loop].header].preds) {
      (forest_.contains(loop, pred) ? inside : outside).push_back(pred);
    }
    if (outside.size() == 1 && function_.blocks[outside[0]].targets.size() == 1) {
      preheaders_[loop] = outside[0];
    }
    if (inside.size() == 1) latches_[loop] = inside[0];
  }

  void visit(BlockId block) {
    std::vector<ValueId> kept;
    for (const ValueId id : std::exchange(function_.blocks[block].instructions, {})) {
      const LoopId loop = outermost_invariant(function_.values[id], block);
      if (loop == kNoLoop) {
        kept.push_back(id);
        continue;
      }
      ++counts_[loop];
      function_.values[id].block = preheaders_[loop];
      function_.blocks[preheaders_[loop]].instructions.push_back(id);
    }
    function_.blocks[block].instructions = std::move(kept);
  }

  // The outermost loop around `block` in which no operand is defined, or kNoLoop.
  LoopId outermost_invariant(const Value& value, BlockId block) const {
    if (!is_movable(value)) return kNoLoop;
    const bool cheap = is_cheap(value);
    LoopId found = kNoLoop;
    function_.work();
    for (LoopId loop = forest_.loop_of(block); loop != kNoLoop;
         loop = forest_.loops()[loop].parent) {
      const auto inside = [&](ValueId arg) {
        const BlockId defined = function_.values[arg].block;
        return defined != kNoBlock && forest_.contains(loop, defined);
      };
      if (preheaders_[loop] == kNoBlock || counts_[loop] >= kMaxHoistedPerLoop ||
          std::any_of(value.args.begin(), value.args.end(), inside)) {
        break;
      }
      // Expensive values are not computed where they might not be needed.
      const BlockId latch = latches_[loop];
      if (!cheap && (latch == kNoBlock || !dominators_.dominates(block, latch))) break;
      found = loop;
    }
    return found;
  }

  Function& function_;
  BlockOrder order_;
  Dominators dominators_;
  LoopForest forest_;
  std::vector<BlockId> preheaders_, latches_;  // by loop
  std::vector<std::uint32_t> counts_;          // by loop: values moved to its preheader
};

}  // namespace

void hoist_invariants(Function& function) { Hoisting(function).run(); }

}  // namespace transpire::vm::lir
