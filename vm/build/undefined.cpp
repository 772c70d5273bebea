// --check=ub beyond integers: conversions of floats that do not fit, promises of FPFastMathMode,
// and operands for which functions of OpenCL.std are undefined. Nothing is placed without that
// check.
#include <fmt/format.h>

#include <cmath>

#include "extinst/reference/format.h"
#include "extinst/table.h"
#include "vm/build/extinst.h"

namespace transpire::vm::builder {
namespace {

int precision(Kind kind) { return kind == Kind::kF16 ? 11 : kind == Kind::kF32 ? 24 : 53; }

/// Whether any of the values is true.
ValueId any_of(Builder& b, const ValueList& values) {
  ValueId any = b.constant(Kind::kBool, 0);
  for (const ValueId value : values) any = b.emit(Op::kLogicalOr, {any, value});
  return any;
}

ValueId not_of(Builder& b, ValueId value) { return b.emit(Op::kLogicalNot, {value}); }

/// Whether any component of a is not a <op> b.
ValueId unless(Builder& b, Op op, Values x, Values y) {
  ValueList wrong;
  for (const ValueId good : b.each(op, x, y)) wrong.push_back(not_of(b, good));
  return any_of(b, wrong);
}

bool is_float_type(const Type* type) {
  if (type != nullptr && type->kind == Type::Kind::kVector) type = type->element;
  return type != nullptr && type->kind == Type::Kind::kFloat;
}

/// Signed: -2^23 to 2^23 - 1; unsigned: 0 to 2^24 - 1.
void check_24_bits(Builder& b, const Instruction& i, bool is_signed) {
  ValueList wrong;
  for (std::size_t n = 0; n < 2; ++n) {
    for (ValueId factor : function_operand(b, i, n)) {
      if (b.kind_of(factor) != Kind::kI32) return;
      if (is_signed) factor = b.emit(Op::kIAdd, {factor, b.constant(Kind::kI32, 1u << 23)});
      wrong.push_back(b.emit(Op::kULessThanEqual, {b.constant(Kind::kI32, 1u << 24), factor}));
    }
  }
  b.check_not(Rule::kR0066, any_of(b, wrong), std::string(decoder::opencl_std_name(i.operands[1])));
}

void check_clamp(Builder& b, const Instruction& i, Op less) {
  const ValueList low = function_operand(b, i, 1), high = function_operand(b, i, 2);
  b.check_not(Rule::kR0067, any_of(b, b.each(less, high, low)),
              "clamp's lower limit is above the upper one");
}

void check_smoothstep(Builder& b, const Instruction& i) {
  const ValueList low = function_operand(b, i, 0), high = function_operand(b, i, 1),
                  x = function_operand(b, i, 2);
  ValueList wrong = b.each(Op::kIsNan, x);
  wrong.push_back(unless(b, Op::kFOrdLessThan, low, high));
  b.check_not(Rule::kR0067, any_of(b, wrong),
              "the edges of smoothstep do not ascend, or an operand is a NaN");
}

void check_mix(Builder& b, const Instruction& i) {
  ValueList zeros, ones;
  const ValueList weights = function_operand(b, i, 2);
  for (const ValueId weight : weights) {
    zeros.push_back(float_constant(b, b.kind_of(weight), kZero));
    ones.push_back(float_constant(b, b.kind_of(weight), kOne));
  }
  b.check_not(Rule::kR0067,
              any_of(b, {unless(b, Op::kFOrdLessThanEqual, zeros, weights),
                         unless(b, Op::kFOrdLessThanEqual, weights, ones)}),
              "the weight of mix is not within 0 and 1");
}

void check_common(Builder& b, const Instruction& i) {
  ValueList wrong;
  for (std::size_t n = 0; n < 2; ++n)
    for (const ValueId x : function_operand(b, i, n))
      wrong.push_back(not_of(b, b.emit(Op::kIsFinite, {x})));
  b.check_not(Rule::kR0067, any_of(b, wrong),
              fmt::format("{} of an infinity or a NaN", decoder::opencl_std_name(i.operands[1])));
}

void check_fast_normalize(Builder& b, const Instruction& i) {
  const Values vector = b.operand(i, kFirstOperand);
  const ValueId sum = b.sum_of_products(vector, vector);
  b.check_not(Rule::kR0067, b.emit(Op::kIsInf, {sum}),
              "the sum of squares in fast_normalize overflows");
}

/// Where the operands of an instruction begin that may be decorated FPFastMathMode; nothing for
/// others.
std::optional<std::size_t> first_float_operand(const Instruction& i) {
  if (i.op == spv::Op::OpExtInst) {
    const extinst::Function* function = extinst::find_opencl_std(i.operands[1]);
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

/// A zero operand and an infinite result.
ValueId depends_on_zero(Builder& b, const ValueList& operands, const ValueList& results) {
  ValueList zeros;
  for (const ValueId x : operands)
    zeros.push_back(b.emit(Op::kFOrdEqual, {x, float_constant(b, b.kind_of(x), kZero)}));
  return b.emit(Op::kLogicalAnd, {any_of(b, zeros), any_of(b, b.each(Op::kIsInf, results))});
}

}  // namespace

void Builder::check_not(Rule rule, ValueId condition, std::string remark) {
  if (failed() || constant_bits(condition) == 0) return;
  lir::Value check;
  check.op = Op::kCheckNot;
  check.from = Kind::kBool;
  check.imm = static_cast<std::uint64_t>(rule);
  if (!remark.empty()) {
    function_.remarks.push_back(std::move(remark));
    check.imm |= std::uint64_t{function_.remarks.size()} << 32;
  }
  check.args = {condition};
  place(std::move(check));
}

void Builder::check_conversion(ValueId value, Kind to, bool to_signed) {
  const Kind from = kind_of(value);
  if (failed() || !is_float(from) || !is_int(to)) return;
  const int bits = static_cast<int>(width_bits(to)) - (to_signed ? 1 : 0);
  // Between them lies what truncates to the type's least value; where the float has no such
  // numbers, that value itself is the first one.
  const double least = to_signed ? -std::ldexp(1.0, bits) : 0.0;
  const bool strict =
      !to_signed || bits < precision(from) || (from == Kind::kF16 && least < -65504);
  // Powers of two and their neighbours; an infinity where the float has no such number.
  const auto number = [&](double value) {
    return extinst::reference::round_to(from, Rounding::kRte, value);
  };
  const ValueId low = constant(from, number(strict ? least - 1 : least));
  const ValueId high = constant(from, number(std::ldexp(1.0, bits)));
  const ValueId above = emit(strict ? Op::kFOrdLessThan : Op::kFOrdLessThanEqual, {low, value});
  const ValueId fits = emit(Op::kLogicalAnd, {above, emit(Op::kFOrdLessThan, {value, high})});
  check_not(Rule::kR0064, not_of(*this, fits),
            fmt::format("{} to {}-bit {}", kind_name(from), width_bits(to),
                        to_signed ? "signed" : "unsigned"));
}

void Builder::check_float_promises(const Instruction& i) {
  const decoder::Decoration* d = module_.decoration(i.result_id, spv::Decoration::FPFastMathMode);
  if (failed() || d == nullptr || d->operands.empty()) return;
  const std::optional<std::size_t> first = first_float_operand(i);
  if (!first) return;
  const auto promises = [&](spv::FPFastMathModeMask bit) {
    return (d->operands[0] & static_cast<std::uint32_t>(bit)) != 0;
  };
  ValueList operands, results;
  for (std::size_t n = *first; n < i.operands.size() && !failed(); ++n) {
    if (!is_float_type(operand_type(i, n))) continue;
    const Values values = operand(i, n);
    operands.insert(operands.end(), values.begin(), values.end());
  }
  if (!failed() && is_float_type(&result_type(i))) {
    const Values values = value(i.result_id);
    results.assign(values.begin(), values.end());
  }
  if (failed()) return;
  const std::string name = i.op == spv::Op::OpExtInst
                               ? std::string(decoder::opencl_std_name(i.operands[1]))
                               : std::string(decoder::opcode_name(i.op));
  const auto promise = [&](Op test, const char* flag, const char* what) {
    check_not(Rule::kR0065, any_of(*this, each(test, operands)),
              fmt::format("{} is decorated {}, and an operand is {}", name, flag, what));
    check_not(Rule::kR0065, any_of(*this, each(test, results)),
              fmt::format("{} is decorated {}, and its result is {}", name, flag, what));
  };
  if (promises(spv::FPFastMathModeMask::NotNaN)) promise(Op::kIsNan, "NotNaN", "a NaN");
  if (promises(spv::FPFastMathModeMask::NotInf)) promise(Op::kIsInf, "NotInf", "infinite");
  if (promises(spv::FPFastMathModeMask::NSZ))
    check_not(Rule::kR0065, depends_on_zero(*this, operands, results),
              fmt::format("{} is decorated NSZ, and a zero makes its result infinite", name));
}

void Builder::check_function(const Instruction& i, std::uint32_t number) {
  if (failed()) return;
  switch (number) {
    case OpenCLLIB::SMul24:
    case OpenCLLIB::SMad24:
      return check_24_bits(*this, i, true);
    case OpenCLLIB::UMul24:
    case OpenCLLIB::UMad24:
      return check_24_bits(*this, i, false);
    case OpenCLLIB::SClamp:
      return check_clamp(*this, i, Op::kSLessThan);
    case OpenCLLIB::UClamp:
      return check_clamp(*this, i, Op::kULessThan);
    case OpenCLLIB::FClamp:
      return check_clamp(*this, i, Op::kFOrdLessThan);
    case OpenCLLIB::Smoothstep:
      return check_smoothstep(*this, i);
    case OpenCLLIB::Mix:
      return check_mix(*this, i);
    case OpenCLLIB::FMin_common:
    case OpenCLLIB::FMax_common:
      return check_common(*this, i);
    case OpenCLLIB::Fast_normalize:
      return check_fast_normalize(*this, i);
    default:
      return;
  }
}

/// Only what the function computed: its result may be an operand, or be loaded.
void Builder::mark_results(const Instruction& i, std::uint16_t function) {
  if (failed() || find_bound(i.result_id) == nullptr) return;
  const extinst::Function* known = extinst::find_opencl_std(function - 1u);
  if (known != nullptr && known->category > extinst::Category::kGeometric) return;
  for (const ValueId id : value(i.result_id)) {
    lir::Value& result = function_.values[id];
    if (is_float(result.kind) && result.op != Op::kConst && result.op != Op::kLoad &&
        result.op != Op::kResult && result.op != Op::kArgument)
      result.function = function;
  }
}

}  // namespace transpire::vm::builder
