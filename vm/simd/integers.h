// The integers of a lane type's size.
#pragma once

#include "vm/simd/isa.h"

namespace transpire::vm::TRANSPIRE_ISA {

template <std::size_t kBytes>
struct Integer;
template <>
struct Integer<1> {
  using Unsigned = std::uint8_t;
  using Signed = std::int8_t;
};
template <>
struct Integer<2> {
  using Unsigned = std::uint16_t;
  using Signed = std::int16_t;
};
template <>
struct Integer<4> {
  using Unsigned = std::uint32_t;
  using Signed = std::int32_t;
};
template <>
struct Integer<8> {
  using Unsigned = std::uint64_t;
  using Signed = std::int64_t;
};
template <>
struct Integer<16> {
  using Unsigned = unsigned __int128;
  using Signed = __int128;
};
/// The integers as wide as T, and those twice as wide.
template <class T>
using Bits = typename Integer<sizeof(T)>::Unsigned;
template <class T>
using Signed = typename Integer<sizeof(T)>::Signed;
template <class T>
using Twice = typename Integer<2 * sizeof(T)>::Unsigned;
template <class T>
using SignedTwice = typename Integer<2 * sizeof(T)>::Signed;
template <class T>
inline constexpr unsigned kWidth = 8 * sizeof(T);

template <class T>
TRANSPIRE_INLINE Bits<T> to_bits(T value) {
  return __builtin_bit_cast(Bits<T>, value);
}

}  // namespace transpire::vm::TRANSPIRE_ISA
