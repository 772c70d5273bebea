// The functions of the fast mode on floats whose speed matters most, in float arithmetic: exp, log,
// sin, cos, tanh, erf, pow. They take from a quarter (erf) to four fifths (pow) of the time of
// double arithmetic, with errors of 0.9 to 2.6 units in the last place (docs/numerics.md has the
// bounds, none above two thirds of what is allowed).
//
// Without fused multiply-adds, so that every instruction set gives the same bits: products that
// must be exact have factors short enough for it. Coefficients are minimax polynomials (Remez's
// exchange in 110 bits, then rounded to float; where it gains, one after the other, the rest fitted
// anew).
#pragma once

#include "extinst/float_vectors.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

/// ln 2 in two parts: 0x1.62ep-1 has 12 bits, so that its products with integers below 2^12 are
/// exact.
inline constexpr float kFloatLn2High = 0x1.62ep-1f, kFloatLn2Low = 0x1.0bfbe8p-15f;

/// y 2^k for y in (1/2, 2) and an integer k >= -152, given as the low bits of `k_bits`: rounded
/// once where the result is subnormal; where its exponent is too large, not a finite number.
/// Subnormal results are integers times 2^-149, which an addition rounds: a product that is
/// subnormal would cost a hundred cycles.
TRANSPIRE_INLINE Floats scaled_by_power(Floats y, Words k_bits) {
  const Floats normal = from_bits(bits_of(y) + (k_bits << 23));
  const Floats in_units = y * from_bits((k_bits + (127 + 149)) << 23);
  const Floats subnormal = from_bits(bits_of(in_units + 0x1p23f) - 0x4b000000u);
  return choose(signed_bits_of(normal) < 0x00800000, subnormal, normal);
}

/// x = k ln 2 + r, |r| <= 0.347; the low bits of `k_bits` are k.
struct ExpParts {
  Floats r;
  Words k_bits;
};
/// Sums with k * -c have the bits of differences with k * c, and an addition can take x from memory.
TRANSPIRE_INLINE ExpParts exp_parts(Floats x) {
  const Floats shifted = x * 0x1.715476p+0f + kFloatIntegerShift;
  const Floats k = shifted - kFloatIntegerShift;
  return {(x + k * -kFloatLn2High) + k * -kFloatLn2Low, bits_of(shifted)};
}

/// e^r is 1 + r + r^2 P(r) up to 2^-28.2.
TRANSPIRE_INLINE Floats exp_of_remainder(Floats r) {
  return 1 + (r + r * r *
                      polynomial(r, 0x1.fffffcp-2, 0x1.55548cp-3, 0x1.55585ap-5, 0x1.123d72p-7,
                                 0x1.6ab8b4p-10));
}
/// Up to this magnitude e^a is a normal number.
inline constexpr float kFloatNormalExp = 87;
TRANSPIRE_INLINE Floats float_exp_normal(Floats a) {
  const ExpParts part = exp_parts(a);
  return from_bits(bits_of(exp_of_remainder(part.r)) + (part.k_bits << 23));
}
/// Up to -104 everything is 0, from 88.723 on infinite.
TRANSPIRE_INLINE Floats float_exp(Floats a) {
  constexpr float kLargest = 0x1.62e42ep+6f;  // e^a is below 2^128
  const ExpParts part = exp_parts(choose(a < -104.0f, -104.0f, a));
  const Floats finite = scaled_by_power(exp_of_remainder(part.r), part.k_bits);
  return nan_where_nan(a, choose(a > kLargest, kInfinity<float>, finite));
}

