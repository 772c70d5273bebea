// SPIR-V "Arithmetic Instructions", component by component. Sums of products are added from the
// first component to the last, every product and sum rounded.
#include "vm/lower/builder.h"

namespace transpire::vm::builder {
namespace {

void unary(Builder& b, const Instruction& i, Op op) { b.define(i, b.each(op, b.operand(i, 0))); }

void binary(Builder& b, const Instruction& i, Op op) {
  const Values left = b.operand(i, 0);
  b.define(i, b.each(op, left, b.operand(i, 1)));
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
  b.define(i, {b.sum_of_products(left, right)});
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
    {spv::Op::OpSNegate, unary, Op::kSNegate},
    {spv::Op::OpFNegate, unary, Op::kFNegate},
    {spv::Op::OpIAdd, binary, Op::kIAdd},
    {spv::Op::OpFAdd, binary, Op::kFAdd},
    {spv::Op::OpISub, binary, Op::kISub},
    {spv::Op::OpFSub, binary, Op::kFSub},
    {spv::Op::OpIMul, binary, Op::kIMul},
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

}  // namespace transpire::vm::builder
