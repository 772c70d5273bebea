#include "ulp/decide.h"

#include <bit>
#include <cmath>
#include <limits>

#include "transpire/half.hpp"
#include "ulp/measured.h"

namespace transpire::ulp {

namespace reference = extinst::reference;
using vm::Kind;

namespace {

// g++ compiles these for AVX2 as well: SSE2 has no vector code for most of this. The values are the
// same. Not with sanitizers, because the choice of a clone runs before they are ready.
#if defined(__clang__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    !defined(__x86_64__)
#define TRANSPIRE_WIDER
#else
#define TRANSPIRE_WIDER __attribute__((target_clones("avx2", "default")))
#endif
#define TRANSPIRE_INLINE inline __attribute__((always_inline))

/// The numbers of a block: bits of a half, or floats. Code here becomes vector loops: no branches,
/// and one comparison for each choice.
template <Kind kKind>
struct Lane;

template <>
struct Lane<Kind::kF16> {
  using Number = std::uint16_t;
  TRANSPIRE_INLINE static double widen(Number bits) { return half_to_double(bits); }
  TRANSPIRE_INLINE static Number nearest(double value) {
    const Bits bits = half_from_double(value);
    return static_cast<Number>(value == value ? bits : reference::nan_bits(Kind::kF16));
  }
  /// As a double. A sum with 2^52 times the half's last place leaves that number of last places in the low bits,
  /// rounded to nearest even.
  TRANSPIRE_INLINE static double rounded(double magnitude) {
    constexpr double kLimit = 0x1p16, kLeast = 0x1p-14;
    magnitude = magnitude < kLimit ? magnitude : kLimit;
    const double magic = power_of(magnitude, kLeast) * 0x1p42;
    return (magnitude + magic) - magic;
  }
  TRANSPIRE_INLINE static double power_of(double magnitude, double least) {
    const double power = std::bit_cast<double>(std::bit_cast<Bits>(magnitude) & Bits{2047} << 52);
    return power > least ? power : least;
  }
};

template <>
struct Lane<Kind::kF32> {
  using Number = float;
  TRANSPIRE_INLINE static double widen(Number number) { return number; }
  TRANSPIRE_INLINE static Number nearest(double value) {
    const auto number = static_cast<float>(value);
    return number == number ? number : std::numeric_limits<float>::quiet_NaN();
  }
  TRANSPIRE_INLINE static double rounded(double magnitude) { return static_cast<float>(magnitude); }
};

/// The error of a result that is the nearest number, in units in the last place: Arbiter::ulp_of in
/// a form for loops. That the unit below a power of two is half as large makes no difference here,
/// because such an exact value is the result itself.
template <Kind kKind>
TRANSPIRE_INLINE double nearest_error(double magnitude, double result) {
  constexpr reference::Format kFormat = reference::format_of(kKind);
  constexpr Bits kExponent = Bits{2047} << 52;
  constexpr double kBeyond = std::bit_cast<double>(Bits{1023 + kFormat.infinite_exponent} << 52);
  constexpr double kLeast =
      std::bit_cast<double>(Bits{1023 + kFormat.least_exponent + kFormat.fraction_bits} << 52);
  magnitude = magnitude < kBeyond ? magnitude : kBeyond;
  result = result < kBeyond ? result : kBeyond;
  const double floor = std::bit_cast<double>(std::bit_cast<Bits>(magnitude) & kExponent);
  const double power = floor > kLeast ? floor : kLeast;
  const double places = std::bit_cast<double>((Bits{2046 + kFormat.fraction_bits} << 52) -
                                              std::bit_cast<Bits>(power));
  return std::fabs(result - magnitude) * places;
}

template <Kind kKind>
TRANSPIRE_INLINE double error_of(double a, double b, double estimate) {
  const double magnitude = std::fabs(estimate);
  const double first = std::fabs(a), second = std::fabs(b);
  const double margin = magnitude * kTwiceError;
  const double low = Lane<kKind>::rounded(magnitude - margin);
  const double high = Lane<kKind>::rounded(magnitude + margin);
  double error = nearest_error<kKind>(magnitude, low);
  error = low == high ? error : kUndecided;
  error = magnitude > kLeastEstimate ? error : 0;
  error = magnitude < HUGE_VAL ? error : 0;  // false for a NaN
  error = first > 0 ? error : kUndecided;
  error = first < HUGE_VAL ? error : kUndecided;
  error = second > 0 ? error : kUndecided;
  return second < HUGE_VAL ? error : kUndecided;
}

template <Kind kKind>
TRANSPIRE_INLINE void decide(const Estimates& estimates,
                             typename Lane<kKind>::Number* __restrict expected,
                             double* __restrict errors) {
  const double* const __restrict a = estimates.a;
  const double* const __restrict b = estimates.b;
  const double* const __restrict estimate = estimates.estimate;
  const std::size_t count = estimates.count;
  for (std::size_t i = 0; i < count; ++i) expected[i] = Lane<kKind>::nearest(estimate[i]);
  for (std::size_t i = 0; i < count; ++i) errors[i] = error_of<kKind>(a[i], b[i], estimate[i]);
}

}  // namespace

// Clones must be static: the linker sees their resolvers, and a shared library would export those of
// other functions whatever their visibility.

TRANSPIRE_WIDER static void widen_halves(const std::uint16_t* __restrict numbers, std::size_t count,
                                         double* __restrict results) {
  for (std::size_t i = 0; i < count; ++i) results[i] = Lane<Kind::kF16>::widen(numbers[i]);
}
TRANSPIRE_WIDER static void widen_floats(const float* __restrict numbers, std::size_t count,
                                         double* __restrict results) {
  for (std::size_t i = 0; i < count; ++i) results[i] = numbers[i];
}

TRANSPIRE_WIDER static void decide_halves(const Estimates& estimates, std::uint16_t* expected,
                                          double* errors) {
  decide<Kind::kF16>(estimates, expected, errors);
}
TRANSPIRE_WIDER static void decide_floats(const Estimates& estimates, float* expected,
                                          double* errors) {
  decide<Kind::kF32>(estimates, expected, errors);
}

TRANSPIRE_WIDER static std::uint64_t count_greater(const double* values, std::size_t count,
                                                   double limit) {
  std::uint64_t above = 0;
  for (std::size_t i = 0; i < count; ++i) above += values[i] > limit;
  return above;
}

void widen(const std::uint16_t* numbers, std::size_t count, double* results) {
  widen_halves(numbers, count, results);
}
void widen(const float* numbers, std::size_t count, double* results) {
  widen_floats(numbers, count, results);
}

void decide_each(const Estimates& estimates, std::uint16_t* expected, double* errors) {
  decide_halves(estimates, expected, errors);
}
void decide_each(const Estimates& estimates, float* expected, double* errors) {
  decide_floats(estimates, expected, errors);
}

std::uint64_t count_above(const double* values, std::size_t count, double limit) {
  return count_greater(values, count, limit);
}

}  // namespace transpire::ulp
