// Lays out the private memory of a work-item.
#include "vm/emit/private_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/checked.h"
#include "base/narrow.h"
#include "base/rule.h"
#include "vm/lir/lower_options.h"

namespace transpire::vm::emission {
namespace {

/// By private variable: true if an instruction names its address, or the runtime fills it.
std::vector<bool> variables_in_memory(const lir::Function& f) {
  std::vector<bool> in_memory(f.private_variables.size(), false);
  for (const Parameter& parameter : f.parameters)
    if (parameter.kind == Parameter::Kind::kByValue && parameter.scalars.empty())
      in_memory[parameter.private_variable] = true;
  const auto mark = [&](lir::ValueId user) {
    for (const lir::ValueId arg : f.values[user].args) {
      const lir::Value& v = f.values[arg];
      const std::uint64_t first = f.argument_slots - in_memory.size();  // private slots come last
      if (v.op == Op::kArgument && v.imm >= first) in_memory[v.imm - first] = true;
    }
  };
  for (const lir::BlockId b : f.order) {
    for (const lir::ValueId phi : f.blocks[b].phis) mark(phi);
    for (const lir::ValueId id : f.blocks[b].instructions) mark(id);
    mark(f.blocks[b].terminator);
  }
  // Pointers to a variable lead to its shadow as well.
  for (std::size_t i = 0; i < in_memory.size(); ++i)
    if (const std::uint32_t of = f.private_variables[i].shadow_of; of != 0 && in_memory[of - 1])
      in_memory[i] = true;
  return in_memory;
}

}  // namespace

Result<PrivateMemory> lay_out_private_memory(const lir::Function& function) {
  PrivateMemory memory;
  memory.variables = function.private_variables;
  // Promoted variables are registers: without bytes they cost no clearing, and no address is
  // theirs.
  const std::vector<bool> in_memory = variables_in_memory(function);
  Checked bytes;
  for (std::size_t i = 0; i < memory.variables.size(); ++i) {
    PrivateVariable& variable = memory.variables[i];
    if (!in_memory[i]) variable.size_bytes = 0;
    const std::uint64_t align = std::max<std::uint64_t>(variable.align_bytes, 4);
    if (in_memory[i]) bytes = bytes.align_up(align);
    memory.offsets.push_back(narrow<std::uint32_t>(bytes.value()));
    bytes += variable.size_bytes;
    if (!bytes.fits(kMaxPrivateBytes))
      return make_diagnostic(Rule::kL0004,
                             fmt::format("with the variable '{}', a work-item has more than {} "
                                         "bytes of private memory",
                                         variable.name, kMaxPrivateBytes));
    // Words are no two variables': an offset is aligned to 4.
    if (variable.is_poisoned && variable.size_bytes != 0)
      memory.poisoned.push_back(
          {memory.offsets.back(),
           narrow<std::uint32_t>(Checked(variable.size_bytes).align_up(4).value())});
  }
  memory.bytes = narrow<std::uint32_t>(bytes.align_up(8).value());
  return memory;
}

}  // namespace transpire::vm::emission
