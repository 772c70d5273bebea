// OpenCL C's half (binary16 of IEEE 754) as its bits, and the numbers that they are. C++20 has no type for it.
//
// Conversions to half round once, to nearest even, where the processor is left to round so. A NaN becomes quiet,
// and keeps its sign and the leading bits of its payload: as the x86 instructions of F16C have it. Integer code
// without branches, so that loops over it become vector code; and always inline, so that code for one
// instruction set is never linked into code for another. Standard library only; nothing to link.
#pragma once

#include <cstdint>

namespace transpire {

/// Exact.
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

/// Exact.
[[gnu::always_inline]] constexpr double half_to_double(std::uint16_t half) {
  return half_to_float(half);
}

/// Below 2^-14 the addition of 0.5 aligns the value to the subnormal spacing of half, 2^-24, and so rounds it.
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

/// Double to float, to odd: truncated, with the lowest bit set when anything was lost. Rounding the result again
/// to at most 22 bits, in any mode, is then the same as rounding the double once.
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
