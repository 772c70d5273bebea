#include "vm/build/instructions/partition.h"

#include <limits>

#include "vm/build/builder.h"

namespace transpire::vm::builder::partition {
namespace {

ValueId i32(Builder& b, std::uint32_t bits) { return b.ops.constant(Kind::kI32, bits); }

/// Bit `lane` of a ballot's words.
ValueId bit_of(Builder& b, Values words, std::uint32_t lane) {
  const ValueId bit =
      b.ops.emit(Op::kBitwiseAnd, {words[lane / 32], i32(b, std::uint32_t{1} << (lane % 32))});
  return b.ops.emit(Op::kINotEqual, {bit, i32(b, 0)});
}

/// The value of a work-item that takes part; this one's own where `takes_part` does not hold.
ValueList values_of(Builder& b, Values values, std::uint32_t lane, ValueId takes_part) {
  return b.groups.shuffle(values, b.ops.select(takes_part, i32(b, lane), b.groups.lane()));
}

ValueId has_same_bits(Builder& b, ValueId left, ValueId right) {
  const Kind kind = b.ops.kind_of(left);
  if (kind == Kind::kBool) return b.ops.emit(Op::kLogicalEqual, {left, right});
  const Kind bits = int_of_width(width_bits(kind));
  return b.ops.emit(Op::kIEqual, {b.ops.bitcast(left, bits), b.ops.bitcast(right, bits)});
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
  const ValueId running = b.groups.ballot(b.ops.constant(Kind::kBool, 1), false);
  const Kind words[] = {Kind::kI32, Kind::kI32};
  const ValueId whole[] = {running};
  const ValueList takes_part = b.ops.reinterpret(whole, words);
  ValueList ballot(4, i32(b, 0));
  for (std::uint32_t lane = 0; lane < b.groups.subgroup_size(); ++lane) {
    ValueId is_same = bit_of(b, takes_part, lane);
    const ValueList others = values_of(b, values, lane, is_same);
    for (std::size_t c = 0; c < values.size(); ++c)
      is_same = b.ops.emit(Op::kLogicalAnd, {is_same, has_same_bits(b, values[c], others[c])});
    ValueId& word = ballot[lane / 32];
    const ValueId bit = b.ops.select(is_same, i32(b, std::uint32_t{1} << (lane % 32)), i32(b, 0));
    word = b.ops.emit(Op::kBitwiseOr, {word, bit});
  }
  b.ids.define(i, std::move(ballot));
}

ValueId combine(Builder& b, Combine how, Scan scan, ValueId value, Values ballot) {
  const Kind kind = b.ops.kind_of(value);
  ValueId sum = identity(b, how, kind);
  ValueId is_begun = b.ops.constant(Kind::kBool, 0);
  const ValueId own = b.groups.lane();
  for (std::uint32_t lane = 0; lane < b.groups.subgroup_size(); ++lane) {
    ValueId counts = bit_of(b, ballot, lane);
    const ValueId one[] = {value};
    const ValueId other = values_of(b, one, lane, counts)[0];
    if (scan != Scan::kReduce) {
      const Op before = scan == Scan::kInclusive ? Op::kULessThanEqual : Op::kULessThan;
      counts = b.ops.emit(Op::kLogicalAnd, {counts, b.ops.emit(before, {i32(b, lane), own})});
    }
    // The first one as it is: 0 + -0 would lose the sign.
    const ValueId next = b.ops.select(is_begun, b.ops.emit(op_of(how, kind), {sum, other}), other);
    sum = b.ops.select(counts, next, sum);
    is_begun = b.ops.emit(Op::kLogicalOr, {is_begun, counts});
  }
  return sum;
}

}  // namespace transpire::vm::builder::partition
