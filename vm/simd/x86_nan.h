// The NaN of a sum, difference, product or quotient: on every machine the one that x86's instructions give. That is
// the first operand that is a NaN, made quiet; else, of an invalid operation, the default NaN (negative, quiet, no
// payload). "Intel 64 and IA-32 Architectures SDM", volume 1, 4.8.3.5.
#pragma once

#include <cstdint>
#include <type_traits>

namespace transpire::vm {

template <class T>
using NanBits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T>
inline constexpr NanBits<T> kQuietBit = NanBits<T>{1} << (sizeof(T) == 4 ? 22 : 51);
template <class T>
inline constexpr NanBits<T> kDefaultNan = static_cast<NanBits<T>>(-1) << (sizeof(T) == 4 ? 22 : 51);

/// `result` of a and b in this order, or in place of a NaN the one that it is to be. Always inline: instruction sets
/// must not share it out of line.
template <class T>
[[gnu::always_inline]] inline T with_x86_nan(T a, T b, T result) {
  const auto quiet = [](T nan) __attribute__((always_inline)) {
    return __builtin_bit_cast(T, __builtin_bit_cast(NanBits<T>, nan) | kQuietBit<T>);
  };
  const T of_b = b != b ? quiet(b) : __builtin_bit_cast(T, kDefaultNan<T>);
  const T nan = a != a ? quiet(a) : of_b;
  return result != result ? nan : result;
}

}  // namespace transpire::vm
