// Phi placement for one variable at a time. See ssa_updater.h.
#include "vm/passes/ssa_updater.h"

#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"

namespace transpire::vm::lir {

SsaUpdater::SsaUpdater(Function& function, const Dominators& dominators)
    : function_(function), dominators_(dominators) {
  const std::size_t count = function.blocks.size();
  for (auto* by_block : {&defined_, &live_in_, &walked_, &known_}) by_block->assign(count, 0);
  definition_.assign(count, kNoValue);
  entry_value_.assign(count, kNoValue);
}

void SsaUpdater::start(Kind kind, std::uint32_t source, ValueId initial) {
  ++epoch_;
  kind_ = kind;
  source_ = source;
  initial_ = initial;
  needed_.clear();
  definition_blocks_.clear();
  join_blocks_.clear();
  phis_.clear();
}

void SsaUpdater::define(BlockId block, ValueId value) {
  if (defined_[block] != epoch_) definition_blocks_.push_back(block);
  defined_[block] = epoch_;
  definition_[block] = value;
}

void SsaUpdater::place() {
  find_live();
  find_joins();
  for (const BlockId block : join_blocks_) {
    phis_.push_back(add_phi(function_, block, kind_, source_));
    known_[block] = epoch_;
    entry_value_[block] = phis_.back();
  }
  for (std::size_t i = 0; i < join_blocks_.size(); ++i) {
    ValueList args;
    function_.take(function_.blocks[join_blocks_[i]].preds.size() * cost::kPhiOperand);
    args.reserve(function_.blocks[join_blocks_[i]].preds.size());
    for (const BlockId pred : function_.blocks[join_blocks_[i]].preds) args.push_back(at_end(pred));
    function_.values[phis_[i]].args = std::move(args);
  }
}

void SsaUpdater::find_live() {
  const auto mark = [&](BlockId block) {
    if (live_in_[block] == epoch_) return;
    live_in_[block] = epoch_;
    work_.push_back(block);
  };
  for (const BlockId block : needed_) mark(block);
  while (!work_.empty()) {
    const BlockId block = work_.back();
    work_.pop_back();
    function_.work(function_.blocks[block].preds.size() + 1);
    for (const BlockId pred : function_.blocks[block].preds) {
      if (defined_[pred] != epoch_) mark(pred);
    }
  }
}

void SsaUpdater::find_joins() {
  for (const BlockId block : definition_blocks_) by_level_.emplace(dominators_.level(block), block);
  while (!by_level_.empty()) {
    const BlockId root = by_level_.top().second;
    by_level_.pop();
    visit_subtree(root);
  }
}

// Edges from the subtree of `root` to blocks no deeper than it reach its dominance frontier. Roots
// come deepest first, so a subtree walked once need not be walked again for a root above it. Below
// a block where the variable is not live, what is live comes from definitions or phis that are
// roots themselves.
void SsaUpdater::visit_subtree(BlockId root) {
  if (walked_[root] == epoch_) return;
  walked_[root] = epoch_;
  work_.push_back(root);
  while (!work_.empty()) {
    const BlockId block = work_.back();
    work_.pop_back();
    function_.work(function_.blocks[block].targets.size() + 1);
    for (const BlockId target : function_.blocks[block].targets) {
      if (dominators_.level(target) > dominators_.level(root)) continue;
      if (live_in_[target] != epoch_ || known_[target] == epoch_) continue;
      known_[target] = epoch_;
      join_blocks_.push_back(target);
      if (defined_[target] != epoch_) by_level_.emplace(dominators_.level(target), target);
    }
    for (const BlockId child : dominators_.children(block)) {
      if (walked_[child] == epoch_ || live_in_[child] != epoch_) continue;
      walked_[child] = epoch_;
      work_.push_back(child);
    }
  }
}

ValueId SsaUpdater::at_entry(BlockId block) {
  ValueId value = kNoValue;
  BlockId at = block;
  for (;; at = dominators_.idom(at)) {
    function_.work();
    if (known_[at] == epoch_) {
      value = entry_value_[at];
      break;
    }
    work_.push_back(at);
    const BlockId above = dominators_.idom(at);
    if (above == kNoBlock) {
      value = initial_ != kNoValue ? initial_ : function_.constant(kind_, 0);
      break;
    }
    if (defined_[above] == epoch_) {
      value = definition_[above];
      break;
    }
  }
  for (const BlockId seen : work_) {
    known_[seen] = epoch_;
    entry_value_[seen] = value;
  }
  work_.clear();
  return value;
}

}  // namespace transpire::vm::lir
