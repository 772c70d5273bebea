// Arguments that are pointers to const in the source. If the kernel writes through one, by a cast, translators do not mark it
// NoWrite.
#pragma once

#include <vector>

#include "runtime/state.h"

namespace transpire::runtime {

/// For each parameter: true if it is a global pointer to const. The value of LowerOptions::const_parameters.
std::vector<bool> const_parameters(const KernelInfo& kernel);

}  // namespace transpire::runtime
