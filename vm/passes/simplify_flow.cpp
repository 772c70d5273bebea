// simplify_flow. See simplify_flow.h.
#include "vm/passes/simplify_flow.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/narrow.h"
#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"

namespace transpire::vm::lir {
namespace {

class Flow {
 public:
  Flow(Function& function, Replacements& replaced) : f_(function), replaced_(replaced) {}

  bool run() {
    for (BlockId b = 0; b < f_.blocks.size(); ++b) simplify_terminator(b);
    changed_ = remove_unreachable_blocks(f_) || changed_;
    for (BlockId b = 0; b < f_.blocks.size(); ++b) forward(b);
    // In this order a chain is taken in from its first block, each value moving once.
    merged_into_.assign(f_.blocks.size(), kNoBlock);
    for (const BlockId b : reverse_post_order(f_).blocks) merge(b);
    rename_merged_preds();
    changed_ = remove_unreachable_blocks(f_) || changed_;
    return changed_;
  }

 private:
  void branch_to(BlockId block, BlockId target) {
    make_branch(f_, block, target);
    changed_ = true;
  }

  void simplify_terminator(BlockId id) {
    Block& block = f_.blocks[id];
    f_.work(block.targets.size() + 1);
    const Value& value = f_.values[block.terminator];
    if (block.targets.size() > 1 && std::all_of(block.targets.begin(), block.targets.end(),
                                                [&](BlockId t) { return t == block.targets[0]; })) {
      return branch_to(id, block.targets[0]);
    }
    if (value.op == Op::kSwitch) return simplify_switch(id);
    if (value.op != Op::kBranchConditional) return;
    const Value& condition = f_.values[value.args[0]];
    if (condition.op == Op::kConst) return branch_to(id, block.targets[condition.imm != 0 ? 0 : 1]);
    if (condition.op == Op::kLogicalNot) {
      f_.values[block.terminator].args[0] = condition.args[0];
      std::swap(block.targets[0], block.targets[1]);
      changed_ = true;
    }
  }

  void simplify_switch(BlockId id) {
    Block& block = f_.blocks[id];
    const BlockId default_target = block.targets[0];
    const Value& selector = f_.values[f_.values[block.terminator].args[0]];
    if (selector.op == Op::kConst) {
      const auto found = std::find_if(block.cases.begin(), block.cases.end(),
                                      [&](const SwitchCase& c) { return c.value == selector.imm; });
      return branch_to(id,
                       found == block.cases.end() ? default_target : block.targets[found->target]);
    }
    const auto to_default = [&](const SwitchCase& c) {
      return block.targets[c.target] == default_target;
    };
    if (std::any_of(block.cases.begin(), block.cases.end(), to_default)) {
      std::erase_if(block.cases, to_default);
      compact_targets(block);
      changed_ = true;
    }
    if (block.targets.size() == 1) return branch_to(id, default_target);
    if (block.cases.size() == 1) compare_instead(id);
  }

  static void compact_targets(Block& block) {
    BlockList targets{block.targets[0]};
    for (SwitchCase& c : block.cases) {
      targets.push_back(block.targets[c.target]);
      c.target = narrow<std::uint32_t>(targets.size() - 1);
    }
    block.targets = std::move(targets);
  }

  void compare_instead(BlockId id) {
    const SwitchCase only = f_.blocks[id].cases[0];
    const ValueId terminator = f_.blocks[id].terminator;
    const Kind from = f_.values[terminator].from;
    Value compare;
    compare.op = Op::kIEqual;
    compare.kind = Kind::kBool;
    compare.from = from;
    compare.source = f_.values[terminator].source;
    compare.block = id;
    compare.args = {f_.values[terminator].args[0], f_.constant(from, only.value)};
    const ValueId condition = f_.add(std::move(compare));
    Block& block = f_.blocks[id];
    block.instructions.push_back(condition);
    block.targets = {block.targets[only.target], block.targets[0]};
    block.cases.clear();
    f_.values[terminator].op = Op::kBranchConditional;
    f_.values[terminator].from = Kind::kVoid;
    f_.values[terminator].args = {condition};
    changed_ = true;
  }

