// Values that nobody computed: bits as they were loaded, and constants, in whatever order.
#pragma once

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

/// True if a value is one. Of those that are made of very much it is said that they are not.
bool is_moved(const Function& function, ValueId value);

}  // namespace transpire::vm::lir
