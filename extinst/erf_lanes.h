// Error functions. Below 1: erf(x) = x P(x^2). From 1 on: erfc(x) = e^(-x^2) Q(t), t = (x - 3) / (x
// + 3), because e^(x^2) erfc(x) is smooth in t up to infinity; in double Q(t) / (1 + 2x), whose
// polynomial stays near 1 and so loses no bits to cancellation. Minimax polynomials (Remez). erf of
// floats is in extinst/float_math.h.
#pragma once

#include "extinst/exp_lanes.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

/// erf for |x| < 1 and erfc for x >= 1, up to where erfc underflows.
template <class T>
struct ErfParts;
template <>
struct ErfParts<float> {
  static TRANSPIRE_INLINE double inner(double x) {
    return x * polynomial(x * x, 1.1283791670580252, -0.3761263843466453, 0.11283781974182215,
                          -0.026865400043716393, 0.005220945433172173, -0.000848282880887245,
                          0.00011256947386489817, -9.641513917066012e-06);
  }
  static TRANSPIRE_INLINE double outer(double x) {
    const double limited = limit(x, 1.0, 10.2);
    return exp2_short(-(limited * limited) * kLog2E) *
           polynomial((limited - 3) / (limited + 3), 0.17900115119384788, -0.3262335600401803,
                      0.2456037989607832, -0.1501159336426956, 0.07166593290440605,
                      -0.024392616448439902, 0.004267963659034727, 0.0007092107367871051,
                      -0.0005909575911431399, 3.80095350623589e-05, 5.1034280271017453e-05);
  }
};
template <>
struct ErfParts<double> {
  static TRANSPIRE_INLINE double inner(double x) {
    return x * polynomial(x * x, 1.1283791670955126, -0.3761263890318375, 0.11283791670954857,
                          -0.02686617064507289, 0.005223977624780817, -0.0008548326978739592,
                          0.00012055331036812047, -1.4925593504938248e-05, 1.6460972787748485e-06,
                          -1.6350024930373075e-07, 1.4657877978500797e-08, -1.1365659089363985e-09,
                          5.9452505928793e-11);
  }
  static TRANSPIRE_INLINE double outer(double x) {
    const double limited = limit(x, 1.0, 27.5);
    const Sum square = two_product(limited, limited);
    const double scaled = polynomial(
        (limited - 3) / (limited + 3), 1.2530080582697296, -0.13562110612458123,
        -0.04756229435345287, 0.129645158702767, -0.11927366341512784, 0.06830802734361949,
        -0.02377051492452626, 0.002529391826702676, 0.001888690453575104, -0.0007798324541250431,
        -0.00010516062754314995, 0.00012510120622114305, 4.95345503105718e-06,
        -2.0111876954295837e-05, -7.401675775358609e-07, 3.5126124180595244e-06,
        3.537362451005421e-07, -6.920702506186992e-07, -9.141687877103997e-08,
        1.545972136241581e-07, -2.7668137095528168e-08);
    return exp_of({-square.high, -square.low}) * scaled / (1 + 2 * limited);
  }
};

struct Erf {
  static TRANSPIRE_INLINE Floats vector(Floats a) { return float_erf(a); }
  static TRANSPIRE_INLINE float lane(float a) { return lane_of(vector(splat(a)), 0); }
  static TRANSPIRE_INLINE double lane(double a) {
    const double x = abs_of(a);
    const double result = x < 1 ? ErfParts<double>::inner(x) : 1 - ErfParts<double>::outer(x);
    return nan_if(is_nan(a), with_sign(result, a));
  }
};

struct Erfc {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a) {
    const double x = abs_of(static_cast<double>(a));
    const double outer = ErfParts<T>::outer(x);
    const double beyond = a < 0 ? 2 - outer : outer;
    const double result = x < 1 ? 1 - ErfParts<T>::inner(a) : beyond;
    return nan_if(is_nan(a), static_cast<T>(result));
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
