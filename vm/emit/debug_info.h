// The places of the module's <id>s in a program that keeps values (vm/program/debug_info.h).
#pragma once

#include "vm/emit/resolve.h"

namespace transpire::vm::emission {

/// Marks the registers that hold values with names as kept, and writes Selection::copies_of.
void keep_values(const lir::Function& function, Selection* selection);

/// The data for debuggers.
DebugInfo debug_info(const lir::Function& function, const LinearOrder& order,
                     const Selection& selection, const Allocation& allocation,
                     const Resolved& resolved);

}  // namespace transpire::vm::emission
