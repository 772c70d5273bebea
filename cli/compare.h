// Comparing buffers with what was expected of them: exact, within a tolerance, or within ULPs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/launch_plan.h"

namespace transpire::cli {

struct Comparison {
  std::uint64_t compared = 0;  ///< scalars
  std::uint64_t different = 0;
  std::vector<std::string>
      examples;  ///< the first few differences: "y[3]: expected 4, found 3.5 (...)"
};

/// Element by element; both spans have the same size. `nan_is_nan`: any NaN equals any other, also
/// in an exact comparison. `name` and `first_index` are for the examples.
Comparison compare(const TypeInfo& type, std::span<const std::byte> expected,
                   std::span<const std::byte> found, const Tolerance& tolerance, bool nan_is_nan,
                   const std::string& name, std::uint64_t first_index);

/// "exactly", "within 1e-05", "within 4 ulp".
std::string describe(const Tolerance& tolerance);

}  // namespace transpire::cli
