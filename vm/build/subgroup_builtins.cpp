// Built-in variables of sub-groups. A sub-group is so many work-items with consecutive local linear ids,
// a power of two; the last one of a work-group may be smaller. Masks have one bit a work-item, the first
// two of their four words being enough.
#include <bit>

#include "vm/build/group.h"

namespace transpire::vm::builder {
namespace {

ValueId i64(Builder& b, std::uint64_t bits) { return b.constant(Kind::kI64, bits); }

ValueId items(Builder& b, Op size) {
  const ValueId plane = b.emit(Op::kIMul, {b.launch_id(size, 0), b.launch_id(size, 1)});
  return b.emit(Op::kIMul, {plane, b.launch_id(size, 2)});
}

ValueId shift_of(Builder& b) {
  return i64(b, static_cast<std::uint64_t>(std::countr_zero(b.subgroup_size())));
}

ValueId subgroups_of(Builder& b, Op size) {
  const ValueId rounded = b.emit(Op::kIAdd, {items(b, size), i64(b, b.subgroup_size() - 1)});
  return b.emit(Op::kShiftRightLogical, {rounded, shift_of(b)});
}

/// The bit of this work-item.
ValueId own_bit(Builder& b) {
  return b.emit(Op::kShiftLeftLogical, {i64(b, 1), subgroup_local_id(b, 0)});
}

ValueId bits_below(Builder& b) { return b.emit(Op::kISub, {own_bit(b), i64(b, 1)}); }

/// One bit for each work-item that a full sub-group has.
ValueId full(Builder& b) { return i64(b, ~std::uint64_t{0} >> (64 - b.subgroup_size())); }

ValueId word(Builder& b, ValueId bits, std::uint64_t component) {
  if (component > 1) return i64(b, 0);
  return b.emit(Op::kBitwiseAnd, {b.emit(Op::kShiftRightLogical, {bits, i64(b, component * 32)}),
                                  i64(b, 0xffffffffu)});
}

}  // namespace

ValueId this_subgroup_size(Builder& b, std::uint64_t) {
  const ValueId linear = b.launch_id(Op::kLocalLinearId);
  const ValueId first =
      b.emit(Op::kBitwiseAnd, {linear, i64(b, ~std::uint64_t{b.subgroup_size() - 1})});
  const ValueId left = b.emit(Op::kISub, {items(b, Op::kLocalSize), first});
  const ValueId size = i64(b, b.subgroup_size());
  return b.select(b.emit(Op::kULessThan, {left, size}), left, size);
}

ValueId max_subgroup_size(Builder& b, std::uint64_t) { return i64(b, b.subgroup_size()); }
ValueId num_subgroups(Builder& b, std::uint64_t) { return subgroups_of(b, Op::kLocalSize); }
ValueId num_enqueued_subgroups(Builder& b, std::uint64_t) {
  return subgroups_of(b, Op::kEnqueuedLocalSize);
}
ValueId subgroup_id(Builder& b, std::uint64_t) {
  return b.emit(Op::kShiftRightLogical, {b.launch_id(Op::kLocalLinearId), shift_of(b)});
}
ValueId subgroup_local_id(Builder& b, std::uint64_t) {
  return b.emit(Op::kBitwiseAnd, {b.launch_id(Op::kLocalLinearId), i64(b, b.subgroup_size() - 1)});
}

ValueId subgroup_eq_mask(Builder& b, std::uint64_t component) {
  return word(b, own_bit(b), component);
}
ValueId subgroup_lt_mask(Builder& b, std::uint64_t component) {
  return word(b, bits_below(b), component);
}
ValueId subgroup_le_mask(Builder& b, std::uint64_t component) {
  return word(b, b.emit(Op::kBitwiseOr, {bits_below(b), own_bit(b)}), component);
}
ValueId subgroup_ge_mask(Builder& b, std::uint64_t component) {
  const ValueId above = b.emit(Op::kNot, {bits_below(b)});
  return word(b, b.emit(Op::kBitwiseAnd, {above, full(b)}), component);
}
ValueId subgroup_gt_mask(Builder& b, std::uint64_t component) {
  const ValueId up_to = b.emit(Op::kBitwiseOr, {bits_below(b), own_bit(b)});
  return word(b, b.emit(Op::kBitwiseAnd, {b.emit(Op::kNot, {up_to}), full(b)}), component);
}

}  // namespace transpire::vm::builder
