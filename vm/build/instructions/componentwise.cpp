#include "vm/build/instructions/componentwise.h"

#include "vm/build/builder.h"

namespace transpire::vm::builder::componentwise {

void unary(Builder& b, const Instruction& i, Op op) {
  b.ids.define(i, b.ops.each(op, b.ids.operand(i, 0)));
}

void binary(Builder& b, const Instruction& i, Op op) {
  const Values left = b.ids.operand(i, 0);
  b.ids.define(i, b.ops.each(op, left, b.ids.operand(i, 1)));
}

void swapped(Builder& b, const Instruction& i, Op op) {
  const Values left = b.ids.operand(i, 0);
  b.ids.define(i, b.ops.each(op, b.ids.operand(i, 1), left));
}

}  // namespace transpire::vm::builder::componentwise
