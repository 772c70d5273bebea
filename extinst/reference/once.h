// Rounding the value of a whole formula once: by an interval in double where that decides, else by
// MPFR.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "extinst/reference/scratch.h"

namespace transpire::extinst::reference {

/// Operands as doubles, exactly.
using Doubles = std::vector<double>;

inline Doubles doubles(vm::Kind kind, std::span<const Bits> bits) {
  Doubles values;
  for (const Bits b : bits) values.push_back(to_double(kind, b));
  return values;
}

/// For halves and floats: the result if a value with an error of at most `error` decides it. None
/// for doubles.
inline bool decides(vm::Kind kind, vm::Rounding rounding, double value, double error,
                    Bits* result) {
  if (kind == vm::Kind::kF64 || !std::isfinite(value)) return false;
  *result = round_to(kind, rounding, value - error);
  return *result == round_to(kind, rounding, value + error);
}

/// Rounds what `compute(result, way)` gives at the format's precision, with its ternary value, in
/// MPFR's own range of exponents.
template <class Compute>
Bits rounded(const Mpfr& mpfr, Number& result, vm::Kind kind, vm::Rounding rounding,
             Compute compute) {
  const Format format = format_of(kind);
  mpfr.set_prec(result, format.fraction_bits + 1);
  const int ternary = compute(result.get(), direction_of(rounding));
  const FormatRange range(mpfr, format);
  return range.bits(kind, rounding, result, ternary);
}

/// For a value that is not known exactly: `compute(result, way, precision, up)` gives a bound from
/// below or above, which more bits of precision bring closer, until both round to the same number.
template <class Compute>
Bits rounded_between(const Mpfr& mpfr, Number& result, vm::Kind kind, vm::Rounding rounding,
                     Compute compute) {
  Bits bounds[2] = {};
  for (const mpfr_prec_t precision : {160, 640, 2 * 4700}) {
    for (const bool up : {false, true})
      bounds[up] = rounded(mpfr, result, kind, rounding, [&](mpfr_ptr to, mpfr_rnd_t way) {
        return compute(to, way, precision, up);
      });
    if (bounds[0] == bounds[1]) break;
  }
  return bounds[0];
}

/// Below the relative errors of sums of 16 squares in double, of roots, quotients and products.
constexpr double kRelativeError = 0x1p-44;

}  // namespace transpire::extinst::reference
