// convert_branches: an if whose arms are a few cheap values computes both arms, and its joins' phis
// become Select. Lanes then need not part: a divergent branch costs masks, two blocks and masked
// copies, about as much as a dozen row instructions. Branches on uniform conditions stay
// (Value::spread, where the divergence analysis has written it; else all count as divergent).
//
//     b: branch c, T, F                      b: T's values, F's values
//     T: ... -> J      F: ... -> J     =>       x = Select c, t, f -> J
//     J: x = Phi t, f
//
// Two tests in a row with a common target become one, where the second costs little:
//
//     b: branch c, X, M                      b: M's values
//     M: ... branch d, X, Y           =>        branch c || d, X, Y
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "vm/lir/budget.h"
#include "vm/lir/cfg.h"
#include "vm/passes/op_cost.h"
#include "vm/passes/passes.h"
#include "vm/passes/replacements.h"

namespace transpire::vm::lir {
namespace {

constexpr std::size_t kMaxArmValues = 8;
constexpr std::size_t kMaxSelects = 4;

class BranchConversion {
 public:
  explicit BranchConversion(Function& function) : f_(function) {}

  void run() {
    const BlockOrder order = reverse_post_order(f_);
    // From the end: inner ifs first, so that the arm of an outer one may be a converted one.
    for (std::size_t i = order.blocks.size(); i-- > 0;) {
      while (convert(order.blocks[i])) {
      }
    }
    if (!changed_) return;
    replaced_.apply(f_);
    remove_unreachable_blocks(f_);
    f_.order.clear();
  }

 private:
  struct Shape {
    BlockId join = kNoBlock;
    std::array<BlockId, 2> arms{kNoBlock, kNoBlock};  // kNoBlock: straight to the join
  };

  bool convert(BlockId id) {
    const Block& block = f_.blocks[id];
    f_.work();
    if (block.terminator == kNoValue) return false;
    const Value& branch = f_.values[block.terminator];
    if (branch.op != Op::kBranchConditional ||
        f_.values[branch.args[0]].spread == Spread::kUniform) {
      return false;
    }
    const Shape shape = shape_of(id);
    if (shape.join == kNoBlock) return join_tests(id);
    const Block& join = f_.blocks[shape.join];
    if (join.phis.size() > kMaxSelects || is_wide(shape.join)) return false;
    flatten(id, shape);
    merge_join(id, shape.join);
    return changed_ = true;
  }

  Shape shape_of(BlockId id) const {
    const BlockId on_true = f_.blocks[id].targets[0];
    const BlockId on_false = f_.blocks[id].targets[1];
    if (on_true == on_false) return {};
    const BlockId after_true = arm_end(on_true, id);
    const BlockId after_false = arm_end(on_false, id);
    Shape shape;
    if (after_true == on_false) {
      shape = {on_false, {on_true, kNoBlock}};
    } else if (after_false == on_true) {
      shape = {on_true, {kNoBlock, on_false}};
    } else if (after_true != kNoBlock && after_true == after_false) {
      shape = {after_true, {on_true, on_false}};
    }
    // Back to the start: that is a loop.
    return shape.join == id ? Shape{} : shape;
  }

  // Too many predecessors to walk them for each edge that changes.
  bool is_wide(BlockId id) const { return f_.blocks[id].preds.size() > kMostEdges; }

  // Only `from` comes here, and all lanes may compute what stands here.
  bool is_light(BlockId id, BlockId from) const {
    const Block& arm = f_.blocks[id];
    return arm.preds.size() == 1 && arm.preds[0] == from && arm.phis.empty() &&
           arm.instructions.size() <= kMaxArmValues &&
           std::all_of(arm.instructions.begin(), arm.instructions.end(), [&](ValueId value) {
             return is_movable(f_.values[value]) && is_cheap(f_.values[value]);
           });
  }

  // Where a light block leads, or kNoBlock.
  BlockId arm_end(BlockId id, BlockId from) const {
    const Block& arm = f_.blocks[id];
    return arm.targets.size() == 1 && is_light(id, from) ? arm.targets[0] : kNoBlock;
  }

  void take_values(BlockId id, BlockId from) {
    f_.work(f_.blocks[from].instructions.size());
    for (const ValueId value : std::exchange(f_.blocks[from].instructions, {})) {
      f_.values[value].block = id;
      f_.blocks[id].instructions.push_back(value);
    }
  }

  void flatten(BlockId id, const Shape& shape) {
    for (const BlockId arm : shape.arms) {
      if (arm != kNoBlock) take_values(id, arm);
    }
    const ValueId condition = f_.values[f_.blocks[id].terminator].args[0];
    Block& join = f_.blocks[shape.join];
    const std::size_t true_index = pred_index(join, shape.arms[0] == kNoBlock ? id : shape.arms[0]);
    const std::size_t false_index =
        pred_index(join, shape.arms[1] == kNoBlock ? id : shape.arms[1]);
    for (const ValueId phi : join.phis) {
      const ValueId on_true = f_.values[phi].args[true_index];
      const ValueId on_false = f_.values[phi].args[false_index];
      f_.values[phi].args[true_index] = select(id, phi, condition, on_true, on_false);
    }
    join.preds[true_index] = id;
    const auto gone = static_cast<std::ptrdiff_t>(false_index);
    join.preds.erase(join.preds.begin() + gone);
    for (const ValueId phi : join.phis)
      f_.values[phi].args.erase(f_.values[phi].args.begin() + gone);
    detach_arms(id, shape);
  }

