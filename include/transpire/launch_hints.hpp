// Guesses sizes of a launch from a kernel's instructions: a starting point for a new launch file.
#pragma once

#include <cstdint>
#include <string_view>

#include "transpire/transpire.hpp"

namespace transpire {

struct LaunchHints {
  /// Number of dimensions of the global size: the kernel reads work-item or group ids of these dimensions only.
  std::uint32_t dimensions = 1;
  /// Elements of a buffer that one work-item accesses: length of the longest vector that vload or vstore moves (4 for
  /// vectors of 3), else 1.
  std::uint32_t numbers_per_item = 1;
};

/// Reads the kernel and all functions that it calls. Returns the default values if the module has no kernel of that name.
TRANSPIRE_API LaunchHints launch_hints(const Module& module, std::string_view kernel);

}  // namespace transpire
