#include "vm/build/instructions/partition.h"

#include <limits>

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

Op op_of(Combine how, Kind kind) {
  switch (how) {
    case Combine::kIAdd:
      return Op::kIAdd;
    case Combine::kFAdd:
      return Op::kFAdd;
    case Combine::kIMul:
      return Op::kIMul;
    case Combine::kFMul:
      return Op::kFMul;
    case Combine::kSMin:
      return Op::kSMin;
    case Combine::kUMin:
      return Op::kUMin;
    case Combine::kFMin:
      return Op::kFMin;
    case Combine::kSMax:
      return Op::kSMax;
    case Combine::kUMax:
      return Op::kUMax;
    case Combine::kFMax:
      return Op::kFMax;
    case Combine::kAnd:
      return kind == Kind::kBool ? Op::kLogicalAnd : Op::kBitwiseAnd;
    case Combine::kOr:
      return kind == Kind::kBool ? Op::kLogicalOr : Op::kBitwiseOr;
    case Combine::kXor:
      return kind == Kind::kBool ? Op::kLogicalNotEqual : Op::kBitwiseXor;
  }
  return Op::kIAdd;
}

/// The value that combined with any other gives the other: the first result of an exclusive scan.
ValueId identity(Builder& b, Combine how, Kind kind) {
  constexpr FloatConstant kInfinity{0x7c00, 0x7f800000, 0x7ff0000000000000};
  constexpr FloatConstant kMinusInfinity{0xfc00, 0xff800000, 0xfff0000000000000};
  if (kind == Kind::kBool) return b.ops.constant(kind, how == Combine::kAnd ? 1 : 0);
  const std::uint64_t highest =
      std::numeric_limits<std::uint64_t>::max() >> (64 - width_bits(kind));
  switch (how) {
    case Combine::kIMul:
      return b.ops.constant(kind, 1);
    case Combine::kUMin:
    case Combine::kAnd:
      return b.ops.constant(kind, highest);
    case Combine::kSMin:
      return b.ops.constant(kind, highest >> 1);
    case Combine::kSMax:
      return b.ops.constant(kind, (highest >> 1) + 1);
    case Combine::kFMul:
      return b.ops.float_constant(kind, kOne);
    case Combine::kFMin:
      return b.ops.float_constant(kind, kInfinity);
    case Combine::kFMax:
      return b.ops.float_constant(kind, kMinusInfinity);
    default:
      return b.ops.constant(kind, 0);
  }
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

ValueId members(Builder& b, Values words) {
  return b.ops.emit(Op::kBitwiseAnd, {ballot::bits_of(b, words), running(b)});
}

ValueId combine(Builder& b, Combine how, Scan scan, ValueId value, ValueId members) {
  const Kind kind = b.ops.kind_of(value);
  ValueId sum = identity(b, how, kind);
  ValueId is_begun = b.ops.constant(Kind::kBool, 0);
  const ValueId own = b.groups.lane();
  for (std::uint32_t lane = 0; lane < b.groups.subgroup_size(); ++lane) {
    ValueId counts = bit_of(b, members, lane);
    const ValueId one[] = {value};
    const ValueId other = values_of(b, one, lane, counts)[0];
    if (scan != Scan::kReduce) {
      const Op before = scan == Scan::kInclusive ? Op::kULessThanEqual : Op::kULessThan;
      counts = b.ops.emit(Op::kLogicalAnd,
                          {counts, b.ops.emit(before, {b.ops.constant(Kind::kI32, lane), own})});
    }
    // The first one as it is: 0 + -0 would lose the sign.
    const ValueId next = b.ops.select(is_begun, b.ops.emit(op_of(how, kind), {sum, other}), other);
    sum = b.ops.select(counts, next, sum);
    is_begun = b.ops.emit(Op::kLogicalOr, {is_begun, counts});
  }
  return sum;
}

}  // namespace transpire::vm::builder::partition
