// What a module promises and --check=ub or the engine looks at: decorations NoSignedWrap and
// NoUnsignedWrap, and OpAssumeTrueKHR.
#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

/// Whether a op b, which gave `result`, left the range of the signed or unsigned type.
ValueId leaves_signed(Builder& b, Op op, ValueId left, ValueId right, ValueId result) {
  const Kind kind = b.kind_of(left);
  const ValueId zero = b.constant(kind, 0);
  const auto negative = [&](ValueId x, ValueId y) {
    return b.emit(Op::kSLessThan, {b.emit(Op::kBitwiseAnd, {x, y}), zero});
  };
  const auto differs = [&](ValueId x, ValueId y) { return b.emit(Op::kBitwiseXor, {x, y}); };
  switch (op) {
    case Op::kIAdd:
      return negative(differs(left, result), differs(right, result));
    case Op::kISub:
      return negative(differs(left, right), differs(left, result));
    case Op::kIMul: {
      const ValueId sign =
          b.emit(Op::kShiftRightArithmetic, {result, b.constant(kind, width_bits(kind) - 1)});
      return b.emit(Op::kINotEqual, {b.emit(Op::kSMulHigh, {left, right}), sign});
    }
    case Op::kSNegate:
      return b.emit(Op::kIEqual,
                    {left, b.constant(kind, std::uint64_t{1} << (width_bits(kind) - 1))});
    default:
      return b.emit(Op::kINotEqual, {b.emit(Op::kShiftRightArithmetic, {result, right}), left});
  }
}

ValueId leaves_unsigned(Builder& b, Op op, ValueId left, ValueId right, ValueId result) {
  const ValueId zero = b.constant(b.kind_of(left), 0);
  switch (op) {
    case Op::kIAdd:
      return b.emit(Op::kULessThan, {result, left});
    case Op::kISub:
      return b.emit(Op::kULessThan, {left, right});
    case Op::kIMul:
      return b.emit(Op::kINotEqual, {b.emit(Op::kUMulHigh, {left, right}), zero});
    case Op::kSNegate:
      return b.emit(Op::kINotEqual, {left, zero});
    default:
      return b.emit(Op::kINotEqual, {b.emit(Op::kShiftRightLogical, {result, right}), left});
  }
}

void assume(Builder& b, const Instruction& i, Op op) {
  const ValueId condition = b.scalar_operand(i, 0);
  if (b.failed() || !b.expect(b.kind_of(condition) == Kind::kBool, "an assumption is a boolean"))
    return;
  lir::Value check;
  check.op = op;
  check.from = Kind::kBool;
  check.args = {condition};
  b.place(std::move(check));
}

constexpr Row kRows[] = {{spv::Op::OpAssumeTrueKHR, assume, Op::kCheckTrue}};

}  // namespace

std::span<const Row> promise_rows() { return kRows; }

void Builder::check_wraps(const Instruction& i, Op op, Values left, Values right, Values results) {
  if (!options_.check_ub || failed()) return;
  const bool is_signed = module_.decoration(i.result_id, spv::Decoration::NoSignedWrap) != nullptr;
  const bool is_unsigned =
      module_.decoration(i.result_id, spv::Decoration::NoUnsignedWrap) != nullptr;
  for (std::size_t c = 0; c < results.size() && !failed(); ++c) {
    const ValueId other = right.empty() ? left[c] : right[c];
    if (is_signed) check_not(Rule::kR0063, leaves_signed(*this, op, left[c], other, results[c]));
    if (is_unsigned)
      check_not(Rule::kR0063, leaves_unsigned(*this, op, left[c], other, results[c]));
  }
}

}  // namespace transpire::vm::builder
