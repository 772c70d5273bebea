// compare.hpp: distances, and the text for people.
#include "transpire/compare.hpp"

#include <doctest/doctest.h>

#include <array>

namespace transpire::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

template <class T>
std::uint64_t ulp(T a, T b) {
  const std::uint64_t there = compare_ulp(std::array{a}, std::array{b}).worst_ulp;
  CHECK(compare_ulp(std::array{b}, std::array{a}).worst_ulp == there);
  return there;
}

std::uint64_t half_ulp(std::uint16_t a, std::uint16_t b) {
  return compare_half(std::array{a}, std::array{b}).worst_ulp;
}

TEST_CASE("the distance of two numbers counts the representable ones between them") {
  CHECK(ulp(1.0f, 1.0f) == 0);
  CHECK(ulp(1.0f, std::nextafter(1.0f, 2.0f)) == 1);
  CHECK(ulp(0.0f, -0.0f) == 0);
  CHECK(ulp(0x1p-149f, -0x1p-149f) == 2);
  CHECK(ulp(std::numeric_limits<float>::max(), kInfinity) == 1);
  CHECK(ulp(-kInfinity, kInfinity) == 2 * std::uint64_t{0x7f800000});
  CHECK(ulp(1.0, std::nextafter(1.0, 0.0)) == 1);
  CHECK(ulp(-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()) ==
        2 * std::uint64_t{0x7ff0000000000000});
  CHECK(half_ulp(0x3c00, 0x3c02) == 2);
  CHECK(half_ulp(0x0000, 0x8000) == 0);
  CHECK(half_ulp(0x0001, 0x8001) == 2);
}

TEST_CASE("a NaN equals any NaN and nothing else") {
  CHECK(ulp(kNan, -kNan) == 0);
  CHECK(ulp(kNan, kInfinity) == UINT64_MAX);
  CHECK(half_ulp(0x7e00, 0xfe01) == 0);
  CHECK(half_ulp(0x7e00, 0x7c00) == UINT64_MAX);
}

TEST_CASE("the distance of integers is their difference, at every width") {
  CHECK(ulp<std::int8_t>(-128, 127) == 255);
  CHECK(ulp<std::uint8_t>(3, 250) == 247);
  CHECK(ulp<std::int64_t>(INT64_MIN, INT64_MAX) == UINT64_MAX);
  CHECK(ulp<std::uint64_t>(0, UINT64_MAX) == UINT64_MAX);
  CHECK(ulp<std::int32_t>(-5, -7) == 2);
}

TEST_CASE("what differs is said with place, numbers and distance") {
  const std::vector<float> expected = {1, 2, 3, kNan, 0.1f};
  std::vector<float> found = expected;
  CHECK(compare_ulp(found, expected));
  CHECK(compare_ulp(found, expected).text.empty());
  found[1] = std::nextafter(2.0f, 3.0f);
  found[3] = 7;
  const Comparison close = compare_ulp(found, expected, 1, "y");
  CHECK_FALSE(close);
  CHECK(close.different == 1);
  CHECK(close.first_different == 3);
  CHECK(close.worst == 3);
  CHECK(close.text ==
        "y: 1 of 5 elements differ by more than 1 ulp\n  y[3]: expected nan, found 7\n");
  CHECK(compare_ulp(found, expected).text ==
        "buffer: 2 of 5 elements differ\n  buffer[1]: expected 2, found 2.0000002 (1 ulp)\n"
        "  buffer[3]: expected nan, found 7\n");
  CHECK(compare_half(std::array<std::uint16_t, 1>{0x3c01}, std::array<std::uint16_t, 1>{0x3c00})
            .text ==
        "buffer: 1 of 1 elements differ\n  buffer[0]: expected 1, found 1.0009766 (1 ulp)\n");
}

TEST_CASE("of many differences the first ones and the worst are shown") {
  const std::vector<int> expected(100, 0);
  std::vector<int> found(100, 2);
  found[50] = -9;
  const Comparison result = compare_ulp(found, expected, 1);
  CHECK(result.different == 100);
  CHECK(result.worst == 50);
  CHECK(result.worst_ulp == 9);
  CHECK(
      result.text.starts_with("buffer: 100 of 100 elements differ by more than 1\n"
                              "  buffer[0]: expected 0, found 2 (2 apart)\n"));
  CHECK(
      result.text.ends_with("  buffer[7]: expected 0, found 2 (2 apart)\n"
                            "  the worst:\n  buffer[50]: expected 0, found -9 (9 apart)\n"));
}

TEST_CASE("buffers of different sizes differ") {
  const Comparison result = compare_ulp(std::vector<double>{1}, std::vector<double>{1, 2});
  CHECK_FALSE(result);
  CHECK(result.different == 0);
  CHECK(result.elements == 1);
  CHECK(result.text == "buffer: expected 2 elements, found 1\n");
}

}  // namespace
}  // namespace transpire::test
