// The dominator tree of a lir::Function. Lengauer and Tarjan, "A Fast Algorithm for Finding
// Dominators in a Flowgraph" (1979), the simple version: O(edges * log(blocks)) whatever the graph.
// Blocks that the entry does not reach have no place in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

class Dominators {
 public:
  explicit Dominators(const Function& function);

  /// kNoBlock for the entry and for unreachable blocks.
  BlockId idom(BlockId block) const { return idom_[block]; }
  /// Reflexive. False when either block is unreachable.
  bool dominates(BlockId above, BlockId below) const {
    return first_[above] != 0 && first_[above] <= first_[below] && last_[below] <= last_[above];
  }
  /// The preorder numbers of a block and of the last one that it dominates; 0 when unreachable.
  std::uint32_t first(BlockId block) const { return first_[block]; }
  std::uint32_t last(BlockId block) const { return last_[block]; }
  std::uint32_t level(BlockId block) const { return level_[block]; }
  std::span<const BlockId> children(BlockId block) const {
    return std::span(children_).subspan(child_start_[block],
                                        child_start_[block + 1] - child_start_[block]);
  }
  /// Parents before children; every block directly follows subtrees of its siblings.
  std::span<const BlockId> preorder() const { return preorder_; }

 private:
  void build_tree();

  std::vector<BlockId> idom_;
  std::vector<BlockId> children_;
  std::vector<std::uint32_t> child_start_;
  std::vector<BlockId> preorder_;
  std::vector<std::uint32_t> level_;
  std::vector<std::uint32_t> first_, last_;  // preorder interval of the subtree; 0 when unreachable
};

/// By node of a graph given by its edges, the first node that all ways from it to an end (a node
/// without edges) lead through; kNoBlock where there is none, and for nodes that lead to no end.
std::vector<BlockId> immediate_postdominators(const std::vector<BlockList>& successors);

}  // namespace transpire::vm::lir
