#include "vm/build/subgroup_builtins.h"

#include <bit>

namespace transpire::vm::builder {
namespace {

ValueId i64(Groups& g, std::uint64_t bits) { return g.ops().constant(Kind::kI64, bits); }

ValueId items(Groups& g, Op size) {
  const ValueId plane =
      g.ops().emit(Op::kIMul, {g.ops().launch_id(size, 0), g.ops().launch_id(size, 1)});
  return g.ops().emit(Op::kIMul, {plane, g.ops().launch_id(size, 2)});
}

ValueId shift_of(Groups& g) {
  return i64(g, static_cast<std::uint64_t>(std::countr_zero(g.subgroup_size())));
}

ValueId subgroups_of(Groups& g, Op size) {
  const ValueId rounded = g.ops().emit(Op::kIAdd, {items(g, size), i64(g, g.subgroup_size() - 1)});
  return g.ops().emit(Op::kShiftRightLogical, {rounded, shift_of(g)});
}

/// The bit of this work-item.
ValueId own_bit(Groups& g) {
  return g.ops().emit(Op::kShiftLeftLogical, {i64(g, 1), subgroup_local_id(g, 0)});
}

ValueId bits_below(Groups& g) { return g.ops().emit(Op::kISub, {own_bit(g), i64(g, 1)}); }

/// One bit for each work-item that a full sub-group has.
ValueId full(Groups& g) { return i64(g, ~std::uint64_t{0} >> (64 - g.subgroup_size())); }

ValueId word(Groups& g, ValueId bits, std::uint64_t component) {
  if (component > 1) return i64(g, 0);
  return g.ops().emit(
      Op::kBitwiseAnd,
      {g.ops().emit(Op::kShiftRightLogical, {bits, i64(g, component * 32)}), i64(g, 0xffffffffu)});
}

}  // namespace

ValueId this_subgroup_size(Groups& g, std::uint64_t) {
  const ValueId linear = g.ops().launch_id(Op::kLocalLinearId);
  const ValueId first =
      g.ops().emit(Op::kBitwiseAnd, {linear, i64(g, ~std::uint64_t{g.subgroup_size() - 1})});
  const ValueId left = g.ops().emit(Op::kISub, {items(g, Op::kLocalSize), first});
  const ValueId size = i64(g, g.subgroup_size());
  return g.ops().select(g.ops().emit(Op::kULessThan, {left, size}), left, size);
}

ValueId max_subgroup_size(Groups& g, std::uint64_t) { return i64(g, g.subgroup_size()); }
ValueId num_subgroups(Groups& g, std::uint64_t) { return subgroups_of(g, Op::kLocalSize); }
ValueId num_enqueued_subgroups(Groups& g, std::uint64_t) {
  return subgroups_of(g, Op::kEnqueuedLocalSize);
}
ValueId subgroup_id(Groups& g, std::uint64_t) {
  return g.ops().emit(Op::kShiftRightLogical, {g.ops().launch_id(Op::kLocalLinearId), shift_of(g)});
}
ValueId subgroup_local_id(Groups& g, std::uint64_t) {
  return g.ops().emit(Op::kBitwiseAnd,
                      {g.ops().launch_id(Op::kLocalLinearId), i64(g, g.subgroup_size() - 1)});
}

ValueId subgroup_eq_mask(Groups& g, std::uint64_t component) {
  return word(g, own_bit(g), component);
}
ValueId subgroup_lt_mask(Groups& g, std::uint64_t component) {
  return word(g, bits_below(g), component);
}
ValueId subgroup_le_mask(Groups& g, std::uint64_t component) {
  return word(g, g.ops().emit(Op::kBitwiseOr, {bits_below(g), own_bit(g)}), component);
}
ValueId subgroup_ge_mask(Groups& g, std::uint64_t component) {
  const ValueId above = g.ops().emit(Op::kNot, {bits_below(g)});
  return word(g, g.ops().emit(Op::kBitwiseAnd, {above, full(g)}), component);
}
ValueId subgroup_gt_mask(Groups& g, std::uint64_t component) {
  const ValueId up_to = g.ops().emit(Op::kBitwiseOr, {bits_below(g), own_bit(g)});
  return word(g, g.ops().emit(Op::kBitwiseAnd, {g.ops().emit(Op::kNot, {up_to}), full(g)}),
              component);
}

}  // namespace transpire::vm::builder
