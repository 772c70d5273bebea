#include "vm/build/block_graph.h"

#include <utility>

#include "base/narrow.h"
#include "vm/lir/budget.h"

namespace transpire::vm::builder {

void drop_unreachable(lir::Function& function, IncomingValues& incoming) {
  std::vector<BlockId> order;
  std::vector<bool> seen(function.blocks.size());
  std::vector<std::pair<BlockId, std::size_t>> stack{{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    function.work();
    auto& [block, next] = stack.back();
    const lir::BlockList& targets = function.blocks[block].targets;
    if (next == targets.size()) {
      order.push_back(block);
      stack.pop_back();
      continue;
    }
    // Last target first, so that the blocks of the first one come first in the order.
    const BlockId target = targets[targets.size() - ++next];
    if (seen[target]) continue;
    seen[target] = true;
    stack.emplace_back(target, 0);
  }
  std::vector<BlockId> number(function.blocks.size(), kNoBlock);
  std::vector<lir::Block> blocks;
  for (std::size_t i = order.size(); i-- > 0;) {
    number[order[i]] = narrow<BlockId>(blocks.size());
    blocks.push_back(std::move(function.blocks[order[i]]));
  }
  for (lir::Block& block : blocks)
    for (BlockId& target : block.targets) target = number[target];
  for (lir::Value& value : function.values) {
    function.work();
    if (value.block == kNoBlock) continue;
    if (number[value.block] == kNoBlock) {
      const Kind kind = value.kind;
      value = {};
      value.kind = value.from = kind;
    } else {
      value.block = number[value.block];
    }
  }
  for (auto& [phi, operands] : incoming) {
    function.work(operands.size());
    for (Incoming& operand : operands) operand.from = number[operand.from];
  }
  function.blocks = std::move(blocks);
  for (lir::NamedScalars& named : function.named) named.block = number[named.block];
  std::erase_if(function.named, [](const auto& named) { return named.block == kNoBlock; });
}

std::string link_blocks(lir::Function& function, const IncomingValues& incoming) {
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    function.work(function.blocks[b].targets.size() + 1);
    for (const BlockId target : function.blocks[b].targets) {
      lir::BlockList& preds = function.blocks[target].preds;
      if (preds.empty() || preds.back() != b) preds.push_back(b);
    }
  }
  std::vector<std::uint32_t> place(function.blocks.size(), 0);  // among the preds, of this block's
  for (const lir::Block& block : function.blocks) {
    for (std::uint32_t i = 0; i < block.preds.size(); ++i) place[block.preds[i]] = i;
    for (const ValueId phi : block.phis) {
      ValueList& args = function.values[phi].args;
      function.take(block.preds.size() * cost::kPhiOperand);
      function.work(block.preds.size() + 1);
      args.assign(block.preds.size(), kNoValue);
      if (const auto operands = incoming.find(phi); operands != incoming.end())
        for (const Incoming& operand : operands->second) {
          const std::uint32_t i = operand.from == kNoBlock ? 0 : place[operand.from];
          if (i < args.size() && block.preds[i] == operand.from) args[i] = operand.value;
        }
      for (const ValueId arg : args)
        if (arg == kNoValue) return "a phi has no operand for one of its predecessors";
    }
  }
  return {};
}

}  // namespace transpire::vm::builder
