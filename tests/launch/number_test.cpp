// Numbers of the launch language: reading, printing, halves and ULP distances.
#include "launch/number.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/launch/support.h"

namespace transpire::test {

using namespace launch;
namespace {

std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

std::uint64_t read(std::string_view text, ScalarType type) {
  const auto bits = parse_number(text, type);
  REQUIRE_MESSAGE(bits.ok(), text);
  return *bits;
}

}  // namespace

TEST_CASE("integers are read within the range of their type") {
  CHECK(read("-128", ScalarType::kChar) == 0x80);
  CHECK(read("255", ScalarType::kUchar) == 0xff);
  CHECK(read("+7", ScalarType::kInt) == 7);
  CHECK(read("-1", ScalarType::kInt) == 0xffffffff);
  CHECK(read("18446744073709551615", ScalarType::kUlong) == ~std::uint64_t{0});
  CHECK(read("-9223372036854775808", ScalarType::kLong) == std::uint64_t{1} << 63);
  CHECK(error_of(parse_number("128", ScalarType::kChar)) ==
        "TSP-C0022: '128' is no char: the range is -128 to 127 (8 bits)");
  CHECK(read("-1", ScalarType::kUint) == 0xffffffff);
  CHECK_FALSE(parse_number("-2147483649", ScalarType::kUint).ok());
  CHECK(error_of(parse_number("256", ScalarType::kUchar)) ==
        "TSP-C0022: '256' is no uchar: the range is 0 to 255");
  CHECK_FALSE(parse_number("18446744073709551616", ScalarType::kUlong).ok());
  CHECK_FALSE(parse_number("2147483648", ScalarType::kInt).ok());
}

TEST_CASE("hexadecimal integers are bit patterns") {
  CHECK(read("0xffffffff", ScalarType::kInt) == 0xffffffff);
  CHECK(read("0x7f", ScalarType::kChar) == 0x7f);
  CHECK(read("-0x10", ScalarType::kShort) == 0xfff0);
  CHECK_FALSE(parse_number("0x1ff", ScalarType::kUchar).ok());
}

TEST_CASE("a width from the module takes both ranges") {
  CHECK(*parse_number("-1", ScalarType::kUint, Signedness::kInferred) == 0xffffffff);
  CHECK(*parse_number("4294967295", ScalarType::kInt, Signedness::kInferred) == 0xffffffff);
  CHECK_FALSE(parse_number("4294967296", ScalarType::kInt, Signedness::kInferred).ok());
  CHECK_FALSE(parse_number("-2147483649", ScalarType::kUint, Signedness::kInferred).ok());
}

TEST_CASE("what is no integer is refused") {
  for (const char* text : {"", "-", "x", "1.5", "1e3", "0x", "12a", "--1", "1 2", "nan"})
    CHECK_FALSE_MESSAGE(parse_number(text, ScalarType::kInt).ok(), text);
  CHECK(error_of(parse_number("1.5", ScalarType::kInt)) ==
        "TSP-C0022: '1.5' is no int: an integer is expected");
}

TEST_CASE("floats are rounded once") {
  CHECK(read("0.1", ScalarType::kFloat) == bits_of(0.1F));
  CHECK(read("0.1", ScalarType::kDouble) == bits_of(0.1));
  CHECK(read("-0.0", ScalarType::kFloat) == 0x80000000);
  CHECK(read("3", ScalarType::kFloat) == bits_of(3.0F));
  CHECK(read("1.5f", ScalarType::kFloat) == bits_of(1.5F));
  CHECK(read("0x1.8p3", ScalarType::kFloat) == bits_of(12.0F));
  CHECK(read("-0x1p-149", ScalarType::kFloat) == 0x80000001);
  CHECK(read("0xf", ScalarType::kFloat) == bits_of(15.0F));
  CHECK(read("inf", ScalarType::kFloat) == 0x7f800000);
  CHECK(read("-inf", ScalarType::kDouble) == 0xfff0000000000000);
  CHECK(std::isnan(to_double(read("nan", ScalarType::kFloat), ScalarType::kFloat)));
  // Between two floats, just above the middle only in more digits than a double has.
  CHECK(read("1.00000005960464477539062500000000001", ScalarType::kFloat) == bits_of(1.0000001F));
}

TEST_CASE("floats that are too large are refused, too small ones become zero") {
  CHECK_FALSE(parse_number("1e39", ScalarType::kFloat).ok());
  CHECK_FALSE(parse_number("1e309", ScalarType::kDouble).ok());
  CHECK_FALSE(parse_number("70000", ScalarType::kHalf).ok());
  CHECK(read("1e-60", ScalarType::kFloat) == 0);
  CHECK(read("-1e-60", ScalarType::kFloat) == 0x80000000);
  CHECK_FALSE(parse_number("1.2.3", ScalarType::kFloat).ok());
  CHECK_FALSE(parse_number("abc", ScalarType::kFloat).ok());
}

TEST_CASE("exact bits") {
  CHECK(*parse_bits("0x7fc00001", ScalarType::kFloat) == 0x7fc00001);
  CHECK(*parse_bits("7c01", ScalarType::kHalf) == 0x7c01);
  CHECK_FALSE(parse_bits("0x100000000", ScalarType::kFloat).ok());
  CHECK_FALSE(parse_bits("xyz", ScalarType::kFloat).ok());
}

TEST_CASE("numbers print as the shortest text that reads back") {
  CHECK(format_number(bits_of(0.1F), ScalarType::kFloat) == "0.1");
  CHECK(format_number(bits_of(3.0F), ScalarType::kFloat) == "3");
  CHECK(format_number(0x80000000, ScalarType::kFloat) == "-0");
  CHECK(format_number(0xff, ScalarType::kChar) == "-1");
  CHECK(format_number(0xff, ScalarType::kUchar) == "255");
  CHECK(format_number(0xffffffffffffffff, ScalarType::kLong) == "-1");
  CHECK(format_number(0x2e66, ScalarType::kHalf) == "0.1");
  CHECK(format_number(0xfe00, ScalarType::kHalf) == "nan");
  CHECK(format_number(0x7c00, ScalarType::kHalf) == "inf");
  CHECK(format_number(1, ScalarType::kBool) == "true");
  CHECK(format_bits(0x1f, ScalarType::kUshort) == "0x001f");
}

TEST_CASE("every half reads back from what it prints") {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (is_nan(half, ScalarType::kHalf)) continue;
    REQUIRE(from_double(to_double(half, ScalarType::kHalf), ScalarType::kHalf) == half);
    REQUIRE(read(format_number(half, ScalarType::kHalf), ScalarType::kHalf) == half);
  }
}

