// Reads and prints numbers: see the header.
#include "launch/language/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "launch/report/diagnose.h"
#include "transpire/half.hpp"

namespace transpire::launch {
namespace {

struct TypeRow {
  ScalarType type;
  std::string_view name;
  unsigned size_bytes;
  bool is_float;
  bool is_signed;
};

constexpr std::array kTypes{
    TypeRow{ScalarType::kBool, "bool", 1, false, false},
    TypeRow{ScalarType::kChar, "char", 1, false, true},
    TypeRow{ScalarType::kUchar, "uchar", 1, false, false},
    TypeRow{ScalarType::kShort, "short", 2, false, true},
    TypeRow{ScalarType::kUshort, "ushort", 2, false, false},
    TypeRow{ScalarType::kInt, "int", 4, false, true},
    TypeRow{ScalarType::kUint, "uint", 4, false, false},
    TypeRow{ScalarType::kLong, "long", 8, false, true},
    TypeRow{ScalarType::kUlong, "ulong", 8, false, false},
    TypeRow{ScalarType::kHalf, "half", 2, true, true},
    TypeRow{ScalarType::kFloat, "float", 4, true, true},
    TypeRow{ScalarType::kDouble, "double", 8, true, true},
};

const TypeRow& row(ScalarType type) { return kTypes[static_cast<std::size_t>(type)]; }

std::uint64_t mask_of(ScalarType type) { return ~std::uint64_t{0} >> (64 - 8 * size_bytes(type)); }

Diagnostic bad_number(std::string_view text, ScalarType type, std::string_view why,
                      std::string help = {}) {
  return command_error(kBadValue, fmt::format("'{}' is no {}: {}", text, name_of(type), why),
                       std::move(help));
}

/// Sign, radix and digits of a number: "-0x1.8p3" is {true, 16, "1.8p3"}.
struct Spelling {
  bool negative = false;
  bool hexadecimal = false;
  std::string_view digits;
};

Spelling take_apart(std::string_view text) {
  Spelling s;
  if (text.starts_with('-') || text.starts_with('+')) {
    s.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.starts_with("0x") || text.starts_with("0X")) {
    s.hexadecimal = true;
    text.remove_prefix(2);
  }
  s.digits = text;
  return s;
}

std::string range_of(ScalarType type) {
  const unsigned bits = 8 * size_bytes(type);
  if (!is_signed(type)) return fmt::format("0 to {}", mask_of(type));
  const std::int64_t high = static_cast<std::int64_t>(mask_of(type) >> 1);
  return fmt::format("{} to {} ({} bits)", -high - 1, high, bits);
}

/// True if the type has a number with this sign and magnitude.
bool fits(const Spelling& s, std::uint64_t magnitude, ScalarType type, Signedness signedness) {
  const std::uint64_t mask = mask_of(type);
  const std::uint64_t sign = mask / 2 + 1;
  // As in C, a negative number of an unsigned type wraps: -1 sets all bits.
  if (s.negative) return magnitude <= sign;
  const bool both = signedness == Signedness::kInferred;
  const bool unsigned_range = !is_signed(type) || both || s.hexadecimal;
  return magnitude <= (unsigned_range ? mask : sign - 1);
}

Result<std::uint64_t> parse_integer(std::string_view text, ScalarType type, Signedness signedness) {
  const Spelling s = take_apart(text);
  std::uint64_t magnitude = 0;
  const char* const end = s.digits.data() + s.digits.size();
  const auto [stop, error] =
      std::from_chars(s.digits.data(), end, magnitude, s.hexadecimal ? 16 : 10);
  const bool too_large = error == std::errc::result_out_of_range;
  if (!too_large && (error != std::errc{} || stop != end || s.digits.empty())) {
    const bool real = text.find_first_of(".eEnNpP") != std::string_view::npos;
    return bad_number(text, type, real ? "an integer is expected" : "it is not a number",
                      "write '3', '-3' or '0xff'");
  }
  if (too_large || !fits(s, magnitude, type, signedness))
    return bad_number(text, type, fmt::format("the range is {}", range_of(type)));
  return (s.negative ? ~magnitude + 1 : magnitude) & mask_of(type);
}

/// Rounds the digits to T once. from_chars reports overflow and underflow alike; strtod distinguishes them.
template <class T>
std::optional<T> read_real(const Spelling& s, bool& overflow) {
  T value{};
  const char* const end = s.digits.data() + s.digits.size();
  const auto format = s.hexadecimal ? std::chars_format::hex : std::chars_format::general;
  const auto [stop, error] = std::from_chars(s.digits.data(), end, value, format);
  if (stop != end || s.digits.empty()) return std::nullopt;
  if (error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    const std::string copy = (s.hexadecimal ? "0x" : "") + std::string(s.digits);
    value = sizeof(T) == 4 ? static_cast<T>(std::strtof(copy.c_str(), nullptr))
                           : static_cast<T>(std::strtod(copy.c_str(), nullptr));
    overflow = std::isinf(value);
  }
  return s.negative ? -value : value;
}

Result<std::uint64_t> parse_real(std::string_view text, ScalarType type) {
  const Spelling s = take_apart(text);
  bool overflow = false;
  std::uint64_t bits = 0;
  bool read = false;
  if (type == ScalarType::kFloat) {
    if (const auto value = read_real<float>(s, overflow)) {
      bits = std::bit_cast<std::uint32_t>(*value);
      read = true;
    }
  } else if (const auto value = read_real<double>(s, overflow)) {
    bits = from_double(*value, type);
    overflow = overflow || (std::isfinite(*value) && std::isinf(to_double(bits, type)));
    read = true;
  }
  if (!read)
    return bad_number(text, type, "it is not a number", "write '3', '-0.5', '1e-6' or '0x1.8p3'");
  const bool says_infinity = !s.digits.empty() && (s.digits[0] == 'i' || s.digits[0] == 'I');
  if (overflow && !says_infinity)
    return bad_number(text, type, "it is too large", "write 'inf' for infinity");
  return bits;
}

}  // namespace

std::string_view name_of(ScalarType type) { return row(type).name; }
unsigned size_bytes(ScalarType type) { return row(type).size_bytes; }
bool is_float(ScalarType type) { return row(type).is_float; }
bool is_signed(ScalarType type) { return row(type).is_signed; }

std::optional<ScalarType> scalar_type_named(std::string_view name) {
  for (const TypeRow& type : kTypes)
    if (type.name == name) return type.type;
  return std::nullopt;
}

Result<std::uint64_t> parse_number(std::string_view text, ScalarType type, Signedness signedness) {
  if (type == ScalarType::kBool) {
    if (text == "true" || text == "1") return std::uint64_t{1};
    if (text == "false" || text == "0") return std::uint64_t{0};
    return bad_number(text, type, "true, false, 1 or 0 is expected");
  }
  // C suffixes are common in pasted values; hexadecimal digits end in 'f' themselves.
  const bool hexadecimal = text.find_first_of("xX") != std::string_view::npos;
  std::string_view number = text;
  if (is_float(type) && !hexadecimal && number.size() > 1 &&
      (number.back() == 'f' || number.back() == 'F') &&
      (std::isdigit(static_cast<unsigned char>(number[number.size() - 2])) ||
       number[number.size() - 2] == '.'))
    number.remove_suffix(1);
  return is_float(type) ? parse_real(number, type) : parse_integer(number, type, signedness);
}

Result<std::uint64_t> parse_bits(std::string_view text, ScalarType type) {
  const Spelling s = take_apart(text);
  std::uint64_t bits = 0;
  const char* const end = s.digits.data() + s.digits.size();
  const auto [stop, error] = std::from_chars(s.digits.data(), end, bits, 16);
  if (s.negative || error != std::errc{} || stop != end || bits > mask_of(type))
    return bad_number(
        text, type, fmt::format("up to {} hexadecimal digits are expected", 2 * size_bytes(type)));
  return bits;
}

namespace {

/// Help for a number with a unit: "1k" may mean 1024 or 1000. Empty for other words.
std::string help_for_unit(std::string_view text) {
  struct Unit {
    std::string_view word;
    std::uint64_t binary, decimal;
  };
  static constexpr Unit kUnits[] = {
      {"k", 1u << 10, 1'000}, {"m", 1u << 20, 1'000'000}, {"g", 1u << 30, 1'000'000'000}};
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + digits, value);
  std::string unit(text.substr(digits));
  for (char& c : unit) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (unit.ends_with("ib")) unit.resize(unit.size() - 2);
  if (unit.ends_with("b")) unit.resize(unit.size() - 1);
  if (digits == 0 || error != std::errc{} || value > 1u << 20) return {};
  for (const Unit& each : kUnits)
    if (each.word == unit)
      return fmt::format("write it in digits: '{}', or '{}'", value * each.binary,
                         value * each.decimal);
  return {};
}

}  // namespace

