#include "vm/build/instructions/partition.h"

#include "vm/build/builder.h"
#include "vm/build/instructions/ballot.h"

namespace transpire::vm::builder::partition {
namespace {

/// The value of a work-item that takes part; this one's own where `takes_part` does not hold.
ValueList values_of(Builder& b, Values values, std::uint32_t lane, ValueId takes_part) {
  const ValueId there = b.ops.constant(Kind::kI32, lane);
  return b.groups.shuffle(values, b.ops.select(takes_part, there, b.groups.lane()));
}

/// True for equal values, and for a NaN and itself.
ValueId is_same(Builder& b, ValueId left, ValueId right) {
  const Kind kind = b.ops.kind_of(left);
  if (kind == Kind::kBool) return b.ops.emit(Op::kLogicalEqual, {left, right});
  const Kind bits = int_of_width(width_bits(kind));
  const ValueId same =
      b.ops.emit(Op::kIEqual, {b.ops.bitcast(left, bits), b.ops.bitcast(right, bits)});
  if (!is_float(kind)) return same;
  return b.ops.emit(Op::kLogicalOr, {same, b.ops.emit(Op::kFOrdEqual, {left, right})});
}

ValueId running(Builder& b) { return b.groups.ballot(b.ops.constant(Kind::kBool, 1), false); }

ValueId bit_of(Builder& b, ValueId bits, std::uint32_t lane) {
  return ballot::bit_at(b, bits, b.ops.constant(Kind::kI32, lane));
}

}  // namespace

void partition(Builder& b, const Instruction& i, Op) {
  const Values values = b.ids.operand(i, 0);
  if (b.failed()) return;
  const ValueId candidates = running(b);
  ValueId part = b.ops.constant(Kind::kI64, 0);
  for (std::uint32_t lane = 0; lane < b.groups.subgroup_size(); ++lane) {
    ValueId belongs = bit_of(b, candidates, lane);
    const ValueList others = values_of(b, values, lane, belongs);
    for (std::size_t c = 0; c < values.size(); ++c)
      belongs = b.ops.emit(Op::kLogicalAnd, {belongs, is_same(b, values[c], others[c])});
    const ValueId bit = b.ops.constant(Kind::kI64, std::uint64_t{1} << lane);
    const ValueId with = b.ops.emit(Op::kBitwiseOr, {part, bit});
    part = b.ops.select(belongs, with, part);
  }
  b.ids.define(i, ballot::words_of(b, part));
}

}  // namespace transpire::vm::builder::partition
