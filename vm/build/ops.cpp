#include "vm/build/ops.h"

namespace transpire::vm::builder {

Kind int_of_width(std::uint32_t bits) {
  switch (bits) {
    case 8:
      return Kind::kI8;
    case 16:
      return Kind::kI16;
    case 32:
      return Kind::kI32;
    default:
      return Kind::kI64;
  }
}

ValueId Ops::emit(Op op, std::initializer_list<ValueId> args) {
  return mode_.is_usual() ? writer_.place_op(op, args) : rounded_.emit(op, args);
}

ValueId Ops::emit_list(Op op, ValueList args, std::optional<Rounding> rounding) {
  lir::Value value;
  value.op = op;
  value.kind = value.from = kind_of(args[0]);
  value.imm =
      static_cast<std::uint64_t>(rounding ? *rounding : mode_.controls(value.kind).rounding);
  for (ValueId& arg : args) arg = rounded_.flush_denorm(arg);
  value.args = std::move(args);
  return rounded_.flush_denorm(writer_.place(std::move(value)));
}

ValueId Ops::convert(Op op, Kind to, ValueId operand, std::optional<std::uint64_t> imm) {
  lir::Value value;
  value.op = op;
  value.kind = to;
  value.from = kind_of(operand);
  value.imm = imm ? *imm
              : is_float(to) && op != Op::kBitcast
                  ? static_cast<std::uint64_t>(mode_.controls(to).rounding)
                  : 0;
  value.args = {op == Op::kBitcast ? operand : rounded_.flush_denorm(operand)};
  const ValueId result = writer_.place(std::move(value));
  return op == Op::kBitcast ? result : rounded_.flush_denorm(result);
}

ValueId Ops::launch_id(Op op, std::uint64_t dimension) {
  lir::Value value;
  value.op = op;
  value.kind = value.from = Kind::kI64;
  value.imm = dimension;
  return writer_.place(std::move(value));
}

ValueList Ops::each(Op op, Values a) {
  ValueList result;
  for (const ValueId value : a) result.push_back(emit(op, {value}));
  return result;
}

ValueList Ops::each(Op op, Values a, Values b) {
  ValueList result;
  if (!refusals_.expect(a.size() == b.size(), "the operands differ in components")) return result;
  for (std::size_t c = 0; c < a.size(); ++c) result.push_back(emit(op, {a[c], b[c]}));
  return result;
}

ValueList Ops::each(Op op, Values a, Values b, Values c) {
  ValueList result;
  if (!refusals_.expect(a.size() == b.size() && a.size() == c.size(),
                        "the operands differ in components"))
    return result;
  for (std::size_t n = 0; n < a.size(); ++n) result.push_back(emit(op, {a[n], b[n], c[n]}));
  return result;
}

ValueId Ops::sum_of_products(Values left, Values right) {
  ValueId sum = emit(Op::kFMul, {left[0], right[0]});
  for (std::size_t c = 1; c < left.size(); ++c)
    sum = emit(Op::kFAdd, {sum, emit(Op::kFMul, {left[c], right[c]})});
  return sum;
}

ValueList Ops::in_pairs(Values left, Values right) {
  ValueList pairs;
  for (std::size_t c = 0; c < left.size(); ++c) pairs.insert(pairs.end(), {left[c], right[c]});
  return pairs;
}

ValueId Ops::dot(Values left, Values right) {
  if (!request_.options.reference_math()) return sum_of_products(left, right);
  return emit_list(Op::kExactDot, in_pairs(left, right));
}

ValueId Ops::bitcast(ValueId value, Kind to) {
  return kind_of(value) == to ? value : convert(Op::kBitcast, to, value);
}

bool Ops::can_reinterpret(Values values, std::span<const Kind> kinds) const {
  std::uint64_t from_bits = 0, to_bits = 0;
  for (const ValueId value : values) from_bits += width_bits(kind_of(value));
  for (const Kind kind : kinds) to_bits += width_bits(kind);
  bool fits = !values.empty() && !kinds.empty() && from_bits == to_bits;
  for (const ValueId value : values)
    fits = fits && kind_of(value) == kind_of(values[0]) && kind_of(value) != Kind::kBool;
  for (const Kind kind : kinds) fits = fits && kind == kinds[0] && kind != Kind::kBool;
  return fits;
}

ValueList Ops::reinterpret(Values values, std::span<const Kind> kinds) {
  ValueList result;
  if (!refusals_.expect(can_reinterpret(values, kinds),
                        "a bitcast is between values of different sizes"))
    return result;
  const std::uint32_t from = width_bits(kind_of(values[0])), to = width_bits(kinds[0]);
  std::uint64_t at_bit = 0;
  for (const Kind kind : kinds) {
    const ValueId first = values[at_bit / from];
    if (from == to) {
      result.push_back(bitcast(first, kind));
    } else if (from > to) {
      result.push_back(part_of(first, at_bit % from, kind));
    } else {
      result.push_back(joined(values.subspan(at_bit / from, to / from), kind));
    }
    at_bit += to;
  }
  return result;
}

/// A narrower number, from bit `at_bit` on.
ValueId Ops::part_of(ValueId value, std::uint64_t at_bit, Kind kind) {
  const Kind wide = int_of_width(width_bits(kind_of(value)));
  const ValueId whole = bitcast(value, wide);
  const ValueId shift = constant(wide, at_bit);
  const ValueId moved = at_bit == 0 ? whole : emit(Op::kShiftRightLogical, {whole, shift});
  return bitcast(resize(moved, int_of_width(width_bits(kind)), false), kind);
}

/// The parts side by side as one number, the first one lowest.
ValueId Ops::joined(Values parts, Kind kind) {
  const std::uint32_t from = width_bits(kind_of(parts[0]));
  const Kind wide = int_of_width(width_bits(kind));
  ValueId whole = kNoValue;
  std::uint64_t at_bit = 0;
  for (const ValueId part : parts) {
    ValueId bits = resize(bitcast(part, int_of_width(from)), wide, false);
    if (at_bit != 0) bits = emit(Op::kShiftLeftLogical, {bits, constant(wide, at_bit)});
    whole = whole == kNoValue ? bits : emit(Op::kBitwiseOr, {whole, bits});
    at_bit += from;
  }
  return bitcast(whole, kind);
}

ValueId Ops::resize(ValueId value, Kind to, bool sign_extend) {
  const Kind from = kind_of(value);
  if (!refusals_.expect(is_int(from) && is_int(to), "an integer was expected"))
    return constant(to, 0);
  if (from == to) return value;
  if (const std::optional<std::uint64_t> bits = writer_.constant_bits(value)) {
    const unsigned unused = 64 - width_bits(from);
    const std::int64_t number = static_cast<std::int64_t>(*bits << unused) >> unused;
    return constant(to, sign_extend ? static_cast<std::uint64_t>(number) : *bits);
  }
  if (width_bits(from) > width_bits(to)) return convert(Op::kTruncate, to, value);
  return convert(sign_extend ? Op::kSignExtend : Op::kZeroExtend, to, value);
}

}  // namespace transpire::vm::builder
