// The loops over a block that walking through all floats spends its time in: what estimates settle.
#pragma once

#include <cstddef>
#include <cstdint>

namespace transpire::ulp {

/// Of calls side by side: the operands (1 where there is no second one) and the estimates.
struct Estimates {
  const double *a, *b, *estimate;
  std::size_t count;
};

/// An error that says that an estimate does not settle its call.
inline constexpr double kNotSettled = -1;

/// Halves as bits, and floats, as doubles.
void widen(const std::uint16_t* numbers, std::size_t count, double* results);
void widen(const float* numbers, std::size_t count, double* results);

/// expected[i] is the number next to an estimate, errors[i] its error in units in the last place.
/// As Arbiter::judge of that result, but that what not even a double can hold, and NaN, counts as
/// settled without an interval and with an error of 0: the arbiter is to be asked when a result is
/// another one.
void settle_each(const Estimates& estimates, std::uint16_t* expected, double* errors);
void settle_each(const Estimates& estimates, float* expected, double* errors);

/// How many values are above the limit.
std::uint64_t count_above(const double* values, std::size_t count, double limit);

}  // namespace transpire::ulp
