#include "vm/build/instructions/relational.h"

#include "vm/build/builder.h"

namespace transpire::vm::builder::relational {

/// OpAny and OpAll: all components joined, first to last.
void reduce(Builder& b, const Instruction& i, Op op) {
  const Values vector = b.ids.operand(i, 0);
  if (b.failed() || !b.expect(!vector.empty(), "the operand is no vector")) return;
  ValueId result = vector[0];
  for (const ValueId value : vector.subspan(1)) result = b.ops.emit(op, {result, value});
  b.ids.define(i, {result});
}

/// One condition for the whole object, or one for each component of a vector.
void select(Builder& b, const Instruction& i, Op) {
  const Values condition = b.ids.operand(i, 0);
  const Values first = b.ids.operand(i, 1);
  const Values second = b.ids.operand(i, 2);
  if (b.failed() || !b.expect(first.size() == second.size() &&
                                  (condition.size() == 1 || condition.size() == first.size()),
                              "the operands differ in components"))
    return;
  ValueList result;
  for (std::size_t c = 0; c < first.size(); ++c) {
    result.push_back(b.ops.select(condition[condition.size() == 1 ? 0 : c], first[c], second[c]));
    if (b.pointers.no_write_parameter(first[c]) == b.pointers.no_write_parameter(second[c]))
      b.pointers.derive(first[c], result.back());
    if (b.ids.is_temporary(first[c]) && b.ids.is_temporary(second[c]))
      b.ids.mark_temporary(result.back());
  }
  b.ids.define(i, std::move(result));
}

}  // namespace transpire::vm::builder::relational
