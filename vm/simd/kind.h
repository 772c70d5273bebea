// Kind: the type of one lane value. Every SPIR-V value is lowered to scalars of these kinds; vectors,
// arrays and structs become one value per component, pointers become 64-bit virtual addresses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace transpire::vm {

enum class Kind : std::uint8_t { kVoid, kBool, kI8, kI16, kI32, kI64, kF16, kF32, kF64 };
inline constexpr std::size_t kKindCount = 9;

/// Sets of kinds, for the op tables.
using KindSet = std::uint16_t;
constexpr KindSet bit(Kind k) { return static_cast<KindSet>(1u << static_cast<unsigned>(k)); }
inline constexpr KindSet kKindsBool = bit(Kind::kBool);
inline constexpr KindSet kKindsInt =
    bit(Kind::kI8) | bit(Kind::kI16) | bit(Kind::kI32) | bit(Kind::kI64);
inline constexpr KindSet kKindsFloat = bit(Kind::kF16) | bit(Kind::kF32) | bit(Kind::kF64);
inline constexpr KindSet kKindsFloat32And64 = bit(Kind::kF32) | bit(Kind::kF64);
inline constexpr KindSet kKindsNumber = kKindsInt | kKindsFloat;
inline constexpr KindSet kKindsAll = kKindsBool | kKindsNumber;

inline constexpr KindSet kKindsTexel =
    bit(Kind::kI32) | bit(Kind::kI64) | bit(Kind::kF16) | bit(Kind::kF32);

constexpr bool is_int(Kind k) { return (bit(k) & kKindsInt) != 0; }
constexpr bool is_float(Kind k) { return (bit(k) & kKindsFloat) != 0; }

/// Bytes of one lane in a row; 0 for kVoid and for kBool, whose rows are bit masks.
constexpr std::uint32_t lane_bytes(Kind k) {
  switch (k) {
    case Kind::kI8:
      return 1;
    case Kind::kI16:
    case Kind::kF16:
      return 2;
    case Kind::kI32:
    case Kind::kF32:
      return 4;
    case Kind::kI64:
    case Kind::kF64:
      return 8;
    default:
      return 0;
  }
}
constexpr std::uint32_t width_bits(Kind k) { return k == Kind::kBool ? 1 : lane_bytes(k) * 8; }

/// The row of `lanes` values: one bit a lane for kBool (whole 64-bit words), else lane_bytes each.
constexpr std::uint32_t row_bytes(Kind k, std::uint32_t lanes) {
  return k == Kind::kBool ? (lanes + 63) / 64 * 8 : lane_bytes(k) * lanes;
}

const char* kind_name(Kind k);  ///< "bool", "i8", ..., "f64"

}  // namespace transpire::vm
