// Sync dependence. See divergence_joins.h.
#include "vm/passes/divergence_joins.h"

#include <algorithm>

#include "vm/lir/budget.h"

namespace transpire::vm::lir {
namespace {

// Labels flow from each divergent branch up to where its lanes meet again. Deeply overlapping
// stretches, which no compiler makes of structured code, would take quadratic time: after this many
// steps every join counts as divergent.
constexpr std::uint64_t kFreeSteps = 1 << 20;
constexpr std::uint64_t kStepsPerBlock = 64;

// Memory for an edge from a latch to an exit, of which there may be many more than the function has
// edges: in the list from which the graph is made, with doubled capacity, and in the graph. (The
// reverse graph is made from an exact list, after the first list is freed.)
constexpr std::uint64_t kBytesPerExit = 2 * sizeof(Edges::Edge) + sizeof(BlockId);

}  // namespace

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
      steps_left_(kFreeSteps + kStepsPerBlock * function.blocks.size()),
      seen_(function.blocks.size(), 0),
      label_(function.blocks.size(), kNoBlock) {
  for (std::uint32_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
  meetings_ = immediate_post_dominators(forward_edges());
}

// The graph without its back edges: a latch leads to the exits of its loop instead, for there its
// lanes come out in the end.
Edges DivergenceJoins::forward_edges() const {
  std::vector<Edges::Edge> edges;
  for (const BlockId block : order_) {
    for (const BlockId target : function_.blocks[block].targets) {
      if (position_[target] > position_[block]) {
        edges.push_back({block, target});
      } else {
        const auto& exits = exits_[forest_.loop_of(target)];
        function_.work(exits.size());
        function_.take(exits.size() * kBytesPerExit);
        for (const BlockId exit : exits) edges.push_back({block, exit});
      }
    }
  }
  return Edges(function_.blocks.size(), edges);
}

void DivergenceJoins::branch_diverges(BlockId block) {
  if (gave_up_) return;
  now_ = position_[block];
  propagate(forest_.loop_of(block), function_.blocks[block].targets);
  while (!loops_to_do_.empty()) {
    const LoopId loop = loops_to_do_.back();
    loops_to_do_.pop_back();
    now_ = position_[forest_.loops()[loop].header];
    propagate(forest_.loops()[loop].parent, exits_[loop]);
  }
  if (steps_left_ == 0) give_up();
}

// After giving up, values at joins and loop exits count as varying, which is always safe.
void DivergenceJoins::give_up() {
  gave_up_ = true;
  for (LoopId loop = 0; loop < forest_.loops().size(); ++loop) loop_diverges(loop);
  loops_to_do_.clear();
  for (const BlockId block : order_) {
    if (join_[block] || function_.blocks[block].preds.size() < 2) continue;
    join_[block] = true;
    on_change_(block);
  }
}

void DivergenceJoins::propagate(LoopId scope, BlockList targets) {
  function_.work(targets.size());
  steps_left_ -= std::min<std::uint64_t>(targets.size(), steps_left_);
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  if (targets.size() < 2) return;
  ++epoch_;
  left_.clear();
  back_label_ = kNoBlock;
  back_mixed_ = false;
  for (const BlockId target : targets) reach(scope, target, target);
  while (pending_.size() > 1 && steps_left_ > 0) {
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
  const std::uint64_t steps = function_.blocks[block].targets.size() + 1;
  function_.work(steps);
  steps_left_ -= std::min(steps, steps_left_);
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
