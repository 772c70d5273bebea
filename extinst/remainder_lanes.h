// The IEEE remainder and the quotient of remquo. Exact.
#pragma once

#include "extinst/lane_base.h"

namespace transpire::vm::TRANSPIRE_ISA::opencl {

/// A quotient modulo 2^32 and what is left.
template <class T>
struct Division {
  T rest;
  std::uint32_t quotient;
};

/// The representation of a finite number >= 0 as fraction * 2^(exponent - bias - fraction bits).
struct Fields {
  std::uint64_t fraction;
  int exponent;
};
template <class T>
TRANSPIRE_INLINE Fields fields_of(T x) {
  constexpr int kFraction = FloatBits<T>::kFraction;
  const std::uint64_t bits = bits_of(x);
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << kFraction) - 1);
  const int field = static_cast<int>(bits >> kFraction);
  if (field == 0) return {fraction, 1};
  return {fraction | std::uint64_t{1} << kFraction, field};
}

/// fraction * 2^(exponent - bias - fraction bits), representable: from the smallest number up.
template <class T>
TRANSPIRE_INLINE T from_fields(Fields fields) {
  using Int = typename FloatBits<T>::Int;
  T value = static_cast<T>(fields.fraction) * from_bits(Int{1});
  for (int up = fields.exponent - 1; up > 0;) {
    const int step = up < FloatBits<T>::kBias ? up : FloatBits<T>::kBias;
    value *= from_bits(
        static_cast<Int>(static_cast<Int>(step + FloatBits<T>::kBias) << FloatBits<T>::kFraction));
    up -= step;
  }
  return value;
}

/// x / y truncated, for finite x >= 0 and y > 0: long division of the fractions, with as many
/// quotient bits a step as there is room for in 64.
template <class T>
TRANSPIRE_INLINE Division<T> divide(T x, T y) {
  if (x < y) return {x, 0};
  const Fields dividend = fields_of(x), divisor = fields_of(y);
  std::uint64_t quotient = dividend.fraction / divisor.fraction;
  std::uint64_t rest = dividend.fraction % divisor.fraction;
  for (int left = dividend.exponent - divisor.exponent; left > 0;) {
    constexpr int kRoom = 63 - FloatBits<T>::kFraction;
    const int step = left < kRoom ? left : kRoom;
    rest <<= step;
    quotient = (quotient << step) + rest / divisor.fraction;
    rest %= divisor.fraction;
    left -= step;
  }
  return {from_fields<T>({rest, divisor.exponent}), static_cast<std::uint32_t>(quotient)};
}

/// x / y rounded to nearest even, of magnitudes: the rest goes down by y where it is past the half,
/// which is where it exceeds y - rest (exact when it matters).
template <class T>
__attribute__((noinline)) static Division<T> divide_nearest(T x, T y) {
  if (y == kInfinity<T>) return {x, 0};
  const Division<T> down = divide(x, y);
  const T over = y - down.rest;
  const bool up = (down.rest > over) | ((down.rest == over) & ((down.quotient & 1) != 0));
  return {up ? down.rest - y : down.rest, up ? down.quotient + 1 : down.quotient};
}

template <class T>
TRANSPIRE_INLINE bool has_remainder(T x, T y) {
  return (abs_of(x) < kInfinity<T>)&(abs_of(y) > 0);
}

/// Float quotients below 2^26 fit a double with room for the distance to any tie, and the product
/// of quotient and divisor is exact.
struct Remainder {
  static constexpr bool kRare = true;
  static TRANSPIRE_INLINE std::uint32_t excess(float x, float y) {
    const float dividend = abs_of(x) * 0x1p-26f, divisor = abs_of(y);
    return (dividend < divisor) & (abs_of(x) < kInfinity<float>)&(divisor < kInfinity<float>) ? 0
                                                                                              : 1;
  }
  static std::uint64_t excess(double, double) = delete;
  static TRANSPIRE_INLINE float narrow_lane(float x, float y) {
    const double dividend = x, divisor = y;
    const double rest = dividend - nearest(dividend / divisor).value * divisor;
    return rest == 0 ? with_sign(0.0f, x) : static_cast<float>(rest);
  }
  template <class T>
  static TRANSPIRE_INLINE T lane(T x, T y) {
    if (!has_remainder(x, y)) return kNan<T>;
    return times_sign(divide_nearest(abs_of(x), abs_of(y)).rest, x);
  }
};

struct RemquoQuotient {
  static constexpr bool kRare = true;
  template <class T>
  static TRANSPIRE_INLINE T lane(T x, T y) {
    if (!has_remainder(x, y)) return 0;
    const T quotient = static_cast<T>(divide_nearest(abs_of(x), abs_of(y)).quotient & 0x7f);
    return times_sign(times_sign(quotient, x), y);
  }
};

}  // namespace transpire::vm::TRANSPIRE_ISA::opencl
