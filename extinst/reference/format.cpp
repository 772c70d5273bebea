#include "extinst/reference/format.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace transpire::extinst::reference {
namespace {

using vm::Kind;
using vm::Rounding;

/// True if a magnitude is rounded away from zero. `rest` is the part cut off, `half` one half of
/// the last place that stays.
bool rounds_up(Rounding rounding, bool negative, std::uint64_t kept, std::uint64_t rest,
               std::uint64_t half) {
  switch (rounding) {
    case Rounding::kRtz:
      return false;
    case Rounding::kRtp:
      return !negative && rest != 0;
    case Rounding::kRtn:
      return negative && rest != 0;
    default:
      return rest > half || (rest == half && (kept & 1) != 0);
  }
}

/// A finite magnitude, not zero, as the bits of a format without sign; not limited to its range.
Bits round_magnitude(const Format& format, Rounding rounding, bool negative, double magnitude) {
  int exponent = 0;
  const double fraction = std::frexp(magnitude, &exponent);  // in [0.5, 1)
  const auto mantissa = static_cast<std::uint64_t>(fraction * 0x1p53);
  --exponent;
  const int last = std::max(exponent - format.fraction_bits, format.least_exponent);
  // Two bits more than a mantissa has are as good as any number of them.
  const int cut = std::min(last - (exponent - 52), 55);
  const std::uint64_t kept = mantissa >> cut;
  const std::uint64_t rest = mantissa - (kept << cut);
  const std::uint64_t up =
      cut > 0 && rounds_up(rounding, negative, kept, rest, std::uint64_t{1} << (cut - 1));
  // The leading bit of a normal number counts as one more in the exponent field.
  const auto field = static_cast<std::uint64_t>(last - format.least_exponent);
  return (field << format.fraction_bits) + kept + up;
}

}  // namespace

/// For half or float; round_to has faster code for rounding to nearest.
Bits round_to_any(Kind kind, Rounding rounding, double value) {
  const Format format = format_of(kind);
  const bool negative = std::signbit(value);
  const Bits sign = static_cast<Bits>(negative) << (vm::width_bits(kind) - 1);
  const Bits infinity = (static_cast<Bits>(format.infinite_exponent) * 2 - 1)
                        << format.fraction_bits;
  if (value == 0) return sign;
  if (std::isinf(value)) return sign | infinity;
  const Bits magnitude = round_magnitude(format, rounding, negative, std::fabs(value));
  if (magnitude < infinity) return sign | magnitude;
  const bool away =
      rounding == Rounding::kRte || rounding == (negative ? Rounding::kRtn : Rounding::kRtp);
  return sign | (away ? infinity : infinity - 1);
}

}  // namespace transpire::extinst::reference
