// Validation: whether a module obeys the rules of SPIR-V and of an OpenCL environment. Reports,
// never changes; a module that fails may still run.
#pragma once

#include <string>

#include "decoder/module.h"
#include "transpire/diagnostic.hpp"

namespace transpire::validator {

/// SPIRV-Tools' validator for "opencl1.2", "opencl2.0", "opencl2.1" or "opencl2.2", each also with
/// "embedded" appended ("opencl1.2embedded", "opencl1.2-embedded"). Empty when the module is valid;
/// else V0001, one for each error that the validator names. An unknown environment is a V0001 as
/// well.
Diagnostics validate(const decoder::Module& module, const std::string& environment);

}  // namespace transpire::validator
