// Arguments that are pointers to const in the source. Translators do not mark those NoWrite whose memory the kernel
// writes nevertheless, through a cast.
#pragma once

#include <vector>

#include "runtime/state.h"

namespace transpire::runtime {

/// By parameter: LowerOptions::const_parameters.
std::vector<bool> const_parameters(const KernelInfo& kernel);

}  // namespace transpire::runtime
