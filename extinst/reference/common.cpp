#include "extinst/reference/common.h"

#include "extinst/reference/once.h"

namespace transpire::extinst::reference {
namespace {

using vm::Kind;
using vm::Rounding;

/// Holds the difference of two doubles, and mix of three.
constexpr mpfr_prec_t kExactBits = 4700;
/// Holds the product of three differences.
constexpr mpfr_prec_t kCubeBits = 6400;

struct Scratch {
  explicit Scratch(const Mpfr& library)
      : mpfr(library),
        a(library, kExactBits),
        b(library, kExactBits),
        c(library, kExactBits),
        numerator(library, kCubeBits),
        denominator(library, kCubeBits),
        product(library),
        pi(library),
        result(library) {}
  ~Scratch() { mpfr.free_cache(); }
  const Mpfr& mpfr;
  Number a, b, c, numerator, denominator, product, pi, result;
};

Scratch& scratch() {
  thread_local Scratch numbers(*mpfr_library());
  return numbers;
}

bool all_finite(const Doubles& values) {
  for (const double value : values)
    if (!std::isfinite(value)) return false;
  return true;
}

constexpr double kPi = 0x1.921fb54442d18p1;

/// The zero that mix is: a sum that cancels, or one of two zeros.
Bits mix_zero(Kind kind, Rounding rounding, double x, double y, double weight) {
  const bool down = rounding == Rounding::kRtn;
  const bool cancels = x == y && std::signbit(x) == std::signbit(y);
  const bool minus_difference = cancels ? down : std::signbit(y - x);
  const bool minus_x = std::signbit(x), minus_part = minus_difference != std::signbit(weight);
  const bool of_zeros = x == 0;
  const bool minus = of_zeros ? (down ? minus_x || minus_part : minus_x && minus_part) : down;
  return round_to(kind, rounding, minus ? -0.0 : 0.0);
}

/// u = x - low and v = high - low, of which u / v is between 0 and 1:
/// u^2 (3v - 2u) / v^3, where numerator and denominator are exact.
Bits exact_smoothstep(Kind kind, Rounding rounding, double low, double high, double x) {
  Scratch& s = scratch();
  const auto set_difference = [&](Number& to, double from, double minus) {
    s.mpfr.set_d(to, from, MPFR_RNDN);
    s.mpfr.set_d(s.c, minus, MPFR_RNDN);
    s.mpfr.sub(to, to, s.c, MPFR_RNDN);
  };
  set_difference(s.a, x, low);
  set_difference(s.b, high, low);
  const auto multiply = [&](Number& to, Number& by) { s.mpfr.mul(to, to, by, MPFR_RNDN); };
  s.mpfr.set_d(s.denominator, 1, MPFR_RNDN);
  for (int i = 0; i < 3; ++i) multiply(s.denominator, s.b);
  s.mpfr.set_d(s.numerator, 3, MPFR_RNDN);
  multiply(s.numerator, s.b);
  s.mpfr.add(s.c, s.a, s.a, MPFR_RNDN);
  s.mpfr.sub(s.numerator, s.numerator, s.c, MPFR_RNDN);
  for (int i = 0; i < 2; ++i) multiply(s.numerator, s.a);
  return rounded(s.mpfr, s.result, kind, rounding, [&](mpfr_ptr result, mpfr_rnd_t way) {
    return s.mpfr.div(result, s.numerator, s.denominator, way);
  });
}

}  // namespace

Bits degrees(Kind kind, Rounding rounding, std::span<const Bits> a) {
  const double x = to_double(kind, a[0]);
  if (x == 0 || !std::isfinite(x)) return round_to(kind, rounding, x);
  const double value = x * (180 / kPi);
  Bits decided = 0;
  if (decides(kind, rounding, value, std::fabs(value) * kRelativeError, &decided)) return decided;
  Scratch& s = scratch();
  s.mpfr.set_d(s.a, x, MPFR_RNDN);
  s.mpfr.set_d(s.b, 180, MPFR_RNDN);
  s.mpfr.mul(s.a, s.a, s.b, MPFR_RNDN);
  return rounded_between(s.mpfr, s.result, kind, rounding,
                         [&](mpfr_ptr result, mpfr_rnd_t way, mpfr_prec_t precision, bool up) {
                           s.mpfr.set_prec(s.pi, precision);
                           s.mpfr.const_pi(s.pi, up ? MPFR_RNDU : MPFR_RNDD);
                           return s.mpfr.div(result, s.a, s.pi, way);
                         });
}

Bits radians(Kind kind, Rounding rounding, std::span<const Bits> a) {
  const double x = to_double(kind, a[0]);
  if (x == 0 || !std::isfinite(x)) return round_to(kind, rounding, x);
  const double value = x * (kPi / 180);
  Bits decided = 0;
  if (decides(kind, rounding, value, std::fabs(value) * kRelativeError, &decided)) return decided;
  Scratch& s = scratch();
  s.mpfr.set_d(s.a, x, MPFR_RNDN);
  s.mpfr.set_d(s.b, 180, MPFR_RNDN);
  return rounded_between(s.mpfr, s.result, kind, rounding,
                         [&](mpfr_ptr result, mpfr_rnd_t way, mpfr_prec_t precision, bool up) {
                           s.mpfr.set_prec(s.pi, precision);
                           s.mpfr.const_pi(s.pi, up ? MPFR_RNDU : MPFR_RNDD);
                           s.mpfr.set_prec(s.product, precision + 64);  // holds all of it
                           s.mpfr.mul(s.product, s.a, s.pi, MPFR_RNDN);
                           return s.mpfr.div(result, s.product, s.b, way);
                         });
}

Bits mix(Kind kind, Rounding rounding, std::span<const Bits> a) {
  const Doubles values = doubles(kind, a);
  const double x = values[0], y = values[1], weight = values[2];
  const double part = (y - x) * weight, value = x + part;
  if (!all_finite(values)) return round_to(kind, rounding, value);
  Bits decided = 0;
  const double error = (std::fabs(x) + std::fabs(part)) * 0x1p-48;
  if (value != 0 && decides(kind, rounding, value, error, &decided)) return decided;
  Scratch& s = scratch();
  s.mpfr.set_d(s.a, x, MPFR_RNDN);
  s.mpfr.set_d(s.b, y, MPFR_RNDN);
  s.mpfr.set_d(s.c, weight, MPFR_RNDN);
  s.mpfr.sub(s.b, s.b, s.a, MPFR_RNDN);
  s.mpfr.mul(s.b, s.b, s.c, MPFR_RNDN);
  s.mpfr.add(s.c, s.a, s.b, MPFR_RNDN);
  if (mpfr_zero_p(s.c.get())) return mix_zero(kind, rounding, x, y, weight);
  return rounded(s.mpfr, s.result, kind, rounding, [&](mpfr_ptr result, mpfr_rnd_t way) {
    return s.mpfr.set4(result, s.c, way, mpfr_signbit(s.c.get()) ? -1 : 1);
  });
}

Bits smoothstep(Kind kind, Rounding rounding, std::span<const Bits> a) {
  const Doubles values = doubles(kind, a);
  const double low = values[0], high = values[1], x = values[2];
  if (std::isnan(low) || std::isnan(high) || std::isnan(x)) return round_to(kind, rounding, 0);
  if (low == high) return round_to(kind, rounding, x > low && std::isfinite(low) ? 1 : 0);
  const bool ascends = low < high;
  if (ascends ? x <= low : x >= low) return round_to(kind, rounding, 0);
  if (std::isinf(low)) return round_to(kind, rounding, 0);  // t is infinity / infinity, clamped
  if (ascends ? x >= high : x <= high) return round_to(kind, rounding, std::isinf(high) ? 0 : 1);
  if (std::isinf(high)) return round_to(kind, rounding, 0);
  const double t = (x - low) / (high - low), value = t * t * (3 - 2 * t);
  Bits decided = 0;
  if (decides(kind, rounding, value, value * kRelativeError, &decided)) return decided;
  return exact_smoothstep(kind, rounding, low, high, x);
}

}  // namespace transpire::extinst::reference
