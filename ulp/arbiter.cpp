#include "ulp/arbiter.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "extinst/reference/once.h"

namespace transpire::ulp {

namespace reference = extinst::reference;
using reference::round_to;
using reference::to_double;
using vm::Kind;
using vm::Rounding;

namespace {

/// Enough to hold a difference of the exact value and a number to the last place of any kind.
constexpr mpfr_prec_t kExactBits = 140;

struct Scratch {
  explicit Scratch(const reference::Mpfr& library)
      : mpfr(library),
        a(library),
        b(library),
        exact(library, kExactBits),
        difference(library, kExactBits),
        rounded(library) {}
  const reference::Mpfr& mpfr;
  reference::Number a, b, exact, difference, rounded;
};

Scratch& scratch() {
  thread_local Scratch numbers(*reference::mpfr_library());
  return numbers;
}

bool is_special(double x) { return x == 0 || !std::isfinite(x); }

bool is_nan(Kind kind, Bits bits) { return std::isnan(to_double(kind, bits)); }

/// The exponent of the unit in the last place of a number whose magnitude is in [2^e, 2^(e+1)). For
/// a power of two, that of the smaller distance to a neighbour.
int unit_exponent(const reference::Format& format, int e, bool is_power) {
  return std::max(e - (is_power ? 1 : 0) - format.fraction_bits, format.least_exponent);
}

/// As reference::round_to, for a finite number in the range of normal doubles.
Bits round_to_double(Rounding rounding, long double value) {
  auto number = static_cast<double>(value);
  const bool down = rounding == Rounding::kRtn || (rounding == Rounding::kRtz && value > 0);
  const bool up = rounding == Rounding::kRtp || (rounding == Rounding::kRtz && value < 0);
  if (down && number > value) number = std::nextafter(number, -INFINITY);
  if (up && number < value) number = std::nextafter(number, INFINITY);
  return std::bit_cast<Bits>(number);
}

}  // namespace

Arbiter::Arbiter(const MeasuredFunction& function, Kind kind, Rounding rounding)
    : function_(function),
      kind_(kind),
      rounding_(rounding),
      format_(reference::format_of(kind)),
      two_floats_(function.arity() == 2 && !function.takes_integer()),
      integer_(function.takes_integer()),
      extended_(has_extended(function)) {}

bool Arbiter::same(Bits a, Bits b) const {
  return a == b || (is_nan(kind_, a) && is_nan(kind_, b));
}

/// Infinity counts as the number after the largest, on both sides. The unit of an exact zero is
/// that of the smallest numbers: whatever else a function gives there is far off.
double Arbiter::ulp_of(long double exact, Bits result) const {
  const long double beyond = std::ldexp(1.0L, format_.infinite_exponent);
  long double value = to_double(kind_, result);
  if (std::isnan(value)) return INFINITY;
  value = std::clamp(value, -beyond, beyond);
  exact = std::clamp(exact, -beyond, beyond);
  if (value == exact) return 0;
  const int e = exact == 0 ? format_.least_exponent : std::ilogb(exact);
  const bool is_power = exact != 0 && std::fabs(exact) == std::ldexp(1.0L, e);
  const int unit = unit_exponent(format_, e, is_power);
  return static_cast<double>(std::fabs(std::ldexp(value - exact, -unit)));
}

/// Faster form for halves and floats whose `exact` is a normal double: by bits, because walking through all floats spends most of its time here.
double Arbiter::ulp_of(double exact, Bits result) const {
  const double beyond =
      std::bit_cast<double>(static_cast<Bits>(format_.infinite_exponent + 1023) << 52);
  double value = to_double(kind_, result);
  if (value != value) return INFINITY;
  value = std::clamp(value, -beyond, beyond);
  exact = std::clamp(exact, -beyond, beyond);
  const auto bits = std::bit_cast<Bits>(exact);
  const int e = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  const bool is_power = (bits & ((Bits{1} << 52) - 1)) == 0;
  const int unit = unit_exponent(format_, e, is_power);
  return std::fabs((value - exact) * std::bit_cast<double>(static_cast<Bits>(1023 - unit) << 52));
}

template <class T>
bool Arbiter::decide(T estimate, T error, Bits result, Verdict* verdict) const {
  if constexpr (sizeof(T) == 8) {
    verdict->expected = round_to(kind_, rounding_, estimate - error);
    if (verdict->expected != round_to(kind_, rounding_, estimate + error)) return false;
  } else {
    verdict->expected = round_to_double(rounding_, estimate - error);
    if (verdict->expected != round_to_double(rounding_, estimate + error)) return false;
  }
  verdict->ulp = ulp_of(estimate, result);
  return true;
}

Arbiter::Verdict Arbiter::judge(const Call& call, Bits result) const {
  if (function_.formula != nullptr && kind_ == Kind::kF64)
    return judge_formula<long double>(call, result, false);
  if (function_.formula != nullptr) return judge_formula<double>(call, result, false);
  const double x = to_double(kind_, call.a);
  const int n = integer_ ? static_cast<std::int32_t>(call.b) : 0;
  const double y = two_floats_ ? to_double(kind_, call.b) : 0;
  const bool special = is_special(x) || (two_floats_ && is_special(y));
  if (special) return judge_exactly(call, result);
  Verdict verdict;
  if (kind_ != Kind::kF64) {
    const double estimate = function_.twice(x, y, n);
    const bool usable = std::isfinite(estimate) && std::fabs(estimate) > kLeastEstimate;
    if (usable && decide(estimate, std::fabs(estimate) * kTwiceError, result, &verdict))
      return verdict;
    // A NaN, and what even a double cannot hold: no interval, but there is nothing to decide where
    // the nearest number is the result.
    if (!usable && rounding_ == Rounding::kRte && round_to(kind_, rounding_, estimate) == result) {
      verdict.expected = result;
      return verdict;
    }
  } else if (extended_) {
    const long double estimate = function_.extended(x, y, n);
    const long double magnitude = std::fabs(estimate);
    const bool usable = magnitude > 0x1p-1000L && magnitude < 0x1p1023L;
    if (usable && decide(estimate, magnitude * kExtendedError, result, &verdict)) return verdict;
  }
  return judge_exactly(call, result);
}

Arbiter::Verdict Arbiter::judge_exactly(const Call& call, Bits result) const {
  if (function_.formula != nullptr && kind_ == Kind::kF64)
    return judge_formula<long double>(call, result, true);
  if (function_.formula != nullptr) return judge_formula<double>(call, result, true);
  const reference::Mpfr& mpfr = *reference::mpfr_library();
  Scratch& s = scratch();
  const Bits operands[2] = {call.a, call.b};
  Verdict verdict;
  verdict.by_mpfr = true;
  verdict.expected = reference::round_exactly(function_.function, kind_, rounding_, operands);
  const bool wrong_nan = is_nan(kind_, verdict.expected) != is_nan(kind_, result);
  if (wrong_nan) verdict.ulp = INFINITY;
  if (wrong_nan || is_nan(kind_, result)) return verdict;
  mpfr.set_d(s.a, to_double(kind_, call.a), MPFR_RNDN);
  if (!function_.takes_integer()) mpfr.set_d(s.b, to_double(kind_, call.b), MPFR_RNDN);
  const int ternary = function_.function.exact(mpfr, s.exact, s.a, s.b,
                                               static_cast<std::int32_t>(call.b), MPFR_RNDN);
  verdict.ulp = ulp_of_exact(s.exact, ternary, result);
  return verdict;
}

/// `exact` may be rounded; `ternary` is the value that MPFR's functions give then.
double Arbiter::ulp_of_exact(mpfr_ptr exact, int ternary, Bits result) const {
  const reference::Mpfr& mpfr = *reference::mpfr_library();
  Scratch& s = scratch();
  if (mpfr_zero_p(exact) || mpfr_inf_p(exact) || mpfr_get_exp(exact) > format_.infinite_exponent)
    return ulp_of(mpfr_zero_p(exact) ? 0.0L : mpfr_signbit(exact) ? -INFINITY : INFINITY, result);
  double value = to_double(kind_, result);
  long scale = 0;
  if (std::isinf(value)) value = std::copysign(1.0, value), scale = format_.infinite_exponent;
  mpfr.set_d(s.difference, value, MPFR_RNDN);
  mpfr.mul_2si(s.difference, s.difference, scale, MPFR_RNDN);
  mpfr.sub(s.difference, s.difference, exact, MPFR_RNDN);
  // Far below the smallest number, exponents are beyond an int's range; the unit there is the
  // least.
  const int e =
      static_cast<int>(std::max<mpfr_exp_t>(mpfr_get_exp(exact) - 1, format_.least_exponent));
  // A power of two has one bit, so it is its own lowest power. One that was rounded from above has
  // the larger unit.
  mpfr.set_d(s.a, mpfr_signbit(exact) ? -1 : 1, MPFR_RNDN);
  mpfr.mul_2si(s.a, s.a, e, MPFR_RNDN);
  const bool was_above = ternary != 0 && (ternary < 0) != (mpfr_signbit(exact) != 0);
  const bool is_power = mpfr.equal_p(s.a, exact) != 0 && !was_above;
  mpfr.mul_2si(s.difference, s.difference, -unit_exponent(format_, e, is_power), MPFR_RNDN);
  return std::fabs(mpfr.get_d(s.difference, MPFR_RNDN));
}

template <class T>
Near<T> Arbiter::estimate(const FormulaCall& call) const {
  if constexpr (sizeof(T) == 8)
    return function_.formula->near(call);
  else
    return function_.formula->near_of_double(call);
}

template <class T>
bool Arbiter::decide_formula(const FormulaCall& call, Bits result, Verdict* verdict) const {
  const Near<T> near = estimate<T>(call);
  const T value = near.value, error = near.error, magnitude = std::fabs(value);
  const bool usable = magnitude > 0x1p-1000L && magnitude < 0x1p1023L && error < magnitude;
  const bool is_zero = value == 0 && error == 0;
  if (!usable && !is_zero) return false;
  // The interval's ends are rounded as well.
  const T interval = error == 0 ? 0 : error + magnitude * Near<T>::kUnit;
  if (!decide(value, interval, result, verdict)) return false;
  set_allowed(call, result, verdict, [&](Bits end) { return ulp_of(value, end); });
  return true;
}

template <class UlpOf>
void Arbiter::set_allowed(const FormulaCall& call, Bits result, Verdict* verdict,
                          UlpOf ulp_of_end) const {
  if (same(verdict->expected, result)) return;
  const PermittedRange range = function_.formula->permitted(kind_, call);
  if (!range) verdict->allowed = INFINITY;
  if (range)
    for (const double end : {range->first, range->second})
      verdict->allowed =
          std::max(verdict->allowed, ulp_of_end(round_to(kind_, Rounding::kRte, end)));
}

template <class T>
Arbiter::Verdict Arbiter::judge_special(const FormulaCall& call, Bits result) const {
  Verdict verdict;
  verdict.expected = round_to(kind_, rounding_, static_cast<double>(estimate<T>(call).value));
  verdict.ulp = same(verdict.expected, result) ? 0 : INFINITY;
  verdict.allowed = INFINITY;
  return verdict;
}

template <class T>
Arbiter::Verdict Arbiter::judge_formula(const Call& call, Bits result, bool exactly) const {
  double operands[kMostOperands];
  const std::size_t count = function_.arity();
  bool is_finite = true;
  for (std::size_t i = 0; i < count; ++i) {
    operands[i] = to_double(kind_, call.operand(i));
    is_finite &= std::isfinite(operands[i]);
  }
  const FormulaCall numbers{{operands, count}, call.component};
  if (!is_finite) {
    // The operand may not count for this component, or become a number.
    const auto [value, error] = estimate<T>(numbers);
    if (!std::isfinite(value) || error == 0) return judge_special<T>(numbers, result);
  }
  Verdict verdict;
  if (!exactly && decide_formula<T>(numbers, result, &verdict)) return verdict;
  return judge_formula_exactly<T>(numbers, result);
}

template <class T>
Arbiter::Verdict Arbiter::judge_formula_exactly(const FormulaCall& call, Bits result) const {
  const reference::Mpfr& mpfr = *reference::mpfr_library();
  Scratch& s = scratch();
  Exact::set_format(format_);
  const Exact exact = function_.formula->exact(call);
  if (mpfr_nan_p(exact.get()) || mpfr_inf_p(exact.get()))
    return judge_special<T>(call, result);  // a division by 0
  const auto set = [&](mpfr_ptr to, mpfr_rnd_t way) {
    return mpfr.set4(to, exact.get(), way, mpfr_signbit(exact.get()) ? -1 : 1);
  };
  Verdict verdict;
  verdict.by_mpfr = true;
  verdict.expected = reference::rounded(mpfr, s.rounded, kind_, rounding_, set);
  const mpfr_ptr value = s.exact.get();
  const int ternary = set(value, MPFR_RNDN);
  verdict.ulp = is_nan(kind_, result) ? INFINITY : ulp_of_exact(value, ternary, result);
  set_allowed(call, result, &verdict, [&](Bits end) { return ulp_of_exact(value, ternary, end); });
  return verdict;
}

}  // namespace transpire::ulp
