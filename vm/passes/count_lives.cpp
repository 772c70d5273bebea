// count_lives: private variables that may live several times for a work-item, as one of a loop's body does in each round,
// and whose address outlives a life: it is stored, becomes an integer, is compared, or a phi hands it on to the next round.
// Their lives are counted (CountLife, behind LifetimeStart), and such an address says which one it means (TagLife, see
// memory/address_space.h). All else stays as it is.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/narrow.h"
#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"
#include "vm/lir/dominators.h"
#include "vm/lir/pointer_flow.h"
#include "vm/lir/use_lists.h"
#include "vm/passes/loops.h"
#include "vm/passes/passes.h"

namespace transpire::vm::lir {
namespace {

/// By variable: the blocks in which it begins to live.
using Starts = std::map<std::uint32_t, std::vector<BlockId>>;

Starts starts_of(const Function& function) {
  Starts starts;
  if (function.private_variables.empty()) return starts;
  for (BlockId block = 0; block < function.blocks.size(); ++block)
    for (const ValueId id : function.blocks[block].instructions)
      if (const Value& value = function.values[id]; value.op == Op::kLifetimeStart)
        starts[narrow<std::uint32_t>(value.imm)].push_back(block);
  return starts;
}

class Lives {
 public:
  Lives(Function& function, const Starts& starts)
      : function_(function),
        order_(reverse_post_order(function)),
        dominators_(function),
        forest_(function, order_, dominators_),
        uses_(function),
        starts_(starts),
        seen_(function.values.size(), 0) {}

  void run() {
    const std::uint64_t first = function_.private_slot(0);
    const auto count = narrow<ValueId>(function_.values.size());
    for (ValueId id = 0; id < count; ++id) {
      const Value& value = function_.values[id];
      if (value.op != Op::kArgument || value.imm < first) continue;
      const auto found = starts_.find(narrow<std::uint32_t>(value.imm - first));
      if (found != starts_.end() && lives_again(found->second)) follow(id, found->first);
    }
    for (const auto& [edge, value] : carried_) tag_on_edge(edge.first, edge.second, value);
    if (counters_ != 0) place_counters();
  }

 private:
  bool lives_again(const std::vector<BlockId>& starts) const {
    return starts.size() > 1 || forest_.irreducible() || forest_.loop_of(starts[0]) != kNoLoop;
  }

  /// All that the variable's address becomes.
  void follow(ValueId address, std::uint32_t variable) {
    std::vector<ValueId> pointers{address};
    seen_[address] = variable + 1;
    bool outlives = false;
    for (std::size_t next = 0; next < pointers.size(); ++next) {
      const ValueId id = pointers[next];
      function_.work(uses_.users(id).size() + 1);
      for (const ValueId user : uses_.users(id)) {
        Value& value = function_.values[user];
        if (value.block == kNoBlock) continue;
        if (value.op == Op::kPhi) outlives |= note_carried(user, id, starts_.at(variable));
        if (seen_[user] == variable + 1 || !leads_on(value, id)) continue;
        seen_[user] = variable + 1;
        pointers.push_back(user);
        if (value.op != Op::kTagPointer && value.op != Op::kTagLife) continue;
        value.op = Op::kTagLife;
        outlives = true;
      }
    }
    PrivateVariable& of = function_.private_variables[variable];
    if (outlives && of.life_counter == 0) of.life_counter = ++counters_;
  }

  /// True if a loop in whose rounds the variable begins to live hands the pointer on to the next one.
  bool note_carried(ValueId phi, ValueId pointer, const std::vector<BlockId>& starts) {
    const BlockId header = function_.values[phi].block;
    if (!forest_.is_header(header)) return false;
    const LoopId loop = forest_.loop_of(header);
    const auto inside = [&](BlockId block) { return forest_.contains(loop, block); };
    if (std::ranges::none_of(starts, inside)) return false;
    bool found = false;
    const Block& block = function_.blocks[header];
    for (std::size_t i = 0; i < block.preds.size(); ++i) {
      if (function_.values[phi].args[i] != pointer || !inside(block.preds[i])) continue;
      carried_[{phi, i}] = pointer;
      found = true;
    }
    return found;
  }

  void tag_on_edge(ValueId phi, std::size_t operand, ValueId pointer) {
    if (function_.values[pointer].op == Op::kTagLife) return;
    const BlockId from = function_.blocks[function_.values[phi].block].preds[operand];
    const auto [known, is_new] = tagged_.try_emplace({from, pointer}, kNoValue);
    if (is_new) {
      function_.take(cost::kValue);
      Value tag;
      tag.op = Op::kTagLife;
      tag.kind = tag.from = Kind::kI64;
      tag.source = function_.values[pointer].source;
      tag.block = from;
      tag.args = {pointer};
      known->second = function_.add(std::move(tag));
      function_.blocks[from].instructions.push_back(known->second);
    }
    function_.values[phi].args[operand] = known->second;
  }

  void place_counters() {
    for (BlockId block = 0; block < function_.blocks.size(); ++block) {
      std::vector<ValueId> with;
      for (const ValueId id : std::exchange(function_.blocks[block].instructions, {})) {
        with.push_back(id);
        const Value& start = function_.values[id];
        if (start.op != Op::kLifetimeStart) continue;
        const std::uint32_t counter = function_.private_variables[start.imm].life_counter;
        if (counter == 0) continue;
        function_.take(cost::kValue);
        Value count;
        count.op = Op::kCountLife;
        count.imm = counter - 1;
        count.source = start.source;
        count.block = block;
        with.push_back(function_.add(std::move(count)));
      }
      function_.blocks[block].instructions = std::move(with);
    }
  }

  Function& function_;
  const BlockOrder order_;
  const Dominators dominators_;
  const LoopForest forest_;
  const UseLists uses_;
  const Starts& starts_;
  std::vector<std::uint32_t>
      seen_;  // by value: 1 + the last variable that it may be the address of
  std::uint32_t counters_ = 0;
  std::map<std::pair<ValueId, std::size_t>, ValueId> carried_;  // by phi and operand
  std::map<std::pair<BlockId, ValueId>, ValueId> tagged_;       // by end of block and pointer
};

}  // namespace

void count_lives(Function& function, const LowerOptions& options) {
  if (starts_of(function).empty()) return;
  if (options.optimises()) eliminate_dead_values(function);  // tags that nobody uses
  const Starts starts = starts_of(function);
  Lives(function, starts).run();
}

}  // namespace transpire::vm::lir
