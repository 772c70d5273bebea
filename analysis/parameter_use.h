// Finds loads and stores through a kernel's parameter, in the kernel and its callees.
#pragma once

#include <cstdint>
#include <optional>

#include "decoder/module.h"
#include "vm/program/source.h"

namespace transpire::analysis {

/// The first load or store (`stores`) through the parameter in the module's order; nothing if none is found. The search
/// follows pointers through copies, calls, and private variables that hold nothing else.
std::optional<vm::Source> find_access(const decoder::Module& module, decoder::Id kernel,
                                      std::size_t parameter, bool stores);

}  // namespace transpire::analysis
