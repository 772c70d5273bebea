// canonicalise_loops: every cycle becomes a natural loop of the shape
//
//     preheader -> header -> ... -> latch -> header        latch: the only back edge, a Branch
//                              \--> exit                   exit: all its predecessors are in the
//                              loop
//
// and a value defined in a loop leaves it only through phis of exit blocks (loop-closed SSA). Lanes
// that left then keep their own copy while the others go on and overwrite the row inside the loop.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/narrow.h"
#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"
#include "vm/passes/loops.h"
#include "vm/passes/passes.h"
#include "vm/passes/reducible.h"
#include "vm/passes/ssa_updater.h"

namespace transpire::vm::lir {
namespace {

// One latch and one preheader for every loop.
void shape_headers(Function& function) {
  const BlockOrder order = reverse_post_order(function);
  const Dominators dominators(function);
  const LoopForest forest(function, order, dominators);
  const auto known = narrow<BlockId>(function.blocks.size());
  for (const Loop& loop : forest.loops()) {
    const BlockId header = loop.header;
    // Blocks added here branch to their own loop's header only, so those of other loops do not
    // show.
    const auto is_latch = [&](BlockId pred) {
      return pred < known && dominators.dominates(header, pred);
    };
    const auto is_entry = [&](BlockId pred) {
      return pred < known && !dominators.dominates(header, pred);
    };
    const auto stands_alone = [&](const auto& belongs) {
      std::size_t count = 0;
      bool plain = true;
      for (const BlockId pred : function.blocks[header].preds) {
        if (!belongs(pred)) continue;
        ++count;
        plain = plain && pred != header && function.blocks[pred].targets.size() == 1;
      }
      return count == 1 && plain;
    };
    if (!stands_alone(is_latch)) split_predecessors(function, header, is_latch);
    if (!stands_alone(is_entry)) split_predecessors(function, header, is_entry);
  }
}

class ExitBlocks {
 public:
  explicit ExitBlocks(Function& function)
      : function_(function),
        order_(reverse_post_order(function)),
        dominators_(function),
        forest_(function, order_, dominators_) {}

  void run() {
    // Blocks are added meanwhile. A new block has one target, outside the loop it is made for.
    for (std::size_t i = 0; i < order_.blocks.size(); ++i) {
      const BlockList targets = function_.blocks[order_.blocks[i]].targets;
      for (const BlockId target : targets) dedicate(order_.blocks[i], target);
    }
  }

 private:
  // Splits the edges to `target` so that each loop left on the way has the edge's block to itself.
  // The loops that the preds of a block leave form a chain; each link wants its own block, inner
  // ones first.
  void dedicate(BlockId from, BlockId target) {
    bool split = false;
    for (LoopId loop = forest_.loop_of(from); loop != kNoLoop && !forest_.contains(loop, target);
         loop = forest_.loops()[loop].parent) {
      function_.work();
      // A split for an inner loop gives the target a pred outside the loops further out.
      const bool is_new = checked_.insert(std::uint64_t{loop} << 32 | target).second;
      if (!is_new && !split) continue;
      const auto inside = [&](BlockId pred) { return forest_.contains(loop, pred); };
      const auto& preds = function_.blocks[target].preds;
      function_.work(preds.size());
      if (std::none_of(preds.begin(), preds.end(), inside) ||
          std::all_of(preds.begin(), preds.end(), inside)) {
        continue;
      }
      const BlockId exit = split_predecessors(function_, target, inside);
      forest_.add_block(exit, forest_.loop_of(target));
      split = true;
    }
  }

  Function& function_;
  BlockOrder order_;
  Dominators dominators_;
  LoopForest forest_;
  std::unordered_set<std::uint64_t> checked_;  // loop and target
};

struct Use {
  ValueId user;
  std::uint32_t arg;
};

class LoopClosing {
 public:
  explicit LoopClosing(Function& function)
      : function_(function),
        order_(reverse_post_order(function)),
        dominators_(function),
        forest_(function, order_, dominators_),
        updater_(function, dominators_),
        exits_(loop_exits(function, forest_)) {}

  void run() {
    if (forest_.loops().empty()) return;
    find_escaping();
    while (!work_.empty()) {
      const auto [value, uses] = std::move(work_.back());
      work_.pop_back();
      close(value, uses);
    }
  }

