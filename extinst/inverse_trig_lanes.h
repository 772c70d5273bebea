// Inverse trigonometric functions, in radians and in half turns.
//
// Methods: asin(s) = s + s^3 P(s^2) for s <= 1/2, beyond through asin(x) = pi/2 - 2
// asin(sqrt((1-x)/2)); atan of a quotient reduced to |t| <= tan(pi/8) by atan(t) = pi/4 +
// atan((t-1)/(t+1)) and atan(t) = pi/2 - atan(1/t). Minimax polynomials (Remez); floats in double
// with short ones.
#pragma once

#include "extinst/root_lanes.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

/// asin(s) - s for s^2 = z <= 1/4, and atan(t) for |t| <= tan(pi/8), for results of 24 or 53 bits.
struct Short {
  static TRANSPIRE_INLINE double asin_tail(double s, double z) {
    return s * z *
           polynomial(z, 0.16666666608641853, 0.07500006048393187, 0.04464043827325612,
                      0.030430115988087147, 0.0218386268781674, 0.020762541522726156,
                      0.001715050786525989, 0.03315872297061942);
  }
  static TRANSPIRE_INLINE double atan(double t) {
    return t * polynomial(t * t, 0.9999999999791646, -0.33333332128363874, 0.19999885863294894,
                          -0.14281636710588833, 0.11041006958896755, -0.08458769216491847,
                          0.04712152424255647);
  }
};
struct Long {
  static TRANSPIRE_INLINE double asin_tail(double s, double z) {
    return s * z *
           polynomial(z, 0.1666666666666666, 0.07500000000002544, 0.04464285713967629,
                      0.030381944645262515, 0.02237215158566919, 0.017352945553806527,
                      0.0139618714751041, 0.011585982599466796, 0.009482006157654689,
                      0.010019022771864545, 0.0006515442956389261, 0.024892761289449283,
                      -0.026234291627970772, 0.033692201778134416);
  }
  static TRANSPIRE_INLINE double atan(double t) {
    const double z = t * t;
    return t + t * z *
                   polynomial(z, -0.33333333333333326, 0.1999999999999767, -0.14285714285388132,
                              0.11111111088184707, -0.09090908144758322, 0.07692282763488806,
                              -0.06666226823841552, 0.05877022405127883, -0.05218408026913781,
                              0.04503563150285146, -0.033474751898973525, 0.01519542824367813);
  }
};
template <class T>
struct PrecisionOf {
  using type = Short;
};
template <>
struct PrecisionOf<double> {
  using type = Long;
};
template <class T>
using Precision = typename PrecisionOf<T>::type;

/// How angles are measured: the value of pi in two parts, and what radians are multiplied with.
struct InRadians {
  static constexpr double kPi = 0x1.921fb54442d18p+1, kPiLow = 0x1.1a62633145c07p-53;
  static TRANSPIRE_INLINE double of_radians(double x) { return x; }
};
struct InHalfTurns {
  static constexpr double kPi = 1, kPiLow = 0;
  static TRANSPIRE_INLINE double of_radians(double x) { return x * 0x1.45f306dc9c883p-2; }
};

/// asin(|x|) up to 1/2, beyond asin(s) for s = sqrt((1 - |x|) / 2).
template <class Precise>
TRANSPIRE_INLINE double half_asin(double magnitude) {
  const double beyond = (1 - magnitude) * 0.5, root = sqrt_of(beyond);
  const double z = magnitude > 0.5 ? beyond : magnitude * magnitude;
  const double s = magnitude > 0.5 ? root : magnitude;
  return s + Precise::asin_tail(s, z);
}

template <class Unit>
struct AsinIn {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const double x = abs_of(static_cast<double>(a));
    const double angle = Unit::of_radians(half_asin<Precision<T>>(x));
    const double large = Unit::kPi / 2 - (2 * angle - Unit::kPiLow / 2);
    const double result = x > 0.5 ? large : angle;
    return nan_if(!(abs_of(a) <= 1), with_sign(static_cast<T>(result), a));
  }
};

template <class Unit>
struct AcosIn {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const double x = a;
    const double angle = Unit::of_radians(half_asin<Precision<T>>(abs_of(x)));
    const double middle = Unit::kPi / 2 - (with_sign(angle, x) - Unit::kPiLow / 2);
    const double left = Unit::kPi - (2 * angle - Unit::kPiLow);
    const double right = x > 0.5 ? 2 * angle : middle;
    const double result = x < -0.5 ? left : right;
    return nan_if(!(abs_of(a) <= 1), static_cast<T>(result));
  }
};

/// The angle of (x, y), x >= 0 and y >= 0, neither NaN; 0 for (0, 0), a quarter for two infinities.
/// `negative_x` mirrors it: then it is pi less that.
template <class Unit, class Precise>
TRANSPIRE_INLINE double quadrant_angle(double y, double x, bool negative_x) {
  // The sum of two large numbers would overflow, and a part of a subnormal one is not exact: powers
  // of two change nothing else.
  const double larger = x < y ? y : x, raised = larger < 0x1p-900 ? 0x1p100 : 1;
  const double scale = larger > 0x1p1000 ? 0.5 : raised;
  const double most = larger * scale, least = (x < y ? x : y) * scale;
  const bool middle = least > most * 0x1.a827999fcef34p-2;
  const double up = least - most, down = least + most;
  const double ratio = (middle ? up : least) / (middle ? down : most);
  const double number = most == 0 ? 0 : ratio;
  const double octant = Unit::of_radians(Precise::atan(most == kInfinity<double> ? 0 : number));
  // The angle is base + or - octant, base a multiple of pi/4. (Selects of selects: g++ does not
  // make vector code of conditions joined across different comparisons.)
  const double between = middle ? Unit::kPi / 4 : 0;
  const double eighth = least == kInfinity<double> ? Unit::kPi / 4 : between;
  const double quarter = x < y ? Unit::kPi / 2 - eighth : eighth;
  const double base = negative_x ? Unit::kPi - quarter : quarter;
  const double upward = x < y ? -octant : octant;
  const double value = negative_x ? -upward : upward;
  return base + (value + base * (Unit::kPiLow / Unit::kPi));
}

template <class Unit>
struct AtanIn {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const double magnitude = abs_of(static_cast<double>(a));
    const auto angle = static_cast<T>(quadrant_angle<Unit, Precision<T>>(magnitude, 1, false));
    return nan_if(is_nan(a), with_sign(angle, a));
  }
};

template <class Unit>
struct Atan2In {
  template <class T>
  static TRANSPIRE_INLINE T lane(T y, T x) {
    const double along = abs_of(static_cast<double>(x)), up = abs_of(static_cast<double>(y));
    const bool negative_x = with_sign(T{1}, x) < 0;
    const auto angle = static_cast<T>(quadrant_angle<Unit, Precision<T>>(up, along, negative_x));
    return nan_if(is_nan(x) | is_nan(y), with_sign(angle, y));
  }
};

struct Asin : AsinIn<InRadians> {};
struct Acos : AcosIn<InRadians> {};
struct Atan : AtanIn<InRadians> {};
struct Atan2 : Atan2In<InRadians> {};
struct Asinpi : AsinIn<InHalfTurns> {};
struct Acospi : AcosIn<InHalfTurns> {};
struct Atanpi : AtanIn<InHalfTurns> {};
struct Atan2pi : Atan2In<InHalfTurns> {
  static constexpr bool kRare = true;
};

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
