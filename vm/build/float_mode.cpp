// Float controls: rounding modes other than to nearest even, and denormals flushed to zero, for
// kernels with the execution modes of SPV_KHR_float_controls and launches that ask for it.
//
// What has to obey the rounding mode: the arithmetic instructions, conversions to floats, and of OpenCL.std
// fma, mad, sqrt, fdim, fract and ldexp, with all that is lowered to these. The other functions keep
// their bounds whatever the mode; reference math rounds them correctly in it. Flushing is done by
// instructions of its own, on operands and results of all that computes; what only moves or looks at bits
// (negation, fabs, copysign, isnormal, selections, loads, stores) leaves denormals alone.
#include <fmt/format.h>

#include "vm/build/builder.h"
#include "vm/build/extinst.h"
#include "vm/ops/math_functions.h"
#include "vm/ops/rounded_forms.h"

namespace transpire::vm::builder {
namespace {

std::size_t index_of(Kind kind) {
  return static_cast<std::size_t>(kind) - static_cast<std::size_t>(Kind::kF16);
}

std::optional<Kind> float_of_width(std::uint32_t bits) {
  if (bits == 16) return Kind::kF16;
  if (bits == 32) return Kind::kF32;
  if (bits == 64) return Kind::kF64;
  return std::nullopt;
}

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

void Builder::choose_float_controls() {
  using Of = FloatModeSource::Of;
  for (const Kind kind : {Kind::kF16, Kind::kF32}) {
    float_controls_[index_of(kind)] = options_.float_controls();
    FloatModeSource& source = function_.float_modes[index_of(kind)];
    if (options_.float_controls().rounding != Rounding::kRte) source.rounding = Of::kLaunch;
    if (options_.float_controls().flushes_denorms) source.denorms = Of::kLaunch;
  }
  for (const decoder::ExecutionMode& mode : entry_.modes) {
    if (mode.kind == spv::ExecutionMode::FloatingPointModeALTINTEL)
      return refuse(Rule::kU0003, fmt::format("the execution mode FloatingPointModeALTINTEL of "
                                              "kernel '{}' is not supported",
                                              entry_.name));
    const std::optional<Kind> kind = float_of_width(mode.operands.empty() ? 0 : mode.operands[0]);
    if (kind) obey_float_control(mode.kind, index_of(*kind));
  }
  for (const FloatControls& controls : float_controls_)
    has_float_controls_ = has_float_controls_ || controls != FloatControls{};
}

/// An execution mode of the kernel for one of the float kinds, if it is one.
void Builder::obey_float_control(spv::ExecutionMode mode, std::size_t kind) {
  FloatControls& controls = float_controls_[kind];
  FloatModeSource& source = function_.float_modes[kind];
  if (mode == spv::ExecutionMode::DenormFlushToZero || mode == spv::ExecutionMode::DenormPreserve) {
    controls.flushes_denorms = mode == spv::ExecutionMode::DenormFlushToZero;
    source.denorms = FloatModeSource::Of::kKernel;
    return;
  }
  switch (mode) {
    case spv::ExecutionMode::RoundingModeRTE:
      controls.rounding = Rounding::kRte;
      break;
    case spv::ExecutionMode::RoundingModeRTZ:
      controls.rounding = Rounding::kRtz;
      break;
    case spv::ExecutionMode::RoundingModeRTPINTEL:
      controls.rounding = Rounding::kRtp;
      break;
    case spv::ExecutionMode::RoundingModeRTNINTEL:
      controls.rounding = Rounding::kRtn;
      break;
    default:
      return;
  }
  source.rounding = FloatModeSource::Of::kKernel;
}

const FloatControls& Builder::float_controls(Kind kind) const {
  // Of a malformed module's operands only some may be floats; what is made of them is refused.
  static constexpr FloatControls kUsual;
  if (!is_float(kind)) return kUsual;
  return float_controls_[index_of(kind)];
}

bool Builder::expect_usual_mode(Kind kind) {
  if (!is_float(kind) || float_controls(kind) == FloatControls{}) return true;
  refuse(Rule::kU0003, fmt::format("{} of {}-bit floats is supported only with rounding to nearest "
                                   "even and denormals kept",
                                   decoder::opcode_name(instruction_->op), width_bits(kind)));
  return false;
}

ValueId Builder::flush_denorm(ValueId value) {
  const Kind kind = kind_of(value);
  if (!has_float_controls_ || !is_float(kind) || !float_controls(kind).flushes_denorms)
    return value;
  return emit_usual(Op::kFlushDenorm, {value});
}

ValueId Builder::emit_controlled(Op op, std::initializer_list<ValueId> args) {
  if (moves_bits_only(op)) return emit_usual(op, args);
  ValueId in[3] = {kNoValue, kNoValue, kNoValue};
  std::size_t count = 0;
  bool rounds = false;
  for (const ValueId arg : args) {
    in[count++] = flush_denorm(arg);
    rounds = rounds ||
             (is_float(kind_of(arg)) && float_controls(kind_of(arg)).rounding != Rounding::kRte);
  }
  const auto apply = [&](std::initializer_list<ValueId> flushed) {
    return flush_denorm(rounds ? emit_rounded(op, flushed) : emit_usual(op, flushed));
  };
  if (count == 1) return apply({in[0]});
  if (count == 2) return apply({in[0], in[1]});
  return apply({in[0], in[1], in[2]});
}

/// The operands' kind has another rounding mode.
ValueId Builder::emit_rounded(Op op, std::initializer_list<ValueId> args) {
  const ValueId* in = args.begin();
  const Kind kind = kind_of(in[0]);
  if (options_.reference_math() && op == Op::kMad) op = Op::kFma;
  if (options_.reference_math() && reference_function(op) != nullptr)
    return emit_usual(op, args, static_cast<std::uint64_t>(float_controls(kind).rounding));
  switch (op) {
    case Op::kMad: {
      const ValueId sum = emit_rounded(Op::kFAdd, {emit_rounded(Op::kFMul, {in[0], in[1]}), in[2]});
      return select(emit_usual(Op::kIsNan, {sum}), emit_usual(op, args), sum);
    }
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
  const Op rounded = rounded_form(op);
  if (rounded == Op::kConst) return emit_usual(op, args);
  const auto imm = static_cast<std::uint64_t>(float_controls(kind).rounding);
  if (kind != Kind::kF16) return emit_usual(rounded, args, imm);
  // Rounding twice in one direction is rounding once. Products of halves are exact in double, and in float.
  const Kind wide = op == Op::kFma ? Kind::kF64 : Kind::kF32;
  const auto plain = [&](Kind to, ValueId value) {
    return convert_rounded(to, value, float_controls(kind).rounding);
  };
  ValueId result = kNoValue;
  if (args.size() == 1)
    result = emit_usual(rounded, {plain(wide, in[0])}, imm);
  else if (args.size() == 2)
    result = emit_usual(rounded, {plain(wide, in[0]), plain(wide, in[1])}, imm);
  else
    result = emit_usual(rounded, {plain(wide, in[0]), plain(wide, in[1]), plain(wide, in[2])}, imm);
  return plain(Kind::kF16, result);
}

ValueId Builder::convert_rounded(Kind to, ValueId value, Rounding rounding) {
  lir::Value conversion;
  conversion.op = Op::kFConvert;
  conversion.kind = to;
  conversion.from = kind_of(value);
  conversion.imm = static_cast<std::uint64_t>(rounding);
  conversion.args = {value};
  return place(std::move(conversion));
}

/// OpFMod: FRem, which is exact, and one addition where the signs differ. In the usual mode it is the
/// same but for that addition.
ValueId Builder::rounded_remainder(ValueId a, ValueId b) {
  const ValueId zero = constant(kind_of(a), 0);
  const ValueId remainder = emit_usual(Op::kFRem, {a, b});
  const ValueId differs = emit_usual(
      Op::kLogicalNotEqual,
      {emit_usual(Op::kFOrdLessThan, {remainder, zero}), emit_usual(Op::kFOrdLessThan, {b, zero})});
  const ValueId adds =
      emit_usual(Op::kLogicalAnd, {differs, emit_usual(Op::kFOrdNotEqual, {remainder, zero})});
  return select(adds, emit_rounded(Op::kFAdd, {remainder, b}), emit_usual(Op::kFMod, {a, b}));
}

/// fdim: the difference where it is positive, else what the function gives.
ValueId Builder::rounded_difference(ValueId a, ValueId b) {
  return select(emit_usual(Op::kFOrdLessThan, {b, a}), emit_rounded(Op::kFSub, {a, b}),
                emit_usual(Op::kFDim, {a, b}));
}

/// ldexp: three products with powers of two that every format holds. Once one of them is inexact, the
/// others are inexact in the same direction, which is rounding once. Halves are scaled in float, which
/// holds all of it.
ValueId Builder::rounded_scale(ValueId x, ValueId n) {
  const Kind kind = kind_of(x);
  const Rounding rounding = float_controls(kind).rounding;
  const auto limited = [&](std::uint32_t limit) {
    return emit_usual(Op::kSClamp,
                      {n, constant(Kind::kI32, 0u - limit), constant(Kind::kI32, limit)});
  };
  if (kind == Kind::kF16) {
    const ValueId wide = convert_rounded(Kind::kF32, x, rounding);
    return convert_rounded(kind, emit_usual(Op::kLdexp, {wide, limited(100)}), rounding);
  }
  // From the least number to beyond the largest, and the other way round.
  const ValueId all = limited(kind == Kind::kF32 ? 300 : 2200);
  const ValueId third = emit_usual(Op::kSDiv, {all, constant(Kind::kI32, 3)});
  const ValueId rest = emit_usual(Op::kISub, {all, emit_usual(Op::kIAdd, {third, third})});
  const ValueId one = float_constant(*this, kind, kOne);
  const ValueId power = emit_usual(Op::kLdexp, {one, third});
  const ValueId last_power = emit_usual(Op::kLdexp, {one, rest});
  const auto product = [&](ValueId a, ValueId b) { return emit_rounded(Op::kFMul, {a, b}); };
  return product(product(product(x, power), power), last_power);
}

/// fract: x - floor(x), but below 1. Where that is not exact, x is negative and no integer.
ValueId Builder::rounded_fraction(ValueId x) {
  constexpr FloatConstant kLargest{0x3bff, 0x3f7fffff, 0x3fefffffffffffff};
  const ValueId floor = emit_usual(Op::kFloor, {x});
  const ValueId difference = emit_rounded(Op::kFSub, {x, floor});
  const ValueId below_one =
      emit_usual(Op::kFMin, {difference, float_constant(*this, kind_of(x), kLargest)});
  return select(emit_usual(Op::kFOrdNotEqual, {x, floor}), below_one, emit_usual(Op::kFract, {x}));
}

}  // namespace transpire::vm::builder
