#include "vm/build/instructions/bit.h"

#include "vm/build/builder.h"
#include "vm/build/instructions/undefined.h"

namespace transpire::vm::builder::bit {
namespace {

/// Checks the amount. One that is too large for the base's kind stays too large when converted; the
/// finding reports the original.
void check_shift(Builder& b, ValueId base, ValueId amount, bool is_signed) {
  const Kind kind = b.ops.kind_of(base);
  const ValueId given = amount;
  if (width_bits(b.ops.kind_of(amount)) > width_bits(kind)) {
    const std::uint64_t largest = (std::uint64_t{1} << width_bits(kind)) - 1;
    amount = b.ops.emit(Op::kUMin, {amount, b.ops.constant(b.ops.kind_of(amount), largest)});
  }
  lir::Value check;
  check.op = Op::kCheckShift;
  check.from = kind;
  check.imm = is_signed ? 1 : 0;
  check.args = {base, b.ops.resize(amount, kind, false)};
  if (amount != given) check.args.push_back(given);
  b.writer.place(std::move(check));
}

/// The offset and count of a bit field, in the base's kind.
struct Field {
  Kind kind;
  ValueId offset, count;
  ValueId mask;  ///< `count` low ones; all ones for a count of the whole width
};

Field field(Builder& b, const Instruction& i, std::size_t at, Kind kind) {
  Field f{kind, b.ops.resize(b.ids.scalar_operand(i, at), kind, false),
          b.ops.resize(b.ids.scalar_operand(i, at + 1), kind, false), 0};
  if (b.request.options.check_ub && !b.failed())
    check_bit_field(b, width_bits(kind), b.ids.scalar_operand(i, at),
                    b.ids.scalar_operand(i, at + 1));
  const ValueId one = b.ops.constant(kind, 1);
  const ValueId ones = b.ops.constant(kind, ~std::uint64_t{0});
  const ValueId low =
      b.ops.emit(Op::kISub, {b.ops.emit(Op::kShiftLeftLogical, {one, f.count}), one});
  const ValueId is_part =
      b.ops.emit(Op::kULessThan, {f.count, b.ops.constant(kind, width_bits(kind))});
  f.mask = b.ops.select(is_part, low, ones);
  return f;
}

bool are_ints(Builder& b, Values values) {
  bool all = !values.empty();
  for (const ValueId value : values) all = all && is_int(b.ops.kind_of(value));
  return b.expect(all, "the base is no integer");
}

void field_extract(Builder& b, const Instruction& i, bool is_signed) {
  const Values base = b.ids.operand(i, 0);
  if (b.failed() || !are_ints(b, base)) return;
  const Field f = field(b, i, 1, b.ops.kind_of(base[0]));
  // The sign bit of the field; for no bits at all it is a bit that the field does not have.
  const ValueId one = b.ops.constant(f.kind, 1);
  const ValueId sign =
      is_signed ? b.ops.emit(Op::kShiftLeftLogical, {one, b.ops.emit(Op::kISub, {f.count, one})})
                : one;
  ValueList result;
  for (const ValueId value : base) {
    const ValueId moved = b.ops.emit(Op::kShiftRightLogical, {value, f.offset});
    ValueId bits = b.ops.emit(Op::kBitwiseAnd, {moved, f.mask});
    if (is_signed) bits = b.ops.emit(Op::kISub, {b.ops.emit(Op::kBitwiseXor, {bits, sign}), sign});
    result.push_back(bits);
  }
  b.ids.define(i, std::move(result));
}

}  // namespace

/// The count has the result's width, which may differ from the base's.
void bit_count(Builder& b, const Instruction& i, Op op) {
  ValueList result = b.ops.each(op, b.ids.operand(i, 0));
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (b.failed() || !b.expect(!kinds.empty(), "the result has no components")) return;
  for (ValueId& value : result) value = b.ops.resize(value, kinds[0], false);
  b.ids.define(i, std::move(result));
}

void shift(Builder& b, const Instruction& i, Op op) {
  const Values base = b.ids.operand(i, 0);
  const Values amount = b.ids.operand(i, 1);
  if (b.failed() || !b.expect(base.size() == amount.size(), "the operands differ in components"))
    return;
  ValueList result;
  for (std::size_t c = 0; c < base.size() && !b.failed(); ++c) {
    if (!b.expect(is_int(b.ops.kind_of(base[c])) && is_int(b.ops.kind_of(amount[c])),
                  "a shift is of integers"))
      return;
    if (b.request.options.check_ub)
      check_shift(b, base[c], amount[c], op == Op::kShiftRightArithmetic);
    // Cutting the amount keeps it modulo every width.
    const ValueId resized = b.ops.resize(amount[c], b.ops.kind_of(base[c]), false);
    result.push_back(b.ops.emit(op, {base[c], resized}));
    if (op == Op::kShiftLeftLogical)
      b.checks.wraps(i, op, base.subspan(c, 1), {&resized, 1}, {&result.back(), 1});
  }
  b.ids.define(i, std::move(result));
}

void field_insert(Builder& b, const Instruction& i, Op) {
  const Values base = b.ids.operand(i, 0);
  const Values inserted = b.ids.operand(i, 1);
  if (b.failed() || !are_ints(b, base) ||
      !b.expect(base.size() == inserted.size(), "the operands differ in components"))
    return;
  const Field f = field(b, i, 2, b.ops.kind_of(base[0]));
  const ValueId mask = b.ops.emit(Op::kShiftLeftLogical, {f.mask, f.offset});
  const ValueId rest = b.ops.emit(Op::kNot, {mask});
  ValueList result;
  for (std::size_t c = 0; c < base.size() && !b.failed(); ++c) {
    const ValueId moved = b.ops.emit(Op::kShiftLeftLogical, {inserted[c], f.offset});
    const ValueId kept = b.ops.emit(Op::kBitwiseAnd, {base[c], rest});
    result.push_back(
        b.ops.emit(Op::kBitwiseOr, {kept, b.ops.emit(Op::kBitwiseAnd, {moved, mask})}));
  }
  b.ids.define(i, std::move(result));
}

void field_extract_signed(Builder& b, const Instruction& i, Op) { field_extract(b, i, true); }
void field_extract_unsigned(Builder& b, const Instruction& i, Op) { field_extract(b, i, false); }

}  // namespace transpire::vm::builder::bit
