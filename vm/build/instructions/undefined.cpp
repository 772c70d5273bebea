#include "vm/build/instructions/undefined.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/narrow.h"
#include "extinst/reference/format.h"
#include "extinst/table.h"
#include "vm/build/builder.h"
#include "vm/build/instructions/opencl_std.h"

namespace transpire::vm::builder {
namespace {

/// True where x <op> y is false for any component.
ValueId unless(Builder& b, Op op, Values x, Values y) {
  ValueList wrong;
  for (const ValueId good : b.ops.each(op, x, y)) wrong.push_back(b.ops.not_of(good));
  return b.checks.any_of(wrong);
}

/// The operands side by side, as a finding reports them.
ValueList side_by_side(std::initializer_list<Values> operands) {
  ValueList all;
  for (const Values operand : operands) all.insert(all.end(), operand.begin(), operand.end());
  return all;
}

bool is_float_type(const Type* type) {
  if (type != nullptr && type->kind == Type::Kind::kVector) type = type->element;
  return type != nullptr && type->kind == Type::Kind::kFloat;
}

/// Signed: -2^23 to 2^23 - 1; unsigned: 0 to 2^24 - 1.
void check_24_bits(Builder& b, const Instruction& i, bool is_signed) {
  ValueList wrong, factors;
  for (std::size_t n = 0; n < 2; ++n) {
    for (ValueId factor : function_operand(b, i, n)) {
      if (b.ops.kind_of(factor) != Kind::kI32) return;
      factors.push_back(factor);
      if (is_signed) factor = b.ops.emit(Op::kIAdd, {factor, b.ops.constant(Kind::kI32, 1u << 23)});
      wrong.push_back(
          b.ops.emit(Op::kULessThanEqual, {b.ops.constant(Kind::kI32, 1u << 24), factor}));
    }
  }
  b.checks.never_any(Rule::kR0066, wrong, std::string(decoder::ext_inst_name(i)),
                     {factors, factors.size() / 2, is_signed ? kAllSigned : std::uint8_t{0}});
}

void check_clamp(Builder& b, const Instruction& i, Op less) {
  const ValueList low = function_operand(b, i, 1), high = function_operand(b, i, 2);
  b.checks.never_any(Rule::kR0067, b.ops.each(less, high, low),
                     "clamp's lower limit is above the upper one",
                     {side_by_side({low, high}), low.size(),
                      less == Op::kSLessThan ? kAllSigned : std::uint8_t{0}});
}

void check_smoothstep(Builder& b, const Instruction& i) {
  const ValueList low = function_operand(b, i, 0), high = function_operand(b, i, 1),
                  x = function_operand(b, i, 2);
  ValueList wrong = b.ops.each(Op::kIsNan, x);
  wrong.push_back(unless(b, Op::kFOrdLessThan, low, high));
  b.checks.never_any(Rule::kR0067, wrong,
                     "the edges of smoothstep do not ascend, or an operand is a NaN",
                     {side_by_side({low, high, x}), x.size()});
}

void check_mix(Builder& b, const Instruction& i) {
  ValueList zeros, ones;
  const ValueList weights = function_operand(b, i, 2);
  for (const ValueId weight : weights) {
    zeros.push_back(b.ops.float_constant(b.ops.kind_of(weight), kZero));
    ones.push_back(b.ops.float_constant(b.ops.kind_of(weight), kOne));
  }
  b.checks.never_any(Rule::kR0067,
                     ValueList{unless(b, Op::kFOrdLessThanEqual, zeros, weights),
                               unless(b, Op::kFOrdLessThanEqual, weights, ones)},
                     "the weight of mix is not within 0 and 1", {weights, weights.size()});
}

void check_common(Builder& b, const Instruction& i) {
  ValueList wrong, operands;
  for (std::size_t n = 0; n < 2; ++n)
    for (const ValueId x : function_operand(b, i, n)) {
      operands.push_back(x);
      wrong.push_back(b.ops.not_of(b.ops.emit(Op::kIsFinite, {x})));
    }
  b.checks.never_any(Rule::kR0067, wrong,
                     fmt::format("{} of an infinity or a NaN", decoder::ext_inst_name(i)),
                     {operands, operands.size() / 2});
}

void check_fast_normalize(Builder& b, const Instruction& i) {
  const Values vector = b.ids.operand(i, kFirstOperand);
  const ValueId sum = b.ops.sum_of_products(vector, vector);
  b.checks.never(Rule::kR0067, b.ops.emit(Op::kIsInf, {sum}),
                 "the sum of squares in fast_normalize overflows",
                 {ValueList(vector.begin(), vector.end()), vector.size()});
}

/// The number of the first operand with which an instruction that may be decorated FPFastMathMode computes; nothing for
/// other instructions.
std::optional<std::size_t> first_float_operand(const Instruction& i) {
  if (i.op == spv::Op::OpExtInst) {
    const extinst::Function* function = find_accuracy(i);
    if (function == nullptr || function->category > extinst::Category::kGeometric)
      return std::nullopt;
    return kFirstOperand;
  }
  const bool arithmetic = i.op == spv::Op::OpFNegate || i.op == spv::Op::OpFAdd ||
                          i.op == spv::Op::OpFSub || i.op == spv::Op::OpFMul ||
                          i.op == spv::Op::OpFDiv || i.op == spv::Op::OpFRem ||
                          i.op == spv::Op::OpFMod;
  const bool compares = i.op >= spv::Op::OpFOrdEqual && i.op <= spv::Op::OpFUnordGreaterThanEqual;
  if (!arithmetic && !compares) return std::nullopt;
  return 0;
}

/// Facts about the operands of a function that raises to a power, or takes a root, by component.
struct Power {
  ValueList base, exponent;
  ValueList zero_base, negative_base, zero_exponent, negative_exponent, odd_exponent;
  ValueList beyond;  ///< floats that are no integers from -2^24 to 2^24
};

Power power_of(Builder& b, const Instruction& i) {
  Power p{function_operand(b, i, 0), function_operand(b, i, 1), {}, {}, {}, {}, {}, {}};
  for (std::size_t c = 0; c < p.base.size(); ++c) {
    const ValueId x = p.base[c], y = p.exponent[c];
    const ValueId zero = b.ops.float_constant(b.ops.kind_of(x), kZero);
    p.zero_base.push_back(b.ops.emit(Op::kFOrdEqual, {x, zero}));
    p.negative_base.push_back(b.ops.emit(Op::kFOrdLessThan, {x, zero}));
    const Kind kind = b.ops.kind_of(y);
    if (is_float(kind)) {
      p.zero_exponent.push_back(b.ops.emit(Op::kFOrdEqual, {y, zero}));
      const auto limit = [&](double number) {
        return b.ops.constant(kind, extinst::reference::round_to(kind, Rounding::kRte, number));
      };
      p.beyond.push_back(b.checks.any_of(
          ValueList{b.ops.emit(Op::kFUnordNotEqual, {b.ops.emit(Op::kTrunc, {y}), y}),
                    b.ops.emit(Op::kFOrdLessThan, {y, limit(-0x1p24)}),
                    b.ops.emit(Op::kFOrdLessThan, {limit(0x1p24), y})}));
      continue;
    }
    const ValueId none = b.ops.constant(kind, 0);
    p.zero_exponent.push_back(b.ops.emit(Op::kIEqual, {y, none}));
    p.negative_exponent.push_back(b.ops.emit(Op::kSLessThan, {y, none}));
    p.odd_exponent.push_back(b.ops.emit(
        Op::kINotEqual, {b.ops.emit(Op::kBitwiseAnd, {y, b.ops.constant(kind, 1)}), none}));
  }
  return p;
}

/// "ULP Values for Single Precision Math Instructions with -cl-unsafe-math-optimizations": where pow, pown, powr and
/// rootn are not defined.
void check_unsafe_power(Builder& b, const Instruction& i, const std::string& name) {
  const std::uint32_t number = find_accuracy(i)->number;
  const bool is_root = number == OpenCLLIB::Rootn;
  if (!is_root && number != OpenCLLIB::Pow && number != OpenCLLIB::Pown &&
      number != OpenCLLIB::Powr)
    return;
  if (function_operand(b, i, 0).size() != function_operand(b, i, 1).size()) return;
  const Power p = power_of(b, i);
  ValueList wrong;
  for (std::size_t c = 0; c < p.base.size(); ++c) {
    const auto both = [&](ValueId x, ValueId y) { return b.ops.emit(Op::kLogicalAnd, {x, y}); };
    if (is_root) {
      wrong.push_back(p.zero_exponent[c]);
      wrong.push_back(both(p.negative_base[c], b.ops.not_of(p.odd_exponent[c])));
      wrong.push_back(both(p.zero_base[c], p.negative_exponent[c]));
      continue;
    }
    wrong.push_back(both(p.zero_base[c], p.zero_exponent[c]));
    if (number == OpenCLLIB::Powr) wrong.push_back(p.negative_base[c]);
    if (number == OpenCLLIB::Pow) wrong.push_back(both(p.negative_base[c], p.beyond[c]));
  }
  b.checks.never_any(Rule::kR0065, wrong,
                     fmt::format("{} is decorated Fast, and not defined for its operands", name),
                     {side_by_side({p.base, p.exponent}), p.base.size(),
                      is_root || number == OpenCLLIB::Pown ? std::uint8_t{0b10} : std::uint8_t{0}});
}

/// True for instructions that may give an infinity of either sign for zeros of either sign.
bool has_pole_at_zero(const Instruction& i) {
  if (i.op != spv::Op::OpExtInst) return i.op == spv::Op::OpFDiv;
  constexpr std::uint32_t kFunctions[] = {
      OpenCLLIB::Rsqrt,         OpenCLLIB::Half_rsqrt,   OpenCLLIB::Native_rsqrt,
      OpenCLLIB::Half_recip,    OpenCLLIB::Native_recip, OpenCLLIB::Half_divide,
      OpenCLLIB::Native_divide, OpenCLLIB::Tgamma,       OpenCLLIB::Pow,
      OpenCLLIB::Pown,          OpenCLLIB::Rootn,        OpenCLLIB::Copysign};
  return std::ranges::find(kFunctions, find_accuracy(i)->number) != std::end(kFunctions);
}

/// A component with a zero operand and an infinite result.
ValueId depends_on_zero(Builder& b, const ValueList& operands, const ValueList& results) {
  const ValueList infinite = b.ops.each(Op::kIsInf, results);
  ValueList wrong;
  for (std::size_t n = 0; n < operands.size(); ++n) {
    const ValueId x = operands[n], zero = b.ops.float_constant(b.ops.kind_of(x), kZero);
    wrong.push_back(b.ops.emit(
        Op::kLogicalAnd, {b.ops.emit(Op::kFOrdEqual, {x, zero}), infinite[n % infinite.size()]}));
  }
  return b.checks.any_of(wrong);
}

}  // namespace

void check_float_promises(Builder& b, const Instruction& i) {
  const decoder::Decoration* d =
      b.request.module.decoration(i.result_id, spv::Decoration::FPFastMathMode);
  if (b.failed() || d == nullptr || d->operands.empty()) return;
  const std::optional<std::size_t> first = first_float_operand(i);
  if (!first) return;
  const auto promises = [&](spv::FPFastMathModeMask bit) {
    return (d->operands[0] & narrow<std::uint32_t>(bit)) != 0;
  };
  ValueList operands, results;
  std::size_t components = 1;
  for (std::size_t n = *first; n < i.operands.size() && !b.failed(); ++n) {
    if (!is_float_type(b.ids.operand_type(i, n))) continue;
    const Values values = b.ids.operand(i, n);
    operands.insert(operands.end(), values.begin(), values.end());
    components = values.size();
  }
  if (!b.failed() && is_float_type(&b.types.result_type(i))) {
    const Values values = b.ids.value(i.result_id);
    results.assign(values.begin(), values.end());
  }
  if (b.failed()) return;
  const std::string name = i.op == spv::Op::OpExtInst ? std::string(decoder::ext_inst_name(i))
                                                      : std::string(decoder::opcode_name(i.op));
  const auto promise = [&](Op test, const char* flag, const char* what) {
    b.checks.never_any(Rule::kR0065, b.ops.each(test, operands),
                       fmt::format("{} is decorated {}, and an operand is {}", name, flag, what),
                       {operands, components});
    b.checks.never_any(Rule::kR0065, b.ops.each(test, results),
                       fmt::format("{} is decorated {}, and its result is {}", name, flag, what),
                       {operands, components});
  };
  if (promises(spv::FPFastMathModeMask::Fast) && i.op == spv::Op::OpExtInst)
    check_unsafe_power(b, i, name);
  if (promises(spv::FPFastMathModeMask::NotNaN)) promise(Op::kIsNan, "NotNaN", "a NaN");
  if (promises(spv::FPFastMathModeMask::NotInf)) promise(Op::kIsInf, "NotInf", "infinite");
  if (promises(spv::FPFastMathModeMask::NSZ) && has_pole_at_zero(i))
    b.checks.never(Rule::kR0065, depends_on_zero(b, operands, results),
                   fmt::format("{} is decorated NSZ, and a zero makes its result infinite", name),
                   {operands, components});
}

void check_component(Builder& b, std::size_t components, ValueId index) {
  const ValueId count = b.ops.constant(b.ops.kind_of(index), components);
  b.checks.never(Rule::kR0069, b.ops.emit(Op::kULessThanEqual, {count, index}),
                 fmt::format("the vector has {} components", components), {{index}, 1, kAllSigned});
}

void check_bit_field(Builder& b, std::uint32_t width, ValueId offset, ValueId count) {
  const ValueId bits = b.ops.constant(Kind::kI64, width);
  const ValueId first = b.ops.resize(offset, Kind::kI64, false),
                number = b.ops.resize(count, Kind::kI64, false);
  ValueList wrong;
  for (const ValueId end : {first, number, b.ops.emit(Op::kIAdd, {first, number})})
    wrong.push_back(b.ops.emit(Op::kULessThan, {bits, end}));
  b.checks.never_any(Rule::kR0069, wrong,
                     fmt::format("offset and count of a bit field in {} bits", width),
                     {{first, number}});
}

void check_opencl_std(Builder& b, const Instruction& i) {
  switch (i.operands[1]) {
    case OpenCLLIB::SMul24:
    case OpenCLLIB::SMad24:
      return check_24_bits(b, i, true);
    case OpenCLLIB::UMul24:
    case OpenCLLIB::UMad24:
      return check_24_bits(b, i, false);
    case OpenCLLIB::SClamp:
      return check_clamp(b, i, Op::kSLessThan);
    case OpenCLLIB::UClamp:
      return check_clamp(b, i, Op::kULessThan);
    case OpenCLLIB::FClamp:
      return check_clamp(b, i, Op::kFOrdLessThan);
    case OpenCLLIB::Smoothstep:
      return check_smoothstep(b, i);
    case OpenCLLIB::Mix:
      return check_mix(b, i);
    case OpenCLLIB::FMin_common:
    case OpenCLLIB::FMax_common:
      return check_common(b, i);
    case OpenCLLIB::Fast_normalize:
      return check_fast_normalize(b, i);
    default:
      return;
  }
}

}  // namespace transpire::vm::builder
