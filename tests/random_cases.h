// How many random cases a test tries. CTest takes few, for every change pays for them; scripts/check-long takes many.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace transpire::test {

/// `count`, or as many times that as the environment variable TRANSPIRE_MORE_CASES says.
inline std::uint32_t random_cases(std::uint32_t count) {
  const char* const more = std::getenv("TRANSPIRE_MORE_CASES");
  return more == nullptr ? count : count * static_cast<std::uint32_t>(std::atoi(more));
}

/// True in scripts/check-long, which also takes cases of gigabytes.
inline bool takes_long_cases() { return random_cases(1) > 1; }

}  // namespace transpire::test
