// Loops that count how often they go round, so that barriers within them can tell one time from another.
#pragma once

#include <cstdint>

namespace transpire::vm {

/// Of one kernel; loops beyond that are not counted.
inline constexpr std::uint32_t kMostRoundCounters = 16;

/// Counters: bit i is counter i.
using RoundCounters = std::uint16_t;
static_assert(kMostRoundCounters <= 8 * sizeof(RoundCounters));

}  // namespace transpire::vm
