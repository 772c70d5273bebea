#include "tests/vm/ops/float_oracle.h"

#include <cmath>
#include <limits>

#include "tests/fuzz/oracle/instructions.h"

namespace transpire::test {
namespace {

using namespace vm;

oracle::Format format_of(Kind kind) { return oracle::format_of(width_bits(kind)); }

}  // namespace

bool is_nan(Kind kind, std::uint64_t bits) { return format_of(kind).is_nan(bits); }

std::uint64_t quiet(Kind kind, std::uint64_t bits) { return bits | format_of(kind).quiet(); }

std::uint64_t default_nan(Kind kind) { return format_of(kind).nan() | format_of(kind).sign(); }

long double to_number(Kind kind, std::uint64_t bits) {
  const oracle::Parts parts = oracle::parts_of(format_of(kind), bits);
  const long double magnitude =
      format_of(kind).is_infinite(bits)
          ? std::numeric_limits<long double>::infinity()
          : std::ldexp(static_cast<long double>(parts.magnitude), parts.exponent);
  return parts.negative ? -magnitude : magnitude;
}

std::uint64_t from_number(Kind kind, long double number, Rounding mode) {
  const oracle::Format format = format_of(kind);
  const bool negative = std::signbit(number);
  if (std::isnan(number)) return format.nan() | (negative ? format.sign() : 0);
  if (std::isinf(number)) return format.infinity() | (negative ? format.sign() : 0);
  constexpr int kBits = 64;  // of the numbers' magnitudes
  int exponent = 0;
  const long double fraction = std::frexp(std::fabs(number), &exponent);
  return oracle::rounded(format, negative, static_cast<std::uint64_t>(std::ldexp(fraction, kBits)),
                         exponent - kBits, static_cast<int>(mode));
}

}  // namespace transpire::test
