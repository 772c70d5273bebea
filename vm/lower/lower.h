// Lowering: from a kernel of a Module to a Program, in three steps that each stand alone.
#pragma once

#include <memory>

#include "base/result.h"
#include "decoder/module.h"
#include "vm/lir/lower_options.h"
#include "vm/program/program.h"

namespace transpire::vm {

/// build(), run_passes() and emit(), within `options.limits`. The time limit holds for each of them.
Result<std::unique_ptr<Program>> lower(const decoder::Module& module,
                                       const decoder::EntryPoint& entry,
                                       const LowerOptions& options, const HandlerTable& handlers);

}  // namespace transpire::vm
