// Control flow of all functions of a ModuleView: predecessors, reachability and dominance. Built once per module,
// in time near linear in blocks and edges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/dominators.h"
#include "decoder/view/module_view.h"

namespace transpire::decoder::view {

static_assert(kNone == kNoVertex);  // blocks are the vertices

class Flow {
 public:
  /// The view must outlive the flow.
  explicit Flow(const ModuleView& view);

  /// Blocks that branch to the block, each once, unreachable ones included, in order.
  std::span<const std::uint32_t> predecessors(std::uint32_t block) const {
    return block < predecessors_.vertices() ? predecessors_.of(block)
                                            : std::span<const std::uint32_t>();
  }
  /// True if the function's first block leads to the block.
  bool reachable(std::uint32_t block) const { return dominators_.reached(block); }
  /// The closest other block on every path from the function's first block; kNone for the first
  /// block and for unreachable ones.
  std::uint32_t immediate_dominator(std::uint32_t block) const { return dominators_.idom(block); }
  /// True if every path from the function's first block to `b` passes `a`, or `a` == `b`. False for
  /// blocks of different functions and for unreachable ones.
  bool dominates(std::uint32_t a, std::uint32_t b) const { return dominators_.dominates(a, b); }
  /// True if the branch closes a loop: its target dominates its source.
  bool is_back_edge(std::uint32_t source, std::uint32_t target) const {
    return dominates(target, source);
  }
  /// All reachable blocks of all functions, each behind its dominators.
  std::span<const std::uint32_t> reachable_blocks() const { return dominators_.preorder(); }

  /// Dominators of the reversed graph: `a` dominates `b` if every path from `b` to a return of the
  /// function passes `a`. Blocks that lead to no return are not in the tree.
  DominatorTree post_dominators() const;

 private:
  const ModuleView& view_;
  Edges successors_, predecessors_;
  DominatorTree dominators_;
};

}  // namespace transpire::decoder::view
