// Where lanes come together again: the sync dependence of divergent branches and loops. Told which
// branches diverge, it says which blocks' phis then vary.
//
// From a divergent branch, each target's label flows along the linear order; a block that two
// labels reach is a join and starts a label of its own. Inside a loop labels flow to the latch
// only: a loop is divergent when some exit is reached with another label than the latch, that is,
// when lanes leave it in different iterations. It then counts as a branch to all its exits.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "base/edges.h"
#include "vm/lir/lir.h"
#include "vm/passes/loops.h"

namespace transpire::vm::lir {

class DivergenceJoins {
 public:
  /// `order` is the linear order; loops must be canonical. `on_change` hears of every block whose
  /// phis may vary from now on.
  DivergenceJoins(const Function& function, const LoopForest& forest,
                  const std::vector<BlockId>& order, std::function<void(BlockId)> on_change);

  void branch_diverges(BlockId block);

  /// Lanes from different ways may meet here.
  bool is_join(BlockId block) const { return join_[block]; }
  /// Lanes that left a loop in different iterations may meet here.
  bool is_divergent_exit(BlockId block) const { return divergent_exit_[block]; }

 private:
  Edges forward_edges() const;
  void propagate(LoopId scope, BlockList targets);
  void flow_on(LoopId scope, BlockId block);
  void reach(LoopId scope, BlockId block, BlockId label);
  bool leaves_at_different_times() const;
  void loop_diverges(LoopId loop);
  void give_up();

  const Function& function_;
  const LoopForest& forest_;
  const std::vector<BlockId>& order_;
  std::function<void(BlockId)> on_change_;
  std::vector<std::uint32_t> position_;
  std::vector<BlockList> exits_;   // by loop
  std::vector<BlockId> meetings_;  // by block: where all its ways meet again, going forward
  std::vector<bool> join_, divergent_exit_;
  std::vector<bool> loop_divergent_;
  std::vector<LoopId> loops_to_do_;
  std::uint64_t steps_left_;
  bool gave_up_ = false;

  // One propagation.
  std::uint32_t epoch_ = 0;
  std::vector<std::uint32_t> seen_;  // by block: the epoch in which its label holds
  std::vector<BlockId> label_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> pending_;
  std::uint32_t now_ = 0;          // position of the block that labels flow from
  std::vector<BlockId> left_;      // exits of the scope that were reached
  BlockId back_label_ = kNoBlock;  // that flows back to the scope's header
  bool back_mixed_ = false;
};

}  // namespace transpire::vm::lir
