// The addresses of private variables that hold the same bytes in every lane: ByVal parameters,
// which the launch fills, as long as the kernel only reads them.
#pragma once

#include <vector>

#include "vm/lir/lir.h"

namespace transpire::vm::lir {

/// By value: whether it is the address of such a variable, or one computed from that.
std::vector<bool> constant_private_addresses(const Function& function);

}  // namespace transpire::vm::lir
