// Orders and edits of the control-flow graph. See cfg.h.
#include "vm/lir/cfg.h"

#include <algorithm>
#include <utility>

#include "base/narrow.h"
#include "vm/lir/budget.h"

namespace transpire::vm::lir {

BlockOrder reverse_post_order(const Function& function) {
  BlockOrder order;
  order.position.assign(function.blocks.size(), kUnreached);
  if (function.blocks.empty()) return order;
  struct Frame {
    BlockId block;
    std::size_t next;  // targets left to visit: the last one first, so that target 0 ends up first
  };
  std::vector<Frame> stack{{0, function.blocks[0].targets.size()}};
  order.position[0] = 0;
  while (!stack.empty()) {
    function.work();
    Frame& top = stack.back();
    if (top.next == 0) {
      order.blocks.push_back(top.block);
      stack.pop_back();
      continue;
    }
    const BlockId target = function.blocks[top.block].targets[--top.next];
    if (order.position[target] != kUnreached) continue;
    order.position[target] = 0;
    stack.push_back({target, function.blocks[target].targets.size()});
  }
  std::reverse(order.blocks.begin(), order.blocks.end());
  for (std::uint32_t i = 0; i < order.blocks.size(); ++i) order.position[order.blocks[i]] = i;
  return order;
}

void drop_predecessor(Function& function, BlockId block, BlockId pred) {
  Block& at = function.blocks[block];
  const auto found = std::find(at.preds.begin(), at.preds.end(), pred);
  if (found == at.preds.end()) return;
  const auto index = found - at.preds.begin();
  function.work(at.preds.size() * (1 + at.phis.size()) / 8 + 1);
  at.preds.erase(found);
  for (const ValueId phi : at.phis) {
    auto& args = function.values[phi].args;
    args.erase(args.begin() + index);
  }
}

namespace {

// Keeps the operands and preds whose pred is reached. One sweep: a block may have many dead preds.
void keep_reached_predecessors(Function& function, Block& block, const BlockOrder& order) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < block.preds.size(); ++i) {
    if (!order.reached(block.preds[i])) continue;
    function.work(block.phis.size() + 1);
    for (const ValueId phi : block.phis)
      function.values[phi].args[kept] = function.values[phi].args[i];
    block.preds[kept++] = block.preds[i];
  }
  for (const ValueId phi : block.phis) function.values[phi].args.resize(kept);
  block.preds.resize(kept);
}

void detach_values(Function& function, const Block& block) {
  const auto detach = [&](ValueId id) {
    function.values[id].args.clear();
    function.values[id].block = kNoBlock;
  };
  for (const ValueId id : block.phis) detach(id);
  for (const ValueId id : block.instructions) detach(id);
  if (block.terminator != kNoValue) detach(block.terminator);
}

void renumber(Function& function, Block& block, BlockId to, const std::vector<BlockId>& numbers) {
  for (BlockId& b : block.targets) b = numbers[b];
  for (BlockId& b : block.preds) b = numbers[b];
  for (const ValueId id : block.phis) function.values[id].block = to;
  function.work(block.instructions.size() + block.preds.size() + 1);
  for (const ValueId id : block.instructions) function.values[id].block = to;
  if (block.terminator != kNoValue) function.values[block.terminator].block = to;
}

}  // namespace

bool remove_unreachable_blocks(Function& function) {
  const BlockOrder order = reverse_post_order(function);
  if (order.blocks.size() == function.blocks.size()) return false;
  std::vector<BlockId> numbers(function.blocks.size(), kNoBlock);
  BlockId next = 0;
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    if (order.reached(b)) numbers[b] = next++;
  }
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    if (order.reached(b)) {
      keep_reached_predecessors(function, function.blocks[b], order);
    } else {
      detach_values(function, function.blocks[b]);
    }
  }
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    if (!order.reached(b)) continue;
    renumber(function, function.blocks[b], numbers[b], numbers);
    if (numbers[b] != b) function.blocks[numbers[b]] = std::move(function.blocks[b]);
  }
  function.blocks.resize(next);
  function.order.clear();
  return true;
}

