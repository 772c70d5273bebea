// Numbers of the float kinds as doubles and back, in any rounding direction. Plain scalar code, the
// same bits on every machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "transpire/half.hpp"
#include "vm/simd/kind.h"
#include "vm/simd/rounding.h"

namespace transpire::extinst::reference {

/// The bits of a number, zero-extended.
using Bits = std::uint64_t;

/// A number in memory, of 2, 4 or 8 bytes: copies of a size that the compiler knows, no calls.
inline Bits load_bits(const std::byte* at, std::uint32_t bytes) {
  Bits bits = 0;
  if (bytes == 4)
    std::memcpy(&bits, at, 4);
  else if (bytes == 8)
    std::memcpy(&bits, at, 8);
  else
    std::memcpy(&bits, at, 2);
  return bits;
}
inline void store_bits(std::byte* at, std::uint32_t bytes, Bits bits) {
  if (bytes == 4)
    std::memcpy(at, &bits, 4);
  else if (bytes == 8)
    std::memcpy(at, &bits, 8);
  else
    std::memcpy(at, &bits, 2);
}

/// The format of a kind: fraction bits, the exponents of the least subnormal number and of the
/// first power of two that is too large.
struct Format {
  int fraction_bits, least_exponent, infinite_exponent;
};
constexpr Format format_of(vm::Kind kind) {
  if (kind == vm::Kind::kF16) return {10, -24, 16};
  if (kind == vm::Kind::kF32) return {23, -149, 128};
  return {52, -1074, 1024};
}

/// The positive quiet NaN without payload.
constexpr Bits nan_bits(vm::Kind kind) {
  if (kind == vm::Kind::kF16) return 0x7e00;
  return kind == vm::Kind::kF32 ? 0x7fc00000 : 0x7ff8000000000000;
}

Bits round_to_any(vm::Kind kind, vm::Rounding rounding, double value);

/// Exact. A NaN gives some NaN.
inline double to_double(vm::Kind kind, Bits bits) {
  if (kind == vm::Kind::kF64) return std::bit_cast<double>(bits);
  if (kind == vm::Kind::kF32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return half_to_double(static_cast<std::uint16_t>(bits));
}

/// `value` rounded once. A NaN gives nan_bits().
inline Bits round_to(vm::Kind kind, vm::Rounding rounding, double value) {
  if (value != value) return nan_bits(kind);
  if (kind == vm::Kind::kF64) return std::bit_cast<Bits>(value);
  if (kind == vm::Kind::kF32 && rounding == vm::Rounding::kRte)
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (kind == vm::Kind::kF16 && rounding == vm::Rounding::kRte) return half_from_double(value);
  return round_to_any(kind, rounding, value);
}

}  // namespace transpire::extinst::reference
