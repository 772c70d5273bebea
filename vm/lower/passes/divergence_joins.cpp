// Sync dependence. See divergence_joins.h.
#include "vm/lower/passes/divergence_joins.h"

#include <algorithm>

namespace transpire::vm::lir {

DivergenceJoins::DivergenceJoins(const Function& function, const LoopForest& forest,
                                 const std::vector<BlockId>& order,
                                 std::function<void(BlockId)> on_change)
    : function_(function),
      forest_(forest),
      order_(order),
      on_change_(std::move(on_change)),
      position_(function.blocks.size(), kUnreached),
      exits_(loop_exits(function, forest)),
      join_(function.blocks.size(), false),
      divergent_exit_(function.blocks.size(), false),
      loop_divergent_(forest.loops().size(), false),
      seen_(function.blocks.size(), 0),
      label_(function.blocks.size(), kNoBlock) {
  for (std::uint32_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
  meetings_ = immediate_postdominators(forward_edges());
}

// The graph without its back edges: a latch leads to the exits of its loop instead, for there its
// lanes come out in the end.
std::vector<std::vector<BlockId>> DivergenceJoins::forward_edges() const {
  std::vector<std::vector<BlockId>> edges(function_.blocks.size());
  for (const BlockId block : order_) {
    for (const BlockId target : function_.blocks[block].targets) {
      if (position_[target] > position_[block]) {
        edges[block].push_back(target);
      } else {
        const auto& exits = exits_[forest_.loop_of(target)];
        edges[block].insert(edges[block].end(), exits.begin(), exits.end());
      }
    }
  }
  return edges;
}

void DivergenceJoins::branch_diverges(BlockId block) {
  now_ = position_[block];
  propagate(forest_.loop_of(block), function_.blocks[block].targets);
  while (!loops_to_do_.empty()) {
    const LoopId loop = loops_to_do_.back();
    loops_to_do_.pop_back();
    now_ = position_[forest_.loops()[loop].header];
    propagate(forest_.loops()[loop].parent, exits_[loop]);
  }
}

void DivergenceJoins::propagate(LoopId scope, std::vector<BlockId> targets) {
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  if (targets.size() < 2) return;
  ++epoch_;
  left_.clear();
  back_label_ = kNoBlock;
  back_mixed_ = false;
  for (const BlockId target : targets) reach(scope, target, target);
  while (pending_.size() > 1) {
    now_ = pending_.top();
    pending_.pop();
    flow_on(scope, order_[now_]);
  }
  // With one block pending the lanes that are still here are together. In a loop all its blocks
  // lead to the latch, so that is what flows back.
  if (!pending_.empty() && scope != kNoLoop) {
    reach(scope, forest_.loops()[scope].header, label_[order_[pending_.top()]]);
  }
  while (!pending_.empty()) pending_.pop();
  if (scope != kNoLoop && leaves_at_different_times()) loop_diverges(scope);
}

// The label of a block flows to its targets; or at once to where all its ways meet again, when no
// other label can come in between. That keeps nested ifs from being walked once for each level
// around them.
void DivergenceJoins::flow_on(LoopId scope, BlockId block) {
  const BlockId meeting = meetings_[block];
  const bool jumps = meeting != kNoBlock && position_[meeting] <= pending_.top() &&
                     (scope == kNoLoop || forest_.contains(scope, meeting));
  if (jumps) return reach(scope, meeting, label_[block]);
  for (const BlockId target : function_.blocks[block].targets) reach(scope, target, label_[block]);
}

void DivergenceJoins::reach(LoopId scope, BlockId block, BlockId label) {
  if (scope != kNoLoop && forest_.loops()[scope].header == block) {
    back_mixed_ = back_mixed_ || (back_label_ != kNoBlock && back_label_ != label);
    back_label_ = label;
    return;
  }
  const bool leaves = scope != kNoLoop && !forest_.contains(scope, block);
  if (!leaves && position_[block] <= now_) return;  // back to the header of a loop on the way
  if (seen_[block] == epoch_) {
    if (label_[block] == label) return;
    label_[block] = block;
    if (!join_[block]) {
      join_[block] = true;
      on_change_(block);
    }
    return;
  }
  seen_[block] = epoch_;
  label_[block] = label;
  if (leaves) {
    left_.push_back(block);
  } else if (!function_.blocks[block].targets.empty() || !function_.blocks[block].phis.empty()) {
    pending_.push(position_[block]);
  }
}

bool DivergenceJoins::leaves_at_different_times() const {
  if (left_.empty()) return false;
  return back_mixed_ || std::any_of(left_.begin(), left_.end(),
                                    [&](BlockId b) { return label_[b] != back_label_; });
}

void DivergenceJoins::loop_diverges(LoopId loop) {
  if (loop_divergent_[loop]) return;
  loop_divergent_[loop] = true;
  loops_to_do_.push_back(loop);
  for (const BlockId exit : exits_[loop]) {
    if (divergent_exit_[exit]) continue;
    divergent_exit_[exit] = true;
    on_change_(exit);
  }
}

}  // namespace transpire::vm::lir
