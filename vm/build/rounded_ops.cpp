#include "vm/build/rounded_ops.h"

#include "vm/ops/math_functions.h"
#include "vm/ops/rounded_forms.h"

namespace transpire::vm::builder {
namespace {

bool moves_bits_only(Op op) {
  switch (op) {
    case Op::kFNegate:
    case Op::kFAbs:
    case Op::kCopysign:
    case Op::kNan:
    case Op::kFlushDenorm:
    case Op::kIsNan:
    case Op::kIsInf:
    case Op::kIsFinite:
    case Op::kIsNormal:
    case Op::kSignBitSet:
    case Op::kOrdered:
    case Op::kUnordered:
      return true;
    default:
      return info(op).shape == Shape::kSelect || !is_lane_wise(info(op).shape);
  }
}

}  // namespace

ValueId RoundedOps::flush_denorm(ValueId value) {
  const Kind kind = kind_of(value);
  if (!is_float(kind) || !mode_.controls(kind).flushes_denorms) return value;
  return usual(Op::kFlushDenorm, {value});
}

ValueId RoundedOps::emit(Op op, std::initializer_list<ValueId> args) {
  if (moves_bits_only(op)) return usual(op, args);
  ValueId in[3] = {kNoValue, kNoValue, kNoValue};
  std::size_t count = 0;
  bool rounds = false;
  for (const ValueId arg : args) {
    in[count++] = flush_denorm(arg);
    rounds = rounds ||
             (is_float(kind_of(arg)) && mode_.controls(kind_of(arg)).rounding != Rounding::kRte);
  }
  const auto apply = [&](std::initializer_list<ValueId> flushed) {
    return flush_denorm(rounds ? rounded(op, flushed) : usual(op, flushed));
  };
  if (count == 1) return apply({in[0]});
  if (count == 2) return apply({in[0], in[1]});
  return apply({in[0], in[1], in[2]});
}

/// The operands' kind has another rounding mode.
ValueId RoundedOps::rounded(Op op, std::initializer_list<ValueId> args) {
  const ValueId* in = args.begin();
  const Kind kind = kind_of(in[0]);
  if (request_.options.reference_math() && op == Op::kMad) op = Op::kFma;
  if (request_.options.reference_math() && reference_function(op) != nullptr)
    return writer_.place_op(op, args, static_cast<std::uint64_t>(mode_.controls(kind).rounding));
  switch (op) {
    case Op::kMad:
      return rounded_multiply_add(args);
    case Op::kFMod:
      return rounded_remainder(in[0], in[1]);
    case Op::kFDim:
      return rounded_difference(in[0], in[1]);
    case Op::kLdexp:
      return rounded_scale(in[0], in[1]);
    case Op::kFract:
      return rounded_fraction(in[0]);
    default:
      break;
  }
  const Op form = rounded_form(op);
  if (form == Op::kConst) return usual(op, args);
  if (kind == Kind::kF16) return rounded_half(op, args);
  return writer_.place_op(form, args, static_cast<std::uint64_t>(mode_.controls(kind).rounding));
}

/// Rounding twice in one direction is rounding once. Products of halves are exact in double, and in float.
ValueId RoundedOps::rounded_half(Op op, std::initializer_list<ValueId> args) {
  const ValueId* in = args.begin();
  const Rounding rounding = mode_.controls(Kind::kF16).rounding;
  const Kind kind = op == Op::kFma ? Kind::kF64 : Kind::kF32;
  const auto wide = [&](ValueId value) { return converted(kind, value, rounding); };
  const auto apply = [&](std::initializer_list<ValueId> widened) {
    return writer_.place_op(rounded_form(op), widened, static_cast<std::uint64_t>(rounding));
  };
  ValueId result = kNoValue;
  if (args.size() == 1)
    result = apply({wide(in[0])});
  else if (args.size() == 2)
    result = apply({wide(in[0]), wide(in[1])});
  else
    result = apply({wide(in[0]), wide(in[1]), wide(in[2])});
  return converted(Kind::kF16, result, rounding);
}

/// Where the sum is no number, it is the NaN that mad gives in the usual mode.
ValueId RoundedOps::rounded_multiply_add(std::initializer_list<ValueId> args) {
  const ValueId* in = args.begin();
  const ValueId sum = rounded(Op::kFAdd, {rounded(Op::kFMul, {in[0], in[1]}), in[2]});
  return select(usual(Op::kIsNan, {sum}), usual(Op::kMad, args), sum);
}

/// OpFMod: FRem, which is exact, and one addition where the signs differ. In the usual mode it is the
/// same but for that addition.
ValueId RoundedOps::rounded_remainder(ValueId a, ValueId b) {
  const ValueId zero = writer_.constant(kind_of(a), 0);
  const ValueId remainder = usual(Op::kFRem, {a, b});
  const ValueId differs = usual(Op::kLogicalNotEqual, {usual(Op::kFOrdLessThan, {remainder, zero}),
                                                       usual(Op::kFOrdLessThan, {b, zero})});
  const ValueId adds =
      usual(Op::kLogicalAnd, {differs, usual(Op::kFOrdNotEqual, {remainder, zero})});
  return select(adds, rounded(Op::kFAdd, {remainder, b}), usual(Op::kFMod, {a, b}));
}

/// fdim: the difference where it is positive, else what the function gives.
ValueId RoundedOps::rounded_difference(ValueId a, ValueId b) {
  return select(usual(Op::kFOrdLessThan, {b, a}), rounded(Op::kFSub, {a, b}),
                usual(Op::kFDim, {a, b}));
}

/// ldexp: three products with powers of two that every format holds. Once one of them is inexact, the
/// others are inexact in the same direction, which is rounding once. Halves are scaled in float, which
/// holds all of it.
ValueId RoundedOps::rounded_scale(ValueId x, ValueId n) {
  const Kind kind = kind_of(x);
  const Rounding rounding = mode_.controls(kind).rounding;
  const auto limited = [&](std::uint32_t limit) {
    return usual(Op::kSClamp, {n, writer_.constant(Kind::kI32, 0u - limit),
                               writer_.constant(Kind::kI32, limit)});
  };
  if (kind == Kind::kF16) {
    const ValueId wide = converted(Kind::kF32, x, rounding);
    return converted(kind, usual(Op::kLdexp, {wide, limited(100)}), rounding);
  }
  // From the least number to beyond the largest, and the other way round.
  const ValueId all = limited(kind == Kind::kF32 ? 300 : 2200);
  const ValueId third = usual(Op::kSDiv, {all, writer_.constant(Kind::kI32, 3)});
  const ValueId rest = usual(Op::kISub, {all, usual(Op::kIAdd, {third, third})});
  const ValueId one = writer_.float_constant(kind, kOne);
  const ValueId power = usual(Op::kLdexp, {one, third});
  const ValueId last_power = usual(Op::kLdexp, {one, rest});
  const auto product = [&](ValueId a, ValueId b) { return rounded(Op::kFMul, {a, b}); };
  return product(product(product(x, power), power), last_power);
}

/// fract: x - floor(x), but below 1. Where that is not exact, x is negative and no integer.
ValueId RoundedOps::rounded_fraction(ValueId x) {
  constexpr FloatConstant kLargest{0x3bff, 0x3f7fffff, 0x3fefffffffffffff};
  const ValueId floor = usual(Op::kFloor, {x});
  const ValueId difference = rounded(Op::kFSub, {x, floor});
  const ValueId below_one =
      usual(Op::kFMin, {difference, writer_.float_constant(kind_of(x), kLargest)});
  return select(usual(Op::kFOrdNotEqual, {x, floor}), below_one, usual(Op::kFract, {x}));
}

ValueId RoundedOps::converted(Kind to, ValueId value, Rounding rounding) {
  lir::Value conversion;
  conversion.op = Op::kFConvert;
  conversion.kind = to;
  conversion.from = kind_of(value);
  conversion.imm = static_cast<std::uint64_t>(rounding);
  conversion.args = {value};
  return writer_.place(std::move(conversion));
}

}  // namespace transpire::vm::builder