TEST_CASE("distance in units in the last place") {
  const auto ulp = [](float a, float b) {
    return ulp_distance(bits_of(a), bits_of(b), ScalarType::kFloat);
  };
  CHECK(ulp(1.0F, 1.0F) == 0);
  CHECK(ulp(1.0F, std::nextafter(1.0F, 2.0F)) == 1);
  CHECK(ulp(std::nextafter(1.0F, 0.0F), std::nextafter(1.0F, 2.0F)) == 2);
  CHECK(ulp(0.0F, -0.0F) == 0);
  CHECK(ulp(-0x1p-149F, 0x1p-149F) == 2);
  CHECK(ulp(std::numeric_limits<float>::max(), INFINITY) == 1);
  CHECK(ulp(NAN, 1.0F) == std::numeric_limits<std::uint64_t>::max());
  CHECK(ulp(NAN, -NAN) == 0);
  CHECK(ulp_distance(0xff, 1, ScalarType::kChar) == 2);
  CHECK(ulp_distance(0xff, 1, ScalarType::kUchar) == 254);
  CHECK(ulp_distance(std::uint64_t{1} << 63, ~std::uint64_t{0} >> 1, ScalarType::kLong) ==
        ~std::uint64_t{0});
}

TEST_CASE("bytes and counts") {
  std::byte bytes[8] = {};
  store_bits(bytes, ScalarType::kUshort, 0xabcd);
  CHECK(load_bits(bytes, ScalarType::kUshort) == 0xabcd);
  CHECK(load_bits(bytes, ScalarType::kUlong) == 0xabcd);
  CHECK(*parse_count("0x10", "count") == 16);
  CHECK(error_of(parse_count("-1", "size")) ==
        "TSP-C0022: '-1' is no size: a whole number is expected");
}

}  // namespace transpire::test
