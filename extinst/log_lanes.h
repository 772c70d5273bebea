// Logarithms: log, log2, log10, log1p, and the double-double logarithm of the power functions.
//
// Method: x = m 2^e with m in [sqrt(1/2), sqrt(2)); with f = m - 1 and s = f / (2 + f),
// log(m) = 2 atanh(s) = 2s + 2s^3/3 + ..., a minimax polynomial (Remez) in s^2.
#pragma once

#include "extinst/exp_lanes.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

/// A positive normal double as m * 2^e, m in [sqrt(1/2), sqrt(2)). Other operands give some
/// numbers.
struct Scaled {
  double m, e;
};
TRANSPIRE_INLINE Scaled scaled(double x) {
  constexpr std::uint64_t kSqrtHalf = 0x3fe6a09e667f3bcdu;
  constexpr std::uint64_t kFractionBits = (std::uint64_t{1} << 52) - 1;
  // Counting exponents from sqrt(1/2): the field of `offset` is e, and with 1023 added never
  // negative.
  const std::uint64_t offset = bits_of(x) - kSqrtHalf;
  const std::uint64_t biased = (offset + (std::uint64_t{1023} << 52)) >> 52;
  return {from_bits((offset & kFractionBits) + kSqrtHalf),
          from_bits(biased | bits_of(0x1p52)) - (0x1p52 + 1023)};
}
/// As scaled(), also for subnormal doubles.
TRANSPIRE_INLINE Scaled scaled_any(double x) {
  const bool subnormal = x < kMinNormal<double>;
  const Scaled part = scaled(subnormal ? x * 0x1p54 : x);
  return {part.m, subnormal ? part.e - 54 : part.e};
}

/// log(m), relative error 2^-45.
TRANSPIRE_INLINE double log_short(double m) {
  const double f = m - 1, s = f / (2 + f);
  return 2 * s *
         polynomial(s * s, 0.9999999999999732, 0.3333333333985879, 0.19999997425617647,
                    0.1428608514610558, 0.11087038947430163, 0.0980529139510475);
}

/// log2(x) of a positive normal double, relative error 2^-44.
TRANSPIRE_INLINE double log2_short(double x) {
  const Scaled part = scaled(x);
  return part.e + log_short(part.m) * kLog2E;
}

/// log(1 + f) as f - (half_square - correction), f = m - 1; |error| < 2^-58 |f|.
struct LogParts {
  double f, half_square, correction;
};
TRANSPIRE_INLINE LogParts log_parts(double f) {
  const double s = f / (2 + f), z = s * s, half_square = 0.5 * f * f;
  const double tail = z * polynomial(z, 0.6666666666666666, 0.40000000000006286,
                                     0.28571428569072954, 0.22222222648754475, 0.181817755080872,
                                     0.15387097673021718, 0.13249961488065093, 0.13252759908830128);
  return {f, half_square, s * (half_square + tail)};
}

/// log(1 + f) + low + e ln 2.
TRANSPIRE_INLINE double log_sum(double f, double low, double e) {
  const LogParts part = log_parts(f);
  return e * kLn2High - ((part.half_square - (part.correction + (e * kLn2Low + low))) - f);
}

/// (log(1 + f) * c) + e * d, where c and d are given in two parts of which the first is short
/// enough for exact products: 32 bits for c, 40 for d.
TRANSPIRE_INLINE double log_scaled(double f, double e, Sum c, Sum d) {
  const LogParts part = log_parts(f);
  const double high = from_bits(bits_of(f - part.half_square) & 0xffffffff00000000u);
  const double low = ((f - high) - part.half_square) + part.correction;
  const Sum whole = two_sum(e * d.high, high * c.high);
  return whole.high + (whole.low + (e * d.low + ((low + high) * c.low + low * c.high)));
}

/// The logarithm's results at the ends of its domain, in place of `result`.
template <class T>
TRANSPIRE_INLINE T log_domain(T a, T result) {
  result = a == 0 ? -kInfinity<T> : result;
  result = a == kInfinity<T> ? a : result;
  return a >= 0 ? result : kNan<T>;
}

