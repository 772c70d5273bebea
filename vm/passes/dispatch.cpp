// add_dispatch and mend_dominance. See dispatch.h.
#include "vm/passes/dispatch.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/narrow.h"
#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"
#include "vm/passes/ssa_updater.h"

namespace transpire::vm::lir {
namespace {

class Dispatch {
 public:
  Dispatch(Function& function, std::span<const BlockId> entries)
      : function_(function), entries_(entries.begin(), entries.end()) {}

  BlockId run() {
    dispatch_ = narrow<BlockId>(function_.blocks.size());
    function_.blocks.emplace_back();
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
    return dispatch_;
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

  // An entry keeps its phis, with one operand: a phi of the dispatch block. Where the dispatch leads elsewhere they
  // keep the value that they had.
  void move_phis() {
    const std::size_t edges = function_.blocks[dispatch_].preds.size();
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      const std::vector<ValueId> phis = function_.blocks[entries_[e]].phis;
      for (const ValueId phi : phis) {
        function_.take(edges * cost::kPhiOperand);
        function_.work(edges);
        const Kind kind = function_.values[phi].kind;
        ValueList args(edges, function_.constant(kind, 0));
        std::copy(function_.values[phi].args.begin(), function_.values[phi].args.end(),
                  args.begin() + static_cast<std::ptrdiff_t>(first_edge_[e]));
        const ValueId next = add_phi(function_, dispatch_, kind, function_.values[phi].source);
        function_.values[next].args = std::move(args);
        function_.values[phi].args = {next};
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
  const BlockList entries_;
  BlockId dispatch_ = kNoBlock;
  std::uint32_t source_ = 0;  // source of an edge to an entry
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

}  // namespace

BlockId add_dispatch(Function& function, std::span<const BlockId> entries) {
  return Dispatch(function, entries).run();
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

}  // namespace transpire::vm::lir
