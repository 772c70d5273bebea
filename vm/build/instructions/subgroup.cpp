#include "vm/build/instructions/subgroup.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/narrow.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/ballot.h"
#include "vm/build/instructions/derivative.h"
#include "vm/build/instructions/group_scope.h"

namespace transpire::vm::builder::subgroup {
namespace {

constexpr spv::Scope kSubgroup = spv::Scope::Subgroup;

ValueId all_equal(Builder& b, Values values) {
  const GroupOperation operation = b.groups.operation(kSubgroup, false);
  ValueId equal = b.ops.constant(Kind::kBool, 1);
  for (const ValueId value : values) {
    const ValueId first = b.groups.place(Op::kGroupFirst, operation, value);
    const Kind kind = b.ops.kind_of(value);
    const Op compare = kind == Kind::kBool ? Op::kLogicalEqual
                       : is_float(kind)    ? Op::kFOrdEqual
                                           : Op::kIEqual;
    equal = b.ops.emit(Op::kLogicalAnd, {equal, b.ops.emit(compare, {value, first})});
  }
  return b.groups.vote_all(equal, false);
}

/// A number of a work-item, or a distance, as an i32. What does not fit is no work-item either.
ValueId lane_number(Builder& b, ValueId value) {
  if (!b.expect(is_int(b.ops.kind_of(value)), "the number of a work-item is an integer"))
    return i32(b, 0);
  if (b.ops.kind_of(value) != Kind::kI64) return b.ops.resize(value, Kind::kI32, false);
  const ValueId fits = b.ops.emit(Op::kULessThan, {value, i64(b, 0xffffffffu)});
  return b.ops.select(fits, b.ops.convert(Op::kTruncate, Kind::kI32, value), i32(b, 0xffffffffu));
}

/// The operand `index`, if there is one, which must be a constant power of two; else the sub-group's
/// size. More than that is undefined where it is executed, and taken for the whole sub-group.
std::uint32_t cluster_size(Builder& b, const Instruction& i, std::size_t index) {
  if (index >= i.operands.size()) return b.groups.subgroup_size();
  const std::optional<std::uint64_t> size = b.ids.constant_of(i.operands[index]);
  if (!size || !std::has_single_bit(*size)) {
    b.refuse(Rule::kU0001, "the cluster size must be a constant power of two");
    return 1;
  }
  return narrow<std::uint32_t>(std::min<std::uint64_t>(*size, b.groups.subgroup_size()));
}

/// The ballot of a partitioned operation, its last operand; no value for other group operations.
ValueId ballot_of(Builder& b, const Instruction& i) {
  const auto operation = static_cast<spv::GroupOperation>(i.operands[1]);
  if (operation < spv::GroupOperation::PartitionedReduceNV) return kNoValue;
  const Values words = b.ids.operand(i, 3);
  return b.failed() ? kNoValue : ballot::bits_of(b, words);
}

/// From the quad's first work-item to number `index`: bit 0 goes to the right, bit 1 down.
ValueId place_in_quad(Builder& b, ValueId index, std::uint32_t row) {
  const ValueId right = b.ops.emit(Op::kBitwiseAnd, {index, i32(b, 1)});
  const ValueId down = b.ops.emit(Op::kBitwiseAnd, {index, i32(b, 2)});
  return b.ops.emit(Op::kBitwiseOr, {right, b.ops.emit(Op::kIMul, {down, i32(b, row / 2)})});
}

/// Two values side by side, twice a sub-group long: "down" counts on from the first one, "up" back
/// from the second one.
void shuffle_pair(Builder& b, const Instruction& i, bool down) {
  const Values first = b.ids.operand(i, 0);
  const Values second = b.ids.operand(i, 1);
  const ValueId delta = lane_number(b, b.ids.scalar_operand(i, 2));
  if (b.failed() || !b.expect(first.size() == second.size(), "the two values differ in type"))
    return;
  const ValueId lane = b.groups.lane();
  const ValueId size = i32(b, b.groups.subgroup_size());
  ValueId at = down ? b.ops.emit(Op::kIAdd, {lane, delta})
                    : b.ops.emit(Op::kIAdd, {b.ops.emit(Op::kISub, {lane, delta}), size});
  const ValueId in_first = b.ops.emit(Op::kULessThan, {at, size});
  const ValueList left = b.groups.shuffle(first, b.ops.select(in_first, at, lane));
  const ValueList right =
      b.groups.shuffle(second, b.ops.select(in_first, lane, b.ops.emit(Op::kISub, {at, size})));
  ValueList result;
  for (std::size_t c = 0; c < left.size(); ++c)
    result.push_back(b.ops.select(in_first, left[c], right[c]));
  b.ids.define(i, std::move(result));
}

}  // namespace

void elect(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const ValueId lane = b.groups.lane();
  const ValueId first = b.groups.place(Op::kGroupFirst, b.groups.operation(kSubgroup, false), lane);
  b.ids.define(i, {b.ops.emit(Op::kIEqual, {first, lane})});
}

void vote(Builder& b, const Instruction& i, Vote how, std::size_t operand) {
  if (operand == 1 && !subgroup_scope(b, i)) return;
  const Values values = b.ids.operand(i, operand);
  if (b.failed()) return;
  if (how == Vote::kAllEqual) return b.ids.define(i, {all_equal(b, values)});
  if (!b.expect(values.size() == 1 && b.ops.kind_of(values[0]) == Kind::kBool,
                "a vote's operand is a boolean"))
    return;
  b.ids.define(i, {how == Vote::kAll ? b.groups.vote_all(values[0], false)
                                     : b.groups.vote_any(values[0], false)});
}

/// The bits of the ballot that the quad has: those of its first work-item, the one to the right, and both below.
void quad_vote(Builder& b, const Instruction& i, Vote how) {
  const ValueId predicate = b.ids.scalar_operand(i, 0);
  const std::optional<std::uint32_t> row = derivative::quad_row(b);
  if (b.failed() ||
      !b.expect(b.ops.kind_of(predicate) == Kind::kBool, "a vote's operand is a boolean"))
    return;
  const bool is_all = how == Vote::kAll;
  const ValueId votes = b.groups.ballot(is_all ? b.ops.not_of(predicate) : predicate, false);
  const ValueId first = b.ops.emit(Op::kBitwiseAnd, {b.groups.lane(), i32(b, ~(1 | *row))});
  const ValueId quad = b.ops.emit(Op::kShiftLeftLogical, {i64(b, 3 | std::uint64_t{3} << *row),
                                                          b.ops.resize(first, Kind::kI64, false)});
  b.ids.define(i, {b.ops.emit(is_all ? Op::kIEqual : Op::kINotEqual,
                              {b.ops.emit(Op::kBitwiseAnd, {votes, quad}), i64(b, 0)})});
}

void broadcast_first(Builder& b, const Instruction& i, std::size_t operand) {
  if (operand == 1 && !subgroup_scope(b, i)) return;
  const Values values = b.ids.operand(i, operand);
  ValueList result;
  for (const ValueId value : values)
    result.push_back(b.groups.place(Op::kGroupFirst, b.groups.operation(kSubgroup, false), value));
  b.ids.define(i, std::move(result));
}

ValueId lane_itself(Builder&, ValueId id) { return id; }
ValueId lane_xor(Builder& b, ValueId mask) {
  return b.ops.emit(Op::kBitwiseXor, {b.groups.lane(), mask});
}
ValueId lane_up(Builder& b, ValueId delta) {
  return b.ops.emit(Op::kISub, {b.groups.lane(), delta});
}
ValueId lane_down(Builder& b, ValueId delta) {
  return b.ops.emit(Op::kIAdd, {b.groups.lane(), delta});
}
ValueId lane_in_quad(Builder& b, ValueId index) {
  const std::uint32_t row = derivative::quad_row(b).value_or(2);
  const ValueId first = b.ops.emit(Op::kBitwiseAnd, {b.groups.lane(), i32(b, ~(1 | row))});
  return b.ops.emit(Op::kBitwiseOr, {first, place_in_quad(b, index, row)});
}
ValueId lane_swapped(Builder& b, ValueId direction) {
  const ValueId swapped = b.ops.emit(Op::kIAdd, {direction, i32(b, 1)});
  const std::uint32_t row = derivative::quad_row(b).value_or(2);
  return b.ops.emit(Op::kBitwiseXor, {b.groups.lane(), place_in_quad(b, swapped, row)});
}

void shuffle(Builder& b, const Instruction& i, Lane source, std::size_t first) {
  if (first == 1 && !subgroup_scope(b, i)) return;
  const Values values = b.ids.operand(i, first);
  const ValueId operand = lane_number(b, b.ids.scalar_operand(i, first + 1));
  if (!b.failed()) b.ids.define(i, b.groups.shuffle(values, source(b, operand)));
}

void rotate(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const Values values = b.ids.operand(i, 1);
  const ValueId delta = b.ids.scalar_operand(i, 2);
  const std::uint32_t cluster = cluster_size(b, i, 3);
  if (b.failed()) return;
  const ValueId lane = b.groups.lane();
  const ValueId moved = b.ops.emit(Op::kIAdd, {lane, b.ops.resize(delta, Kind::kI32, false)});
  const ValueId within = b.ops.emit(Op::kBitwiseAnd, {moved, i32(b, cluster - 1)});
  const ValueId first = b.ops.emit(Op::kBitwiseAnd, {lane, i32(b, ~(cluster - 1))});
  b.ids.define(i, b.groups.shuffle(values, b.ops.emit(Op::kBitwiseOr, {first, within})));
}

void shuffle_down(Builder& b, const Instruction& i, Op) { shuffle_pair(b, i, true); }
void shuffle_up(Builder& b, const Instruction& i, Op) { shuffle_pair(b, i, false); }

void reduce(Builder& b, const Instruction& i, Combine how) {
  if (!subgroup_scope(b, i)) return;
  const Values values = b.ids.operand(i, 2);
  if (b.failed()) return;
  GroupOperation operation = b.groups.operation(kSubgroup, false);
  operation.combine = how;
  switch (static_cast<spv::GroupOperation>(i.operands[1])) {
    case spv::GroupOperation::Reduce:
    case spv::GroupOperation::PartitionedReduceNV:
      break;
    case spv::GroupOperation::InclusiveScan:
    case spv::GroupOperation::PartitionedInclusiveScanNV:
      operation.scan = Scan::kInclusive;
      break;
    case spv::GroupOperation::ExclusiveScan:
    case spv::GroupOperation::PartitionedExclusiveScanNV:
      operation.scan = Scan::kExclusive;
      break;
    case spv::GroupOperation::ClusteredReduce:
      if (!b.expect(i.operands.size() > 3, "a clustered reduction has no cluster size")) return;
      operation.size = cluster_size(b, i, 3);
      break;
    default:
      return b.refuse(Rule::kU0001,
                      fmt::format("the group operation {} is not supported", i.operands[1]));
  }
  const ValueId ballot = ballot_of(b, i);
  const Op op = ballot == kNoValue ? Op::kGroupCombine : Op::kGroupCombineAmong;
  const bool of_floats = how == Combine::kFAdd || how == Combine::kFMul || how == Combine::kFMin ||
                         how == Combine::kFMax;
  ValueList result;
  for (const ValueId value : values) {
    if (!b.expect(is_float(b.ops.kind_of(value)) == of_floats,
                  "the operand's type does not fit the instruction"))
      return;
    result.push_back(b.groups.place(op, operation, value, ballot));
  }
  b.ids.define(i, std::move(result));
}

}  // namespace transpire::vm::builder::subgroup
