#include "vm/build/block_orders.h"

#include <algorithm>

#include "base/narrow.h"

namespace transpire::vm::builder {

void append_targets(const decoder::Module& module, const Instruction& terminator,
                    std::vector<Id>& labels) {
  const auto words = terminator.operands;
  const auto label = [&](std::size_t i) {
    if (i < words.size()) labels.push_back(words[i]);
  };
  switch (terminator.op) {
    case spv::Op::OpBranch:
      label(0);
      return;
    case spv::Op::OpBranchConditional:
      label(1);
      label(2);
      return;
    case spv::Op::OpSwitch: {
      label(1);
      const Type* selector = words.empty() ? nullptr : module.type_of(words[0]);
      const std::size_t literal = selector != nullptr && selector->width_bits > 32 ? 2 : 1;
      for (std::size_t i = 2 + literal; i < words.size(); i += literal + 1) label(i);
      return;
    }
    default:
      return;
  }
}

const std::vector<std::uint32_t>& BlockOrders::of(const decoder::Function& function) {
  const auto [entry, is_new] = orders_.try_emplace(function.id);
  std::vector<std::uint32_t>& order = entry->second;
  if (!is_new) return order;
  struct Visit {
    std::uint32_t block;
    std::vector<Id> targets;  ///< still to visit, from the back
  };
  std::vector<bool> seen(function.blocks.size());
  std::vector<Visit> stack;
  const auto visit = [&](std::uint32_t block) {
    seen[block] = true;
    stack.push_back({block, {}});
    if (!function.blocks[block].instructions.empty())
      append_targets(module_, function.blocks[block].instructions.back(), stack.back().targets);
  };
  visit(0);
  while (!stack.empty()) {
    if (stack.back().targets.empty()) {
      order.push_back(stack.back().block);
      stack.pop_back();
      continue;
    }
    const std::int32_t target = function.block_index(stack.back().targets.back());
    stack.back().targets.pop_back();
    if (target >= 0 && !seen[narrow<std::uint32_t>(target)]) visit(narrow<std::uint32_t>(target));
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace transpire::vm::builder