std::uint32_t source_of_end(const Function& function, BlockId block) {
  const ValueId end = function.blocks[block].terminator;
  return end == kNoValue ? 0 : function.values[end].source;
}

BlockId add_block_to(Function& function, BlockId target, std::uint32_t source) {
  const auto block = narrow<BlockId>(function.blocks.size());
  Value branch;
  branch.op = Op::kBranch;
  branch.source = source;
  branch.is_edge = true;
  branch.block = block;
  function.take(cost::kBlock + cost::kEdge);
  function.blocks.emplace_back();
  const ValueId id = function.add(std::move(branch));
  function.blocks[block].terminator = id;
  function.blocks[block].targets = {target};
  return block;
}

void replace_target(Function& function, BlockId block, BlockId from, BlockId to) {
  std::replace(function.blocks[block].targets.begin(), function.blocks[block].targets.end(), from,
               to);
}

ValueId add_phi(Function& function, BlockId block, Kind kind, std::uint32_t source) {
  Value phi;
  phi.op = Op::kPhi;
  phi.kind = kind;
  phi.from = kind;
  phi.source = source;
  phi.block = block;
  const ValueId id = function.add(std::move(phi));
  function.blocks[block].phis.push_back(id);
  return id;
}

std::size_t pred_index(const Block& block, BlockId pred) {
  return static_cast<std::size_t>(std::find(block.preds.begin(), block.preds.end(), pred) -
                                  block.preds.begin());
}

namespace {

// Takes the operands of `phi` whose pred moved, closes the gaps, and appends one operand for the
// new block: the moved value itself when it is one, else a phi of the new block.
void split_phi(Function& function, ValueId phi, const std::vector<bool>& moved, BlockId to) {
  ValueList taken;
  ValueList kept;
  const auto& args = function.values[phi].args;
  for (std::size_t i = 0; i < args.size(); ++i) (moved[i] ? taken : kept).push_back(args[i]);
  ValueId joined = taken.front();
  if (std::any_of(taken.begin(), taken.end(), [&](ValueId v) { return v != joined; })) {
    joined = add_phi(function, to, function.values[phi].kind, function.values[phi].source);
    function.take(taken.size() * cost::kPhiOperand);
    function.values[joined].args = std::move(taken);
  }
  kept.push_back(joined);
  function.values[phi].args = std::move(kept);
}

}  // namespace

BlockId split_predecessors(Function& function, BlockId block,
                           const std::function<bool(BlockId)>& moves) {
  const BlockList& preds = function.blocks[block].preds;
  function.work(preds.size() * (1 + function.blocks[block].phis.size()));
  const auto first = std::find_if(preds.begin(), preds.end(), moves);
  const std::uint32_t source = first == preds.end() ? 0 : source_of_end(function, *first);
  const BlockId to = add_block_to(function, block, source);
  Block& at = function.blocks[block];
  std::vector<bool> moved(at.preds.size());
  BlockList kept;
  for (std::size_t i = 0; i < at.preds.size(); ++i) {
    const BlockId pred = at.preds[i];
    moved[i] = moves(pred);
    (moved[i] ? function.blocks[to].preds : kept).push_back(pred);
    if (moved[i]) replace_target(function, pred, block, to);
  }
  kept.push_back(to);
  at.preds = std::move(kept);
  for (std::size_t i = 0; i < function.blocks[block].phis.size(); ++i) {
    split_phi(function, function.blocks[block].phis[i], moved, to);
  }
  return to;
}

void make_branch(Function& function, BlockId block, BlockId target) {
  Block& at = function.blocks[block];
  BlockList old = std::move(at.targets);
  at.targets = {target};
  at.cases.clear();
  Value& terminator = function.values[at.terminator];
  terminator.op = Op::kBranch;
  terminator.kind = terminator.from = Kind::kVoid;
  terminator.args.clear();
  std::sort(old.begin(), old.end());
  old.erase(std::unique(old.begin(), old.end()), old.end());
  for (const BlockId b : old) {
    if (b != target) drop_predecessor(function, b, block);
  }
}

}  // namespace transpire::vm::lir
