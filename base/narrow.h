// narrow(): a number in a type that may be narrower. Whoever lowers a module puts numbers that the module decides into
// fields of instructions, payloads and tables: one that does not fit is never cut off, it ends lowering with a rule
// (TSP-L0013). In the rooms that lower nothing else makes a number narrower (tests/style_test.py).
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

namespace transpire {

/// Thrown inside lowering only (vm/lower/lower.cpp, vm/build/build.cpp).
struct TooWide {
  std::uint64_t bits = 0;   ///< of the number
  unsigned field_bits = 0;  ///< of where it should go
};

[[noreturn]] void refuse_width(std::uint64_t bits, unsigned field_bits);

/// The number as a To, which has it. Enumerators count as their numbers.
template <class To, class From>
[[gnu::always_inline]] constexpr To narrow(From from) {
  if constexpr (std::is_enum_v<From>) {
    return narrow<To>(static_cast<std::underlying_type_t<From>>(from));
  } else {
    if (!std::in_range<To>(from)) refuse_width(static_cast<std::uint64_t>(from), 8 * sizeof(To));
    return static_cast<To>(from);
  }
}

/// A part of a number: so many bits from bit kAt on.
template <unsigned kAt, unsigned kBits>
struct BitField {
  static_assert(kAt + kBits <= 64 && kBits != 0);
  static constexpr std::uint64_t kMost = ~std::uint64_t{0} >> (64 - kBits);

  /// The value where the part is.
  [[gnu::always_inline]] static constexpr std::uint64_t put(std::uint64_t value) {
    if (value > kMost) refuse_width(value, kBits);
    return value << kAt;
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  [[gnu::always_inline]] static constexpr std::uint64_t put(Enum value) {
    return put(std::uint64_t{static_cast<std::underlying_type_t<Enum>>(value)});
  }
  [[gnu::always_inline]] static constexpr std::uint64_t get(std::uint64_t number) {
    return number >> kAt & kMost;
  }
  /// As a type that has room for all of it.
  template <class To>
  [[gnu::always_inline]] static constexpr To as(std::uint64_t number) {
    if constexpr (std::is_enum_v<To>) {
      static_assert(8 * sizeof(To) >= kBits);
      return static_cast<To>(get(number));
    } else {
      static_assert(std::in_range<To>(kMost));
      return static_cast<To>(get(number));
    }
  }
};

}  // namespace transpire
