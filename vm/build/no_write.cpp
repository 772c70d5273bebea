#include "vm/build/no_write.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vm/build/pointer_origins.h"
#include "vm/lir/pointer_flow.h"

namespace transpire::vm::builder {

void mark_no_write(lir::Function& function) {
  if (!std::ranges::any_of(function.parameters, &Parameter::no_write)) return;
  const std::vector<std::uint32_t> origins = pointer_origins(
      function, [](const Parameter& parameter) { return parameter.no_write; }, Origins::kAny);
  for (const lir::Value& value : function.values) {
    if (value.block == lir::kNoBlock || !lir::writes_memory(value)) continue;
    std::uint32_t& known = function.mem[value.imm].no_write_parameter;
    if (known == 0) known = origins[value.args[0]];
  }
}

}  // namespace transpire::vm::builder
