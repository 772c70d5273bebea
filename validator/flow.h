// Control flow of all functions: predecessors, reachability and dominance. Built once per module,
// in time near linear in blocks and edges, without recursion: a graph's depth costs no stack.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "validator/module_view.h"

namespace transpire::validator {

class Flow {
 public:
  /// The view must outlive the flow.
  explicit Flow(const ModuleView& view);

  /// Blocks that branch to the block, each once, unreachable ones included.
  std::span<const std::uint32_t> predecessors(std::uint32_t block) const;
  /// Whether there is a way from the function's first block.
  bool reachable(std::uint32_t block) const;
  /// The closest other block that every way from the function's first block passes; kNone for the
  /// first block and for unreachable ones.
  std::uint32_t immediate_dominator(std::uint32_t block) const;
  /// Whether every way from the function's first block to `b` passes `a`; also for `a` == `b`.
  /// False between functions, and where one of the two is unreachable.
  bool dominates(std::uint32_t a, std::uint32_t b) const;
  /// Whether the branch closes a loop: its target dominates its source.
  bool is_back_edge(std::uint32_t source, std::uint32_t target) const {
    return dominates(target, source);
  }

 private:
  void find_predecessors();
  void find_dominators(std::uint32_t function);
  void number_tree();

  const ModuleView& view_;
  std::vector<std::uint32_t> predecessors_, first_predecessor_;
  std::vector<std::uint32_t> dominator_;  ///< by block; kNone
  std::vector<bool> reachable_;
  std::vector<std::uint32_t> enter_, leave_;  ///< of a walk over the dominator trees, by block
};

}  // namespace transpire::validator