/// tanh(x) = h / (h + 2) with h = e^(2x) - 1 = 2^k (e^r - 1) + (2^k - 1); 1 from 15 on. e^r - 1 is
/// r + r^2 P(r) up to 2^-26 of it, for subnormal r exactly r.
TRANSPIRE_INLINE Floats float_tanh(Floats a) {
  const Floats twice = 2 * abs_of(a);
  const ExpParts part = exp_parts(choose(twice > 30.0f, 30.0f, twice));
  const Floats r = part.r;
  const Floats tail =
      polynomial(r, 0x1.fffffep-2, 0x1.5554aap-3, 0x1.555798p-5, 0x1.122c10p-7, 0x1.6ac8f6p-10);
  const Floats power = from_bits((part.k_bits << 23) + 0x3f800000u);
  const Floats h = power * (r + r * r * tail) + (power - 1);
  return nan_where_nan(a, with_sign(quotient(h, h + 2), a));
}

/// A positive normal x = (1 + f) 2^e with 1 + f in [sqrt(1/2), sqrt(2)), f exact.
struct LogParts32 {
  Floats f;
  Ints e;
};
TRANSPIRE_INLINE LogParts32 split_float(Floats x) {
  const Words offset = bits_of(x) - 0x3f3504f3u;  // exponents count from sqrt(1/2)
  return {from_bits((offset & 0x7fffffu) + 0x3f3504f3u) - 1, bits_as<std::int32_t>(offset) >> 23};
}
/// As split_float(), also for subnormal numbers.
TRANSPIRE_INLINE LogParts32 split_any_float(Floats x) {
  const FloatMask subnormal = x < kMinNormal<float>;
  const LogParts32 part = split_float(choose(subnormal, x * 0x1p23f, x));
  return {part.f, part.e - (bits_of_mask<std::int32_t>(subnormal) & 23)};
}
/// log(1 + f) is f - f^2 / 2 + f^3 P(f) up to 2^-27.2 of it.
TRANSPIRE_INLINE Floats log_of(LogParts32 part) {
  const Floats f = part.f, e = to_floats(part.e), square = f * f;
  const Floats tail = polynomial(f, 0x1.555554p-2, -0x1.000226p-2, 0x1.99a00cp-3, -0x1.54724ep-3,
                                 0x1.22d9e6p-3, -0x1.0d84cap-3, 0x1.055c7cp-3, -0x1.38bap-4);
  return e * kFloatLn2High + (f - (0.5f * square - (square * f * tail + e * kFloatLn2Low)));
}
/// The logarithm of positive normal numbers.
TRANSPIRE_INLINE Floats float_log_normal(Floats a) { return log_of(split_float(a)); }
TRANSPIRE_INLINE Floats float_log(Floats a) {
  const Floats finite = log_of(split_any_float(a));
  const Floats positive = choose(a < kInfinity<float>, finite, kInfinity<float>);
  const Floats other = choose(a == 0, -kInfinity<float>, splat(kNan<float>));
  return choose(a > 0, positive, other);
}

/// Angles up to this are reduced in float arithmetic; 2^11 pi is more.
inline constexpr float kFloatReducedLimit = 6400;

/// x - n pi for |x| <= kFloatReducedLimit and n an integer, or one and a half. Pi in four parts: of
/// the first three, of 12 bits, the products with n are exact, and so are the differences where the
/// remainder is small; it is at least 2^-26. A remainder near 1 is rounded twice.
TRANSPIRE_INLINE Floats minus_turns(Floats x, Floats n) {
  return (((x + n * -0x1.922p+1f) + n * 0x1.2aep-17f) + n * 0x1.deap-30f) + n * -0x1.184698p-43f;
}
/// As minus_turns() of floats, for |x| <= 2^20 through double, where the first part of pi has 33 bits.
TRANSPIRE_INLINE Doubles minus_turns(Doubles x, Doubles n) {
  return (x + n * -0x1.921fb544p+1) + n * -0x1.0b4611a626331p-33;
}
TRANSPIRE_INLINE Doubles nearest_of(Doubles x) { return (x + kIntegerShift) - kIntegerShift; }

