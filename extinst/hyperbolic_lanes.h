// Hyperbolic functions and their inverses, through e^x - 1 and log(1 + x), which keep small
// operands exact.
#pragma once

#include "extinst/root_lanes.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

/// The functions below are the same in both precisions but for these.
template <class T>
struct Hyperbolic;
template <>
struct Hyperbolic<float> {
  static TRANSPIRE_INLINE double half_expm1(double x) {
    return 0.5 * exp2m1_scaled_short(x * kLog2E);
  }
  static TRANSPIRE_INLINE double half_exp(double x) { return 0.5 * exp2_short(x * kLog2E); }
  static TRANSPIRE_INLINE double log1p(double x) { return log1p_short(x); }
};
template <>
struct Hyperbolic<double> {
  static TRANSPIRE_INLINE double half_expm1(double x) { return half_expm1_of(x); }
  static TRANSPIRE_INLINE double half_exp(double x) { return exp_of({x, 0}, -1); }
  static TRANSPIRE_INLINE double log1p(double x) { return log1p_of(x); }
};

/// With h = (e^x - 1) / 2: sinh(x) = h + h / (2h + 1). Halves, because sinh overflows later than
/// e^x. From 710.5 on everything is infinite; up to 2^-28 sinh(x) is x.
struct Sinh {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const double x = abs_of(static_cast<double>(a));
    const double h = Hyperbolic<T>::half_expm1(limit(x, 0.0, 710.6));
    const double limited = limit(h, 0.0, 0x1p60);  // infinity has no quotient
    const double result = x < 0x1p-28 ? x : h + limited / (2 * limited + 1);
    return nan_if(is_nan(a), with_sign(static_cast<T>(result), a));
  }
};

struct Cosh {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const double h = Hyperbolic<T>::half_exp(abs_of(static_cast<double>(a)));
    return nan_if(is_nan(a), static_cast<T>(h + 0.25 / h));
  }
};

/// tanh(x) = h / (h + 1) with h = (e^(2x) - 1) / 2; 1 from 25 on, x up to 2^-28.
struct Tanh {
  static TRANSPIRE_INLINE Floats vector(Floats a) { return float_tanh(a); }
  static TRANSPIRE_INLINE float lane(float a) { return lane_of(vector(splat(a)), 0); }
  static TRANSPIRE_INLINE double lane(double a) {
    const double x = abs_of(a);
    const double h = Hyperbolic<double>::half_expm1(2 * limit(x, 0.0, 25.0));
    const double result = x < 0x1p-28 ? x : h / (h + 1);
    return nan_if(is_nan(a), with_sign(result, a));
  }
};

/// asinh(x) = log1p(x + x^2 / (1 + sqrt(1 + x^2))). Where x^2 would overflow a double, or 1 no
/// longer counts, log(2x).
struct Asinh {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const double x = abs_of(static_cast<double>(a));
    const bool large = x > 0x1p60;
    const double square = large ? 0 : x * x;
    const double small = x + square / (1 + sqrt_of(1 + square));
    const double log = Hyperbolic<T>::log1p(large ? x - 1 : small);
    const double result = large ? log + 0x1.62e42fefa39efp-1 : log;
    const bool same = (a == 0) | (abs_of(a) == kInfinity<T>);
    return nan_if(is_nan(a), same ? a : with_sign(static_cast<T>(result), a));
  }
};

/// acosh(1 + t) = log1p(t + sqrt(2t + t^2)).
struct Acosh {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const double t = static_cast<double>(a) - 1;
    const bool large = t > 0x1p60;
    const double log = Hyperbolic<T>::log1p(large ? t : t + sqrt_of(2 * t + t * t));
    const double result = large ? log + 0x1.62e42fefa39efp-1 : log;
    const T finite = a == kInfinity<T> ? a : static_cast<T>(result);
    return nan_if(!(a >= 1), finite);
  }
};

struct Atanh {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const double x = abs_of(static_cast<double>(a));
    const auto result = static_cast<T>(0.5 * Hyperbolic<T>::log1p(2 * x / (1 - x)));
    const T finite = x == 1 ? kInfinity<T> : result;
    return nan_if(!(x <= 1), a == 0 ? a : with_sign(finite, a));
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
