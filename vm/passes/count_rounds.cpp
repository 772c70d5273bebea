// count_rounds: counters of loops, by which the scheduler tells apart that work-items came to a barrier in different rounds.
//
// OpenCL wants all work-items of a group to be in the same round of every loop around the barrier. Those of one batch that are not
// come there one after the other, for lanes go round together. Those of two batches may come to the same instruction at the same time,
// and only counters show it. But most loops need none: where each round comes to one thing that the group meets at, work-items that met
// there as often are in the same round.
#include <algorithm>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/lir/dominators.h"
#include "vm/passes/loops.h"
#include "vm/passes/passes.h"
#include "vm/program/immediates.h"

namespace transpire::vm::lir {
namespace {

/// Whether the work-group meets at the instruction.
bool meets(const Value& value) {
  const OpInfo& op = info(value.op);
  if (!op.has(kConvergent) || value.op == Op::kNamedBarrier) return false;
  if (op.imm != Imm::kGroup && op.imm != Imm::kPipe) return true;
  return GroupOperation::decode(value.imm).size == 0;
}

class RoundCounting {
 public:
  explicit RoundCounting(Function& function)
      : f_(function),
        order_(reverse_post_order(function)),
        dominators_(function),
        forest_(function, order_, dominators_),
        is_counted_(forest_.loops().size(), false) {
    for (const BlockId block : order_.blocks)
      for (const ValueId id : f_.blocks[block].instructions)
        if (meets(f_.values[id])) meetings_.push_back(id);
    for (LoopId loop = 0; loop < is_counted_.size(); ++loop)
      is_counted_[loop] = needs_counter(loop);
  }

  bool counts() const {
    return std::any_of(is_counted_.begin(), is_counted_.end(), [](bool each) { return each; });
  }
  bool irreducible() const { return forest_.irreducible() && !meetings_.empty(); }

  /// Of canonical loops.
  void place() {
    std::uint32_t next = 0;
    // Outer loops first: what is behind the last counter matters least.
    for (LoopId loop = static_cast<LoopId>(is_counted_.size()); loop-- != 0;)
      if (is_counted_[loop] && next < kMostRoundCounters) count(loop, next++);
  }

 private:
  bool needs_counter(LoopId loop) const {
    bool has_meeting = false;
    for (const ValueId id : meetings_) {
      f_.work();
      const BlockId block = f_.values[id].block;
      if (!forest_.contains(loop, block)) continue;
      has_meeting = true;
      if (forest_.loop_of(block) == loop && is_in_every_round(loop, block)) return false;
    }
    return has_meeting;
  }

  bool is_in_every_round(LoopId loop, BlockId block) const {
    const BlockList& preds = f_.blocks[forest_.loops()[loop].header].preds;
    return std::all_of(preds.begin(), preds.end(), [&](BlockId pred) {
      return !forest_.contains(loop, pred) || dominators_.dominates(block, pred);
    });
  }

  void count(LoopId loop, std::uint32_t counter) {
    const BlockId header = forest_.loops()[loop].header;
    for (const BlockId pred : f_.blocks[header].preds)
      append(pred, forest_.contains(loop, pred) ? Op::kLoopGoesRound : Op::kLoopBegins, counter);
    for (const ValueId id : meetings_)
      if (forest_.contains(loop, f_.values[id].block))
        f_.values[id].rounds |= static_cast<RoundCounters>(1u << counter);
  }

  void append(BlockId block, Op op, std::uint32_t counter) {
    Value value;
    value.op = op;
    value.imm = counter;
    value.block = block;
    value.source = source_of_end(f_, block);
    f_.blocks[block].instructions.push_back(f_.add(std::move(value)));
  }

  Function& f_;
  BlockOrder order_;
  Dominators dominators_;
  LoopForest forest_;
  std::vector<ValueId> meetings_;
  std::vector<bool> is_counted_;
};

}  // namespace

void count_rounds(Function& function) {
  if (!function.uses_barrier) return;
  const RoundCounting before(function);
  if (!before.counts() && !before.irreducible()) return;
  canonicalise_loops(function);
  RoundCounting(function).place();
}

}  // namespace transpire::vm::lir
