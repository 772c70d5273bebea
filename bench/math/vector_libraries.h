// The vector math libraries that the fast mode is compared with: SLEEF at 1 ULP and glibc's
// libmvec.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace transpire::bench {

/// Nanoseconds for each value of one function over floats, by one library on vectors of one width;
/// the least of some repetitions.
struct LibraryTime {
  std::string library;  ///< "sleef", "libmvec", "instruction"
  double ns_per_value = 0;
};

/// All that have the function ("exp", "pow", ...) for vectors of 16 floats (AVX-512) or, where
/// `wide` is false, of 8 (AVX2). The machine must have the instructions.
std::vector<LibraryTime> time_libraries(const std::string& function, bool wide,
                                        std::span<const float> a, std::span<const float> b);

}  // namespace transpire::bench
