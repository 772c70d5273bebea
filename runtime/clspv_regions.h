// The parts of a launch of a kernel that clspv compiled: a shader's work-groups all have one size.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "vm/exec/engine.h"

namespace transpire::runtime {

using Triple = std::array<std::uint64_t, 3>;

/// Work-items whose groups all have one size.
struct Region {
  Triple first{};  ///< the first work-item, without the launch's offset
  Triple size{1, 1, 1};
  Triple group_size{1, 1, 1};
};

/// All of the launch, whose last groups may be smaller.
Region whole_of(const vm::exec::LaunchIds& ids);

/// Up to two regions in each dimension.
std::vector<Region> regions_of(const vm::exec::LaunchIds& ids);

}  // namespace transpire::runtime
