#include "vm/build/groups.h"

#include <utility>

namespace transpire::vm::builder {

GroupOperation Groups::operation(spv::Scope scope, bool uniform) const {
  GroupOperation result;
  result.uniform = uniform;
  result.checked = request_.options.check_sync;
  result.size = scope == spv::Scope::Subgroup ? subgroup_size() : 0;
  if (result.size != 0) writer_.function().uses_subgroups = true;
  return result;
}

ValueId Groups::place(Op op, GroupOperation operation, ValueId value, ValueId index) {
  const bool is_bool = ops_.kind_of(value) == Kind::kBool;
  if (is_bool) value = ops_.select(value, ops_.constant(Kind::kI8, 1), ops_.constant(Kind::kI8, 0));
  operation.kind = ops_.kind_of(value);
  lir::Value placed;
  placed.op = op;
  placed.kind = placed.from = operation.kind;
  placed.imm = operation.encode();
  placed.args = {value};
  if (index != kNoValue) placed.args.push_back(index);
  if (operation.size == 0) writer_.function().uses_barrier = true;
  const ValueId result = writer_.place(std::move(placed));
  return is_bool ? ops_.emit(Op::kINotEqual, {result, ops_.constant(Kind::kI8, 0)}) : result;
}

void Groups::sync() {
  lir::Value placed;
  placed.op = Op::kGroupSync;
  placed.imm = operation(spv::Scope::Subgroup, true).encode();
  writer_.place(std::move(placed));
}

ValueId Groups::lane() {
  const ValueId id = ops_.convert(Op::kTruncate, Kind::kI32, ops_.launch_id(Op::kLocalLinearId));
  return ops_.emit(Op::kBitwiseAnd, {id, ops_.constant(Kind::kI32, subgroup_size() - 1)});
}

ValueId Groups::ballot(ValueId predicate, bool uniform) {
  lir::Value placed;
  placed.op = Op::kGroupBallot;
  placed.kind = Kind::kI64;
  placed.from = Kind::kBool;
  placed.imm = operation(spv::Scope::Subgroup, uniform).encode();
  placed.args = {predicate};
  return writer_.place(std::move(placed));
}

ValueId Groups::vote_all(ValueId predicate, bool uniform) {
  return ops_.emit(Op::kIEqual,
                   {ballot(ops_.not_of(predicate), uniform), ops_.constant(Kind::kI64, 0)});
}

ValueId Groups::vote_any(ValueId predicate, bool uniform) {
  return ops_.emit(Op::kINotEqual, {ballot(predicate, uniform), ops_.constant(Kind::kI64, 0)});
}

ValueList Groups::shuffle(Values values, ValueId lane) {
  const GroupOperation group = operation(spv::Scope::Subgroup, false);
  ValueList result;
  for (const ValueId value : values) result.push_back(place(Op::kGroupShuffle, group, value, lane));
  return result;
}

ValueId Groups::combine(GroupOperation operation, Combine how, Scan scan, ValueId value) {
  operation.combine = how;
  operation.scan = scan;
  return place(Op::kGroupCombine, operation, value);
}

}  // namespace transpire::vm::builder
