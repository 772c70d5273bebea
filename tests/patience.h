// How long tests wait, on a machine that is many times slower than usual, or busy.
#pragma once

#include <chrono>
#include <ctime>

namespace transpire::test {

/// Bound on anything that ends by itself within a moment: only a hang takes longer.
inline constexpr std::chrono::seconds kPatience{120};

/// Calls `attempt(limit)` with a time limit in seconds that grows fourfold until the call returns true, for launches
/// that must have begun before their limit ends them. Returns false when no attempt below kPatience did.
template <class Attempt>
bool within_growing_limits(double limit, const Attempt& attempt) {
  for (; limit < static_cast<double>(kPatience.count()); limit *= 4)
    if (attempt(limit)) return true;
  return false;
}

/// Processor time that this process has used, in seconds. Other work of the machine does not count.
inline double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

}  // namespace transpire::test
