// The environment that a module asks for.
#pragma once

#include "validator/environment.h"
#include "validator/names.h"

namespace transpire::validator {

/// The newest Vulkan for modules with a memory model of Vulkan. Otherwise the oldest OpenCL environment, of the full profile, that has the OpenCL C of the module's sources and takes its version of
/// SPIR-V. The newest one where no source is named: nothing then says for which it was made.
Environment asked_environment(const ModuleView& view);

}  // namespace transpire::validator
