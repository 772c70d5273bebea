// Hints that a kernel's instructions give on its launches: a first guess, for a launch file to start from.
#pragma once

#include <cstdint>
#include <string_view>

#include "transpire/transpire.hpp"

namespace transpire {

struct LaunchHints {
  /// Dimensions of the global size: one more than the last one in which the kernel asks for a work-item's or group's id.
  std::uint32_t dimensions = 1;
  /// Numbers of a buffer that one work-item accesses: the longest vector that vload and vstore move, else 1.
  std::uint32_t numbers_per_item = 1;
};

/// The kernel is looked at with all functions that it calls. Without a kernel of that name, the hints say nothing.
TRANSPIRE_API LaunchHints launch_hints(const Module& module, std::string_view kernel);

}  // namespace transpire
