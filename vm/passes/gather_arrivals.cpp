// gather_arrivals: lanes of a batch that come to a barrier on different ways wait there for each other.
//
// The k-th arrival of each work-item at one instruction belongs together, whatever the way there. Lanes wait for each other
// where a loop goes round. That is enough unless a loop has other ways round beside one through the barrier: a compiler
// that merges a barrier before a loop with one in it makes two nested loops of one, which lanes then go round differently.
// Such a loop is cut before each instruction that a group meets at:
//
//       outside ---> arrived <-----------------.    `again` is where all loops with such an instruction
//                       v                      |    go round: each lane goes on where it has to.
//          .-------> again                     |    `arrived` goes round when no lane is left within:
//          |         /   \                     |    those that came to the instruction have waited for
//          |     header  barrier, and          |    the others at its latch, and execute it together.
//          |        |    what follows          |
//          '------- o -------o-----------------'    Work-items of a sub-group that meet have a loop of their
//          goes round        comes to a barrier     own between the two: they need not wait for a work-group.
#include <algorithm>
#include <map>
#include <vector>

#include "base/dominators.h"
#include "base/edges.h"
#include "base/narrow.h"
#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"
#include "vm/passes/dispatch.h"
#include "vm/passes/loops.h"
#include "vm/passes/passes.h"
#include "vm/program/immediates.h"

namespace transpire::vm::lir {
namespace {

/// The work-items that must come to an instruction together.
enum class Meets : std::uint8_t { kNone, kSubgroup, kGroup };

Meets who_meets(const Value& value) {
  const OpInfo& op = info(value.op);
  if (!op.has(kConvergent)) return Meets::kNone;
  if (value.op == Op::kNamedBarrier || op.imm == Imm::kProduct) return Meets::kSubgroup;
  if (op.imm != Imm::kGroup && op.imm != Imm::kPipe) return Meets::kGroup;
  const GroupOperation operation = GroupOperation::decode(value.imm);
  if (operation.size == 0) return Meets::kGroup;
  return operation.uniform ? Meets::kSubgroup : Meets::kNone;
}

/// Deeply overlapping branches would take quadratic time: after this many steps for each of its
/// blocks, a loop counts as one whose lanes part.
constexpr std::uint64_t kStepsPerLoopBlock = 64;

class Gathering {
 public:
  explicit Gathering(Function& function)
      : f_(function),
        order_(reverse_post_order(function)),
        dominators_(function),
        forest_(function, order_, dominators_),
        meets_(function.blocks.size()) {
    for (const BlockId block : order_.blocks)
      for (const ValueId id : f_.blocks[block].instructions)
        if (const Meets who = who_meets(f_.values[id]); who != Meets::kNone) {
          meetings_.push_back(id);
          (who == Meets::kGroup ? meets_[block].group : meets_[block].subgroup) = true;
        }
  }

  /// Some loop has other ways round beside one through what a group meets at.
  bool has_candidates() const {
    if (meetings_.empty()) return false;
    if (forest_.irreducible()) return true;
    for (LoopId loop = 0; loop < forest_.loops().size(); ++loop)
      if (missed_in(loop).any()) return true;
    return false;
  }

  /// Cuts canonical loops, after analyse_divergence(). Returns true if anything changed.
  bool run() {
    // Outer loops come last. A loop inside of one that was cut needs nothing more.
    std::vector<bool> is_cut(forest_.loops().size(), false);
    bool changed = false;
    for (LoopId loop = narrow<LoopId>(is_cut.size()); loop-- != 0;) {
      const LoopId parent = forest_.loops()[loop].parent;
      is_cut[loop] = parent != kNoLoop && is_cut[parent];
      if (is_cut[loop]) continue;
      const Parties missed = missed_in(loop);
      if (!missed.any() || !parts_before(missed, loop)) continue;
      is_cut[loop] = changed = true;
      cut(loop);
    }
    return changed;
  }

 private:
  struct Parties {
    bool group = false, subgroup = false;
    bool any() const { return group || subgroup; }
  };

  /// Parties that meet in the loop, but at no instruction that every round comes to.
  Parties missed_in(LoopId loop) const {
    Parties has, in_every_round;
    for (const ValueId id : meetings_) {
      f_.work();
      const BlockId block = f_.values[id].block;
      if (!forest_.contains(loop, block)) continue;
      const bool is_group = who_meets(f_.values[id]) == Meets::kGroup;
      (is_group ? has.group : has.subgroup) = true;
      if (forest_.loop_of(block) == loop && is_in_every_round(loop, block))
        (is_group ? in_every_round.group : in_every_round.subgroup) = true;
    }
    return {has.group && !in_every_round.group, has.subgroup && !in_every_round.any()};
  }

  bool is_in_every_round(LoopId loop, BlockId block) const {
    const BlockList& preds = f_.blocks[forest_.loops()[loop].header].preds;
    return std::all_of(preds.begin(), preds.end(), [&](BlockId pred) {
      return !forest_.contains(loop, pred) || dominators_.dominates(block, pred);
    });
  }

  bool may_part_at(BlockId block) const {
    const Value& end = f_.values[f_.blocks[block].terminator];
    return (end.op == Op::kBranchConditional || end.op == Op::kSwitch) &&
           f_.values[end.args[0]].spread != Spread::kUniform;
  }

