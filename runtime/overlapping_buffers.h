// Finds buffers of a launch that share bytes, for the race checker.
#pragma once

#include <vector>

#include "inspect/race.h"
#include "memory/address_space.h"

namespace transpire::runtime {

/// Ranges of buffers that overlap another buffer on the host, by host address.
std::vector<inspect::OverlappingRange> overlapping_ranges(const memory::AddressSpace& space);

}  // namespace transpire::runtime
