// make_reducible. See reducible.h.
//
//       p   q               p     q
//       |   |               |     |            every edge to an entry of the cycle gets a block of
//       its v   v              [s]   [s]  ...      own, which gives the selector phi of the
//       dispatch block A<->B       =>       \   /             the number of its entry; phis of the
//       entries move to the
//                            dispatch          dispatch block, zero where the edge is not theirs
//                             / \                .
//                            A   B
//
// Dominance then no longer holds for what was defined above one entry; mend_dominance() adds phis.
#include "vm/passes/reducible.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"
#include "vm/passes/loops.h"
#include "vm/passes/ssa_updater.h"

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

class Dispatch {
 public:
  Dispatch(Function& function, const Component& entries) : function_(function), entries_(entries) {}

  void run() {
    dispatch_ = static_cast<BlockId>(function_.blocks.size());
    function_.blocks.emplace_back();
    // All entries of a cycle stand in one function, for a call has one way in.
    source_ = source_of_end(function_, function_.blocks[entries_[0]].preds[0]);
    ValueList selector_args;
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      reroute(entries_[e]);
      selector_args.resize(function_.blocks[dispatch_].preds.size(),
                           function_.constant(Kind::kI32, e));
    }
    move_phis();
    const ValueId selector = add_phi(function_, dispatch_, Kind::kI32, source_);
    function_.values[selector].args = std::move(selector_args);
    terminate(selector);
  }

 private:
  void reroute(BlockId entry) {
    const BlockList preds = function_.blocks[entry].preds;
    first_edge_.push_back(function_.blocks[dispatch_].preds.size());
    for (const BlockId pred : preds) {
      const BlockId edge = add_block_to(function_, dispatch_, source_of_end(function_, pred));
      replace_target(function_, pred, entry, edge);
      function_.blocks[edge].preds = {pred};
      function_.blocks[dispatch_].preds.push_back(edge);
    }
    function_.blocks[entry].preds = {dispatch_};
  }

  void move_phis() {
    const std::size_t edges = function_.blocks[dispatch_].preds.size();
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      for (const ValueId phi : std::exchange(function_.blocks[entries_[e]].phis, {})) {
        function_.take(edges * cost::kPhiOperand);
        function_.work(edges);
        ValueList args(edges, function_.constant(function_.values[phi].kind, 0));
        std::copy(function_.values[phi].args.begin(), function_.values[phi].args.end(),
                  args.begin() + static_cast<std::ptrdiff_t>(first_edge_[e]));
        function_.values[phi].args = std::move(args);
        function_.values[phi].block = dispatch_;
        function_.blocks[dispatch_].phis.push_back(phi);
      }
    }
  }

  void terminate(ValueId selector) {
    Value value;
    value.op = Op::kSwitch;
    value.from = Kind::kI32;
    value.source = source_;
    value.is_edge = true;
    value.args = {selector};
    value.block = dispatch_;
    const ValueId id = function_.add(std::move(value));
    Block& block = function_.blocks[dispatch_];
    block.terminator = id;
    block.targets = entries_;
    for (std::uint32_t e = 1; e < entries_.size(); ++e) block.cases.push_back({e, e});
  }

  Function& function_;
  const Component& entries_;
  BlockId dispatch_ = kNoBlock;
  std::uint32_t source_ = 0;  // of an edge to an entry
  std::vector<std::size_t>
      first_edge_;  // by entry: index of its first edge in the dispatch's preds
};

struct BrokenUse {
  ValueId user;
  std::uint32_t arg;
  BlockId at;   // where the value is needed
  bool at_end;  // by a phi: at the end of `at`
};

// Uses that their definition does not dominate, by definition.
std::vector<std::pair<ValueId, std::vector<BrokenUse>>> broken_uses(const Function& function,
                                                                    const Dominators& dominators) {
  std::vector<std::pair<ValueId, std::vector<BrokenUse>>> result;
  std::unordered_map<ValueId, std::size_t> index;
  const auto check = [&](ValueId arg, BrokenUse use) {
    const BlockId defined = function.values[arg].block;
    if (defined == kNoBlock || dominators.dominates(defined, use.at)) return;
    const auto [found, fresh] = index.try_emplace(arg, result.size());
    if (fresh) result.emplace_back(arg, std::vector<BrokenUse>{});
    result[found->second].second.push_back(use);
  };
  const auto check_all = [&](ValueId user, BlockId block) {
    const auto& args = function.values[user].args;
    for (std::uint32_t i = 0; i < args.size(); ++i) check(args[i], {user, i, block, false});
  };
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    const Block& block = function.blocks[b];
    for (const ValueId phi : block.phis) {
      const auto& args = function.values[phi].args;
      for (std::uint32_t i = 0; i < args.size(); ++i)
        check(args[i], {phi, i, block.preds[i], true});
    }
    for (const ValueId id : block.instructions) check_all(id, b);
    check_all(block.terminator, b);
  }
  return result;
}

void mend_dominance(Function& function) {
  const Dominators dominators(function);
  SsaUpdater updater(function, dominators);
  for (const auto& [value, uses] : broken_uses(function, dominators)) {
    updater.start(function.values[value].kind, function.values[value].source, kNoValue);
    updater.define(function.values[value].block, value);
    for (const BrokenUse& use : uses) {
      use.at_end ? updater.need_at_end(use.at) : updater.need_at_entry(use.at);
    }
    updater.place();
    for (const BrokenUse& use : uses) {
      function.values[use.user].args[use.arg] =
          use.at_end ? updater.at_end(use.at) : updater.at_entry(use.at);
    }
  }
}

}  // namespace

void make_reducible(Function& function) {
  {
    const BlockOrder order = reverse_post_order(function);
    if (!LoopForest(function, order, Dominators(function)).irreducible()) return;
  }
  for (const Component& entries : irreducible_entries(function)) Dispatch(function, entries).run();
  mend_dominance(function);
}

}  // namespace transpire::vm::lir
