// The C++ types of a kind's lanes.
#pragma once

#include "vm/simd/isa.h"
#include "vm/simd/kind.h"
#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA {

template <Kind kKind>
struct LaneType;
template <>
struct LaneType<Kind::kI8> {
  using type = std::uint8_t;
};
template <>
struct LaneType<Kind::kI16> {
  using type = std::uint16_t;
};
template <>
struct LaneType<Kind::kI32> {
  using type = std::uint32_t;
};
template <>
struct LaneType<Kind::kI64> {
  using type = std::uint64_t;
};
template <>
struct LaneType<Kind::kF16> {
  using type = Half;
};
template <>
struct LaneType<Kind::kF32> {
  using type = float;
};
template <>
struct LaneType<Kind::kF64> {
  using type = double;
};
/// The C++ type of one lane.
template <Kind kKind>
using Lane = typename LaneType<kKind>::type;
/// The unsigned integer of its size.
template <Kind kKind>
using BitsOf = Bits<Lane<kKind>>;

template <class T>
inline constexpr bool kIsHalf = __is_same(T, Half);

}  // namespace transpire::vm::TRANSPIRE_ISA
