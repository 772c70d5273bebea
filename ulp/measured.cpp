#include "ulp/measured.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "vm/ops/math_functions.h"

namespace transpire::ulp {
namespace {

using extinst::reference::Function;
using extinst::reference::Mpfr;
using vm::Op;

template <class T>
inline constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
template <class T>
inline constexpr T kPi = std::numbers::pi_v<T>;

float exp10_of(float a) { return ::exp10f(a); }
double exp10_of(double a) { return ::exp10(a); }
long double exp10_of(long double a) { return ::exp10l(a); }

// Not std::lgamma, which writes a global variable.
float lgamma_of(float a) {
  int sign;
  return ::lgammaf_r(a, &sign);
}
double lgamma_of(double a) {
  int sign;
  return ::lgamma_r(a, &sign);
}
long double lgamma_of(long double a) {
  int sign;
  return ::lgammal_r(a, &sign);
}

template <class T>
T fraction_of(T a) {
  T whole;
  return std::modf(a, &whole);
}
template <class T>
T mantissa_of(T a) {
  int exponent;
  return std::frexp(a, &exponent);
}

/// a^(1/n). The error of 1/n counts |log a| / n times.
template <class T>
T root_of(T a, int n) {
  if (n == 0 || (a < 0 && n % 2 == 0)) return kNan<T>;
  return std::copysign(std::pow(std::fabs(a), 1 / static_cast<T>(n)), a);
}

/// sin(pi (a + quarters / 2)), quarters 0 or 1; a is reduced without error. Zeros are those of
/// IEEE 754-2019, 9.2: sinPi's have the operand's sign, cosPi's are positive.
template <class T>
T half_turns_sin(T a, int quarters) {
  const T turn = std::fmod(a, static_cast<T>(2));
  const T nearest = std::nearbyint(2 * turn);
  const T angle = (turn - nearest / 2) * kPi<T>;
  const int quadrant = (static_cast<int>(nearest) + quarters) & 3;
  const T value = quadrant % 2 == 0 ? std::sin(angle) : std::cos(angle);
  if (value == 0) return quarters == 0 ? std::copysign(value, a) : std::fabs(value);
  return quadrant >= 2 ? -value : value;
}

#define TRANSPIRE_MEASURED(op, low, high, own, estimate)                              \
  struct Estimate##op {                                                               \
    template <class T>                                                                \
    static T of([[maybe_unused]] T a, [[maybe_unused]] T b, [[maybe_unused]] int n) { \
      return estimate;                                                                \
    }                                                                                 \
  };
#include "ulp/measured.def"
#undef TRANSPIRE_MEASURED

/// Calls a function of MPFR with one operand, or two.
template <auto kFunction>
int exact_of_one(const Mpfr& m, mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr, long, mpfr_rnd_t way) {
  return (m.*kFunction)(r, a, way);
}
template <auto kFunction>
int exact_of_two(const Mpfr& m, mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, long, mpfr_rnd_t way) {
  return (m.*kFunction)(r, a, b, way);
}
int exact_fabs(const Mpfr& m, mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr, long, mpfr_rnd_t way) {
  return m.set4(r, a, way, 1);
}
int exact_ldexp(const Mpfr& m, mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr, long n, mpfr_rnd_t way) {
  return m.mul_2si(r, a, n, way);
}
int exact_frexp(const Mpfr& m, mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr, long, mpfr_rnd_t way) {
  mpfr_exp_t exponent = 0;
  return m.frexp(&exponent, r, a, way);
}
int exact_logb(const Mpfr& m, mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr, long, mpfr_rnd_t way) {
  if (mpfr_regular_p(a)) return m.set_si_2exp(r, mpfr_get_exp(a) - 1, 0, way);
  if (mpfr_nan_p(a))
    m.set_nan(r);
  else
    m.set_inf(r, mpfr_zero_p(a) ? -1 : 1);
  return 0;
}

/// Functions that the reference mode does not replace, because the fast mode has them right. For
/// modf and frexp, the result.
struct Other {
  Op op;
  Function function;
};
constexpr Other kOthers[] = {
    {Op::kSqrt, {"sqrt", exact_of_one<&Mpfr::sqrt>}},
    {Op::kFDiv, {"divide", exact_of_two<&Mpfr::div>, 2}},
    {Op::kFRem, {"fmod", exact_of_two<&Mpfr::fmod>, 2}},
    {Op::kRemainder, {"remainder", exact_of_two<&Mpfr::remainder>, 2}},
    {Op::kFDim, {"fdim", exact_of_two<&Mpfr::dim>, 2}},
    {Op::kLdexp, {"ldexp", exact_ldexp, 1, true}},
    {Op::kCeil, {"ceil", exact_of_one<&Mpfr::rint_ceil>}},
    {Op::kFloor, {"floor", exact_of_one<&Mpfr::rint_floor>}},
    {Op::kTrunc, {"trunc", exact_of_one<&Mpfr::rint_trunc>}},
    {Op::kRint, {"rint", exact_of_one<&Mpfr::rint_roundeven>}},
    {Op::kRound, {"round", exact_of_one<&Mpfr::rint_round>}},
    {Op::kFAbs, {"fabs", exact_fabs}},
    {Op::kModf, {"modf", exact_of_one<&Mpfr::frac>}},
    {Op::kFrexp, {"frexp", exact_frexp}},
    {Op::kLogb, {"logb", exact_logb}},
};

const Function& function_of(Op op) {
  const Function* const known = vm::reference_function(op);
  return known != nullptr ? *known : std::ranges::find(kOthers, op, &Other::op)->function;
}

template <class Estimate>
void twice_each(const double* a, const double* b, const std::int32_t* n, std::size_t count,
                double* results) {
  for (std::size_t i = 0; i < count; ++i)
    results[i] = Estimate::template of<double>(a[i], b[i], n[i]);
}

template <class Estimate>
MeasuredFunction measured(Op op, double low, double high, bool in_c_library) {
  return {op,
          function_of(op),
          low,
          high,
          in_c_library,
          &Estimate::template of<float>,
          &Estimate::template of<double>,
          &Estimate::template of<long double>,
          &twice_each<Estimate>};
}

MeasuredFunction measured_by_formula(const Formula& formula) {
  MeasuredFunction function{};
  function.function = {formula.name, nullptr, static_cast<std::uint32_t>(formula.operand_count())};
  function.low = -1.5;
  function.high = 1.5;
  function.formula = &formula;
  return function;
}

std::span<const MeasuredFunction> by_formula() {
  static const std::vector<MeasuredFunction> functions = [] {
    std::vector<MeasuredFunction> all;
    for (const Formula& formula : formulas()) all.push_back(measured_by_formula(formula));
    return all;
  }();
  return functions;
}

const auto& table() {
  static const std::array functions{
#define TRANSPIRE_MEASURED(op, low, high, own, estimate) \
  measured<Estimate##op>(Op::k##op, low, high, own),
#include "ulp/measured.def"
#undef TRANSPIRE_MEASURED
  };
  return functions;
}

}  // namespace

