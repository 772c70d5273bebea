// half.hpp: every half, and what lies between halves, against the format's definition.
#include "transpire/half.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace transpire::test {
namespace {

constexpr std::uint16_t kInfinity = 0x7c00;
constexpr std::uint16_t kSign = 0x8000;

/// Of bits without sign; where infinity's stand, the number that would follow the largest half.
double value_of(std::uint16_t bits) {
  const int field = bits >> 10, fraction = bits & 0x3ff;
  return field == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, field - 25);
}

void check_rounds(double value, std::uint16_t expected) {
  CAPTURE(value);
  REQUIRE(half_from_double(value) == expected);
  REQUIRE(half_from_double(-value) == (expected | kSign));
  if (static_cast<double>(static_cast<float>(value)) != value) return;
  REQUIRE(half_from_float(static_cast<float>(value)) == expected);
  REQUIRE(half_from_float(static_cast<float>(-value)) == (expected | kSign));
}

TEST_CASE("the number of every half") {
  for (std::uint16_t bits = 0; bits < kInfinity; ++bits) {
    REQUIRE(half_to_double(bits) == value_of(bits));
    REQUIRE(half_to_float(bits) == static_cast<float>(value_of(bits)));
    REQUIRE(half_to_double(bits | kSign) == -value_of(bits));
  }
  CHECK(half_to_double(kInfinity) == std::numeric_limits<double>::infinity());
  CHECK(half_to_float(kInfinity | kSign) == -std::numeric_limits<float>::infinity());
  CHECK(std::signbit(half_to_double(kSign)));
}

TEST_CASE("to the nearest half, ties to even") {
  for (std::uint16_t bits = 0; bits < kInfinity; ++bits) {
    const double here = value_of(bits), next = value_of(bits + 1), tie = here + (next - here) / 2;
    const std::uint16_t above = bits + 1;
    check_rounds(here, bits);
    check_rounds(tie, bits % 2 == 0 ? bits : above);
    // Just beside the tie, by a double and by a float: what is rounded twice goes wrong here.
    check_rounds(std::nextafter(tie, 0.0), bits);
    check_rounds(std::nextafter(tie, 1e9), above);
    check_rounds(std::nextafter(static_cast<float>(tie), 0.0f), bits);
    check_rounds(std::nextafter(static_cast<float>(tie), 1e9f), above);
  }
  for (const double value : {65520.0, 0x1p16, 1e300, std::numeric_limits<double>::infinity()})
    check_rounds(value, kInfinity);
  for (const double value : {0x1p-26, 0x1p-149, 5e-324}) check_rounds(value, 0);
}

TEST_CASE("a NaN becomes quiet and keeps its sign and the payload that there is room for") {
  for (std::uint32_t payload = 1; payload < 0x400; ++payload)
    for (const std::uint32_t sign : {0u, 1u}) {
      const auto half = static_cast<std::uint16_t>(sign << 15 | kInfinity | payload);
      const std::uint32_t wide = sign << 31 | 0x7f800000u | payload << 13;
      REQUIRE(std::bit_cast<std::uint32_t>(half_to_float(half)) == (wide | 0x00400000u));
      REQUIRE(half_from_float(std::bit_cast<float>(wide)) == (half | 0x200));
      REQUIRE(half_from_double(half_to_double(half)) == (half | 0x200));
    }
}

TEST_CASE("conversions of halves are constants where their operands are") {
  constexpr float one = half_to_float(0x3c00);
  constexpr std::uint16_t largest = half_from_double(65504);
  CHECK(one == 1.0f);
  CHECK(largest == 0x7bff);
}

}  // namespace
}  // namespace transpire::test