 private:
  // Where the operand is read: a phi reads at the end of its pred.
  BlockId place_of(const Use& use) const {
    const Value& user = function_.values[use.user];
    return user.op == Op::kPhi ? function_.blocks[user.block].preds[use.arg] : user.block;
  }

  bool escapes(ValueId value, const Use& use) const {
    const LoopId loop = forest_.loop_of(function_.values[value].block);
    return loop != kNoLoop && !forest_.contains(loop, place_of(use));
  }

  void find_escaping() {
    std::unordered_map<ValueId, std::vector<Use>> escaping;
    std::vector<ValueId> found;  // in the order of the function: results do not depend on hashing
    const auto look = [&](ValueId user) {
      const auto& args = function_.values[user].args;
      function_.work(args.size() + 1);
      for (std::uint32_t i = 0; i < args.size(); ++i) {
        if (function_.values[args[i]].block == kNoBlock || !escapes(args[i], {user, i})) continue;
        auto& uses = escaping[args[i]];
        if (uses.empty()) found.push_back(args[i]);
        uses.push_back({user, i});
      }
    };
    for (const Block& block : function_.blocks) {
      for (const ValueId id : block.phis) look(id);
      for (const ValueId id : block.instructions) look(id);
      look(block.terminator);
    }
    for (const ValueId value : found) work_.emplace_back(value, std::move(escaping[value]));
  }

  // Makes the uses outside the value's innermost loop read phis of the exits. These phis may lie in
  // an outer loop and have uses outside of it in turn.
  void close(ValueId value, const std::vector<Use>& uses) {
    const BlockId defined = function_.values[value].block;
    const Kind kind = function_.values[value].kind;
    const std::uint32_t source = function_.values[value].source;
    updater_.start(kind, source, kNoValue);
    std::vector<ValueId> made;
    for (const BlockId exit : exits_[forest_.loop_of(defined)]) {
      function_.work();
      if (!dominators_.dominates(defined, exit)) continue;
      const ValueId phi = add_phi(function_, exit, kind, source);
      function_.take(function_.blocks[exit].preds.size() * cost::kPhiOperand);
      function_.values[phi].args.assign(function_.blocks[exit].preds.size(), value);
      updater_.define(exit, phi);
      made.push_back(phi);
    }
    for (const Use& use : uses) updater_.need_at_end(place_of(use));
    updater_.place();
    std::unordered_map<ValueId, std::vector<Use>> moved;
    for (const Use& use : uses) {
      const ValueId now = updater_.at_end(place_of(use));
      function_.values[use.user].args[use.arg] = now;
      moved[now].push_back(use);
    }
    for (const ValueId phi : updater_.phis()) {
      const auto& args = function_.values[phi].args;
      for (std::uint32_t i = 0; i < args.size(); ++i) moved[args[i]].push_back({phi, i});
      made.push_back(phi);
    }
    drop_unused(made, moved);
    for (const ValueId phi : made) queue_escaping(phi, moved[phi]);
  }

  // Exits through which no use is reached need no phi.
  void drop_unused(std::vector<ValueId>& made,
                   std::unordered_map<ValueId, std::vector<Use>>& moved) {
    std::erase_if(made, [&](ValueId phi) {
      if (!moved[phi].empty()) return false;
      auto& phis = function_.blocks[function_.values[phi].block].phis;
      if (phis.back() == phi) {
        phis.pop_back();
      } else {
        std::erase(phis, phi);
      }
      function_.values[phi].args.clear();
      function_.values[phi].block = kNoBlock;
      return true;
    });
  }

  void queue_escaping(ValueId phi, const std::vector<Use>& uses) {
    std::vector<Use> escaping;
    for (const Use& use : uses) {
      if (escapes(phi, use)) escaping.push_back(use);
    }
    if (!escaping.empty()) work_.emplace_back(phi, std::move(escaping));
  }

  Function& function_;
  BlockOrder order_;
  Dominators dominators_;
  LoopForest forest_;
  SsaUpdater updater_;
  std::vector<BlockList> exits_;  // by loop
  std::vector<std::pair<ValueId, std::vector<Use>>> work_;
};

}  // namespace

void canonicalise_loops(Function& function) {
  remove_unreachable_blocks(function);
  make_reducible(function);
  shape_headers(function);
  ExitBlocks(function).run();
  LoopClosing(function).run();
  function.order.clear();
}

}  // namespace transpire::vm::lir
