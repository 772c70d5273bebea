// Chooses where register blocks begin within a page of memory.
#pragma once

#include <cstdint>

#include "vm/emit/linear_order.h"
#include "vm/emit/resolve.h"

namespace transpire::vm::emission {

/// The best distance of a register block's begin behind the code's, a multiple of 64 modulo
/// Program::kPhasePeriod. Code and block entries of the program are where they will stay.
std::uint32_t best_phase(const lir::Function& function, const LinearOrder& order,
                         const Resolved& resolved);

}  // namespace transpire::vm::emission
