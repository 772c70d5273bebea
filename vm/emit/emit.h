// From LIR to a Program.
#pragma once

#include <memory>

#include "base/result.h"
#include "vm/lir/lir.h"
#include "vm/lir/lower_options.h"
#include "vm/program/program.h"

namespace transpire::vm {

/// LIR -> Program: row allocation, phi copies, handler selection.
Result<std::unique_ptr<Program>> emit(const lir::Function& function, const LowerOptions& options,
                                      const HandlerTable& handlers);

}  // namespace transpire::vm
