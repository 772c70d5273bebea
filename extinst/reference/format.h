// Numbers of the float kinds as doubles and back, in any rounding direction. Plain scalar code, the
// same bits on every machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

/// What a kind's numbers are: fraction bits, the exponents of the least subnormal number and of the
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

/// Exact. Of a NaN, some NaN.
inline double half_to_double(Bits bits) {
  const Bits field = bits >> 10 & 31;
  const Bits fraction = bits & 1023;
  const Bits exponent = field == 31 ? 2047 : field + (1023 - 15);
  const double normal = std::bit_cast<double>(exponent << 52 | fraction << 42);
  const double value = field == 0 ? static_cast<double>(fraction) * 0x1p-24 : normal;
  return (bits & 0x8000) != 0 ? -value : value;
}

/// A number that is no NaN, rounded to the nearest half. A sum with 2^52 times the half's last
/// place leaves that number of last places in the low bits, rounded to nearest even: the processor
/// must round so and keep denormals. No branches, so that loops over it become vector code.
inline std::uint16_t round_to_half(double value) {
  constexpr double kLimit = 0x1p16;  // rounds to infinity, as all above it do
  constexpr double kLeast = 0x1p-14;
  const double any_magnitude = std::bit_cast<double>(std::bit_cast<Bits>(value) & ~(Bits{1} << 63));
  const double magnitude = any_magnitude < kLimit ? any_magnitude : kLimit;
  const double floor = std::bit_cast<double>(std::bit_cast<Bits>(magnitude) & Bits{2047} << 52);
  const Bits power = std::bit_cast<Bits>(floor > kLeast ? floor : kLeast);
  const Bits magic = power + (Bits{42} << 52);
  const double sum = magnitude + std::bit_cast<double>(magic);
  const Bits places = std::bit_cast<Bits>(sum) - magic;
  return static_cast<std::uint16_t>((std::bit_cast<Bits>(value) >> 48 & 0x8000) +
                                    (((power - std::bit_cast<Bits>(kLeast)) >> 52) << 10) + places);
}

/// Exact. Of a NaN, some NaN.
inline double to_double(vm::Kind kind, Bits bits) {
  if (kind == vm::Kind::kF64) return std::bit_cast<double>(bits);
  if (kind == vm::Kind::kF32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return half_to_double(bits);
}

/// `value` rounded once. A NaN gives nan_bits().
inline Bits round_to(vm::Kind kind, vm::Rounding rounding, double value) {
  if (value != value) return nan_bits(kind);
  if (kind == vm::Kind::kF64) return std::bit_cast<Bits>(value);
  if (kind == vm::Kind::kF32 && rounding == vm::Rounding::kRte)
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (kind == vm::Kind::kF16 && rounding == vm::Rounding::kRte) return round_to_half(value);
  return round_to_any(kind, rounding, value);
}

}  // namespace transpire::extinst::reference
