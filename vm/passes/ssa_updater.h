// SsaUpdater: gives one variable with several definitions its phis. Passes use it to turn memory
// into values, and to mend values whose definition no longer dominates all uses.
//
// Per variable: start(), define() and need_*() in any order, place(), then at_entry() / at_end().
// Phis are made only where the variable is live (pruned) and where definitions meet (iterated
// dominance frontier, by Sreedhar and Gao's walk of the dominator tree: linear per variable, no
// stored frontiers).
#pragma once

#include <cstdint>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "vm/lir/dominators.h"
#include "vm/lir/lir.h"

namespace transpire::vm::lir {

class SsaUpdater {
 public:
  /// Blocks may not change while it lives.
  SsaUpdater(Function& function, const Dominators& dominators);

  /// The next variable. Before any definition it is `initial`, or zero when that is kNoValue.
  void start(Kind kind, std::uint32_t source, ValueId initial);
  /// `value` is the variable at the end of `block`; a later call for the same block wins.
  void define(BlockId block, ValueId value);
  void need_at_entry(BlockId block) { needed_.push_back(block); }
  void need_at_end(BlockId block) {
    if (defined_[block] != epoch_) needed_.push_back(block);
  }
  void place();

  ValueId at_entry(BlockId block);
  ValueId at_end(BlockId block) {
    return defined_[block] == epoch_ ? definition_[block] : at_entry(block);
  }
  /// The phis that place() made.
  std::span<const ValueId> phis() const { return phis_; }

 private:
  void find_live();
  void find_joins();
  void visit_subtree(BlockId root);

  Function& function_;
  const Dominators& dominators_;
  std::uint32_t epoch_ = 0;
  Kind kind_ = Kind::kVoid;
  std::uint32_t source_ = 0;
  ValueId initial_ = kNoValue;
  std::vector<BlockId> needed_;
  std::vector<BlockId> definition_blocks_;
  std::vector<BlockId> join_blocks_;
  std::vector<ValueId> phis_;
  std::vector<BlockId> work_;
  std::priority_queue<std::pair<std::uint32_t, BlockId>> by_level_;
  // By block, valid where they hold the current epoch.
  std::vector<std::uint32_t> defined_, live_in_, walked_, known_;
  std::vector<ValueId> definition_, entry_value_;
};

}  // namespace transpire::vm::lir
