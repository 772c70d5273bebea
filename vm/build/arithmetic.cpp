// SPIR-V "Arithmetic Instructions", component by component. Sums of products are added from the
// first component to the last, every product and sum rounded.
#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

void unary(Builder& b, const Instruction& i, Op op) { b.define(i, b.each(op, b.operand(i, 0))); }

void binary(Builder& b, const Instruction& i, Op op) {
  const Values left = b.operand(i, 0);
  b.define(i, b.each(op, left, b.operand(i, 1)));
}

/// Operations that may be decorated not to wrap.
void wrapping(Builder& b, const Instruction& i, Op op) {
  const Values left = b.operand(i, 0);
  const Values right = op == Op::kSNegate ? Values{} : b.operand(i, 1);
  const ValueList results = op == Op::kSNegate ? b.each(op, left) : b.each(op, left, right);
  b.check_wraps(i, op, left, right, results);
  b.define(i, results);
}

bool is_signed_division(Op op) { return op == Op::kSDiv || op == Op::kSRem || op == Op::kSMod; }

void divide(Builder& b, const Instruction& i, Op op) {
  const Values left = b.operand(i, 0);
  const Values right = b.operand(i, 1);
  if (b.failed() || !b.expect(left.size() == right.size(), "the operands differ in components"))
    return;
  for (std::size_t c = 0; b.options().check_ub && c < left.size(); ++c) {
    lir::Value check;
    check.op = Op::kCheckDivide;
    check.from = b.kind_of(left[c]);
    check.imm = is_signed_division(op) ? 1 : 0;
    check.args = {left[c], right[c]};
    b.place(std::move(check));
  }
  b.define(i, b.each(op, left, right));
}

void times_scalar(Builder& b, const Instruction& i, Op op) {
  const Values vector = b.operand(i, 0);
  const ValueList scalar(vector.size(), b.scalar_operand(i, 1));
  b.define(i, b.each(op, vector, scalar));
}

void dot(Builder& b, const Instruction& i, Op) {
  const Values left = b.operand(i, 0);
  const Values right = b.operand(i, 1);
  if (b.failed() ||
      !b.expect(!left.empty() && left.size() == right.size(), "the operands differ in components"))
    return;
  b.define(i, {b.dot(left, right)});
  if (b.options().record_results) b.mark_results(i, ResultOrigin::kDot);
}

/// The components of an integer vector, or the four 8-bit ones that an i32 packs.
ValueList dot_components(Builder& b, Values operand, std::size_t format) {
  if (operand.size() != 1) return {operand.begin(), operand.end()};
  ValueList bytes;
  if (!b.expect(format == 0 && b.kind_of(operand[0]) == Kind::kI32,
                "a packed vector is four 8-bit components in a 32-bit integer"))
    return bytes;
  for (std::uint64_t at = 0; at < 32; at += 8) {
    const ValueId moved = b.emit(Op::kShiftRightLogical, {operand[0], b.constant(Kind::kI32, at)});
    bytes.push_back(b.convert(Op::kTruncate, Kind::kI8, moved));
  }
  return bytes;
}

/// Products and sums wrap in the result's width, where SPIR-V leaves them undefined; only the addition
/// of the accumulator saturates.
template <bool kLeftSigned, bool kRightSigned, bool kAccumulates>
void integer_dot(Builder& b, const Instruction& i, Op op) {
  const std::size_t format_at = kAccumulates ? 3 : 2;
  const std::size_t format = format_at < i.operands.size() ? i.operands[format_at] : 0;
  const ValueList left = dot_components(b, b.operand(i, 0), format);
  const ValueList right = dot_components(b, b.operand(i, 1), format);
  if (b.failed() ||
      !b.expect(!left.empty() && left.size() == right.size(), "the operands differ in components"))
    return;
  const Kind kind = b.scalar_kind(b.result_type(i));
  ValueId sum = kNoValue;
  for (std::size_t c = 0; c < left.size() && !b.failed(); ++c) {
    const ValueId product = b.emit(
        Op::kIMul, {b.resize(left[c], kind, kLeftSigned), b.resize(right[c], kind, kRightSigned)});
    sum = sum == kNoValue ? product : b.emit(Op::kIAdd, {sum, product});
  }
  if (kAccumulates) sum = b.emit(op, {sum, b.scalar_operand(i, 2)});
  b.define(i, {sum});
}

