// Powers: pow, powr, pown, rootn, as e^(y log |x|) with the sign and the special cases put on
// after. Floats take the logarithm in double, doubles in double-double. pow and powr of floats are
// in extinst/float_math.h.
#pragma once

#include "extinst/common_lanes.h"
#include "extinst/log_lanes.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

/// log |x| or log2 |x|, extended to 0 and infinity; exactly 0 for 1.
TRANSPIRE_INLINE double log2_magnitude(float x) {
  const double magnitude = abs_of(static_cast<double>(x));
  const double finite = magnitude == 0 ? -kInfinity<double> : log2_short(magnitude);
  return magnitude == kInfinity<double> ? magnitude : finite;
}
TRANSPIRE_INLINE Sum log_magnitude(double x) {
  const double magnitude = abs_of(x);
  Sum log = log_double_double(magnitude);
  log.high = magnitude == 0 ? -kInfinity<double> : log.high;
  log.high = magnitude == kInfinity<double> ? magnitude : log.high;
  return log;
}

/// |x|^y; 1^y is 1 for every y.
TRANSPIRE_INLINE float power_of_magnitude(float x, double y) {
  const double log = log2_magnitude(x);
  return static_cast<float>(exp2_short(log == 0 ? 0 : log * y));
}
/// A product past 2^65 overflows whatever log |x| is, unless it is 0: its least magnitude is 2^-53.
TRANSPIRE_INLINE double power_of_magnitude(double x, double y) {
  const Sum log = log_magnitude(x);
  const double exponent = limit(y, -0x1p65, 0x1p65);
  const bool infinite = abs_of(log.high) == kInfinity<double>;
  const Sum product = multiply(log, exponent);
  return exp_of({infinite ? log.high * exponent : product.high, infinite ? 0 : product.low});
}

/// -1 where x has its sign bit set and the power is odd, else 1: as a factor on the result.
template <class T>
TRANSPIRE_INLINE T with_parity(T result, T x, bool odd) {
  return odd ? times_sign(result, x) : result;
}

struct Pow {
  static TRANSPIRE_INLINE Floats vector(Floats x, Floats y) { return float_pow(x, y); }
  static TRANSPIRE_INLINE float lane(float x, float y) {
    return lane_of(vector(splat(x), splat(y)), 0);
  }
  static TRANSPIRE_INLINE double lane(double x, double y) {
    const double half = 0.5 * y;
    const bool integer = trunc_of(y) == y;
    const bool odd = integer & (trunc_of(half) != half) & (abs_of(y) < kInfinity<double>);
    double result = with_parity(power_of_magnitude(x, y), x, odd);
    const bool undefined = (x < 0) & (x > -kInfinity<double>)&!integer;
    result = nan_if(undefined | is_nan(x) | is_nan(y), result);
    return (y == 0) | (x == 1) ? 1 : result;
  }
};

struct Powr {
  static TRANSPIRE_INLINE Floats vector(Floats x, Floats y) { return float_powr(x, y); }
  static TRANSPIRE_INLINE float lane(float x, float y) {
    return lane_of(vector(splat(x), splat(y)), 0);
  }
  static TRANSPIRE_INLINE double lane(double x, double y) {
    const double result = power_of_magnitude(x, y);
    const bool zero_exponent = (y == 0) & ((x == 0) | (x == kInfinity<double>));
    const bool infinite_exponent = (x == 1) & (abs_of(y) == kInfinity<double>);
    const bool undefined = zero_exponent | infinite_exponent | !(x >= 0) | is_nan(y);
    return nan_if(undefined, y == 0 ? 1 : result);
  }
};

struct Pown {
  template <class T>
  static TRANSPIRE_INLINE T lane(T x, std::uint32_t n) {
    const auto exponent = static_cast<double>(static_cast<std::int32_t>(n));
    const T result = with_parity(power_of_magnitude(x, exponent), x, (n & 1) != 0);
    return n == 0 ? T{1} : nan_if(is_nan(x), result);
  }
};

struct Rootn {
  static constexpr bool kRare = true;
  static TRANSPIRE_INLINE float root(float x, double n) {
    return static_cast<float>(exp2_short(log2_magnitude(x) / n));
  }
  static TRANSPIRE_INLINE double root(double x, double n) {
    const Sum log = log_magnitude(x);
    const double quotient = log.high / n;
    const Sum back = two_product(quotient, n);
    const double rest = (((log.high - back.high) - back.low) + log.low) / n;
    return exp_of({quotient, abs_of(quotient) == kInfinity<double> ? 0 : rest});
  }
  template <class T>
  static TRANSPIRE_INLINE T lane(T x, std::uint32_t n) {
    const T magnitude = root(x, static_cast<double>(static_cast<std::int32_t>(n)));
    const T even = nan_if(x < 0, magnitude);
    const T result = (n & 1) != 0 ? times_sign(magnitude, x) : even;
    return n == 0 ? kNan<T> : nan_if(is_nan(x), result);
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
