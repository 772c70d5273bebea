// Comparison of a run's buffers with the reference's, element by element.
// Used by workers before they measure. Knows nothing of how the results came about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/case.h"

namespace transpire::bench {

/// The buffers of `bench` after its reference has run on a copy.
std::vector<Buffer> ExpectedBuffers(const BenchCase& bench);

/// Says which element of a written buffer is first off by more than its tolerance, or nothing.
/// `actual` holds the bytes of every buffer, in the order of `expected`.
std::optional<std::string> FirstMismatch(const std::vector<Buffer>& expected,
                                         const std::vector<std::vector<std::byte>>& actual);

}  // namespace transpire::bench
