// Compares the results of another implementation of OpenCL with Transpire's, element by element.
//
//   const transpire::Comparison c = transpire::compare_ulp(theirs, reference, 4, "y");
//   if (!c) std::cerr << c.text;
//
// The distance of two floating-point numbers in ULP counts the steps from one representable number to the
// next. Equal numbers have distance 0, and so have 0 and -0. The distance of two integers is their difference.
// A NaN equals any other NaN; a NaN and a number differ whatever the tolerance.
// The header needs the standard library only; nothing is linked.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "transpire/half.hpp"

namespace transpire {

/// The result of a comparison. It converts to true if both buffers have the same number of elements
/// and no element differs by more than the tolerance.
struct Comparison {
  std::size_t elements = 0;         ///< elements compared: as many as the shorter buffer has
  std::size_t different = 0;        ///< elements that differ by more than the tolerance
  std::size_t first_different = 0;  ///< index of the first such element; valid if there is one
  std::size_t worst = 0;            ///< index of the first element with the largest distance
  std::uint64_t worst_ulp = 0;      ///< its distance; UINT64_MAX between a NaN and a number
  bool same_size = true;
  /// The differences in words: several lines, each ended with a newline. Empty if there are none.
  std::string text;
  explicit operator bool() const { return same_size && different == 0; }
};

namespace compare_detail {

inline constexpr std::uint64_t kFar = std::numeric_limits<std::uint64_t>::max();

/// The bits of IEEE 754's binary16.
struct Half {
  std::uint16_t bits;
};

inline float to_float(Half half) { return half_to_float(half.bits); }

/// Position of a floating-point number, given as its bits, among all numbers of its type. Both zeros have position 0.
template <class Bits>
std::int64_t rank(Bits bits) {
  const auto magnitude = static_cast<std::int64_t>(bits & (static_cast<Bits>(-1) >> 1));
  return bits >> (8 * sizeof(Bits) - 1) != 0 ? -magnitude : magnitude;
}

inline std::uint64_t apart(std::int64_t a, std::int64_t b) {
  const auto difference = static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
  return a < b ? 0 - difference : difference;
}

template <class T>
std::uint64_t distance(T a, T b) {
  if constexpr (std::unsigned_integral<T>) {
    return a < b ? b - a : a - b;
  } else if constexpr (std::integral<T>) {
    return apart(a, b);
  } else if constexpr (std::same_as<T, Half>) {
    if (std::isnan(to_float(a)) || std::isnan(to_float(b)))
      return std::isnan(to_float(a)) && std::isnan(to_float(b)) ? 0 : kFar;
    return apart(rank(a.bits), rank(b.bits));
  } else {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : kFar;
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return apart(rank(std::bit_cast<Bits>(a)), rank(std::bit_cast<Bits>(b)));
  }
}

/// The shortest decimal text that reads back as the same number.
template <class T>
std::string spell(T value) {
  if constexpr (std::same_as<T, Half>) {
    return spell(to_float(value));
  } else {
    char text[64];
    return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
  }
}

template <class T>
std::string line(std::string_view name, std::size_t at, T found, T expected) {
  const std::uint64_t ulp = distance(found, expected);
  std::string text = "  " + std::string(name) + "[" + spell(at) + "]: expected " + spell(expected) +
                     ", found " + spell(found);
  if (ulp != kFar) text += " (" + spell(ulp) + (std::integral<T> ? " apart)" : " ulp)");
  return text + "\n";
}

template <class T>
std::string headline(std::string_view name, const Comparison& result, std::uint64_t max_ulp) {
  std::string text = std::string(name) + ": " + spell(result.different) + " of " +
                     spell(result.elements) + " elements differ";
  if (max_ulp != 0) text += " by more than " + spell(max_ulp) + (std::integral<T> ? "" : " ulp");
  return text + "\n";
}

template <class T>
Comparison compare(std::span<const T> found, std::span<const T> expected, std::uint64_t max_ulp,
                   std::string_view name) {
  constexpr std::size_t kMaxLines = 8;
  Comparison result;
  result.elements = std::min(found.size(), expected.size());
  result.same_size = found.size() == expected.size();
  std::string lines;
  for (std::size_t i = 0; i < result.elements; ++i) {
    const std::uint64_t ulp = distance(found[i], expected[i]);
    if (ulp > result.worst_ulp) result.worst = i;
    result.worst_ulp = std::max(result.worst_ulp, ulp);
    if (ulp <= max_ulp) continue;
    if (result.different++ == 0) result.first_different = i;
    if (result.different <= kMaxLines) lines += line(name, i, found[i], expected[i]);
  }
  if (!result.same_size)
    result.text = std::string(name) + ": expected " + spell(expected.size()) + " elements, found " +
                  spell(found.size()) + "\n";
  if (result.different != 0) result.text += headline<T>(name, result, max_ulp) + lines;
  if (result.different > kMaxLines)
    result.text +=
        "  the worst:\n" + line(name, result.worst, found[result.worst], expected[result.worst]);
  return result;
}

}  // namespace compare_detail

/// Compares two contiguous ranges of the same number type: float, double, or integers of any width.
/// `max_ulp` is the largest distance that counts as equal. Comparison::text calls the buffer `name`.
template <class Found, class Expected>
Comparison compare_ulp(const Found& found, const Expected& expected, std::uint64_t max_ulp = 0,
                       std::string_view name = "buffer") {
  using T = std::remove_cvref_t<decltype(*std::data(found))>;
  static_assert(std::same_as<T, std::remove_cvref_t<decltype(*std::data(expected))>>,
                "both buffers hold the same type");
  static_assert(std::same_as<T, float> || std::same_as<T, double> ||
                    (std::integral<T> && !std::same_as<T, bool>),
                "elements are float, double or integers");
  return compare_detail::compare(std::span<const T>(found), std::span<const T>(expected), max_ulp,
                                 name);
}

/// Compares two ranges of half as compare_ulp() compares floats. The elements are bits of IEEE 754's binary16, as
/// vstore_half writes them.
inline Comparison compare_half(std::span<const std::uint16_t> found,
                               std::span<const std::uint16_t> expected, std::uint64_t max_ulp = 0,
                               std::string_view name = "buffer") {
  const auto halves = [](std::span<const std::uint16_t> bits) {
    std::vector<compare_detail::Half> values(bits.size());
    std::transform(bits.begin(), bits.end(), values.begin(),
                   [](std::uint16_t one) { return compare_detail::Half{one}; });
    return values;
  };
  const std::vector<compare_detail::Half> a = halves(found);
  const std::vector<compare_detail::Half> b = halves(expected);
  return compare_detail::compare<compare_detail::Half>(a, b, max_ulp, name);
}

}  // namespace transpire
