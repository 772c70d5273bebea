#include "vm/build/instructions/arithmetic.h"

#include "vm/build/builder.h"
#include "vm/build/instructions/result_origins.h"

namespace transpire::vm::builder::arithmetic {
namespace {

bool is_signed_division(Op op) { return op == Op::kSDiv || op == Op::kSRem || op == Op::kSMod; }

/// The components of an integer vector, or the four 8-bit ones that an i32 packs.
ValueList dot_components(Builder& b, Values operand, std::size_t format) {
  if (operand.size() != 1) return {operand.begin(), operand.end()};
  ValueList bytes;
  if (!b.expect(format == 0 && b.ops.kind_of(operand[0]) == Kind::kI32,
                "a packed vector is four 8-bit components in a 32-bit integer"))
    return bytes;
  for (std::uint64_t at = 0; at < 32; at += 8) {
    const ValueId moved =
        b.ops.emit(Op::kShiftRightLogical, {operand[0], b.ops.constant(Kind::kI32, at)});
    bytes.push_back(b.ops.convert(Op::kTruncate, Kind::kI8, moved));
  }
  return bytes;
}

}  // namespace

void wrapping(Builder& b, const Instruction& i, Op op) {
  const Values left = b.ids.operand(i, 0);
  const Values right = op == Op::kSNegate ? Values{} : b.ids.operand(i, 1);
  const ValueList results = op == Op::kSNegate ? b.ops.each(op, left) : b.ops.each(op, left, right);
  b.checks.wraps(i, op, left, right, results);
  b.ids.define(i, results);
}

void times_low_half(Builder& b, const Instruction& i, bool is_signed) {
  const Values left = b.ids.operand(i, 0);
  const Values right = b.ids.operand(i, 1);
  if (b.failed() || !b.expect(left.size() == right.size(), "the operands differ in components"))
    return;
  ValueList results;
  for (std::size_t c = 0; c < left.size(); ++c) {
    if (!b.expect(b.ops.kind_of(left[c]) == Kind::kI32 && b.ops.kind_of(right[c]) == Kind::kI32,
                  "the operands are 32-bit integers"))
      return;
    const ValueId half = b.ops.convert(Op::kTruncate, Kind::kI16, right[c]);
    results.push_back(b.ops.emit(Op::kIMul, {left[c], b.ops.resize(half, Kind::kI32, is_signed)}));
  }
  b.ids.define(i, std::move(results));
}

void divide(Builder& b, const Instruction& i, Op op) {
  const Values left = b.ids.operand(i, 0);
  const Values right = b.ids.operand(i, 1);
  if (b.failed() || !b.expect(left.size() == right.size(), "the operands differ in components"))
    return;
  for (std::size_t c = 0; b.request.options.check_ub && c < left.size(); ++c) {
    lir::Value check;
    check.op = Op::kCheckDivide;
    check.from = b.ops.kind_of(left[c]);
    check.imm = is_signed_division(op) ? 1 : 0;
    check.args = {left[c], right[c]};
    b.writer.place(std::move(check));
  }
  b.ids.define(i, b.ops.each(op, left, right));
}

void times_scalar(Builder& b, const Instruction& i, Op op) {
  const Values vector = b.ids.operand(i, 0);
  const ValueList scalar(vector.size(), b.ids.scalar_operand(i, 1));
  b.ids.define(i, b.ops.each(op, vector, scalar));
}

void dot(Builder& b, const Instruction& i, Op) {
  const Values left = b.ids.operand(i, 0);
  const Values right = b.ids.operand(i, 1);
  if (b.failed() ||
      !b.expect(!left.empty() && left.size() == right.size(), "the operands differ in components"))
    return;
  b.ids.define(i, {b.ops.dot(left, right)});
  if (b.request.options.record_results) mark_results(b, i, ResultOrigin::kDot);
}

/// Products and sums wrap in the result's width, where SPIR-V leaves them undefined; only the addition
/// of the accumulator saturates.
void integer_dot(Builder& b, const Instruction& i, Op op, IntegerDot form) {
  const std::size_t format_at = form.accumulates ? 3 : 2;
  const std::size_t format = format_at < i.operands.size() ? i.operands[format_at] : 0;
  const ValueList left = dot_components(b, b.ids.operand(i, 0), format);
  const ValueList right = dot_components(b, b.ids.operand(i, 1), format);
  if (b.failed() ||
      !b.expect(!left.empty() && left.size() == right.size(), "the operands differ in components"))
    return;
  const Kind kind = b.types.scalar_kind(b.types.result_type(i));
  const ValueId accumulator = form.accumulates ? b.ids.scalar_operand(i, 2) : kNoValue;
  if (b.failed()) return;
  ValueId sum = kNoValue;
  for (std::size_t c = 0; c < left.size() && !b.failed(); ++c) {
    const ValueId product =
        b.ops.emit(Op::kIMul, {b.ops.resize(left[c], kind, form.left_signed),
                               b.ops.resize(right[c], kind, form.right_signed)});
    sum = sum == kNoValue ? product : b.ops.emit(Op::kIAdd, {sum, product});
  }
  if (form.accumulates) sum = b.ops.emit(op, {sum, accumulator});
  b.ids.define(i, {sum});
}

/// A struct of two results: those of `low` for every component, then those of `high`.
void pair(Builder& b, const Instruction& i, Op low, Op high) {
  const Values left = b.ids.operand(i, 0);
  const Values right = b.ids.operand(i, 1);
  ValueList result = b.ops.each(low, left, right);
  const ValueList second = b.ops.each(high, left, right);
  result.insert(result.end(), second.begin(), second.end());
  b.ids.define(i, std::move(result));
}

}  // namespace transpire::vm::builder::arithmetic
