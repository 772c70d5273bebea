// Common code of the lane functions of OpenCL.std: bits of floats, polynomials, rounding by
// addition.
//
// Every *_lanes.h is compiled once per instruction set, by vm/exec/rows/extinst_*_rows.cpp, in a
// namespace of that set. One source gives the same bits everywhere because it consists of IEEE
// additions, multiplications, divisions, square roots and integer operations only: nothing is
// contracted and no function of the machine's math library is called. Code without branches becomes
// vector code.
//
// A NaN result is always the same quiet NaN, since which operand's payload survives an x86
// operation depends on the operand order that the compiler chooses.
#pragma once

#include "vm/simd/isa.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

template <class T>
struct FloatBits;
template <>
struct FloatBits<float> {
  using Int = std::uint32_t;
  static constexpr int kFraction = 23;        ///< bits of the fraction
  static constexpr int kBias = 127;           ///< bias of the exponent field
  static constexpr float kRounder = 0x1p23f;  ///< from here on every value is an integer
};
template <>
struct FloatBits<double> {
  using Int = std::uint64_t;
  static constexpr int kFraction = 52;
  static constexpr int kBias = 1023;
  static constexpr double kRounder = 0x1p52;
};

TRANSPIRE_INLINE std::uint32_t bits_of(float x) { return __builtin_bit_cast(std::uint32_t, x); }
TRANSPIRE_INLINE std::uint64_t bits_of(double x) { return __builtin_bit_cast(std::uint64_t, x); }
TRANSPIRE_INLINE float from_bits(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
TRANSPIRE_INLINE double from_bits(std::uint64_t bits) { return __builtin_bit_cast(double, bits); }

template <class T>
inline constexpr typename FloatBits<T>::Int kSignBit =
    typename FloatBits<T>::Int{1} << (sizeof(T) * 8 - 1);
template <class T>
inline constexpr T kInfinity = static_cast<T>(__builtin_inf());
template <class T>
inline constexpr T kNan = static_cast<T>(__builtin_nan(""));
/// The smallest normal number.
template <class T>
inline constexpr T kMinNormal =
    sizeof(T) == 4 ? static_cast<T>(0x1p-126) : static_cast<T>(0x1p-1022);

template <class T>
TRANSPIRE_INLINE T abs_of(T x) {
  return from_bits(bits_of(x) & ~kSignBit<T>);
}
/// |x| with the sign of y.
template <class T>
TRANSPIRE_INLINE T with_sign(T x, T y) {
  return from_bits((bits_of(x) & ~kSignBit<T>) | (bits_of(y) & kSignBit<T>));
}
/// x, negated where y has its sign bit set.
template <class T>
TRANSPIRE_INLINE T times_sign(T x, T y) {
  return from_bits(bits_of(x) ^ (bits_of(y) & kSignBit<T>));
}
template <class T>
TRANSPIRE_INLINE bool is_nan(T x) {
  return x != x;
}

/// `result`, or the NaN where an operand is one.
template <class T>
TRANSPIRE_INLINE T nan_if(bool is_nan, T result) {
  return is_nan ? kNan<T> : result;
}

/// x limited to [low, high]; NaN stays.
template <class T>
TRANSPIRE_INLINE T limit(T x, T low, T high) {
  x = x < low ? low : x;
  return x > high ? high : x;
}

/// c0 + c1 z + c2 z^2 + ..., by Horner's rule: the fewest operations. Loops over lanes hide its
/// latency.
TRANSPIRE_INLINE double polynomial(double, double c0) { return c0; }
template <class... C>
TRANSPIRE_INLINE double polynomial(double z, double c0, C... rest) {
  return c0 + z * polynomial(z, rest...);
}

/// Adding this to |x| < 2^51 rounds x to an integer (nearest even), whose low bits are then the low
/// bits of the sum's representation. Exists on every instruction set, unlike conversions to 64-bit
/// integers.
inline constexpr double kIntegerShift = 0x1.8p52;

/// x as a nearest integer, twice: as a double and as the low bits of `bits` (two's complement).
struct Nearest {
  double value;
  std::uint64_t bits;
};
TRANSPIRE_INLINE Nearest nearest(double x) {
  const double shifted = x + kIntegerShift;
  return {shifted - kIntegerShift, bits_of(shifted)};
}

/// 2^k for an integer -1022 <= k <= 1023.
TRANSPIRE_INLINE double power_of_two(double k) {
  return from_bits((bits_of(k + kIntegerShift) + 1023) << 52);
}

/// y * 2^k, rounded once; k an integer in [-1100, 1100]. The first product is exact, for
/// y not below 2^-400.
TRANSPIRE_INLINE double scale_by(double y, double k) {
  const double half = nearest(k * 0.5).value;
  return y * power_of_two(half) * power_of_two(k - half);
}

/// `yes` where the lowest bit of n is set, else `no`. Bit operations: SSE2 cannot compare 64-bit
/// integers.
TRANSPIRE_INLINE double select_odd(std::uint64_t n, double yes, double no) {
  const std::uint64_t mask = 0 - (n & 1);
  return from_bits((bits_of(yes) & mask) | (bits_of(no) & ~mask));
}

/// An unevaluated sum; |low| is at most half a unit in the last place of high.
struct Sum {
  double high, low;
};

/// a + b exactly; |a| >= |b| or a = 0 (Dekker's fast two-sum).
TRANSPIRE_INLINE Sum fast_two_sum(double a, double b) {
  const double high = a + b;
  return {high, b - (high - a)};
}
/// a + b exactly (Knuth's two-sum).
TRANSPIRE_INLINE Sum two_sum(double a, double b) {
  const double high = a + b;
  const double part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}
/// x rounded to 26 bits; x minus it fits in 26 bits as well, because it has a sign.
TRANSPIRE_INLINE double leading_half(double x) {
  return from_bits((bits_of(x) + 0x4000000u) & 0xfffffffff8000000u);
}

/// a * b exactly, while no part of it is subnormal or overflows (Dekker's product).
TRANSPIRE_INLINE Sum two_product(double a, double b) {
  const double high = a * b;
  const double a1 = leading_half(a), a2 = a - a1;
  const double b1 = leading_half(b), b2 = b - b1;
  return {high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2};
}

/// x + y, rounded to about 2^-100.
TRANSPIRE_INLINE Sum add(Sum x, Sum y) {
  const Sum s = two_sum(x.high, y.high);
  return fast_two_sum(s.high, s.low + (x.low + y.low));
}
TRANSPIRE_INLINE Sum multiply(Sum x, double y) {
  const Sum p = two_product(x.high, y);
  return fast_two_sum(p.high, p.low + x.low * y);
}
TRANSPIRE_INLINE Sum multiply(Sum x, Sum y) {
  const Sum p = two_product(x.high, y.high);
  return fast_two_sum(p.high, p.low + (x.high * y.low + x.low * y.high));
}

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
