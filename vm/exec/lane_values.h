// One lane's value out of a row, for code that is compiled once and is not fast: printf, records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "vm/simd/kind.h"

namespace transpire::vm::exec {

inline double half_value(std::uint16_t h) {
  const int exponent = h >> 10 & 31, fraction = h & 1023;
  double magnitude = exponent == 0 ? __builtin_ldexp(fraction, -24)
                                   : __builtin_ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) magnitude = fraction == 0 ? __builtin_inf() : __builtin_nan("");
  return (h & 0x8000) != 0 ? -magnitude : magnitude;
}

/// The lane's bits of a row, zero-extended.
inline std::uint64_t lane_bits(const std::byte* r, std::uint32_t offset, Kind kind,
                               std::uint32_t lane) {
  std::uint64_t bits = 0;
  if (kind == Kind::kBool) {
    std::memcpy(&bits, r + offset + lane / 64 * 8, 8);
    return bits >> (lane % 64) & 1;
  }
  std::memcpy(&bits, r + offset + std::size_t{lane} * lane_bytes(kind), lane_bytes(kind));
  return bits;
}

inline double as_double(std::uint64_t bits, Kind kind) {
  if (kind == Kind::kF16) return half_value(static_cast<std::uint16_t>(bits));
  if (kind == Kind::kF32) {
    float f;
    std::memcpy(&f, &bits, 4);
    return f;
  }
  double d;
  std::memcpy(&d, &bits, 8);
  return d;
}

}  // namespace transpire::vm::exec
