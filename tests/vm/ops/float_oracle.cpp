#include "tests/vm/ops/float_oracle.h"

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

namespace transpire::test {

using vm::Kind;
using vm::Rounding;

namespace {

std::uint32_t fraction_bits(Kind kind) {
  return kind == Kind::kF16 ? 10 : kind == Kind::kF32 ? 23 : 52;
}
std::uint64_t sign_bit(Kind kind) { return std::uint64_t{1} << (width_bits(kind) - 1); }
std::uint64_t infinity(Kind kind) {
  return sign_bit(kind) - (std::uint64_t{1} << fraction_bits(kind));
}

/// The value of half bits without sign, where 0x7c00 counts as 2^16, as rounding sees it.
long double half_magnitude(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10);
  const int fraction = static_cast<int>(bits & 0x3ff);
  return exponent == 0 ? std::ldexp(static_cast<long double>(fraction), -24)
                       : std::ldexp(static_cast<long double>(1024 + fraction), exponent - 25);
}

std::uint64_t half_from_number(long double number, Rounding mode) {
  const bool negative = std::signbit(number);
  const long double magnitude = std::fabs(number);
  if (std::isinf(magnitude)) return negative ? 0xfc00 : 0x7c00;
  std::uint32_t low = 0, high = 0x7c00;  // low <= magnitude, and magnitude < high unless beyond all
  while (high - low > 1) {
    const std::uint32_t middle = (low + high) / 2;
    (half_magnitude(middle) <= magnitude ? low : high) = middle;
  }
  const long double below = magnitude - half_magnitude(low),
                    above = half_magnitude(high) - magnitude;
  bool up = false;
  if (mode == Rounding::kRte)
    up = below > above || (below == above && (low & 1) != 0);
  else
    up = below != 0 && mode == (negative ? Rounding::kRtn : Rounding::kRtp);
  return (up ? high : low) | (negative ? 0x8000u : 0u);
}

/// Sets the processor's rounding mode for a scope.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding mode) : saved_(std::fegetround()) {
    constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    std::fesetround(kModes[static_cast<int>(mode)]);
  }
  ~RoundingScope() { std::fesetround(saved_); }

 private:
  int saved_;
};

}  // namespace

bool is_nan(Kind kind, std::uint64_t bits) { return (bits & ~sign_bit(kind)) > infinity(kind); }

std::uint64_t quiet(Kind kind, std::uint64_t bits) {
  return bits | std::uint64_t{1} << (fraction_bits(kind) - 1);
}

std::uint64_t default_nan(Kind kind) { return quiet(kind, infinity(kind) | sign_bit(kind)); }

long double to_number(Kind kind, std::uint64_t bits) {
  if (kind == Kind::kF32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  if (kind == Kind::kF64) return std::bit_cast<double>(bits);
  const auto magnitude = static_cast<std::uint32_t>(bits & 0x7fff);
  const long double value = magnitude == 0x7c00 ? std::numeric_limits<long double>::infinity()
                                                : half_magnitude(magnitude);
  return (bits & 0x8000) != 0 ? -value : value;
}

std::uint64_t from_number(Kind kind, long double number, Rounding mode) {
  if (kind == Kind::kF16) return half_from_number(number, mode);
  const RoundingScope scope(mode);
  volatile long double exact = number;
  if (kind == Kind::kF32) {
    volatile float rounded = static_cast<float>(exact);
    return std::bit_cast<std::uint32_t>(static_cast<float>(rounded));
  }
  volatile double rounded = static_cast<double>(exact);
  return std::bit_cast<std::uint64_t>(static_cast<double>(rounded));
}

}  // namespace transpire::test