/// An angle less n half turns, |r| <= pi/2; the low bit of `n_bits` is that of n.
struct HalfTurnReduced {
  Floats r;
  Words n_bits;
};
/// x = n pi + r of an x >= 0; with kOffset 1/2, x + pi/2 = n pi + r.
template <int kHalves>
TRANSPIRE_INLINE HalfTurnReduced reduce_floats(Floats x) {
  constexpr float kOffset = 0.5f * kHalves;
  Floats turns = x * 0x1.45f306p-2f;
  if constexpr (kHalves != 0) turns += kOffset;
  const Floats shifted = turns + kFloatIntegerShift;
  return {minus_turns(x, (shifted - kFloatIntegerShift) - kOffset), bits_of(shifted)};
}
/// As reduce_floats(), with equal results up to kFloatReducedLimit, and for x up to 2^20.
template <int kHalves>
TRANSPIRE_INLINE HalfTurnReduced reduce_large_floats(Floats x) {
  constexpr double kOffset = 0.5 * kHalves;
  const WideFloats wide = widen(x);
  const Doubles low = nearest_of(wide.low * 0x1.45f306dc9c883p-2 + kOffset);
  const Doubles high = nearest_of(wide.high * 0x1.45f306dc9c883p-2 + kOffset);
  const Floats r =
      narrow(minus_turns(wide.low, low - kOffset), minus_turns(wide.high, high - kOffset));
  const HalfTurnReduced small = reduce_floats<kHalves>(x);
  const Words n_bits = bits_of(narrow(low, high) + kFloatIntegerShift);
  const FloatMask large = x > kFloatReducedLimit;
  return {choose(large, r, small.r), choose(large, n_bits, small.n_bits)};
}

/// sin(x + kHalves pi/2) for x = |a|. The sine is odd: sin(r) is r + r^3 P(r^2) up to 2^-27.3 of
/// it.
template <int kHalves>
TRANSPIRE_INLINE Floats sine_of(HalfTurnReduced angle, Floats a) {
  const Floats r = angle.r, z = r * r;
  const Floats sine =
      r + r * z * polynomial(z, -0x1.55554cp-3, 0x1.110edap-7, -0x1.9f70eep-13, 0x1.5dc8c4p-19);
  const Words turned = angle.n_bits << 31;
  const Words sign = kHalves != 0 ? turned : (turned ^ bits_of(a)) & kFloatSign;
  return from_bits(bits_of(sine) ^ sign);
}
/// sin(a) or, with kHalves 1, cos(a), for |a| <= kFloatReducedLimit.
template <int kHalves>
TRANSPIRE_INLINE Floats float_sine_small(Floats a) {
  return sine_of<kHalves>(reduce_floats<kHalves>(abs_of(a)), a);
}
/// As float_sine_small(), also for |a| <= 2^20, infinities and NaN.
template <int kHalves>
TRANSPIRE_INLINE Floats float_sine(Floats a) {
  const Floats sine = sine_of<kHalves>(reduce_large_floats<kHalves>(abs_of(a)), a);
  return choose(abs_of(a) < kInfinity<float>, sine, kNan<float>);
}

/// Below 1 erf(x) is x + x P(x^2) up to 2^-29.4. From 1 on it is 1 - Q(x - 1)^4 up to 2^-24.3: the
/// fourth root of erfc is nearly a polynomial, and two squarings are cheaper than e^(-x^2).
/// From 3.95 on it rounds to 1.
TRANSPIRE_INLINE Floats float_erf(Floats a) {
  const Floats x = abs_of(a);
  const Floats inner =
      x + x * polynomial(x * x, 0x1.06eba8p-3, -0x1.81273ep-2, 0x1.ce2ce6p-4, -0x1.b7f71ap-6,
                         0x1.53f224p-8, -0x1.a3515ep-11, 0x1.4771f6p-14);
  const Floats root = polynomial(x - 1, 0x1.427128p-1, -0x1.a975aep-2, 0x1.1dcfdep-8, 0x1.9e966cp-5,
                                 -0x1.a4a842p-9, -0x1.95c112p-8, 0x1.df46f4p-10, -0x1.497396p-13);
  const Floats square = root * root;
  const Floats outer = choose(x < 3.95f, 1 - square * square, 1.0f);
  return nan_where_nan(a, with_sign(choose(x < 1, inner, outer), a));
}

