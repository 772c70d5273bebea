// Exponentials: exp, exp2, exp10, expm1.
//
// Method: 2^t = 2^k 2^r with k the integer nearest t, a minimax polynomial (Remez) for 2^r or e^r
// on the remaining interval, and the power of two by exponent arithmetic. Floats are computed in
// double with a short polynomial, but for exp (extinst/float_math.h); doubles carry the rounding
// error of the reduction along (Cody and Waite).
#pragma once

#include "extinst/float_math.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

inline constexpr double kLog2E = 0x1.71547652b82fep+0;
inline constexpr double kLog2Of10 = 0x1.a934f0979a371p+1;
/// ln 2 in two parts; the first has 40 bits, so that its products with exponents are exact.
inline constexpr double kLn2High = 0x1.62e42fefa4000p-1, kLn2Low = -0x1.8432a1b0e2634p-43;

/// 2^r - 1 for |r| <= 1/2, relative error 2^-32.
TRANSPIRE_INLINE double exp2m1_short(double r) {
  return r * polynomial(r, 0.6931471805815491, 0.24022650920065833, 0.05550410727606281,
                        0.00961805703518147, 0.001333366946008253, 0.0001546133043931449,
                        1.5252716344823063e-05);
}

/// 2^t with relative error 2^-33; t beyond the range of float gives some value beyond it.
TRANSPIRE_INLINE double exp2_short(double t) {
  const Nearest k = nearest(limit(t, -180.0, 160.0));
  const double fraction = limit(t, -180.0, 160.0) - k.value;
  return from_bits(bits_of(1 + exp2m1_short(fraction)) + (k.bits << 52));
}

/// e^t' - 1 = 2^t - 1 with relative error 2^-31, for t = t' log2(e) below 160.
TRANSPIRE_INLINE double exp2m1_scaled_short(double t) {
  const Nearest k = nearest(limit(t, -180.0, 160.0));
  const double scale = power_of_two(k.value);
  return scale * exp2m1_short(limit(t, -180.0, 160.0) - k.value) + (scale - 1);
}

/// e^r - 1 - r for |r| <= ln(2) / 2, error 2^-64 relative to e^r.
TRANSPIRE_INLINE double exp_tail(double r) {
  return r * r *
         polynomial(r, 0.5, 0.16666666666666682, 0.041666666666666095, 0.008333333333316907,
                    0.0013888888889115512, 0.00019841269896703263, 2.4801586927260894e-05,
                    2.7557234539274706e-06, 2.7557580915182835e-07, 2.511215059225829e-08,
                    2.0827040526153783e-09);
}

/// e^(r + low) * 2^k.
TRANSPIRE_INLINE double exp_scaled(Sum r, double k) {
  return scale_by(1 + (r.high + (r.low + exp_tail(r.high))), k);
}

/// x - k ln 2.
TRANSPIRE_INLINE Sum minus_ln2(double x, double k) {
  return fast_two_sum(x - k * kLn2High, -(k * kLn2Low));
}

/// e^x 2^scale, an error of at most 0.8 units in the last place beyond that of x. Overflows and
/// underflows; scale is an integer in [-200, 200].
TRANSPIRE_INLINE double exp_of(Sum x, double scale = 0) {
  // Where the result is to be 2^scale times as large, so much smaller operands give one.
  const double high = limit(x.high, -760.0 - scale * 0x1.62e42fefa39efp-1, 720.0);
  const double low = high == x.high ? x.low : 0;
  const double k = nearest(high * kLog2E).value;
  const Sum r = minus_ln2(high, k);
  return exp_scaled(fast_two_sum(r.high, r.low + low), k + scale);
}

/// (e^x - 1) / 2 for -760 <= x <= 710.6; half of it, because the whole may overflow.
TRANSPIRE_INLINE double half_expm1_of(double x) {
  const double k = nearest(x * kLog2E).value;
  const Sum r = minus_ln2(x, k);
  const double quarter = power_of_two((k < -100 ? -100 : k) - 2);
  return 2 * (quarter * (r.high + (r.low + exp_tail(r.high))) + (quarter - 0.25));
}
/// e^x - 1 for -760 <= x <= 710.6.
TRANSPIRE_INLINE double expm1_of(double x) {
  return abs_of(x) < 0x1p-54 ? x : 2 * half_expm1_of(x);
}

struct Exp {
  static TRANSPIRE_INLINE FloatMask is_narrow_vector(Floats a) {
    return abs_of(a) <= kFloatNormalExp;
  }
  static TRANSPIRE_INLINE Floats narrow_vector(Floats a) { return float_exp_normal(a); }
  static TRANSPIRE_INLINE Floats vector(Floats a) { return float_exp(a); }
  static TRANSPIRE_INLINE float lane(float a) { return lane_of(vector(splat(a)), 0); }
  static TRANSPIRE_INLINE double lane(double a) { return nan_if(is_nan(a), exp_of({a, 0})); }
};

struct Exp2 {
  static TRANSPIRE_INLINE float lane(float a) {
    return nan_if(is_nan(a), static_cast<float>(exp2_short(a)));
  }
  static TRANSPIRE_INLINE double lane(double a) {
    const double x = limit(a, -1080.0, 1030.0);
    const double k = nearest(x).value;
    constexpr double kLn2 = 0x1.62e42fefa39efp-1;
    return nan_if(is_nan(a), exp_scaled({(x - k) * kLn2, 0}, k));
  }
};

struct Exp10 {
  static TRANSPIRE_INLINE float lane(float a) {
    return nan_if(is_nan(a), static_cast<float>(exp2_short(static_cast<double>(a) * kLog2Of10)));
  }
  static TRANSPIRE_INLINE double lane(double a) {
    // log10(2), the first part in 40 bits; ln(10).
    constexpr double kHigh = 0x1.34413509f8000p-2, kLow = -0x1.80433b83b532ap-44;
    constexpr double kLn10 = 0x1.26bb1bbb55516p+1;
    const double x = limit(a, -330.0, 310.0);
    const double k = nearest(x * kLog2Of10).value;
    const double r = (x - k * kHigh) - k * kLow;
    return nan_if(is_nan(a), exp_scaled({r * kLn10, 0}, k));
  }
};

struct Expm1 {
  static TRANSPIRE_INLINE float lane(float a) {
    const auto result = static_cast<float>(exp2m1_scaled_short(static_cast<double>(a) * kLog2E));
    return nan_if(is_nan(a), with_sign(result, a));
  }
  static TRANSPIRE_INLINE double lane(double a) {
    return nan_if(is_nan(a), expm1_of(limit(a, -760.0, 710.0)));
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
