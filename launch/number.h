// The scalar types of launch descriptions: reading a number into the bits of a type, printing bits
// as a number, and measuring how far two numbers are apart. Knows nothing of vectors, structs or
// buffers.
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

/// Whether an integer type is the author's word, or only a width that the module gave (SPIR-V
/// kernels do not tell `int` from `uint`), in which case both ranges are welcome. Negative numbers
/// of unsigned types wrap, as in C.
enum class Signedness : std::uint8_t { kStated, kInferred };

/// The bits of the number that `text` spells: decimal, 0x hexadecimal integers (bit patterns: they
/// may fill the sign bit), hexadecimal floats, nan, inf, -0.0, true, false. Decimals are rounded
/// once, to nearest even. Fails with C0022.
Result<std::uint64_t> parse_number(std::string_view text, ScalarType type,
                                   Signedness signedness = Signedness::kStated);
/// Exact bits in hexadecimal, of any type. Fails with C0022 when they do not fit.
Result<std::uint64_t> parse_bits(std::string_view text, ScalarType type);
/// An unsigned decimal or 0x number, for sizes and counts. `what` names it in the message.
Result<std::uint64_t> parse_count(std::string_view text, std::string_view what);

/// The shortest text that reads back as the same bits (payloads of NaNs aside).
std::string format_number(std::uint64_t bits, ScalarType type);
/// All bits, in hexadecimal with leading zeros.
std::string format_bits(std::uint64_t bits, ScalarType type);

std::uint64_t load_bits(std::span<const std::byte> bytes, ScalarType type);
void store_bits(std::span<std::byte> bytes, ScalarType type, std::uint64_t bits);

double to_double(std::uint64_t bits, ScalarType type);
/// Rounded to nearest even; integers wrap. Used by the generators of values.
std::uint64_t from_double(double value, ScalarType type);
bool is_nan(std::uint64_t bits, ScalarType type);

/// Representable numbers between two floats (0 when equal, -0 and +0 included; the largest value
/// when one is NaN), or the difference of two integers.
std::uint64_t ulp_distance(std::uint64_t a, std::uint64_t b, ScalarType type);

}  // namespace transpire::launch
