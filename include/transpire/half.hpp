// Conversions between OpenCL C's half (binary16 of IEEE 754), held as its bits, and float and double. C++20 has no type
// for half.
//
// A conversion to half rounds once, to nearest even; it relies on the processor's default rounding mode. A NaN becomes
// quiet and keeps its sign and the leading bits of its payload, as with the x86 instructions of F16C.
//
// The functions have no branches, so that compilers vectorise loops over them. They are always inlined, so that code
// compiled for one instruction set is never linked into code for another.
// The header needs the standard library only; nothing is linked.
#pragma once

#include <cstdint>

namespace transpire {

/// Every half is a float: the conversion is exact.
[[gnu::always_inline]] constexpr float half_to_float(std::uint16_t half) {
  const std::uint32_t magnitude = half & 0x7fffu;
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const float tiny = static_cast<float>(static_cast<std::int32_t>(magnitude)) * 0x1p-24f;
  std::uint32_t bits = (magnitude << 13) + (112u << 23);
  bits = magnitude < 0x0400u ? __builtin_bit_cast(std::uint32_t, tiny) : bits;
  bits = magnitude >= 0x7c00u ? (magnitude << 13) | 0x7f800000u : bits;
  bits = magnitude > 0x7c00u ? bits | 0x00400000u : bits;
  return __builtin_bit_cast(float, bits | sign);
}

/// Every half is a double: the conversion is exact.
[[gnu::always_inline]] constexpr double half_to_double(std::uint16_t half) {
  return half_to_float(half);
}

/// Rounds to the nearest half. For values below 2^-14, adding 0.5 aligns the value to the spacing of subnormal halves,
/// 2^-24, and so rounds it.
[[gnu::always_inline]] constexpr std::uint16_t half_from_float(float value) {
  const std::uint32_t all = __builtin_bit_cast(std::uint32_t, value);
  const std::uint32_t bits = all & 0x7fffffffu;
  const float aligned = __builtin_bit_cast(float, bits) + 0.5f;
  const std::uint32_t subnormal = __builtin_bit_cast(std::uint32_t, aligned) - 0x3f000000u;
  std::uint32_t half = (bits - (112u << 23) + 0xfffu + ((bits >> 13) & 1u)) >> 13;
  half = bits < 0x38800000u ? subnormal : half;
  half = bits >= 0x47800000u ? 0x7c00u : half;
  half = bits > 0x7f800000u ? 0x7e00u | ((bits >> 13) & 0x3ffu) : half;
  return static_cast<std::uint16_t>(half | (all >> 16 & 0x8000u));
}

namespace half_detail {

/// Rounds to odd: truncates, and sets the lowest bit if the result is inexact. A second rounding to at most 22 bits, in
/// any mode, then gives the same as rounding the double once.
[[gnu::always_inline]] constexpr float to_float_odd(double value) {
  const float nearest = static_cast<float>(value);
  const double back = nearest;
  const bool too_large = __builtin_fabs(back) > __builtin_fabs(value);
  const bool inexact = (back < value) | (back > value);
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, nearest);
  return __builtin_bit_cast(float, (bits - too_large) | inexact);
}

}  // namespace half_detail

[[gnu::always_inline]] constexpr std::uint16_t half_from_double(double value) {
  return half_from_float(half_detail::to_float_odd(value));
}

}  // namespace transpire
