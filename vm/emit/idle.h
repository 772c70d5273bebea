// Finds idle registers: they do not influence how a waiting loop continues.
#pragma once

#include <vector>

#include "vm/emit/linear_order.h"
#include "vm/emit/registers.h"

namespace transpire::vm::emission {

/// By register: true if it is idle. `place` has the representative of the registers that share a
/// place, and `persistent` those that hold their value for the whole launch; both by register.
std::vector<bool> find_idle_registers(const lir::Function& function, const LinearOrder& order,
                                      const Registers& registers, const std::vector<VReg>& place,
                                      const std::vector<bool>& persistent);

}  // namespace transpire::vm::emission