struct Log {
  /// Where a is a positive normal number: a step of the exponent makes negative integers of infinity and positive NaN,
  /// and the smallest ones of negative NaN.
  static TRANSPIRE_INLINE FloatMask is_narrow_vector(Floats a) {
    return mask_as<float>(bits_as<std::int32_t>(bits_of(a) + 0x00800000u) > 0x00ffffff);
  }
  static TRANSPIRE_INLINE Floats narrow_vector(Floats a) { return float_log_normal(a); }
  static TRANSPIRE_INLINE Floats vector(Floats a) { return float_log(a); }
  static TRANSPIRE_INLINE float lane(float a) { return lane_of(vector(splat(a)), 0); }
  static TRANSPIRE_INLINE double lane(double a) {
    const Scaled part = scaled_any(a);
    return log_domain(a, log_sum(part.m - 1, 0, part.e));
  }
};

struct Log2 {
  static TRANSPIRE_INLINE float lane(float a) {
    return log_domain(a, static_cast<float>(log2_short(a)));
  }
  static TRANSPIRE_INLINE double lane(double a) {
    const Scaled part = scaled_any(a);
    constexpr Sum kPerLog{0x1.71547652p+0, 0x1.705fc2eefa200p-33};
    return log_domain(a, log_scaled(part.m - 1, part.e, kPerLog, {1, 0}));
  }
};

struct Log10 {
  static TRANSPIRE_INLINE float lane(float a) {
    constexpr double kLog10Of2 = 0x1.34413509f79ffp-2;
    return log_domain(a, static_cast<float>(log2_short(a) * kLog10Of2));
  }
  static TRANSPIRE_INLINE double lane(double a) {
    const Scaled part = scaled_any(a);
    constexpr Sum kPerLog{0x1.bcb7b152p-2, 0x1.b9438ca9aadd5p-36};
    constexpr Sum kPerExponent{0x1.34413509f8000p-2, -0x1.80433b83b532ap-44};
    return log_domain(a, log_scaled(part.m - 1, part.e, kPerLog, kPerExponent));
  }
};

/// log(1 + x) of a double > -1, relative error 2^-44: the rounding error of 1 + x is added to first
/// order, which matters only where 1 + x is near 1, and is not the whole 1 that 2^53 loses.
TRANSPIRE_INLINE double log1p_short(double x) {
  constexpr double kLn2 = 0x1.62e42fefa39efp-1;
  const double sum = 1 + x;
  const Scaled part = scaled(sum);
  const double lost = x < 0x1p30 ? x - (sum - 1) : 0;
  return (part.e * kLn2 + log_short(part.m)) + lost;
}
/// log(1 + x) in full double precision.
TRANSPIRE_INLINE double log1p_of(double x) {
  const double sum = 1 + x;
  const Scaled part = scaled(sum);
  return log_sum(part.m - 1, (x - (sum - 1)) / sum, part.e);
}

template <class T>
TRANSPIRE_INLINE T log1p_domain(T a, T result) {
  result = with_sign(result, a);
  result = a == -1 ? -kInfinity<T> : result;
  result = a == kInfinity<T> ? a : result;
  return a >= -1 ? result : kNan<T>;
}

struct Log1p {
  static TRANSPIRE_INLINE float lane(float a) {
    return log1p_domain(a, static_cast<float>(log1p_short(a)));
  }
  static TRANSPIRE_INLINE double lane(double a) { return log1p_domain(a, log1p_of(a)); }
};

/// log(x) of a positive double as a double-double, relative error 2^-63: the series' first two
/// terms in double-double, the rest, which is below 2^-12 of the whole, in double.
TRANSPIRE_INLINE Sum log_double_double(double x) {
  const Scaled part = scaled_any(x);
  const double f = part.m - 1;
  const Sum divisor = two_sum(1.0, part.m);
  const double quotient = f / divisor.high;
  const Sum back = two_product(quotient, divisor.high);
  const Sum s{quotient, (((f - back.high) - back.low) - quotient * divisor.low) / divisor.high};
  const Sum z = multiply(s, s);
  const double tail =
      z.high * z.high *
      polynomial(z.high, 0.4000000000000227, 0.28571428570091945, 0.22222222521345408,
                 0.18181784237774587, 0.1538676349845435, 0.13256669599212012, 0.13197743185915473);
  const Sum third = multiply(z, Sum{0x1.5555555555555p-1, 0x1.5555555555555p-55});
  const Sum cubic = multiply(s, fast_two_sum(third.high, third.low + tail));
  const Sum mantissa = add({2 * s.high, 2 * s.low}, cubic);
  return add({part.e * kLn2High, part.e * kLn2Low}, mantissa);
}

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
