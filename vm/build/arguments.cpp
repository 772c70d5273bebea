#include "vm/build/arguments.h"

#include <utility>

namespace transpire::vm::builder {

ValueId Arguments::add(VariableClass of, lir::Space space) {
  lir::Value argument;
  argument.op = Op::kArgument;
  argument.kind = argument.from = Kind::kI64;
  const ValueId id = function_.add(std::move(argument));
  arguments_[static_cast<std::size_t>(of)].push_back(id);
  pointers_.set_space(id, space);
  return id;
}

void Arguments::number() {
  std::uint32_t slot = function_.workgroup_slot(0);
  for (const std::vector<ValueId>& arguments : arguments_)
    for (const ValueId argument : arguments) function_.values[argument].imm = slot++;
  function_.argument_slots = slot;
}

}  // namespace transpire::vm::builder
