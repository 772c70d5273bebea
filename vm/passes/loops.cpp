// The loop forest and the linear order. See loops.h.
#include "vm/passes/loops.h"

#include <utility>

#include "base/narrow.h"
#include "vm/lir/budget.h"

namespace transpire::vm::lir {

LoopForest::LoopForest(const Function& function, const BlockOrder& order,
                       const Dominators& dominators)
    : loop_of_(function.blocks.size(), kNoLoop) {
  // Headers from the last one back: inner loops are found first and then taken as a whole.
  for (std::size_t i = order.blocks.size(); i-- > 0;) {
    const BlockId header = order.blocks[i];
    std::vector<BlockId> latches;
    for (const BlockId pred : function.blocks[header].preds) {
      if (!order.reached(pred) || order.position[pred] < i) continue;
      if (dominators.dominates(header, pred)) {
        latches.push_back(pred);
      } else {
        irreducible_ = true;
      }
    }
    if (latches.empty()) continue;
    const auto loop = narrow<LoopId>(loops_.size());
    loops_.push_back({header, kNoLoop, 1, 0, 0});
    outermost_.push_back(loop);
    discover(function, order, loop, std::move(latches));
  }
  number();
}

LoopId LoopForest::outermost(LoopId loop) {
  LoopId top = loop;
  while (outermost_[top] != top) top = outermost_[top];
  while (outermost_[loop] != top) loop = std::exchange(outermost_[loop], top);
  return top;
}

// Walks back from the latches to the header; a loop found earlier is stepped over at its header.
void LoopForest::discover(const Function& function, const BlockOrder& order, LoopId loop,
                          std::vector<BlockId> work) {
  const BlockId header = loops_[loop].header;
  loop_of_[header] = loop_of_[header] == kNoLoop ? loop : loop_of_[header];
  const auto push_preds = [&](BlockId block) {
    for (const BlockId pred : function.blocks[block].preds) {
      if (order.reached(pred)) work.push_back(pred);
    }
  };
  while (!work.empty()) {
    const BlockId block = work.back();
    work.pop_back();
    function.work();
    if (loop_of_[block] == kNoLoop) {
      loop_of_[block] = loop;
      push_preds(block);
      continue;
    }
    const LoopId top = outermost(loop_of_[block]);
    if (top == loop) continue;
    loops_[top].parent = loop;
    outermost_[top] = loop;
    push_preds(loops_[top].header);
  }
}

void LoopForest::number() {
  std::vector<std::uint32_t> size(loops_.size(), 1);
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    if (loops_[i].parent != kNoLoop) size[loops_[i].parent] += size[i];
  }
  // Parents have higher numbers than the loops inside them.
  std::vector<std::uint32_t> next(loops_.size());
  std::uint32_t top = 0;
  for (std::size_t i = loops_.size(); i-- > 0;) {
    Loop& loop = loops_[i];
    std::uint32_t& place = loop.parent == kNoLoop ? top : next[loop.parent];
    loop.first = place;
    loop.last = place + size[i] - 1;
    next[i] = place + 1;
    place += size[i];
    if (loop.parent != kNoLoop) loop.depth = loops_[loop.parent].depth + 1;
  }
}

std::vector<BlockId> linear_order(const Function& function, const BlockOrder& order,
                                  const LoopForest& forest) {
  // Each loop's own list: its blocks and, at the place of their headers, the loops inside it. A
  // header comes before the rest of its loop in reverse post-order and after all that leads to the
  // loop, so the place of the header is right for the whole loop.
  struct Item {
    BlockId block;
    LoopId loop;  // a whole loop when not kNoLoop
  };
  const std::size_t outside = forest.loops().size();
  std::vector<std::vector<Item>> lists(outside + 1);
  const auto list_of = [&](LoopId loop) -> std::vector<Item>& {
    return lists[loop == kNoLoop ? outside : loop];
  };
  for (const BlockId block : order.blocks) {
    const LoopId loop = forest.loop_of(block);
    if (forest.is_header(block)) list_of(forest.loops()[loop].parent).push_back({block, loop});
    list_of(loop).push_back({block, kNoLoop});
  }
  std::vector<BlockId> result;
  result.reserve(function.blocks.size());
  std::vector<std::pair<std::size_t, std::size_t>> stack{{outside, 0}};
  while (!stack.empty()) {
    auto& [list, next] = stack.back();
    if (next == lists[list].size()) {
      stack.pop_back();
      continue;
    }
    const Item item = lists[list][next++];
    if (item.loop == kNoLoop) {
      result.push_back(item.block);
    } else {
      stack.emplace_back(item.loop, 0);
    }
  }
  return result;
}

std::vector<BlockList> loop_exits(const Function& function, const LoopForest& forest) {
  std::vector<BlockList> exits(forest.loops().size());
  // Target by target, so that an exit already listed is the last one of its loop's list.
  for (BlockId target = 0; target < function.blocks.size(); ++target) {
    for (const BlockId pred : function.blocks[target].preds) {
      LoopId loop = forest.loop_of(pred);
      for (; loop != kNoLoop && !forest.contains(loop, target);
           loop = forest.loops()[loop].parent) {
        function.work();
        if (!exits[loop].empty() && exits[loop].back() == target) continue;
        function.take(sizeof(BlockId));
        exits[loop].push_back(target);
      }
    }
  }
  return exits;
}

}  // namespace transpire::vm::lir
