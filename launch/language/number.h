// The scalar types of launch descriptions. Reads numbers into the bits of a type, prints bits as numbers, and measures the
// distance of two numbers. Does not know vectors, structs or buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "transpire/result.hpp"

namespace transpire::launch {

enum class ScalarType : std::uint8_t {
  kBool,
  kChar,
  kUchar,
  kShort,
  kUshort,
  kInt,
  kUint,
  kLong,
  kUlong,
  kHalf,
  kFloat,
  kDouble
};

std::string_view name_of(ScalarType type);
std::optional<ScalarType> scalar_type_named(std::string_view name);
unsigned size_bytes(ScalarType type);
bool is_float(ScalarType type);
bool is_signed(ScalarType type);

/// Origin of an integer type's sign. kStated: the author wrote the type. kInferred: the module gave its width only, for
/// SPIR-V kernels do not distinguish `int` from `uint`; numbers of both ranges are accepted. Negative numbers of unsigned
/// types wrap, as in C.
enum class Signedness : std::uint8_t { kStated, kInferred };

/// The bits of the number in `text`: decimal, 0x hexadecimal integers (bit patterns, which may set the sign bit),
/// hexadecimal floats, nan, inf, -0.0, true, false. Decimals are rounded once, to nearest even. Fails with C0022.
Result<std::uint64_t> parse_number(std::string_view text, ScalarType type,
                                   Signedness signedness = Signedness::kStated);
/// Parses the bits of a number of any type, in hexadecimal. Fails with C0022 if they do not fit.
Result<std::uint64_t> parse_bits(std::string_view text, ScalarType type);
/// Parses an unsigned decimal or 0x number: a size or count. `what` names it in the message.
Result<std::uint64_t> parse_count(std::string_view text, std::string_view what);

/// The shortest text that reads back as the same bits (payloads of NaNs aside).
std::string format_number(std::uint64_t bits, ScalarType type);
/// All bits, in hexadecimal with leading zeros.
std::string format_bits(std::uint64_t bits, ScalarType type);

std::uint64_t load_bits(std::span<const std::byte> bytes, ScalarType type);
void store_bits(std::span<std::byte> bytes, ScalarType type, std::uint64_t bits);

double to_double(std::uint64_t bits, ScalarType type);
/// Converts a double, rounding to nearest even; integers wrap. The makers of values use it.
std::uint64_t from_double(double value, ScalarType type);
bool is_nan(std::uint64_t bits, ScalarType type);

/// Distance of two floats in ULP, or the difference of two integers. It is 0 for equal numbers and for -0 and +0, and the
/// largest value if one is NaN.
std::uint64_t ulp_distance(std::uint64_t a, std::uint64_t b, ScalarType type);

}  // namespace transpire::launch
