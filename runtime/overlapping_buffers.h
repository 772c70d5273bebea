// Finds buffers of a launch that share bytes, for the race checker.
#pragma once

#include <vector>

#include "memory/address_space.h"
#include "races/race.h"

namespace transpire::runtime {

/// Ranges of buffers that overlap another buffer on the host, by host address.
std::vector<races::OverlappingRange> overlapping_ranges(const memory::AddressSpace& space);

}  // namespace transpire::runtime
