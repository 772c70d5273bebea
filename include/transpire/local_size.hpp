// The work-group size that a launch gets which leaves the choice.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "transpire/transpire.hpp"

namespace transpire {

/// The work-group size of a launch of the kernel with this geometry: its own, or the one that is
/// chosen where that is all 0. Errors are those of the launch: C0002 to C0004.
TRANSPIRE_API Result<std::array<std::uint64_t, 3>> resolve_local_size(const Module& module,
                                                                      std::string_view kernel,
                                                                      const Geometry& geometry);

}  // namespace transpire