Result<std::uint64_t> parse_count(std::string_view text, std::string_view what) {
  const Spelling s = take_apart(text);
  std::uint64_t value = 0;
  const char* const end = s.digits.data() + s.digits.size();
  const auto [stop, error] = std::from_chars(s.digits.data(), end, value, s.hexadecimal ? 16 : 10);
  if (s.negative || error != std::errc{} || stop != end) {
    std::string help = help_for_unit(text);
    if (help.empty()) help = "write it in digits, such as '64' or '0x40'";
    return command_error(kBadValue,
                         fmt::format("'{}' is no {}: a whole number is expected", text, what),
                         std::move(help));
  }
  return value;
}

std::string format_number(std::uint64_t bits, ScalarType type) {
  switch (type) {
    case ScalarType::kBool:
      return bits != 0 ? "true" : "false";
    case ScalarType::kFloat: {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      return std::isnan(value) ? "nan" : fmt::format("{}", value);
    }
    case ScalarType::kHalf:
    case ScalarType::kDouble: {
      const double value = to_double(bits, type);
      if (std::isnan(value)) return "nan";
      if (type == ScalarType::kDouble) return fmt::format("{}", value);
      for (int digits = 1; digits < 6; ++digits) {
        std::string text = fmt::format("{:.{}g}", value, digits);
        if (half_from_double(std::strtod(text.c_str(), nullptr)) == bits) return text;
      }
      return fmt::format("{}", value);
    }
    default:
      break;
  }
  if (!is_signed(type)) return fmt::to_string(bits);
  const unsigned unused = 64 - 8 * size_bytes(type);
  return fmt::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
}

