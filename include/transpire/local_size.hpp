// The work-group size that the VM chooses for a launch that gives none.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "transpire/transpire.hpp"

namespace transpire {

/// Returns the work-group size that a launch of the kernel with this geometry uses: `geometry.local_size`, or the VM's
/// choice if that is all 0. Fails as the launch would: C0002 (no such kernel), C0003, C0004.
TRANSPIRE_API Result<std::array<std::uint64_t, 3>> resolve_local_size(const Module& module,
                                                                      std::string_view kernel,
                                                                      const Geometry& geometry);

}  // namespace transpire
