// Makes every cycle a natural loop: a cycle with several entries gets a dispatch block through
// which all edges to them go, and which continues where a selector says.
#pragma once

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

/// Needs a function without unreachable blocks. Rows rely on it: in a cycle that is no natural
/// loop, lanes could wait in the middle while others go round and overwrite their values.
void make_reducible(Function& function);

}  // namespace transpire::vm::lir
