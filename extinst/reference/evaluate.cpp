#include "extinst/reference/evaluate.h"

#include <algorithm>
#include <cmath>

#include "extinst/reference/scratch.h"

namespace transpire::extinst::reference {
namespace {

using vm::Kind;
using vm::Rounding;

enum class Form {
  kUnary,
  kBinary,
  kInteger,
  kHalfTurns,
  kHalfTurns2,
  kLgamma,
  kRecSqrt,
  kPowr,
  kRootn
};

/// inverse = 1 / a where a is a power of two from 2 on, or the negative of one; else false.
bool invert_large_power(const Mpfr& mpfr, mpfr_srcptr a, Number& inverse) {
  if (!mpfr_regular_p(a) || mpfr_get_exp(a) < 2) return false;
  const long sign = mpfr_signbit(a) ? -1 : 1;
  mpfr.set_si_2exp(inverse, sign, mpfr_get_exp(a) - 1, MPFR_RNDN);
  if (mpfr.equal_p(inverse, a) == 0) return false;
  mpfr.set_si_2exp(inverse, sign, 1 - mpfr_get_exp(a), MPFR_RNDN);
  return true;
}

/// Calls the member kFunction of Mpfr in the way of its form.
template <Form kForm, auto kFunction>
int call(const Mpfr& mpfr, mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, long n, mpfr_rnd_t way) {
  if constexpr (kForm == Form::kUnary) {
    return (mpfr.*kFunction)(result, a, way);
  } else if constexpr (kForm == Form::kBinary) {
    return (mpfr.*kFunction)(result, a, b, way);
  } else if constexpr (kForm == Form::kInteger) {
    return (mpfr.*kFunction)(result, a, n, way);
  } else if constexpr (kForm == Form::kHalfTurns) {
    return (mpfr.*kFunction)(result, a, 2, way);
  } else if constexpr (kForm == Form::kHalfTurns2) {
    return (mpfr.*kFunction)(result, a, b, 2, way);
  } else if constexpr (kForm == Form::kRecSqrt) {
    // IEEE 754-2019, 9.2: rSqrt of -0 is -infinity. MPFR's is positive.
    const int ternary = (mpfr.*kFunction)(result, a, way);
    if (mpfr_zero_p(a)) mpfr.set_inf(result, mpfr_signbit(a) ? -1 : 1);
    return ternary;
  } else if constexpr (kForm == Form::kPowr) {
    // IEEE 754-2019, 9.2.1: powr of any base and a NaN is a NaN. MPFR's of 1 is 1.
    const int ternary = (mpfr.*kFunction)(result, a, b, way);
    if (mpfr_nan_p(b)) mpfr.set_nan(result);
    return ternary;
  } else if constexpr (kForm == Form::kRootn) {
    // MPFR 4.2.0 gives 1 for roots of powers of two with a large negative n, whatever the direction.
    thread_local Number inverse(mpfr);
    if (n < 0 && invert_large_power(mpfr, a, inverse))
      return (mpfr.*kFunction)(result, inverse, -n, way);
    return (mpfr.*kFunction)(result, a, n, way);
  } else {
    int sign = 0;
    return (mpfr.*kFunction)(result, &sign, a, way);
  }
}

constexpr Function make(std::string_view name, Exact exact, Form form) {
  Function function{name, exact};
  if (form == Form::kBinary || form == Form::kHalfTurns2 || form == Form::kPowr)
    function.floats = 2;
  function.takes_integer = form == Form::kInteger || form == Form::kRootn;
  function.cancels_below_0 = form == Form::kLgamma;
  return function;
}

constexpr Function kFunctions[] = {
#define TRANSPIRE_REFERENCE(op, name, form, mpfr) \
  make(#name, &call<Form::form, &Mpfr::mpfr>, Form::form),
#include "extinst/reference/functions.def"
#undef TRANSPIRE_REFERENCE
};

/// Numbers for one thread. They are cleared, and MPFR's cached constants freed, when it ends.
struct Scratch {
  explicit Scratch(const Mpfr& library) : mpfr(library), a(library), b(library), result(library) {}
  ~Scratch() { mpfr.free_cache(); }
  const Mpfr& mpfr;
  Number a, b, result;
};

bool is_special(double x) { return x == 0 || !std::isfinite(x); }

}  // namespace

std::span<const Function> functions() { return kFunctions; }

const Function* find_function(std::string_view name) {
  const auto* found = std::ranges::find(kFunctions, name, &Function::name);
  return found != std::end(kFunctions) ? found : nullptr;
}

/// lgamma of a negative number is a difference of terms of which the larger is below 256 wherever
/// it can come near 0.
Enclosure enclosure_of(const Function& function, double first_operand) {
  if (function.cancels_below_0 && first_operand < 0) return {0x1p-44, 0x1p-36};
  return {0x1p-40, 0};
}

Bits round_exactly(const Function& function, Kind kind, Rounding rounding, const Bits* operands) {
  const Mpfr& mpfr = *mpfr_library();
  thread_local Scratch scratch(mpfr);
  mpfr.set_d(scratch.a, to_double(kind, operands[0]), MPFR_RNDN);
  if (function.floats == 2) mpfr.set_d(scratch.b, to_double(kind, operands[1]), MPFR_RNDN);
  const long n = function.takes_integer ? static_cast<std::int32_t>(operands[1]) : 0;
  const Format format = format_of(kind);
  mpfr.set_prec(scratch.result, format.fraction_bits + 1);
  const FormatRange range(mpfr, format);
  const int ternary =
      function.exact(mpfr, scratch.result, scratch.a, scratch.b, n, direction_of(rounding));
  return range.bits(kind, rounding, scratch.result, ternary);
}

Bits round_correctly(const Function& function, Kind kind, Rounding rounding, const Bits* operands,
                     double wide) {
  if (std::isnan(wide)) return nan_bits(kind);
  const double a = to_double(kind, operands[0]);
  const bool special =
      is_special(a) || (function.floats == 2 && is_special(to_double(kind, operands[1])));
  const bool at_end = wide == 0 || std::isinf(wide);
  if (at_end && (special || (kind != Kind::kF64 && rounding == Rounding::kRte)))
    return round_to(kind, rounding, wide);
  if (kind != Kind::kF64 && !at_end) {
    const Enclosure enclosure = enclosure_of(function, a);
    const double error = enclosure.relative * std::fabs(wide) + enclosure.absolute;
    const Bits low = round_to(kind, rounding, wide - error);
    if (low == round_to(kind, rounding, wide + error)) return low;
  }
  return round_exactly(function, kind, rounding, operands);
}

}  // namespace transpire::extinst::reference
