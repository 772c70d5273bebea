// SPIR-V "Relational and Logical Instructions", component by component. Greater-than forms swap
// their operands.
#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

void unary(Builder& b, const Instruction& i, Op op) { b.define(i, b.each(op, b.operand(i, 0))); }

void binary(Builder& b, const Instruction& i, Op op) {
  const Values left = b.operand(i, 0);
  b.define(i, b.each(op, left, b.operand(i, 1)));
}

void swapped(Builder& b, const Instruction& i, Op op) {
  const Values left = b.operand(i, 0);
  b.define(i, b.each(op, b.operand(i, 1), left));
}

/// OpAny and OpAll: all components joined, first to last.
void reduce(Builder& b, const Instruction& i, Op op) {
  const Values vector = b.operand(i, 0);
  if (b.failed() || !b.expect(!vector.empty(), "the operand is no vector")) return;
  ValueId result = vector[0];
  for (const ValueId value : vector.subspan(1)) result = b.emit(op, {result, value});
  b.define(i, {result});
}

/// One condition for the whole object, or one for each component of a vector.
void select(Builder& b, const Instruction& i, Op) {
  const Values condition = b.operand(i, 0);
  const Values first = b.operand(i, 1);
  const Values second = b.operand(i, 2);
  if (b.failed() || !b.expect(first.size() == second.size() &&
                                  (condition.size() == 1 || condition.size() == first.size()),
                              "the operands differ in components"))
    return;
  ValueList result;
  for (std::size_t c = 0; c < first.size(); ++c) {
    result.push_back(b.select(condition[condition.size() == 1 ? 0 : c], first[c], second[c]));
    if (b.no_write_parameter(first[c]) == b.no_write_parameter(second[c]))
      b.derive(first[c], result.back());
    if (b.is_temporary(first[c]) && b.is_temporary(second[c])) b.mark_held(result.back());
  }
  b.define(i, std::move(result));
}

constexpr Row kRows[] = {
    {spv::Op::OpAny, reduce, Op::kLogicalOr},
    {spv::Op::OpAll, reduce, Op::kLogicalAnd},
    {spv::Op::OpIsNan, unary, Op::kIsNan},
    {spv::Op::OpIsInf, unary, Op::kIsInf},
    {spv::Op::OpIsFinite, unary, Op::kIsFinite},
    {spv::Op::OpIsNormal, unary, Op::kIsNormal},
    {spv::Op::OpSignBitSet, unary, Op::kSignBitSet},
    {spv::Op::OpLessOrGreater, binary, Op::kFOrdNotEqual},
    {spv::Op::OpOrdered, binary, Op::kOrdered},
    {spv::Op::OpUnordered, binary, Op::kUnordered},
    {spv::Op::OpLogicalEqual, binary, Op::kLogicalEqual},
    {spv::Op::OpLogicalNotEqual, binary, Op::kLogicalNotEqual},
    {spv::Op::OpLogicalOr, binary, Op::kLogicalOr},
    {spv::Op::OpLogicalAnd, binary, Op::kLogicalAnd},
    {spv::Op::OpLogicalNot, unary, Op::kLogicalNot},
    {spv::Op::OpSelect, select},
    {spv::Op::OpIEqual, binary, Op::kIEqual},
    {spv::Op::OpINotEqual, binary, Op::kINotEqual},
    {spv::Op::OpUGreaterThan, swapped, Op::kULessThan},
    {spv::Op::OpSGreaterThan, swapped, Op::kSLessThan},
    {spv::Op::OpUGreaterThanEqual, swapped, Op::kULessThanEqual},
    {spv::Op::OpSGreaterThanEqual, swapped, Op::kSLessThanEqual},
    {spv::Op::OpULessThan, binary, Op::kULessThan},
    {spv::Op::OpSLessThan, binary, Op::kSLessThan},
    {spv::Op::OpULessThanEqual, binary, Op::kULessThanEqual},
    {spv::Op::OpSLessThanEqual, binary, Op::kSLessThanEqual},
    {spv::Op::OpFOrdEqual, binary, Op::kFOrdEqual},
    {spv::Op::OpFUnordEqual, binary, Op::kFUnordEqual},
    {spv::Op::OpFOrdNotEqual, binary, Op::kFOrdNotEqual},
    {spv::Op::OpFUnordNotEqual, binary, Op::kFUnordNotEqual},
    {spv::Op::OpFOrdLessThan, binary, Op::kFOrdLessThan},
    {spv::Op::OpFUnordLessThan, binary, Op::kFUnordLessThan},
    {spv::Op::OpFOrdGreaterThan, swapped, Op::kFOrdLessThan},
    {spv::Op::OpFUnordGreaterThan, swapped, Op::kFUnordLessThan},
    {spv::Op::OpFOrdLessThanEqual, binary, Op::kFOrdLessThanEqual},
    {spv::Op::OpFUnordLessThanEqual, binary, Op::kFUnordLessThanEqual},
    {spv::Op::OpFOrdGreaterThanEqual, swapped, Op::kFOrdLessThanEqual},
    {spv::Op::OpFUnordGreaterThanEqual, swapped, Op::kFUnordLessThanEqual},
};

}  // namespace

std::span<const Row> relational_rows() { return kRows; }

}  // namespace transpire::vm::builder
