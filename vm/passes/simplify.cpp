// simplify: value rules in reverse post-order, then the control flow, until nothing changes.
#include <utility>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"
#include "vm/passes/bits.h"
#include "vm/passes/passes.h"
#include "vm/passes/replacements.h"
#include "vm/passes/simplify_flow.h"
#include "vm/passes/unsigned_bounds.h"
#include "vm/passes/value_rules.h"

namespace transpire::vm::lir {
namespace {

// Each round is linear; what is left after these few is not worth another.
constexpr int kMaxRounds = 8;

class Simplification {
 public:
  Simplification(Function& function, const LowerOptions& options)
      : function_(function),
        bounds_(function, options),
        rules_(function, bounds_, [this](Value value) { return place(std::move(value)); }) {}

  bool round() {
    const BlockOrder order = reverse_post_order(function_);
    for (const BlockId block : order.blocks) simplify_block(block);
    replaced_.apply(function_);
    changed_ = simplify_flow(function_, replaced_) || changed_;
    replaced_.apply(function_);
    return changed_;
  }

 private:
  void simplify_block(BlockId block) {
    block_ = block;
    std::vector<ValueId> phis;
    for (const ValueId phi : function_.blocks[block].phis) {
      if (!simplify_phi(phi)) phis.push_back(phi);
    }
    function_.blocks[block].phis = std::move(phis);
    for (const ValueId id : std::exchange(function_.blocks[block].instructions, {})) visit(id);
    for (ValueId& arg : function_.values[function_.blocks[block].terminator].args) {
      arg = replaced_.resolve(arg);
    }
  }

  // A phi of one value, itself not counted, is that value.
  bool simplify_phi(ValueId phi) {
    function_.work(function_.values[phi].args.size() + 1);
    ValueId only = kNoValue;
    for (ValueId& arg : function_.values[phi].args) {
      arg = replaced_.resolve(arg);
      if (arg == phi || arg == only) continue;
      if (only != kNoValue) return false;
      only = arg;
    }
    if (only == kNoValue) return false;
    drop(phi, only);
    return true;
  }

  void visit(ValueId id) {
    function_.work();
    for (ValueId& arg : function_.values[id].args) arg = replaced_.resolve(arg);
    Value value = function_.values[id];
    if (is_kept_check(value)) return drop(id, kNoValue);
    const ValueId same = rules_.simplify(value);
    if (same != kNoValue) return drop(id, same);
    const Value& old = function_.values[id];
    changed_ = changed_ || old.op != value.op || old.args != value.args || old.imm != value.imm ||
               old.imm2 != value.imm2 || old.extend != value.extend;
    function_.values[id] = std::move(value);
    function_.blocks[block_].instructions.push_back(id);
    bounds_.update(id);
  }

  // A check that constants satisfy.
  bool is_kept_check(const Value& value) const {
    if (value.op == Op::kCheckIndex) {
      const Value& index = function_.values[value.args[0]];
      // As unsigned a negative index is above every count of elements.
      return index.op == Op::kConst &&
             static_cast<std::uint64_t>(sign_extend(index.imm, value.from)) < value.imm;
    }
    if (value.op == Op::kCheckDefined || value.op == Op::kCheckStored) {
      const Value& shadow = function_.values[value.args.back()];
      return shadow.op == Op::kConst && shadow.imm == 0;
    }
    if (value.op == Op::kCheckNot) {
      const Value& condition = function_.values[value.args[0]];
      return condition.op == Op::kConst && condition.imm == 0;
    }
    if (value.op != Op::kCheckDivide && value.op != Op::kCheckShift) return false;
    const Value& right = function_.values[value.args[1]];
    if (right.op != Op::kConst) return false;
    if (value.op == Op::kCheckShift) return right.imm < width_bits(value.from);
    return right.imm != 0 && (value.imm == 0 || right.imm != kind_mask(value.from));
  }

  void drop(ValueId id, ValueId same) {
    if (same != kNoValue) replaced_.add(id, same);
    function_.values[id].args.clear();
    function_.values[id].block = kNoBlock;
    changed_ = true;
  }

  ValueId place(Value value) {
    value.block = block_;
    const ValueId id = function_.add(std::move(value));
    function_.blocks[block_].instructions.push_back(id);
    bounds_.update(id);
    return id;
  }

  Function& function_;
  UnsignedBounds bounds_;
  ValueRules rules_;
  Replacements replaced_;
  BlockId block_ = kNoBlock;
  bool changed_ = false;
};

}  // namespace

void simplify(Function& function, const LowerOptions& options) {
  remove_unreachable_blocks(function);
  for (int round = 0; round < kMaxRounds; ++round) {
    if (!Simplification(function, options).round()) return;
  }
}

}  // namespace transpire::vm::lir