/// A struct of two results: those of `low` for every component, then those of `high`.
template <Op low, Op high>
void pair(Builder& b, const Instruction& i, Op) {
  const Values left = b.operand(i, 0);
  const Values right = b.operand(i, 1);
  ValueList result = b.each(low, left, right);
  const ValueList second = b.each(high, left, right);
  result.insert(result.end(), second.begin(), second.end());
  b.define(i, std::move(result));
}

constexpr Row kRows[] = {
    {spv::Op::OpSNegate, wrapping, Op::kSNegate},
    {spv::Op::OpFNegate, unary, Op::kFNegate},
    {spv::Op::OpIAdd, wrapping, Op::kIAdd},
    {spv::Op::OpFAdd, binary, Op::kFAdd},
    {spv::Op::OpISub, wrapping, Op::kISub},
    {spv::Op::OpFSub, binary, Op::kFSub},
    {spv::Op::OpIMul, wrapping, Op::kIMul},
    {spv::Op::OpFMul, binary, Op::kFMul},
    {spv::Op::OpUDiv, divide, Op::kUDiv},
    {spv::Op::OpSDiv, divide, Op::kSDiv},
    {spv::Op::OpFDiv, binary, Op::kFDiv},
    {spv::Op::OpUMod, divide, Op::kUMod},
    {spv::Op::OpSRem, divide, Op::kSRem},
    {spv::Op::OpSMod, divide, Op::kSMod},
    {spv::Op::OpFRem, binary, Op::kFRem},
    {spv::Op::OpFMod, binary, Op::kFMod},
    {spv::Op::OpVectorTimesScalar, times_scalar, Op::kFMul},
    {spv::Op::OpDot, dot},
    {spv::Op::OpSDot, integer_dot<true, true, false>},
    {spv::Op::OpUDot, integer_dot<false, false, false>},
    {spv::Op::OpSUDot, integer_dot<true, false, false>},
    {spv::Op::OpSDotAccSat, integer_dot<true, true, true>, Op::kSAddSat},
    {spv::Op::OpUDotAccSat, integer_dot<false, false, true>, Op::kUAddSat},
    {spv::Op::OpSUDotAccSat, integer_dot<true, false, true>, Op::kSAddSat},
    {spv::Op::OpIAddCarry, pair<Op::kIAdd, Op::kUAddCarry>},
    {spv::Op::OpISubBorrow, pair<Op::kISub, Op::kUSubBorrow>},
    {spv::Op::OpUMulExtended, pair<Op::kIMul, Op::kUMulHigh>},
    {spv::Op::OpSMulExtended, pair<Op::kIMul, Op::kSMulHigh>},
};

}  // namespace

std::span<const Row> arithmetic_rows() { return kRows; }

ValueList Builder::each(Op op, Values a) {
  ValueList result;
  for (const ValueId value : a) result.push_back(emit(op, {value}));
  return result;
}

ValueList Builder::each(Op op, Values a, Values b) {
  ValueList result;
  if (!expect(a.size() == b.size(), "the operands differ in components")) return result;
  for (std::size_t c = 0; c < a.size(); ++c) result.push_back(emit(op, {a[c], b[c]}));
  return result;
}

ValueList Builder::each(Op op, Values a, Values b, Values c) {
  ValueList result;
  if (!expect(a.size() == b.size() && a.size() == c.size(), "the operands differ in components"))
    return result;
  for (std::size_t n = 0; n < a.size(); ++n) result.push_back(emit(op, {a[n], b[n], c[n]}));
  return result;
}

ValueId Builder::sum_of_products(Values left, Values right) {
  ValueId sum = emit(Op::kFMul, {left[0], right[0]});
  for (std::size_t c = 1; c < left.size(); ++c)
    sum = emit(Op::kFAdd, {sum, emit(Op::kFMul, {left[c], right[c]})});
  return sum;
}

ValueId Builder::emit_list(Op op, ValueList args) {
  lir::Value value;
  value.op = op;
  value.kind = value.from = kind_of(args[0]);
  value.imm = static_cast<std::uint64_t>(float_controls(value.kind).rounding);
  for (ValueId& arg : args) arg = flush_denorm(arg);
  value.args = std::move(args);
  return flush_denorm(place(std::move(value)));
}

ValueList Builder::in_pairs(Values left, Values right) {
  ValueList pairs;
  for (std::size_t c = 0; c < left.size(); ++c) pairs.insert(pairs.end(), {left[c], right[c]});
  return pairs;
}

ValueId Builder::dot(Values left, Values right) {
  if (!options_.reference_math()) return sum_of_products(left, right);
  return emit_list(Op::kExactDot, in_pairs(left, right));
}

}  // namespace transpire::vm::builder
