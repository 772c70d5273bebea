// From a kernel of a Module to LIR.
#pragma once

#include "base/result.h"
#include "decoder/module.h"
#include "vm/lir/lir.h"
#include "vm/lir/lower_options.h"

namespace transpire::vm {

/// Module -> LIR. Refuses by name (U rules) what the VM does not execute; follows calls from the
/// entry point, so what no kernel reaches is not refused.
Result<lir::Function> build(const decoder::Module& module, const decoder::EntryPoint& entry,
                            const LowerOptions& options);

}  // namespace transpire::vm
