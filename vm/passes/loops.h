// The natural loops of a lir::Function as a forest, whether it has cycles that are not natural
// loops (irreducible ones), and the linear order in which every loop is contiguous.
#pragma once

#include <cstdint>
#include <vector>

#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"
#include "vm/lir/lir.h"

namespace transpire::vm::lir {

using LoopId = std::uint32_t;
inline constexpr LoopId kNoLoop = 0xffffffffu;

struct Loop {
  BlockId header = kNoBlock;
  LoopId parent = kNoLoop;
  std::uint32_t depth = 1;
  std::uint32_t first = 0,
                last = 0;  ///< interval of the loop and the loops inside it in a preorder
};

class LoopForest {
 public:
  LoopForest(const Function& function, const BlockOrder& order, const Dominators& dominators);

  /// Inner loops come before the loops around them.
  const std::vector<Loop>& loops() const { return loops_; }
  /// The innermost loop of a block, or kNoLoop.
  LoopId loop_of(BlockId block) const { return loop_of_[block]; }
  bool is_header(BlockId block) const {
    return loop_of_[block] != kNoLoop && loops_[loop_of_[block]].header == block;
  }
  /// True if `inner` is `outer` or lies in it. kNoLoop as `outer` contains everything.
  bool nested(LoopId outer, LoopId inner) const {
    if (outer == kNoLoop) return true;
    if (inner == kNoLoop) return false;
    return loops_[outer].first <= loops_[inner].first && loops_[inner].last <= loops_[outer].last;
  }
  bool contains(LoopId loop, BlockId block) const { return nested(loop, loop_of_[block]); }
  /// Some cycle has more than one entry.
  bool irreducible() const { return irreducible_; }

  /// A pass that adds a block names its loop.
  void add_block(BlockId block, LoopId loop) {
    if (loop_of_.size() <= block) loop_of_.resize(block + 1, kNoLoop);
    loop_of_[block] = loop;
  }

 private:
  void discover(const Function& function, const BlockOrder& order, LoopId loop,
                std::vector<BlockId> work);
  LoopId outermost(LoopId loop);
  void number();

  std::vector<Loop> loops_;
  std::vector<LoopId> loop_of_;
  std::vector<LoopId> outermost_;  // union-find towards the outermost loop known so far
  bool irreducible_ = false;
};

/// Topological but for back edges, every loop contiguous and headed by its header.
std::vector<BlockId> linear_order(const Function& function, const BlockOrder& order,
                                  const LoopForest& forest);

/// By loop, the blocks outside it that its blocks branch to, each once.
std::vector<BlockList> loop_exits(const Function& function, const LoopForest& forest);

}  // namespace transpire::vm::lir
