// narrow(): converts a number to a type that may be narrower. Lowering puts numbers that the module decides into fields of
// instructions, payloads and tables. A number that does not fit ends lowering with TSP-L0013; it is never truncated. Code
// that lowers may use no other narrowing conversion (tests/style_test.py).
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

namespace transpire {

/// Thrown inside lowering only (vm/lower/lower.cpp, vm/build/build.cpp).
struct TooWide {
  std::uint64_t bits = 0;   ///< the number
  unsigned field_bits = 0;  ///< width of the field that it does not fit into
};

[[noreturn]] void refuse_width(std::uint64_t bits, unsigned field_bits);

/// Converts the number to To; throws TooWide if To does not have it. Enumerators count as their numbers.
template <class To, class From>
[[gnu::always_inline]] constexpr To narrow(From from) {
  if constexpr (std::is_enum_v<From>) {
    return narrow<To>(static_cast<std::underlying_type_t<From>>(from));
  } else {
    if (!std::in_range<To>(from)) refuse_width(static_cast<std::uint64_t>(from), 8 * sizeof(To));
    return static_cast<To>(from);
  }
}

/// A bit field of a number: kBits bits from bit kAt on.
template <unsigned kAt, unsigned kBits>
struct BitField {
  static_assert(kAt + kBits <= 64 && kBits != 0);
  static constexpr std::uint64_t kMost = ~std::uint64_t{0} >> (64 - kBits);

  /// The value shifted to the field's position. Throws TooWide if it has more than kBits bits.
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
  /// The field's value as a To, which must be wide enough for all values of the field.
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
