// Roots: sqrt, rsqrt, cbrt, hypot.
#pragma once

#include "extinst/log_lanes.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

TRANSPIRE_INLINE float sqrt_of(float x) { return __builtin_sqrtf(x); }
TRANSPIRE_INLINE double sqrt_of(double x) { return __builtin_sqrt(x); }

struct Sqrt {
  /// Operands without a root are replaced before, not after: a compiler that treats all NaNs alike
  /// would drop a choice between the root's NaN and this one.
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return sqrt_of(a >= 0 ? a : kNan<T>);
  }
};

/// Two roundings, so up to 1.5 units in the last place of the 2 allowed; a detour of floats through
/// double would be four times as slow.
struct Rsqrt {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    return nan_if(!(a >= 0), T{1} / sqrt_of(a));
  }
};

struct Cbrt {
  static TRANSPIRE_INLINE float lane(float a) {
    const double log = log2_short(abs_of(static_cast<double>(a)));
    const auto root = static_cast<float>(exp2_short(log * 0x1.5555555555555p-2));
    const bool same = (a == 0) | (abs_of(a) == kInfinity<float>);
    return nan_if(is_nan(a), same ? a : with_sign(root, a));
  }
  /// One step of Halley's method, which triples the 30 bits of the first guess. The guess is
  /// rounded to 26 bits so that its square is exact; then only the last two operations round
  /// noticeably.
  static TRANSPIRE_INLINE double lane(double a) {
    const double magnitude = abs_of(a);
    const bool subnormal = magnitude < kMinNormal<double>;
    const Scaled part = scaled(subnormal ? magnitude * 0x1p54 : magnitude);
    const double third = nearest(part.e * 0x1.5555555555555p-2).value;
    const double rest = part.m * power_of_two(part.e - 3 * third);
    const double guess = leading_half(exp2_short(log2_short(rest) * 0x1.5555555555555p-2));
    const double ratio = rest / (guess * guess);
    const double root = guess + guess * ((ratio - guess) / (2 * guess + ratio));
    const double result = root * power_of_two(subnormal ? third - 18 : third);
    const bool same = (a == 0) | (magnitude == kInfinity<double>);
    return nan_if(is_nan(a), same ? a : with_sign(result, a));
  }
};

struct Hypot {
  template <class T>
  static TRANSPIRE_INLINE T domain(T a, T b, T result) {
    const bool infinite = (abs_of(a) == kInfinity<T>) | (abs_of(b) == kInfinity<T>);
    return infinite ? kInfinity<T> : nan_if(is_nan(a) | is_nan(b), result);
  }
  /// Squares of floats are exact in double and stay in its range.
  static TRANSPIRE_INLINE float lane(float a, float b) {
    const double x = a, y = b;
    return domain(a, b, static_cast<float>(sqrt_of(x * x + y * y)));
  }
  /// Scaled by a power of two where a square could overflow or lose bits below the normal range.
  static TRANSPIRE_INLINE double lane(double a, double b) {
    const double x = abs_of(a), y = abs_of(b), larger = x < y ? y : x;
    const double down = larger > 0x1p500 ? 0x1p-600 : 1;
    const double scale = larger < 0x1p-400 ? 0x1p600 : down;
    const double up = larger > 0x1p500 ? 0x1p600 : 1;
    const double back = larger < 0x1p-400 ? 0x1p-600 : up;
    const double u = x * scale, v = y * scale;
    return domain(a, b, sqrt_of(u * u + v * v) * back);
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