std::string format_bits(std::uint64_t bits, ScalarType type) {
  return fmt::format("0x{:0{}x}", bits, 2 * size_bytes(type));
}

std::uint64_t load_bits(std::span<const std::byte> bytes, ScalarType type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), size_bytes(type));
  return bits;
}

void store_bits(std::span<std::byte> bytes, ScalarType type, std::uint64_t bits) {
  std::memcpy(bytes.data(), &bits, size_bytes(type));
}

double to_double(std::uint64_t bits, ScalarType type) {
  switch (type) {
    case ScalarType::kHalf:
      return half_to_double(static_cast<std::uint16_t>(bits));
    case ScalarType::kFloat:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case ScalarType::kDouble:
      return std::bit_cast<double>(bits);
    default:
      break;
  }
  if (!is_signed(type)) return static_cast<double>(bits);
  const unsigned unused = 64 - 8 * size_bytes(type);
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

std::uint64_t from_double(double value, ScalarType type) {
  switch (type) {
    case ScalarType::kHalf:
      // The author wrote no payload for the NaN.
      if (std::isnan(value)) return std::signbit(value) ? 0xfe00 : 0x7e00;
      return half_from_double(value);
    case ScalarType::kFloat:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case ScalarType::kDouble:
      return std::bit_cast<std::uint64_t>(value);
    default:
      break;
  }
  if (!(std::abs(value) < 0x1p63)) return 0;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) & mask_of(type);
}

bool is_nan(std::uint64_t bits, ScalarType type) {
  return is_float(type) && std::isnan(to_double(bits, type));
}

std::uint64_t ulp_distance(std::uint64_t a, std::uint64_t b, ScalarType type) {
  if (is_nan(a, type) || is_nan(b, type))
    return is_nan(a, type) && is_nan(b, type) ? 0 : std::numeric_limits<std::uint64_t>::max();
  if (!is_float(type)) {
    const unsigned unused = 64 - 8 * size_bytes(type);
    if (!is_signed(type)) return a > b ? a - b : b - a;
    const auto x = static_cast<std::int64_t>(a << unused) >> unused;
    const auto y = static_cast<std::int64_t>(b << unused) >> unused;
    return x > y ? static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y)
                 : static_cast<std::uint64_t>(y) - static_cast<std::uint64_t>(x);
  }
  const std::uint64_t sign = mask_of(type) / 2 + 1;
  const std::uint64_t from_zero_a = a & (sign - 1);
  const std::uint64_t from_zero_b = b & (sign - 1);
  if ((a & sign) != (b & sign)) return from_zero_a + from_zero_b;
  return from_zero_a > from_zero_b ? from_zero_a - from_zero_b : from_zero_b - from_zero_a;
}

}  // namespace transpire::launch