  bool narrow_preds(const Block& block) const {
    return std::all_of(block.preds.begin(), block.preds.end(), [&](BlockId pred) {
      f_.work();
      return f_.blocks[pred].targets.size() <= kMostEdges;
    });
  }

  bool has_target(BlockId block, BlockId target) const {
    const auto& targets = f_.blocks[block].targets;
    f_.work(targets.size() / 8 + 1);
    return std::find(targets.begin(), targets.end(), target) != targets.end();
  }

  // A block that only leads on is left out of the way.
  void forward(BlockId id) {
    Block& block = f_.blocks[id];
    if (id == 0 || !block.phis.empty() || !block.instructions.empty() ||
        block.targets.size() != 1 || block.preds.empty()) {
      return;
    }
    const BlockId target = block.targets[0];
    if (target == id || f_.blocks[target].preds.size() > kMostEdges || !narrow_preds(block)) return;
    if (block.preds.size() == 1) return forward_single(id, block.preds[0], target);
    if (!f_.blocks[target].phis.empty()) return;
    Block& to = f_.blocks[target];
    to.preds.erase(to.preds.begin() + static_cast<std::ptrdiff_t>(pred_index(to, id)));
    for (const BlockId pred : std::exchange(block.preds, {})) {
      if (!has_target(pred, target)) to.preds.push_back(pred);
      replace_target(f_, pred, id, target);
    }
    detach(id);
  }

  void forward_single(BlockId id, BlockId pred, BlockId target) {
    if (pred == id) return;
    Block& to = f_.blocks[target];
    f_.work(to.preds.size() / 8 + 1);
    const std::size_t index = pred_index(to, id);
    if (!has_target(pred, target)) {
      to.preds[index] = pred;
    } else if (to.phis.empty()) {
      to.preds.erase(to.preds.begin() + static_cast<std::ptrdiff_t>(index));
    } else {
      return;
    }
    replace_target(f_, pred, id, target);
    f_.blocks[id].preds.clear();
    detach(id);
  }

  // Nothing reaches the block any more; it is removed later.
  void detach(BlockId id) {
    f_.blocks[id].targets.clear();
    changed_ = true;
  }

  // Takes in the blocks that follow this one alone.
  void merge(BlockId id) {
    while (f_.blocks[id].targets.size() == 1) {
      const BlockId next = f_.blocks[id].targets[0];
      Block& block = f_.blocks[id];
      Block& taken = f_.blocks[next];
      if (next == 0 || next == id || taken.preds.size() != 1 || taken.terminator == kNoValue)
        return;
      for (const ValueId phi : std::exchange(taken.phis, {})) {
        replaced_.add(phi, f_.values[phi].args[0]);
        f_.values[phi].args.clear();
        f_.values[phi].block = kNoBlock;
      }
      for (const ValueId value : std::exchange(taken.instructions, {})) {
        f_.work();
        f_.values[value].block = id;
        block.instructions.push_back(value);
      }
      f_.values[block.terminator].args.clear();
      f_.values[block.terminator].block = kNoBlock;
      block.terminator = std::exchange(taken.terminator, kNoValue);
      f_.values[block.terminator].block = id;
      block.targets = std::exchange(taken.targets, {});
      block.cases = std::exchange(taken.cases, {});
      taken.preds.clear();
      merged_into_[next] = id;
      changed_ = true;
    }
  }

  void rename_merged_preds() {
    for (Block& block : f_.blocks) {
      f_.work(block.preds.size() + 1);
      for (BlockId& pred : block.preds)
        if (merged_into_[pred] != kNoBlock) pred = merged_into_[pred];
    }
  }

  Function& f_;
  Replacements& replaced_;
  std::vector<BlockId> merged_into_;  // by block: the first one of its chain
  bool changed_ = false;
};

}  // namespace

bool simplify_flow(Function& function, Replacements& replaced) {
  return Flow(function, replaced).run();
}

}  // namespace transpire::vm::lir
