// Which buffers of a launch have bytes in common, for the race checker.
#pragma once

#include <vector>

#include "inspect/race.h"
#include "memory/address_space.h"

namespace transpire::runtime {

/// Buffers some of whose bytes are those of another one, too, by where they lie on the host: beyond all that is virtual.
std::vector<inspect::SharedRange> shared_ranges(const memory::AddressSpace& space);

}  // namespace transpire::runtime