/// t = y log2((1 + f) 2^e) limited to [-152, 128], as k + r with k the nearest integer. The
/// logarithm is e + s P(s^2) with s = f / (2 + f), up to 2^-37.8 of it: in double, since y
/// multiplies its error.
struct PowerParts {
  Doubles k, r;
};
TRANSPIRE_INLINE PowerParts power_parts(Doubles f, Doubles e, Doubles y) {
  const Doubles s = quotient(f, 2 + f);
  const Doubles log2 =
      e + s * polynomial(s * s, 2.885390081790092, 0.9617966733334222, 0.5770835866713595,
                         0.41167261084797996, 0.34073220524413556);
  Doubles t = y * log2;
  t = choose(t < -152, -152.0, t);
  t = choose(t > 128, 128.0, t);
  const Doubles k = nearest_of(t);
  return {k, t - k};
}

/// |x|^y; 1 for |x| = 1 and any y, else some number where x or y is NaN. 2^r is 1 + r P(r) up to
/// 2^-25.9. At the upper limit of t it is 1, and the power's exponent that of infinity.
TRANSPIRE_INLINE Floats float_power_of_magnitude(Floats x, Floats y) {
  const Floats magnitude = abs_of(x);
  const LogParts32 part = split_any_float(magnitude);
  Floats e = to_floats(part.e);
  e = choose(magnitude == 0, -kInfinity<float>, e);
  e = choose(magnitude == kInfinity<float>, magnitude, e);
  const WideFloats wide_f = widen(part.f), wide_e = widen(e), wide_y = widen(y);
  const PowerParts low = power_parts(wide_f.low, wide_e.low, wide_y.low);
  const PowerParts high = power_parts(wide_f.high, wide_e.high, wide_y.high);
  const Floats r = narrow(low.r, high.r);
  const Floats power = 1 + r * polynomial(r, 0x1.62e43p-1, 0x1.ebfbdcp-3, 0x1.c6aee8p-5,
                                          0x1.3b2d54p-7, 0x1.5f3f26p-10, 0x1.41f86ap-13);
  const Words k_bits = bits_of(narrow(low.k, high.k) + kFloatIntegerShift);
  return choose(magnitude == 1, 1.0f, scaled_by_power(power, k_bits));
}

/// Parity of a power's exponent. Floats from 2^24 on are even integers; converting those from 2^31
/// on gives an even one, too.
struct Parity {
  FloatMask integer;
  Words odd;  ///< all bits of a lane, or none
};
TRANSPIRE_INLINE Parity parity_of(Floats y) {
  const Ints integer = truncated(y);
  const FloatMask same = to_floats(integer) == y;
  return {same | (abs_of(y) >= 0x1p24f),
          bits_of_mask<std::uint32_t>(same) & (0 - (bits_as<std::uint32_t>(integer) & 1))};
}

TRANSPIRE_INLINE Floats float_pow(Floats x, Floats y) {
  const Parity parity = parity_of(y);
  const Words sign = bits_of(x) & parity.odd & kFloatSign;
  const Floats power = from_bits(bits_of(float_power_of_magnitude(x, y)) ^ sign);
  const FloatMask undefined =
      ((x < 0) & (x > -kInfinity<float>)&~parity.integer) | nan_lanes(x) | nan_lanes(y);
  const Floats result = choose(undefined, kNan<float>, power);
  return choose((y == 0) | (x == 1), 1.0f, result);
}

TRANSPIRE_INLINE Floats float_powr(Floats x, Floats y) {
  const FloatMask zero_exponent = (y == 0) & ((x == 0) | (x == kInfinity<float>));
  const FloatMask infinite_exponent = (x == 1) & (abs_of(y) == kInfinity<float>);
  const FloatMask undefined = zero_exponent | infinite_exponent | ~(x >= 0) | nan_lanes(y);
  const Floats power = float_power_of_magnitude(x, y);
  return choose(undefined, kNan<float>, choose(y == 0, 1.0f, power));
}

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
