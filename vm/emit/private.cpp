// The private memory of a work-item: which variables need bytes there, and where.
#include <fmt/format.h>

#include <algorithm>

#include "base/checked.h"
#include "base/narrow.h"
#include "base/rule.h"
#include "vm/emit/emitter.h"

namespace transpire::vm::emission {

/// By private variable: whether an instruction names its address, or the runtime fills it.
std::vector<bool> Emitter::variables_in_memory() const {
  std::vector<bool> in_memory(f_.private_variables.size(), false);
  for (const Parameter& parameter : f_.parameters)
    if (parameter.kind == Parameter::Kind::kByValue) in_memory[parameter.private_variable] = true;
  const auto mark = [&](ValueId user) {
    for (const ValueId arg : value(user).args) {
      const lir::Value& v = value(arg);
      const std::uint64_t first = f_.argument_slots - in_memory.size();  // private slots come last
      if (v.op == Op::kArgument && v.imm >= first) in_memory[v.imm - first] = true;
    }
  };
  for (const BlockId b : f_.order) {
    for (const ValueId phi : f_.blocks[b].phis) mark(phi);
    for (const ValueId id : f_.blocks[b].instructions) mark(id);
    mark(f_.blocks[b].terminator);
  }
  // Pointers to a variable lead to its shadow as well.
  for (std::size_t i = 0; i < in_memory.size(); ++i)
    if (const std::uint32_t of = f_.private_variables[i].shadow_of; of != 0 && in_memory[of - 1])
      in_memory[i] = true;
  return in_memory;
}

void Emitter::refuse_private(const std::string& name) {
  error_ = make_diagnostic(
      Rule::kL0004, fmt::format("with the variable '{}', a work-item has more than {} bytes of "
                                "private memory",
                                name, kMaxPrivateBytes));
}

void Emitter::lay_out_private_memory() {
  Program& p = *program_;
  p.private_variables = f_.private_variables;
  // Promoted variables are registers: without bytes they cost no clearing, and no address is
  // theirs.
  const std::vector<bool> in_memory = variables_in_memory();
  Checked bytes;
  for (std::size_t i = 0; i < p.private_variables.size(); ++i) {
    PrivateVariable& variable = p.private_variables[i];
    if (!in_memory[i]) variable.size_bytes = 0;
    const std::uint64_t align = std::max<std::uint64_t>(variable.align_bytes, 4);
    if (in_memory[i]) bytes = bytes.align_up(align);
    p.private_offsets.push_back(narrow<std::uint32_t>(bytes.value()));
    bytes += variable.size_bytes;
    if (!bytes.fits(kMaxPrivateBytes)) return refuse_private(variable.name);
    // Words are no two variables': an offset is aligned to 4.
    if (variable.is_poisoned && variable.size_bytes != 0)
      p.poisoned_private.push_back(
          {p.private_offsets.back(),
           narrow<std::uint32_t>(Checked(variable.size_bytes).align_up(4).value())});
  }
  p.private_bytes_per_lane = narrow<std::uint32_t>(bytes.align_up(8).value());
}

}  // namespace transpire::vm::emission
