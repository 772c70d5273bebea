#include "vm/build/instructions/ballot.h"

#include <fmt/format.h>

#include "vm/build/builder.h"
#include "vm/build/instructions/group_scope.h"

namespace transpire::vm::builder::ballot {
namespace {

/// The lowest `count` bits, count being an i32 from 0 to 64.
ValueId lowest_bits(Builder& b, ValueId count) {
  const ValueId wide = b.ops.resize(count, Kind::kI64, false);
  const ValueId shifted = b.ops.emit(Op::kShiftLeftLogical, {i64(b, 1), wide});
  const ValueId bits = b.ops.emit(Op::kISub, {shifted, i64(b, 1)});
  const ValueId all = b.ops.emit(Op::kIEqual, {wide, i64(b, 64)});  // shifts count modulo 64
  return b.ops.select(all, i64(b, ~std::uint64_t{0}), bits);
}

/// Bits of a full sub-group, also in one that has fewer work-items.
ValueId meaningful(Builder& b, Values words) {
  const std::uint64_t full = ~std::uint64_t{0} >> (64 - b.groups.subgroup_size());
  return b.ops.emit(Op::kBitwiseAnd, {bits_of(b, words), i64(b, full)});
}

/// The place of the lowest or highest bit; undefined when there is none, all ones here.
void find_bit(Builder& b, const Instruction& i, bool lowest) {
  if (!subgroup_scope(b, i)) return;
  const Values words = b.ids.operand(i, 1);
  if (b.failed()) return;
  const ValueId bits = meaningful(b, words);
  ValueId place;
  if (lowest) {
    // Below the lowest bit there are as many zeros.
    const ValueId below = b.ops.emit(
        Op::kBitwiseAnd, {b.ops.emit(Op::kISub, {bits, i64(b, 1)}), b.ops.emit(Op::kNot, {bits})});
    place = b.ops.emit(Op::kBitCount, {below});
  } else {
    ValueId filled = bits;
    for (const std::uint64_t step : {1u, 2u, 4u, 8u, 16u, 32u})
      filled = b.ops.emit(Op::kBitwiseOr,
                          {filled, b.ops.emit(Op::kShiftRightLogical, {filled, i64(b, step)})});
    place = b.ops.emit(Op::kISub, {b.ops.emit(Op::kBitCount, {filled}), i64(b, 1)});
  }
  const ValueId none = b.ops.emit(Op::kIEqual, {bits, i64(b, 0)});
  place = b.ops.select(none, i64(b, ~std::uint64_t{0}), place);
  b.ids.define(i, {b.ops.resize(place, b.types.scalar_kind(b.types.result_type(i)), false)});
}

}  // namespace

ValueId bits_of(Builder& b, Values words) {
  if (!b.expect(words.size() == 4 && b.ops.kind_of(words[0]) == Kind::kI32,
                "a ballot is a vector of four 32-bit integers"))
    return i64(b, 0);
  const ValueId low = b.ops.resize(words[0], Kind::kI64, false);
  const ValueId high = b.ops.resize(words[1], Kind::kI64, false);
  return b.ops.emit(Op::kBitwiseOr, {low, b.ops.emit(Op::kShiftLeftLogical, {high, i64(b, 32)})});
}

ValueList words_of(Builder& b, ValueId bits) {
  const ValueId high = b.ops.emit(Op::kShiftRightLogical, {bits, i64(b, 32)});
  return {b.ops.convert(Op::kTruncate, Kind::kI32, bits),
          b.ops.convert(Op::kTruncate, Kind::kI32, high), i32(b, 0), i32(b, 0)};
}

ValueId bit_at(Builder& b, ValueId bits, ValueId index) {
  const ValueId wide = b.ops.resize(index, Kind::kI64, false);
  const ValueId moved = b.ops.emit(Op::kShiftRightLogical, {bits, wide});
  return b.ops.emit(Op::kINotEqual, {b.ops.emit(Op::kBitwiseAnd, {moved, i64(b, 1)}), i64(b, 0)});
}

void ballot(Builder& b, const Instruction& i, std::size_t operand) {
  if (operand == 1 && !subgroup_scope(b, i)) return;
  const ValueId predicate = b.ids.scalar_operand(i, operand);
  if (!b.failed()) b.ids.define(i, words_of(b, b.groups.ballot(predicate, false)));
}

void inverse(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const Values words = b.ids.operand(i, 1);
  if (!b.failed()) b.ids.define(i, {bit_at(b, bits_of(b, words), b.groups.lane())});
}

void bit_extract(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const Values words = b.ids.operand(i, 1);
  const ValueId index = b.ids.scalar_operand(i, 2);
  if (!b.failed()) b.ids.define(i, {bit_at(b, bits_of(b, words), index)});
}

void bit_count(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const Values words = b.ids.operand(i, 2);
  if (b.failed()) return;
  ValueId bits = meaningful(b, words);
  const ValueId lane = b.groups.lane();
  switch (static_cast<spv::GroupOperation>(i.operands[1])) {
    case spv::GroupOperation::Reduce:
      break;
    case spv::GroupOperation::InclusiveScan:
      bits = b.ops.emit(Op::kBitwiseAnd,
                        {bits, lowest_bits(b, b.ops.emit(Op::kIAdd, {lane, i32(b, 1)}))});
      break;
    case spv::GroupOperation::ExclusiveScan:
      bits = b.ops.emit(Op::kBitwiseAnd, {bits, lowest_bits(b, lane)});
      break;
    default:
      return b.refuse(Rule::kU0001,
                      fmt::format("a ballot is not counted by group operation {}", i.operands[1]));
  }
  const ValueId count = b.ops.emit(Op::kBitCount, {bits});
  b.ids.define(i, {b.ops.resize(count, b.types.scalar_kind(b.types.result_type(i)), false)});
}

void find_lsb(Builder& b, const Instruction& i, Op) { find_bit(b, i, true); }
void find_msb(Builder& b, const Instruction& i, Op) { find_bit(b, i, false); }

}  // namespace transpire::vm::builder::ballot