std::size_t MeasuredFunction::arity() const {
  return function.floats + (function.takes_integer ? 1 : 0);
}
bool MeasuredFunction::takes_integer() const { return function.takes_integer; }

std::span<const MeasuredFunction> measured_functions() { return table(); }

std::span<const GlslFunction> glsl_functions() {
  static constexpr GlslFunction kFunctions[] = {
#define TRANSPIRE_GLSL_MEASURED(name, opencl, half, single, rule) \
  {#name, #opencl, {half, single, extinst::kNoBound}},
#include "ulp/glsl.def"
#undef TRANSPIRE_GLSL_MEASURED
  };
  return kFunctions;
}

const GlslFunction* find_glsl(std::string_view name) {
  const auto found = std::ranges::find(glsl_functions(), name, &GlslFunction::name);
  return found == glsl_functions().end() ? nullptr : &*found;
}

const MeasuredFunction* find_measured(std::string_view name) {
  if (const GlslFunction* const glsl = find_glsl(name)) name = glsl->opencl;
  if (name == "sincos") name = "sin";
  if (name == "remquo") name = "remainder";
  if (name == "lgamma_r") name = "lgamma";
  for (const std::string_view prefix : {"half_", "native_"})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  for (const std::span<const MeasuredFunction> functions : {measured_functions(), by_formula()})
    for (const MeasuredFunction& function : functions)
      if (function.function.name == name) return &function;
  return nullptr;
}

/// Not for rootn: its estimate's error grows with the exponent.
bool has_extended(const MeasuredFunction& function) {
#if defined(__GLIBC__) && defined(__x86_64__)
  return std::numeric_limits<long double>::digits == 64 && function.op != Op::kRootn;
#else
  (void)function;
  return false;
#endif
}

}  // namespace transpire::ulp
