// Fused and unfused multiply-add. Where there is no fused instruction, what stands in gives the same bits.
#pragma once

#include <type_traits>

#include "extinst/lane_base.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

struct Mad {
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b, T c) {
    const T result = a * b + c;
    return nan_if(is_nan(result), result);
  }
};

/// high + low as the neighbour of high with an odd lowest bit ("round to odd"), unless low is 0.
/// Rounding that to at least two bits less is the same as rounding the exact sum.
TRANSPIRE_INLINE double round_to_odd(Sum sum) {
  const std::uint64_t bits = bits_of(sum.high);
  const std::uint64_t smaller = (bits ^ bits_of(sum.low)) >> 63;  // low points towards 0
  const bool inexact = (sum.low < 0) | (sum.low > 0);
  return inexact ? from_bits((bits - smaller) | 1) : sum.high;
}

/// The product of two floats is exact in double.
TRANSPIRE_INLINE float fma_of(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  return static_cast<float>(round_to_odd(two_sum(product, static_cast<double>(c))));
}

/// 0 for operands of which no part of a product or sum leaves the normal range: 0, or exponents
/// from -400 to 400. Without comparisons, which SSE2 has not for 64-bit integers.
TRANSPIRE_INLINE std::uint64_t immoderate(double x) {
  const std::uint64_t magnitude = bits_of(x) & ~kSignBit<double>;
  const std::uint64_t field = magnitude >> 52;
  const std::uint64_t outside = (field - (1023 - 400)) | (1023 + 400 - field);
  return (outside & (magnitude | (0 - magnitude))) >> 63;
}

/// Boldo and Melquiond, "Emulation of FMA and correctly rounded sums": the low parts summed to odd.
TRANSPIRE_INLINE double fma_moderate(double a, double b, double c) {
  const Sum product = two_product(a, b);
  const Sum low = two_sum(c, product.low);
  const Sum high = two_sum(product.high, low.high);
  const double result = high.high + round_to_odd(two_sum(low.low, high.low));
  return product.high == 0 ? product.high + c : result;
}

/// A number other than 0 as an integer times 2^exponent.
struct BigFloat {
  unsigned __int128 fraction;
  int exponent;
  bool negative;
};

TRANSPIRE_INLINE int leading_zeros(unsigned __int128 x) {
  const auto top = static_cast<std::uint64_t>(x >> 64);
  return top != 0 ? __builtin_clzll(top) : 64 + __builtin_clzll(static_cast<std::uint64_t>(x));
}
/// Shifted so that two bits are free above it, for the carry of a sum.
TRANSPIRE_INLINE BigFloat align(BigFloat x) {
  const int shift = leading_zeros(x.fraction) - 2;
  return {x.fraction << shift, x.exponent - shift, x.negative};
}
TRANSPIRE_INLINE BigFloat unpack(double x) {
  const std::uint64_t bits = bits_of(x);
  const auto field = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t fraction = bits & 0xfffffffffffffu;
  const bool negative = bits >> 63 != 0;
  if (field == 0) return {fraction, -1074, negative};
  return {fraction | std::uint64_t{1} << 52, field - 1075, negative};
}

/// Rounds to nearest even; `sticky` stands for bits below the lowest.
TRANSPIRE_INLINE double pack(BigFloat x, bool sticky) {
  const int width = 128 - leading_zeros(x.fraction);
  const int wanted = x.exponent + width - 53;
  const int lowest =
      wanted < -1074 ? -1074 : wanted;  // the exponent of the lowest bit that is kept
  const int shift = lowest - x.exponent;
  std::uint64_t kept = 0;
  if (shift <= 0) {
    kept = static_cast<std::uint64_t>(x.fraction << -shift);
  } else if (shift < 128) {
    const unsigned __int128 lost = x.fraction << (128 - shift);
    const unsigned __int128 half = static_cast<unsigned __int128>(1) << 127;
    kept = static_cast<std::uint64_t>(x.fraction >> shift);
    const bool above_half = (lost > half) | ((lost == half) & sticky);
    kept += above_half | ((lost == half) & ((kept & 1) != 0));
  }
  const double magnitude = scale_by(static_cast<double>(kept), lowest > 1100 ? 1100 : lowest);
  return x.negative ? -magnitude : magnitude;
}

/// The sum of aligned numbers, rounded; x is the larger in magnitude.
TRANSPIRE_INLINE double add_aligned(BigFloat x, BigFloat y) {
  const int distance = x.exponent - y.exponent;
  const bool sticky = distance >= 128 || (distance > 0 && (y.fraction << (128 - distance)) != 0);
  const unsigned __int128 shifted = distance >= 128 ? 0 : y.fraction >> distance;
  // Bits shifted out of what is subtracted leave the difference just below the next integer.
  x.fraction =
      x.negative != y.negative ? x.fraction - shifted - (sticky ? 1 : 0) : x.fraction + shifted;
  return x.fraction == 0 ? 0 : pack(x, sticky);
}

/// Any operands, with 128-bit integers.
__attribute__((noinline, unused)) static double fma_integer(double a, double b, double c) {
  const bool finite = (abs_of(a) < kInfinity<double>)&(abs_of(b) < kInfinity<double>);
  if (!finite || a == 0 || b == 0) return a * b + c;
  if (!(abs_of(c) < kInfinity<double>)) return c;
  const BigFloat left = unpack(a), right = unpack(b);
  const BigFloat product = align({left.fraction * right.fraction, left.exponent + right.exponent,
                                  left.negative != right.negative});
  if (c == 0) return pack(product, false);
  const BigFloat addend = align(unpack(c));
  const bool smaller = product.exponent < addend.exponent ||
                       (product.exponent == addend.exponent && product.fraction < addend.fraction);
  return smaller ? add_aligned(addend, product) : add_aligned(product, addend);
}

struct FmaOfSums {
  using HalfAs = double;
  static std::uint32_t excess(float, float, float) = delete;
  static TRANSPIRE_INLINE std::uint64_t excess(double a, double b, double c) {
    return immoderate(a) | immoderate(b) | immoderate(c);
  }
  static TRANSPIRE_INLINE double narrow_lane(double a, double b, double c) {
    return fma_moderate(a, b, c);
  }
  static TRANSPIRE_INLINE float lane(float a, float b, float c) {
    const float result = fma_of(a, b, c);
    return nan_if(is_nan(result), result);
  }
  static TRANSPIRE_INLINE double lane(double a, double b, double c) {
    const double result = excess(a, b, c) == 0 ? fma_moderate(a, b, c) : fma_integer(a, b, c);
    return nan_if(is_nan(result), result);
  }
};

struct FmaInstruction {
  using HalfAs = double;
  static TRANSPIRE_INLINE float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static TRANSPIRE_INLINE double fused(double a, double b, double c) {
    return __builtin_fma(a, b, c);
  }
  template <class T>
  static TRANSPIRE_INLINE T lane(T a, T b, T c) {
    const T result = fused(a, b, c);
    return nan_if(is_nan(result), result);
  }
};

struct Fma : std::conditional_t<kHasFma, FmaInstruction, FmaOfSums> {};

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
