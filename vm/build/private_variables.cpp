#include "vm/build/private_variables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/narrow.h"

namespace transpire::vm::builder {

PrivateVariables::PrivateVariables(Core& core, Arguments& arguments)
    : refusals_(core.refusals),
      writer_(core.writer),
      function_(core.writer.function()),
      arguments_(arguments),
      checks_uninit_(core.request.options.check_uninit),
      poisons_(core.request.options.poison) {}

std::uint32_t PrivateVariables::add(std::string name, const Type& type, std::uint64_t align_bytes) {
  if (type.size_bytes == 0)
    refusals_.refuse(Rule::kU0003, fmt::format("the variable '{}' of type {} is not supported",
                                               name, decoder::spell(type)));
  bytes_ = bytes_.align_up(std::max<std::uint64_t>(align_bytes, 4)) + type.size_bytes;
  if (!bytes_.fits(kMaxPrivateBytes))
    refusals_.refuse(Rule::kL0004,
                     fmt::format("with the variable '{}', a work-item has more than {} bytes of "
                                 "private memory",
                                 name, kMaxPrivateBytes));
  function_.take(name.size());
  function_.private_variables.push_back(
      {std::move(name), type.size_bytes, align_bytes, writer_.source()});
  const auto index = narrow<std::uint32_t>(function_.private_variables.size() - 1);
  addresses_.push_back(arguments_.add(VariableClass::kPrivate, lir::Space::kPrivate));
  index_[addresses_.back()] = index;
  return index;
}

std::optional<std::uint32_t> PrivateVariables::variable_at(ValueId address) const {
  const auto known = index_.find(address);
  if (known == index_.end()) return std::nullopt;
  return known->second;
}

void PrivateVariables::undefine(std::uint32_t variable) {
  if (poisons_) function_.private_variables[variable].is_poisoned = true;
  if (checks_uninit_) mark(Op::kUndefinePrivate, variable);
}

void PrivateVariables::mark_lifetime(Op op, std::uint32_t variable) {
  mark(op, variable);
  if (op == Op::kLifetimeStart) undefine(variable);
}

void PrivateVariables::mark(Op op, std::uint32_t variable) {
  lir::Value value;
  value.op = op;
  value.imm = variable;
  writer_.place(std::move(value));
}

void PrivateVariables::note_starts() {
  for (const lir::Block& block : function_.blocks)
    for (const ValueId id : block.instructions)
      if (const lir::Value& value = function_.values[id]; value.op == Op::kLifetimeStart)
        function_.private_variables[value.imm].begins_dead = true;
}

}  // namespace transpire::vm::builder
