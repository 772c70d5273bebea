// Moved values: bits as they were loaded, and constants, in any order, without computation.
#pragma once

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

/// True if a value is a moved one. False for values made of very many others.
bool is_moved(const Function& function, ValueId value);

}  // namespace transpire::vm::lir
