#include "vm/build/instructions/memory_order.h"

namespace transpire::vm::builder {

void tell_order(Builder& b, OrderOf of, const Instruction& i, std::size_t scope,
                std::size_t semantics, std::size_t unequal) {
  if (!b.request.options.looks_for_races()) return;
  lir::Value value;
  value.op = Op::kTellOrder;
  value.imm = static_cast<std::uint64_t>(of);
  value.args = {b.ids.scalar_operand(i, scope), b.ids.scalar_operand(i, semantics),
                b.ids.scalar_operand(i, unequal == 0 ? semantics : unequal)};
  b.writer.place(std::move(value));
}

}  // namespace transpire::vm::builder
