// The loops over a block that take most of the time when walking through all floats: they decide
// calls by estimates.
#pragma once

#include <cstddef>
#include <cstdint>

namespace transpire::ulp {

/// Operands (1 if there is no second one) and estimates of calls side by side.
struct Estimates {
  const double *a, *b, *estimate;
  std::size_t count;
};

/// An error value that means that an estimate does not decide its call.
inline constexpr double kUndecided = -1;

/// Halves as bits, and floats, as doubles.
void widen(const std::uint16_t* numbers, std::size_t count, double* results);
void widen(const float* numbers, std::size_t count, double* results);

/// expected[i] is the number next to an estimate, errors[i] its error in units in the last place.
/// As Arbiter::judge for that result, except that values beyond a double, and NaN, count as decided
/// with an error of 0 and without an interval: ask the arbiter if a result differs.
void decide_each(const Estimates& estimates, std::uint16_t* expected, double* errors);
void decide_each(const Estimates& estimates, float* expected, double* errors);

/// Number of values above the limit.
std::uint64_t count_above(const double* values, std::size_t count, double limit);

}  // namespace transpire::ulp
