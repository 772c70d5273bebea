#include "vm/build/instructions/miscellaneous.h"

#include <utility>

#include "vm/build/builder.h"

namespace transpire::vm::builder::miscellaneous {

void nothing(Builder&, const Instruction&, Op) {}

void undef(Builder& b, const Instruction& i, Op) {
  b.ids.define(i, b.temporaries.undefined(b.types.result_type(i)));
}

void read_clock(Builder& b, const Instruction& i, Op op) {
  lir::Value value;
  value.op = op;
  value.kind = value.from = Kind::kI64;
  const ValueId now = b.writer.place(std::move(value));
  if (b.types.result_layout(i).kinds.size() != 2) return b.ids.define(i, {now});
  const ValueId high = b.ops.emit(Op::kShiftRightLogical, {now, b.ops.constant(Kind::kI64, 32)});
  b.ids.define(i, {b.ops.convert(Op::kTruncate, Kind::kI32, now),
                   b.ops.convert(Op::kTruncate, Kind::kI32, high)});
}

void assume(Builder& b, const Instruction& i, Op op) {
  const ValueId condition = b.ids.scalar_operand(i, 0);
  if (b.failed() ||
      !b.expect(b.ops.kind_of(condition) == Kind::kBool, "an assumption is a boolean"))
    return;
  lir::Value check;
  check.op = op;
  check.from = Kind::kBool;
  check.args = {condition};
  b.writer.place(std::move(check));
}

}  // namespace transpire::vm::builder::miscellaneous
