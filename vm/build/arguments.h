// Arguments: the slots that hold the virtual addresses of variables. A slot's number is known at the end only:
// the variables' slots stand behind the parameters', class after class.
#pragma once

#include <array>
#include <vector>

#include "vm/build/pointers.h"

namespace transpire::vm::builder {

/// Classes of variables, in the order of their slots.
enum class VariableClass { kWorkgroup, kProgram, kPrivate };

class Arguments {
 public:
  Arguments(Core& core, Pointers& pointers)
      : function_(core.writer.function()), pointers_(pointers) {}

  /// The address of the next variable of its class.
  ValueId add(VariableClass of, lir::Space space);
  /// Once all variables are known: parameters have the first slots.
  void number();

 private:
  lir::Function& function_;
  Pointers& pointers_;
  std::array<std::vector<ValueId>, 3> arguments_;  ///< by VariableClass
};

}  // namespace transpire::vm::builder
