#include "vm/build/instructions/conversion.h"

#include <optional>

#include "vm/build/builder.h"

namespace transpire::vm::builder::conversion {
namespace {

/// The FPRoundingMode decoration: 0 RTE, 1 RTZ, 2 RTP, 3 RTN.
std::optional<std::uint32_t> rounding_mode(Builder& b, const Instruction& i) {
  const decoder::Decoration* d =
      b.request.module.decoration(i.result_id, spv::Decoration::FPRoundingMode);
  if (d == nullptr || d->operands.empty()) return std::nullopt;
  if (!b.expect(d->operands[0] <= 3, "the rounding mode is none of RTE, RTZ, RTP and RTN"))
    return std::nullopt;
  return d->operands[0];
}

bool is_saturated(Builder& b, const Instruction& i) {
  return b.request.module.decoration(i.result_id, spv::Decoration::SaturatedConversion) != nullptr;
}

/// The kind of each component of the result, of which there are as many as operands.
std::optional<Kind> result_kind(Builder& b, const Instruction& i, Values operand) {
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (b.failed() || !b.expect(!kinds.empty() && kinds.size() == operand.size(),
                              "the operand and the result differ in components"))
    return std::nullopt;
  return kinds[0];
}

/// OpUConvert and OpSConvert; `op` is the saturating form.
void int_to_int(Builder& b, const Instruction& i, Op op, bool is_signed) {
  const Values operand = b.ids.operand(i, 0);
  const std::optional<Kind> kind = result_kind(b, i, operand);
  if (!kind) return;
  const bool saturated = is_saturated(b, i);
  ValueList result;
  for (const ValueId value : operand) {
    const bool narrows = width_bits(b.ops.kind_of(value)) > width_bits(*kind);
    result.push_back(saturated && narrows ? b.ops.convert(op, *kind, value)
                                          : b.ops.resize(value, *kind, is_signed));
  }
  b.ids.define(i, std::move(result));
}

/// Pointers keep their address and remember what they were cast from.
void cast_pointer(Builder& b, const Instruction& i) {
  const Id from = i.operands[0];
  b.ids.define(i, {b.pointers.cast(i)});
  if (b.failed()) return;
  const Bound* known = b.ids.find_variable(from);
  const std::uint32_t align_limit = known == nullptr ? 0 : known->align_limit;
  Bound* bound = b.ids.find_bound(i.result_id);
  bound->align_limit = align_limit;
  bound->cast_from = from;
  b.pointers.keep_place(i);
}

/// Clang's optimiser makes one integer of a vector of comparisons to count them, and the translator an
/// OpBitcast, though SPIR-V has no such cast of booleans. Component 0 is the lowest bit.
ValueId bits_of_booleans(Builder& b, Values booleans, Kind to) {
  ValueId bits = b.ops.constant(to, 0);
  for (std::size_t n = 0; n < booleans.size(); ++n) {
    const ValueId bit =
        b.ops.select(booleans[n], b.ops.constant(to, std::uint64_t{1} << n), b.ops.constant(to, 0));
    bits = b.ops.emit(Op::kBitwiseOr, {bits, bit});
  }
  return bits;
}

}  // namespace

/// The conversions round towards zero; another mode rounds to an integral value first.
void float_to_int(Builder& b, const Instruction& i, Op op) {
  constexpr Op kRound[] = {Op::kRint, Op::kTrunc, Op::kCeil, Op::kFloor};
  const Values operand = b.ids.operand(i, 0);
  const std::optional<Kind> kind = result_kind(b, i, operand);
  if (!kind) return;
  const std::uint32_t mode = rounding_mode(b, i).value_or(1);
  ValueList result;
  for (ValueId value : operand) {
    if (mode != 1) value = b.ops.emit(kRound[mode], {value});
    if (b.request.options.check_ub && !is_saturated(b, i))
      b.checks.conversion(value, *kind, op == Op::kConvertFToS);
    result.push_back(b.ops.convert(op, *kind, value));
  }
  b.ids.define(i, std::move(result));
}

void int_to_float(Builder& b, const Instruction& i, Op op) {
  const Values operand = b.ids.operand(i, 0);
  const std::optional<Kind> kind = result_kind(b, i, operand);
  if (!kind) return;
  const std::optional<std::uint32_t> mode = rounding_mode(b, i);
  ValueList result;
  for (const ValueId value : operand) result.push_back(b.ops.convert(op, *kind, value, mode));
  b.ids.define(i, std::move(result));
}

void float_to_float(Builder& b, const Instruction& i, Op op) {
  const Values operand = b.ids.operand(i, 0);
  const std::optional<Kind> kind = result_kind(b, i, operand);
  if (!kind) return;
  const std::optional<std::uint32_t> mode = rounding_mode(b, i);
  ValueList result;
  for (const ValueId value : operand)
    result.push_back(b.ops.kind_of(value) == *kind ? value : b.ops.convert(op, *kind, value, mode));
  b.ids.define(i, std::move(result));
}

void unsigned_to_int(Builder& b, const Instruction& i, Op op) { int_to_int(b, i, op, false); }
void signed_to_int(Builder& b, const Instruction& i, Op op) { int_to_int(b, i, op, true); }

void saturate(Builder& b, const Instruction& i, Op op) {
  const Values operand = b.ids.operand(i, 0);
  const std::optional<Kind> kind = result_kind(b, i, operand);
  if (!kind) return;
  ValueList result;
  for (const ValueId value : operand) result.push_back(b.ops.convert(op, *kind, value));
  b.ids.define(i, std::move(result));
}

void quantize_to_half(Builder& b, const Instruction& i, Op) {
  constexpr std::uint64_t kLeastNormal = 0x38800000;  // 2^-14
  const std::uint32_t nearest = 0;
  const Values operand = b.ids.operand(i, 0);
  const std::optional<Kind> kind = result_kind(b, i, operand);
  if (!kind || !b.expect(*kind == Kind::kF32 && b.ops.kind_of(operand[0]) == Kind::kF32,
                         "OpQuantizeToF16 takes and gives floats of 32 bits"))
    return;
  ValueList result;
  for (const ValueId value : operand) {
    const ValueId half = b.ops.convert(Op::kFConvert, Kind::kF16, value, nearest);
    const ValueId bits = b.ops.bitcast(value, Kind::kI32);
    const ValueId sign =
        b.ops.emit(Op::kBitwiseAnd, {bits, b.ops.constant(Kind::kI32, 0x80000000)});
    const ValueId is_small = b.ops.emit(Op::kULessThan, {b.ops.emit(Op::kBitwiseXor, {bits, sign}),
                                                         b.ops.constant(Kind::kI32, kLeastNormal)});
    result.push_back(b.ops.select(is_small, b.ops.bitcast(sign, Kind::kF32),
                                  b.ops.convert(Op::kFConvert, Kind::kF32, half, nearest)));
  }
  b.ids.define(i, std::move(result));
}

void bitcast(Builder& b, const Instruction& i, Op) {
  const Type& to = b.types.result_type(i);
  const Type* from = b.ids.operand_type(i, 0);
  if (b.failed()) return;
  const bool from_pointer = from->kind == Type::Kind::kPointer,
             to_pointer = to.kind == Type::Kind::kPointer;
  if (const InputPointer* builtin = b.ids.input(i.operands[0])) return b.builtins.cast(i, *builtin);
  if (from_pointer && to_pointer) return cast_pointer(b, i);
  const Values operand = b.ids.operand(i, 0);
  ValueList values(operand.begin(), operand.end());
  if (from_pointer) values = {b.pointers.tagged_operand(i, 0)};
  if (!values.empty() && b.ops.kind_of(values[0]) == Kind::kBool && to.kind == Type::Kind::kInt &&
      to.width_bits == values.size())
    return b.ids.define(i, {bits_of_booleans(b, values, b.types.scalar_kind(to))});
  if (from_pointer && b.request.physical32())
    for (ValueId& value : values) value = b.ops.resize(value, Kind::kI32, false);
  if (!to_pointer) return b.ids.define(i, b.ops.reinterpret(values, b.types.layout(to).kinds));
  const Kind pointer[] = {b.request.physical32() ? Kind::kI32 : Kind::kI64};
  values = b.ops.reinterpret(values, pointer);
  for (ValueId& value : values) value = b.ops.resize(value, Kind::kI64, false);
  b.ids.define(i, std::move(values));
}

}  // namespace transpire::vm::builder::conversion
