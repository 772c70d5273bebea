// make_reducible: the cycles with several entries get a dispatch block. See reducible.h and dispatch.h.
#include "vm/passes/reducible.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/narrow.h"
#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"
#include "vm/passes/dispatch.h"
#include "vm/passes/loops.h"

namespace transpire::vm::lir {
namespace {

using Component = std::vector<BlockId>;

// The cyclic strongly connected components of a part of the graph. Tarjan, "Depth-First Search and
// Linear Graph Algorithms" (1972), with an explicit stack.
class Components {
 public:
  explicit Components(const Function& function)
      : function_(function),
        part_(function.blocks.size(), 0),
        index_(function.blocks.size(), 0),
        low_(function.blocks.size(), 0),
        on_stack_(function.blocks.size(), false) {}

  std::vector<Component> find(const Component& part) {
    ++current_;
    found_.clear();
    for (const BlockId block : part) {
      part_[block] = current_;
      index_[block] = 0;
    }
    next_ = 0;
    for (const BlockId block : part) {
      if (index_[block] == 0) search(block);
    }
    return std::move(found_);
  }

 private:
  void enter(BlockId block) {
    index_[block] = low_[block] = ++next_;
    on_stack_[block] = true;
    stack_.push_back(block);
    frames_.emplace_back(block, 0);
  }

  void search(BlockId root) {
    enter(root);
    while (!frames_.empty()) {
      function_.work();
      auto& [block, next] = frames_.back();
      const auto& targets = function_.blocks[block].targets;
      if (next < targets.size()) {
        const BlockId target = targets[next++];
        if (part_[target] != current_) continue;
        if (index_[target] == 0) {
          enter(target);
        } else if (on_stack_[target]) {
          low_[block] = std::min(low_[block], index_[target]);
        }
        continue;
      }
      const BlockId done = block;
      frames_.pop_back();
      if (!frames_.empty()) {
        const BlockId above = frames_.back().first;
        low_[above] = std::min(low_[above], low_[done]);
      }
      if (low_[done] == index_[done]) collect(done);
    }
  }

  void collect(BlockId root) {
    Component component;
    BlockId block = kNoBlock;
    while (block != root) {
      block = stack_.back();
      stack_.pop_back();
      on_stack_[block] = false;
      component.push_back(block);
    }
    const auto& targets = function_.blocks[root].targets;
    const bool cyclic =
        component.size() > 1 || std::find(targets.begin(), targets.end(), root) != targets.end();
    if (cyclic) found_.push_back(std::move(component));
  }

  const Function& function_;
  std::vector<std::uint32_t> part_, index_, low_;
  std::vector<bool> on_stack_;
  std::vector<BlockId> stack_;
  std::vector<std::pair<BlockId, std::size_t>> frames_;
  std::vector<Component> found_;
  std::uint32_t current_ = 0, next_ = 0;
};

// The cycles with several entries, outer ones first; a cycle's own entries do not count as part of
// what lies inside it, for they will only be reached through its dispatch block.
std::vector<Component> irreducible_entries(const Function& function) {
  std::vector<Component> result;
  Components components(function);
  std::vector<std::uint32_t> member(function.blocks.size(), 0);
  std::uint32_t stamp = 0;
  std::vector<Component> work(1);
  for (BlockId b = 0; b < function.blocks.size(); ++b) work[0].push_back(b);
  while (!work.empty()) {
    const Component part = std::move(work.back());
    work.pop_back();
    for (Component& cycle : components.find(part)) {
      function.work(cycle.size());
      ++stamp;
      for (const BlockId block : cycle) member[block] = stamp;
      Component entries;
      Component inside;
      for (const BlockId block : cycle) {
        const auto& preds = function.blocks[block].preds;
        const bool entry =
            std::any_of(preds.begin(), preds.end(), [&](BlockId p) { return member[p] != stamp; });
        (entry ? entries : inside).push_back(block);
      }
      std::sort(entries.begin(), entries.end());
      if (entries.size() > 1) result.push_back(std::move(entries));
      work.push_back(std::move(inside));
    }
  }
  return result;
}

}  // namespace

void make_reducible(Function& function) {
  {
    const BlockOrder order = reverse_post_order(function);
    if (!LoopForest(function, order, Dominators(function)).irreducible()) return;
  }
  for (const Component& entries : irreducible_entries(function)) add_dispatch(function, entries);
  mend_dominance(function);
}

}  // namespace transpire::vm::lir