  bool join_tests(BlockId id) {
    for (std::size_t side = 0; side < 2; ++side) {
      const BlockId second = f_.blocks[id].targets[side];
      const BlockId common = f_.blocks[id].targets[1 - side];
      if (!can_join_tests(id, second, common)) continue;
      join_tests(id, second, common);
      return changed_ = true;
    }
    return false;
  }

  bool can_join_tests(BlockId id, BlockId second, BlockId common) const {
    const auto& targets = f_.blocks[second].targets;
    if (second == id || second == common || !is_light(second, id) || targets.size() != 2 ||
        f_.values[f_.blocks[second].terminator].op != Op::kBranchConditional) {
      return false;
    }
    return targets[0] != targets[1] && (targets[0] == common || targets[1] == common) &&
           f_.blocks[common].phis.size() <= kMaxSelects && !is_wide(targets[0]) &&
           !is_wide(targets[1]);
  }

  void join_tests(BlockId id, BlockId second, BlockId common) {
    take_values(id, second);
    // Index of the target that is the common block, for the first test and for the second.
    const std::size_t from_first = f_.blocks[id].targets[0] == common ? 0 : 1;
    const std::size_t from_second = f_.blocks[second].targets[0] == common ? 0 : 1;
    const BlockId other = f_.blocks[second].targets[1 - from_second];
    const ValueId terminator = f_.blocks[id].terminator;
    const ValueId first_test = f_.values[terminator].args[0];
    ValueId a = first_test;
    ValueId b = f_.values[f_.blocks[second].terminator].args[0];
    // not (not a or not b) is a and b, with the targets swapped.
    const bool inverted = from_first == 1 && from_second == 1;
    if (!inverted && from_first == 1) a = logic(id, Op::kLogicalNot, {a});
    if (!inverted && from_second == 1) b = logic(id, Op::kLogicalNot, {b});
    const ValueId both = logic(id, inverted ? Op::kLogicalAnd : Op::kLogicalOr, {a, b});
    Block& join = f_.blocks[common];
    const std::size_t kept = pred_index(join, id);
    const std::size_t gone = pred_index(join, second);
    for (const ValueId phi : join.phis) {
      std::array<ValueId, 2> values{f_.values[phi].args[kept], f_.values[phi].args[gone]};
      if (from_first == 1) std::swap(values[0], values[1]);
      f_.values[phi].args[kept] = select(id, phi, first_test, values[0], values[1]);
    }
    drop_predecessor(f_, common, second);
    std::replace(f_.blocks[other].preds.begin(), f_.blocks[other].preds.end(), second, id);
    f_.blocks[second].preds.clear();
    f_.blocks[second].targets.clear();
    f_.values[terminator].args[0] = both;
    f_.blocks[id].targets = inverted ? BlockList{other, common} : BlockList{common, other};
  }

  ValueId logic(BlockId block, Op op, ValueList args) {
    Value value;
    value.op = op;
    value.kind = value.from = Kind::kBool;
    value.source = f_.values[f_.blocks[block].terminator].source;
    value.args = std::move(args);
    value.block = block;
    const ValueId id = f_.add(std::move(value));
    f_.blocks[block].instructions.push_back(id);
    return id;
  }

  ValueId select(BlockId block, ValueId phi, ValueId condition, ValueId on_true, ValueId on_false) {
    if (on_true == on_false) return on_true;
    Value value;
    value.op = Op::kSelect;
    value.kind = value.from = f_.values[phi].kind;
    value.source = f_.values[phi].source;
    value.args = {condition, on_true, on_false};
    value.block = block;
    const ValueId id = f_.add(std::move(value));
    f_.blocks[block].instructions.push_back(id);
    return id;
  }

  void detach_arms(BlockId id, const Shape& shape) {
    for (const BlockId arm : shape.arms) {
      if (arm == kNoBlock) continue;
      f_.blocks[arm].preds.clear();
      f_.blocks[arm].targets.clear();
    }
    Block& block = f_.blocks[id];
    block.targets = {shape.join};
    Value& branch = f_.values[block.terminator];
    branch.op = Op::kBranch;
    branch.from = Kind::kVoid;
    branch.args.clear();
  }

  // Merges a join that only this block leads to, so that the if around it sees one block. Long
  // joins are no arms; simplify() merges them in linear time.
  void merge_join(BlockId id, BlockId join_id) {
    Block& join = f_.blocks[join_id];
    if (join.preds.size() != 1 || join.instructions.size() > kMaxArmValues) return;
    for (const BlockId target : join.targets)
      if (is_wide(target)) return;
    Block& block = f_.blocks[id];
    for (const ValueId phi : std::exchange(join.phis, {})) {
      replaced_.add(phi, f_.values[phi].args[0]);
      f_.values[phi].args.clear();
      f_.values[phi].block = kNoBlock;
    }
    f_.work(join.instructions.size());
    for (const ValueId value : std::exchange(join.instructions, {})) {
      f_.values[value].block = id;
      for (ValueId& arg : f_.values[value].args) arg = replaced_.resolve(arg);
      block.instructions.push_back(value);
    }
    f_.values[block.terminator].block = kNoBlock;
    block.terminator = std::exchange(join.terminator, kNoValue);
    f_.values[block.terminator].block = id;
    for (ValueId& arg : f_.values[block.terminator].args) arg = replaced_.resolve(arg);
    block.targets = std::exchange(join.targets, {});
    block.cases = std::exchange(join.cases, {});
    join.preds.clear();
    for (const BlockId target : block.targets) {
      std::replace(f_.blocks[target].preds.begin(), f_.blocks[target].preds.end(), join_id, id);
    }
  }

  Function& f_;
  Replacements replaced_;
  bool changed_ = false;
};

}  // namespace

void convert_branches(Function& function) { BranchConversion(function).run(); }

}  // namespace transpire::vm::lir
