// SPIR-V "Bit Instructions". Shift amounts may have another width than what is shifted; bit fields
// are taken apart into shifts and masks.
#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

void unary(Builder& b, const Instruction& i, Op op) { b.define(i, b.each(op, b.operand(i, 0))); }

void binary(Builder& b, const Instruction& i, Op op) {
  const Values left = b.operand(i, 0);
  b.define(i, b.each(op, left, b.operand(i, 1)));
}

/// The count has the result's width, which may differ from the base's.
void bit_count(Builder& b, const Instruction& i, Op op) {
  ValueList result = b.each(op, b.operand(i, 0));
  const std::vector<Kind>& kinds = b.result_layout(i).kinds;
  if (b.failed() || !b.expect(!kinds.empty(), "the result has no components")) return;
  for (ValueId& value : result) value = b.resize(value, kinds[0], false);
  b.define(i, std::move(result));
}

/// The amount as checked: one too large for the base's kind stays too large.
void check_shift(Builder& b, ValueId base, ValueId amount) {
  const Kind kind = b.kind_of(base);
  if (width_bits(b.kind_of(amount)) > width_bits(kind)) {
    const std::uint64_t largest = (std::uint64_t{1} << width_bits(kind)) - 1;
    amount = b.emit(Op::kUMin, {amount, b.constant(b.kind_of(amount), largest)});
  }
  lir::Value check;
  check.op = Op::kCheckShift;
  check.from = kind;
  check.args = {base, b.resize(amount, kind, false)};
  b.place(std::move(check));
}

void shift(Builder& b, const Instruction& i, Op op) {
  const Values base = b.operand(i, 0);
  const Values amount = b.operand(i, 1);
  if (b.failed() || !b.expect(base.size() == amount.size(), "the operands differ in components"))
    return;
  ValueList result;
  for (std::size_t c = 0; c < base.size() && !b.failed(); ++c) {
    if (!b.expect(is_int(b.kind_of(base[c])) && is_int(b.kind_of(amount[c])),
                  "a shift is of integers"))
      return;
    if (b.options().check_ub) check_shift(b, base[c], amount[c]);
    // Cutting the amount keeps it modulo every width.
    const ValueId resized = b.resize(amount[c], b.kind_of(base[c]), false);
    result.push_back(b.emit(op, {base[c], resized}));
    if (op == Op::kShiftLeftLogical)
      b.check_wraps(i, op, base.subspan(c, 1), {&resized, 1}, {&result.back(), 1});
  }
  b.define(i, std::move(result));
}

/// The offset and count of a bit field, in the base's kind.
struct Field {
  Kind kind;
  ValueId offset, count;
  ValueId mask;  ///< `count` low ones; all ones for a count of the whole width
};

Field field(Builder& b, const Instruction& i, std::size_t at, Kind kind) {
  Field f{kind, b.resize(b.scalar_operand(i, at), kind, false),
          b.resize(b.scalar_operand(i, at + 1), kind, false), 0};
  const ValueId one = b.constant(kind, 1);
  const ValueId ones = b.constant(kind, ~std::uint64_t{0});
  const ValueId low = b.emit(Op::kISub, {b.emit(Op::kShiftLeftLogical, {one, f.count}), one});
  const ValueId is_part = b.emit(Op::kULessThan, {f.count, b.constant(kind, width_bits(kind))});
  f.mask = b.select(is_part, low, ones);
  return f;
}

bool are_ints(Builder& b, Values values) {
  bool all = !values.empty();
  for (const ValueId value : values) all = all && is_int(b.kind_of(value));
  return b.expect(all, "the base is no integer");
}

void field_insert(Builder& b, const Instruction& i, Op) {
  const Values base = b.operand(i, 0);
  const Values inserted = b.operand(i, 1);
  if (b.failed() || !are_ints(b, base) ||
      !b.expect(base.size() == inserted.size(), "the operands differ in components"))
    return;
  const Field f = field(b, i, 2, b.kind_of(base[0]));
  const ValueId mask = b.emit(Op::kShiftLeftLogical, {f.mask, f.offset});
  const ValueId rest = b.emit(Op::kNot, {mask});
  ValueList result;
  for (std::size_t c = 0; c < base.size() && !b.failed(); ++c) {
    const ValueId moved = b.emit(Op::kShiftLeftLogical, {inserted[c], f.offset});
    const ValueId kept = b.emit(Op::kBitwiseAnd, {base[c], rest});
    result.push_back(b.emit(Op::kBitwiseOr, {kept, b.emit(Op::kBitwiseAnd, {moved, mask})}));
  }
  b.define(i, std::move(result));
}

template <bool is_signed>
void field_extract(Builder& b, const Instruction& i, Op) {
  const Values base = b.operand(i, 0);
  if (b.failed() || !are_ints(b, base)) return;
  const Field f = field(b, i, 1, b.kind_of(base[0]));
  // The sign bit of the field; for no bits at all it is a bit that the field does not have.
  const ValueId one = b.constant(f.kind, 1);
  const ValueId sign =
      is_signed ? b.emit(Op::kShiftLeftLogical, {one, b.emit(Op::kISub, {f.count, one})}) : one;
  ValueList result;
  for (const ValueId value : base) {
    const ValueId moved = b.emit(Op::kShiftRightLogical, {value, f.offset});
    ValueId bits = b.emit(Op::kBitwiseAnd, {moved, f.mask});
    if (is_signed) bits = b.emit(Op::kISub, {b.emit(Op::kBitwiseXor, {bits, sign}), sign});
    result.push_back(bits);
  }
  b.define(i, std::move(result));
}

constexpr Row kRows[] = {
    {spv::Op::OpShiftLeftLogical, shift, Op::kShiftLeftLogical},
    {spv::Op::OpShiftRightLogical, shift, Op::kShiftRightLogical},
    {spv::Op::OpShiftRightArithmetic, shift, Op::kShiftRightArithmetic},
    {spv::Op::OpBitwiseOr, binary, Op::kBitwiseOr},
    {spv::Op::OpBitwiseXor, binary, Op::kBitwiseXor},
    {spv::Op::OpBitwiseAnd, binary, Op::kBitwiseAnd},
    {spv::Op::OpNot, unary, Op::kNot},
    {spv::Op::OpBitCount, bit_count, Op::kBitCount},
    {spv::Op::OpBitReverse, unary, Op::kBitReverse},
    {spv::Op::OpBitFieldInsert, field_insert},
    {spv::Op::OpBitFieldSExtract, field_extract<true>},
    {spv::Op::OpBitFieldUExtract, field_extract<false>},
};

}  // namespace

std::span<const Row> bit_rows() { return kRows; }

}  // namespace transpire::vm::builder
