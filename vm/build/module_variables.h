// ModuleVariables: the address of a variable of module scope, whatever its storage class.
#pragma once

#include "vm/build/memory.h"

namespace transpire::vm::builder {

class ModuleVariables {
 public:
  ModuleVariables(Core& core, PrivateVariables& private_variables,
                  ProgramVariables& program_variables, Memory& memory)
      : request_(core.request),
        refusals_(core.refusals),
        writer_(core.writer),
        private_variables_(private_variables),
        program_variables_(program_variables),
        memory_(memory) {}

  /// Called once a variable.
  ValueId address(const decoder::Variable& variable);

 private:
  ValueId private_address(const decoder::Variable& variable);

  const Request& request_;
  Refusals& refusals_;
  Writer& writer_;
  PrivateVariables& private_variables_;
  ProgramVariables& program_variables_;
  Memory& memory_;
};

}  // namespace transpire::vm::builder
