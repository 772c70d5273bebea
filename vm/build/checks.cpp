#include "vm/build/checks.h"

#include <fmt/format.h>

#include <cmath>

#include "base/narrow.h"
#include "extinst/reference/format.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder {
namespace {

int precision(Kind kind) { return kind == Kind::kF16 ? 11 : kind == Kind::kF32 ? 24 : 53; }

}  // namespace

void Checks::never(Rule rule, ValueId condition, std::string remark, CheckedOperands operands) {
  if (refusals_.failed() || writer_.constant_bits(condition) == 0) return;
  lir::Value check;
  check.op = Op::kCheckNot;
  check.from = Kind::kBool;
  RuleCheck reported{narrow<std::uint16_t>(rule)};
  reported.signed_reported = operands.signed_ones;
  reported.components = narrow<std::uint8_t>(operands.components);
  if (!remark.empty()) {
    writer_.function().remarks.push_back(std::move(remark));
    reported.remark = narrow<std::uint32_t>(writer_.function().remarks.size());
  }
  check.imm = reported.encode();
  check.args = {condition};
  check.args.insert(check.args.end(), operands.values.begin(), operands.values.end());
  writer_.place(std::move(check));
}

ValueId Checks::any_of(Values conditions) {
  ValueId any = ops_.constant(Kind::kBool, 0);
  for (const ValueId condition : conditions) any = ops_.emit(Op::kLogicalOr, {any, condition});
  return any;
}

void Checks::wraps(const Instruction& i, Op op, Values left, Values right, Values results) {
  if (!request_.options.check_ub || refusals_.failed()) return;
  const bool is_signed =
      request_.module.decoration(i.result_id, spv::Decoration::NoSignedWrap) != nullptr;
  const bool is_unsigned =
      request_.module.decoration(i.result_id, spv::Decoration::NoUnsignedWrap) != nullptr;
  for (std::size_t c = 0; c < results.size() && !refusals_.failed(); ++c) {
    // The amount of a shift is unsigned.
    const std::uint8_t signed_ones = op == Op::kShiftLeftLogical ? 1 : kAllSigned;
    const ValueId other = right.empty() ? left[c] : right[c];
    const ValueList operands = right.empty() ? ValueList{left[c]} : ValueList{left[c], right[c]};
    if (is_signed)
      never(Rule::kR0063, leaves_signed(op, left[c], other, results[c]), {},
            {operands, 1, signed_ones});
    if (is_unsigned)
      never(Rule::kR0063, leaves_unsigned(op, left[c], other, results[c]), {}, {operands});
  }
}

/// True if a op b, with the result `result`, left the range of the signed or unsigned type.
ValueId Checks::leaves_signed(Op op, ValueId left, ValueId right, ValueId result) {
  const Kind kind = ops_.kind_of(left);
  const ValueId zero = ops_.constant(kind, 0);
  const auto negative = [&](ValueId x, ValueId y) {
    return ops_.emit(Op::kSLessThan, {ops_.emit(Op::kBitwiseAnd, {x, y}), zero});
  };
  const auto differs = [&](ValueId x, ValueId y) { return ops_.emit(Op::kBitwiseXor, {x, y}); };
  switch (op) {
    case Op::kIAdd:
      return negative(differs(left, result), differs(right, result));
    case Op::kISub:
      return negative(differs(left, right), differs(left, result));
    case Op::kIMul: {
      const ValueId sign =
          ops_.emit(Op::kShiftRightArithmetic, {result, ops_.constant(kind, width_bits(kind) - 1)});
      return ops_.emit(Op::kINotEqual, {ops_.emit(Op::kSMulHigh, {left, right}), sign});
    }
    case Op::kSNegate:
      return ops_.emit(Op::kIEqual,
                       {left, ops_.constant(kind, std::uint64_t{1} << (width_bits(kind) - 1))});
    default:
      return ops_.emit(Op::kINotEqual,
                       {ops_.emit(Op::kShiftRightArithmetic, {result, right}), left});
  }
}

ValueId Checks::leaves_unsigned(Op op, ValueId left, ValueId right, ValueId result) {
  const ValueId zero = ops_.constant(ops_.kind_of(left), 0);
  switch (op) {
    case Op::kIAdd:
      return ops_.emit(Op::kULessThan, {result, left});
    case Op::kISub:
      return ops_.emit(Op::kULessThan, {left, right});
    case Op::kIMul:
      return ops_.emit(Op::kINotEqual, {ops_.emit(Op::kUMulHigh, {left, right}), zero});
    case Op::kSNegate:
      return ops_.emit(Op::kINotEqual, {left, zero});
    default:
      return ops_.emit(Op::kINotEqual, {ops_.emit(Op::kShiftRightLogical, {result, right}), left});
  }
}

void Checks::chain(ValueId base, ValueId address) {
  lir::Value check;
  check.op = Op::kCheckChain;
  check.from = Kind::kI64;
  check.args = {base, address};
  writer_.place(std::move(check));
}

void Checks::conversion(ValueId value, Kind to, bool to_signed) {
  const Kind from = ops_.kind_of(value);
  if (refusals_.failed() || !is_float(from) || !is_int(to)) return;
  const int bits = static_cast<int>(width_bits(to)) - (to_signed ? 1 : 0);
  // Values between `least - 1` and `least` truncate to `least`. If the float kind has no numbers there, `least` itself is the first valid one.
  const double least = to_signed ? -std::ldexp(1.0, bits) : 0.0;
  const bool strict =
      !to_signed || bits < precision(from) || (from == Kind::kF16 && least < -65504);
  // Powers of two and their neighbours; an infinity where the float has no such number.
  const auto number = [&](double value) {
    return extinst::reference::round_to(from, Rounding::kRte, value);
  };
  const ValueId low = ops_.constant(from, number(strict ? least - 1 : least));
  const ValueId high = ops_.constant(from, number(std::ldexp(1.0, bits)));
  const ValueId above =
      ops_.emit(strict ? Op::kFOrdLessThan : Op::kFOrdLessThanEqual, {low, value});
  const ValueId fits =
      ops_.emit(Op::kLogicalAnd, {above, ops_.emit(Op::kFOrdLessThan, {value, high})});
  never(Rule::kR0064, ops_.not_of(fits),
        fmt::format("{} to {}-bit {}", kind_name(from), width_bits(to),
                    to_signed ? "signed" : "unsigned"),
        {{value}});
}

}  // namespace transpire::vm::builder