  /// True if lanes may part in a round of the loop and come to what these meet at before they are together again.
  bool parts_before(const Parties& parties, LoopId loop) const {
    std::vector<BlockId> blocks;
    std::vector<std::uint32_t> number(f_.blocks.size(), kNoVertex);
    for (const BlockId block : order_.blocks) {
      if (!forest_.contains(loop, block)) continue;
      number[block] = narrow<std::uint32_t>(blocks.size());
      blocks.push_back(block);
    }
    f_.work(f_.blocks.size() + blocks.size());
    std::vector<Edges::Edge> edges;
    for (const BlockId block : blocks)
      for (const BlockId target : f_.blocks[block].targets)
        if (number[target] != kNoVertex && target != forest_.loops()[loop].header)
          edges.push_back({number[block], number[target]});
    const Edges ways(blocks.size(), edges);
    const std::vector<std::uint32_t> together = immediate_post_dominators(ways);
    std::vector<std::uint32_t> seen_from(blocks.size(), kNoVertex);
    std::uint64_t steps = kStepsPerLoopBlock * blocks.size();
    for (std::uint32_t from = 0; from < blocks.size(); ++from) {
      if (ways.of(from).size() < 2 || !may_part_at(blocks[from])) continue;
      std::vector<std::uint32_t> work(ways.of(from).begin(), ways.of(from).end());
      while (!work.empty()) {
        const std::uint32_t at = work.back();
        work.pop_back();
        if (at == together[from] || seen_from[at] == from) continue;
        seen_from[at] = from;
        const Parties& here = meets_[blocks[at]];
        if ((here.group && parties.group) || (here.subgroup && parties.subgroup)) return true;
        const auto next = ways.of(at);
        f_.work(next.size() + 1);
        if (steps < next.size() + 1) return true;
        steps -= next.size() + 1;
        work.insert(work.end(), next.begin(), next.end());
      }
    }
    return false;
  }

  void cut(LoopId loop) {
    std::vector<BlockId> entries;
    for (LoopId inner = loop + 1; inner-- != 0;)
      if (forest_.nested(loop, inner) && has_meeting(inner))
        entries.push_back(forest_.loops()[inner].header);
    const Parties cuts = cut_before_meetings(loop, entries);
    const BlockId again = add_dispatch(f_, entries);
    const auto comes = [&](BlockId edge, bool from_subgroup) {
      const BlockId from = f_.blocks[edge].preds[0];
      if (!forest_.contains(loop, from)) return true;
      const auto found = ends_at_.find(from);
      if (found == ends_at_.end()) return false;
      return found->second == Meets::kGroup || from_subgroup;
    };
    const BlockId arrived =
        split_predecessors(f_, again, [&](BlockId edge) { return comes(edge, true); });
    if (cuts.group && cuts.subgroup)
      split_predecessors(f_, arrived, [&](BlockId edge) { return comes(edge, false); });
  }

  bool has_meeting(LoopId loop) const {
    return std::any_of(meetings_.begin(), meetings_.end(), [&](ValueId id) {
      f_.work();
      return forest_.contains(loop, f_.values[id].block);
    });
  }

  /// Each instruction that a group meets at begins a block, which is added to `entries`.
  Parties cut_before_meetings(LoopId loop, std::vector<BlockId>& entries) {
    Parties cuts;
    for (const ValueId id : meetings_) {
      const BlockId block = f_.values[id].block;
      if (!forest_.contains(loop, block)) continue;
      const Meets who = who_meets(f_.values[id]);
      (who == Meets::kGroup ? cuts.group : cuts.subgroup) = true;
      entries.push_back(cut_before(id));
      ends_at_[block] = who;
    }
    return cuts;
  }

  BlockId cut_before(ValueId id) {
    const BlockId block = f_.values[id].block;
    const BlockId rest = add_block_to(f_, kNoBlock, f_.values[id].source);
    forest_.add_block(rest, forest_.loop_of(block));
    Block& from = f_.blocks[block];
    Block& to = f_.blocks[rest];
    const auto first = std::find(from.instructions.begin(), from.instructions.end(), id);
    to.instructions.assign(first, from.instructions.end());
    from.instructions.erase(first, from.instructions.end());
    f_.work(to.instructions.size());
    for (const ValueId moved : to.instructions) f_.values[moved].block = rest;
    std::swap(from.terminator, to.terminator);
    std::swap(from.targets, to.targets);
    std::swap(from.cases, to.cases);
    from.targets = {rest};
    to.preds = {block};
    f_.values[from.terminator].block = block;
    f_.values[to.terminator].block = rest;
    for (const BlockId target : to.targets) {
      auto& preds = f_.blocks[target].preds;
      f_.work(preds.size());
      std::replace(preds.begin(), preds.end(), block, rest);
    }
    return rest;
  }

  Function& f_;
  BlockOrder order_;
  Dominators dominators_;
  LoopForest forest_;
  std::vector<Parties> meets_;        ///< by block
  std::vector<ValueId> meetings_;     ///< in the order of blocks
  std::map<BlockId, Meets> ends_at_;  ///< blocks that were cut: what they lead to
};

}  // namespace

void gather_arrivals(Function& function, const LowerOptions& options) {
  if (!function.uses_barrier && !function.uses_subgroups) return;
  if (!Gathering(function).has_candidates()) return;
  canonicalise_loops(function);
  analyse_divergence(function, options);
  if (Gathering(function).run()) mend_dominance(function);
}

}  // namespace transpire::vm::lir
