#include "tests/extinst/math_functions.h"

#include <cmath>
#include <stdexcept>

#include "tests/vm/ops/float_oracle.h"

namespace transpire::test {

namespace {

constexpr mpfr_prec_t kPrecision = 140;

class Number {
 public:
  Number() { mpfr_init2(value_, kPrecision); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  mpfr_ptr get() { return value_; }

 private:
  mpfr_t value_;
};

template <int (*kFunction)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)>
void unary(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, long) {
  kFunction(result, a, MPFR_RNDN);
}
template <int (*kFunction)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)>
void binary(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, long) {
  kFunction(result, a, b, MPFR_RNDN);
}
/// Of angles in half turns.
template <int (*kFunction)(mpfr_ptr, mpfr_srcptr, unsigned long, mpfr_rnd_t)>
void half_turns(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, long) {
  kFunction(result, a, 2, MPFR_RNDN);
}
void exact_atan2pi(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, long) {
  mpfr_atan2u(result, a, b, 2, MPFR_RNDN);
}
void exact_pown(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, long n) {
  mpfr_pow_si(result, a, n, MPFR_RNDN);
}
void exact_rootn(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, long n) {
  mpfr_rootn_si(result, a, n, MPFR_RNDN);
}
void exact_lgamma(mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr, long) {
  int sign = 0;
  mpfr_lgamma(result, &sign, a, MPFR_RNDN);
}

constexpr MathFunction kFunctions[] = {
    {Op::kSqrt, "sqrt", unary<mpfr_sqrt>, 0, 100, 0.5, 0.5, 0.5},
    {Op::kRsqrt, "rsqrt", unary<mpfr_rec_sqrt>, 0, 100, 1.5, 1.5, 0.51},
    {Op::kCbrt, "cbrt", unary<mpfr_cbrt>, -100, 100, 0.51, 0.7, 0.51},
    {Op::kHypot, "hypot", binary<mpfr_hypot>, -100, 100, 0.51, 1.2, 0.51},
    {Op::kExp, "exp", unary<mpfr_exp>, -104, 89, 1.1, 1, 0.51},
    {Op::kExp2, "exp2", unary<mpfr_exp2>, -150, 128, 0.51, 1.2, 0.51},
    {Op::kExp10, "exp10", unary<mpfr_exp10>, -46, 39, 0.51, 1.5, 0.51},
    {Op::kExpm1, "expm1", unary<mpfr_expm1>, -20, 89, 0.51, 1.5, 0.51},
    {Op::kLog, "log", unary<mpfr_log>, 0, 3, 1, 0.9, 0.51},
    {Op::kLog2, "log2", unary<mpfr_log2>, 0, 3, 0.51, 0.7, 0.51},
    {Op::kLog10, "log10", unary<mpfr_log10>, 0, 3, 0.51, 0.7, 0.51},
    {Op::kLog1p, "log1p", unary<mpfr_log1p>, -1, 3, 0.51, 0.9, 0.51},
    {Op::kPow, "pow", binary<mpfr_pow>, 0, 10, 1.8, 1, 0.51},
    {Op::kPowr, "powr", binary<mpfr_powr>, 0, 10, 1.8, 1, 0.51},
    {Op::kPown, "pown", exact_pown, -10, 10, 0.51, 1, 0.51},
    {Op::kRootn, "rootn", exact_rootn, 0, 100, 0.51, 1, 0.51},
    {Op::kSin, "sin", unary<mpfr_sin>, -100, 100, 2.5, 0.9, 0.51},
    {Op::kCos, "cos", unary<mpfr_cos>, -100, 100, 2.5, 0.9, 0.51},
    {Op::kTan, "tan", unary<mpfr_tan>, -100, 100, 0.51, 2, 0.51},
    {Op::kSinpi, "sinpi", half_turns<mpfr_sinu>, -10, 10, 0.51, 1.5, 0.51},
    {Op::kCospi, "cospi", half_turns<mpfr_cosu>, -10, 10, 0.51, 1.5, 0.51},
    {Op::kTanpi, "tanpi", half_turns<mpfr_tanu>, -10, 10, 0.51, 3, 0.51},
    {Op::kAsin, "asin", unary<mpfr_asin>, -1, 1, 0.51, 2.2, 0.51},
    {Op::kAcos, "acos", unary<mpfr_acos>, -1, 1, 0.51, 1.5, 0.51},
    {Op::kAtan, "atan", unary<mpfr_atan>, -5, 5, 0.51, 2.5, 0.51},
    {Op::kAtan2, "atan2", binary<mpfr_atan2>, -5, 5, 0.51, 2.2, 0.51},
    {Op::kAsinpi, "asinpi", half_turns<mpfr_asinu>, -1, 1, 0.51, 4, 0.51},
    {Op::kAcospi, "acospi", half_turns<mpfr_acosu>, -1, 1, 0.51, 2.3, 0.51},
    {Op::kAtanpi, "atanpi", half_turns<mpfr_atanu>, -5, 5, 0.51, 2, 0.51},
    {Op::kAtan2pi, "atan2pi", exact_atan2pi, -5, 5, 0.51, 2.6, 0.51},
    {Op::kSinh, "sinh", unary<mpfr_sinh>, -90, 90, 0.51, 1.6, 0.51},
    {Op::kCosh, "cosh", unary<mpfr_cosh>, -90, 90, 0.51, 2.3, 0.51},
    {Op::kTanh, "tanh", unary<mpfr_tanh>, -10, 10, 2.8, 2.2, 0.51},
    {Op::kAsinh, "asinh", unary<mpfr_asinh>, -10, 10, 0.51, 1.9, 0.51},
    {Op::kAcosh, "acosh", unary<mpfr_acosh>, 1, 10, 0.51, 1.9, 0.51},
    {Op::kAtanh, "atanh", unary<mpfr_atanh>, -1, 1, 0.51, 1.9, 0.51},
    {Op::kErf, "erf", unary<mpfr_erf>, -5, 5, 2.6, 1.7, 0.51},
    {Op::kErfc, "erfc", unary<mpfr_erfc>, -5, 28, 0.51, 6, 0.51},
    {Op::kTgamma, "tgamma", unary<mpfr_gamma>, -40, 36, 0.51, 6, 0.51},
    {Op::kLgamma, "lgamma", exact_lgamma, 0, 100, 0.51, 4, 0.51},
    {Op::kRemainder, "remainder", binary<mpfr_remainder>, -100, 100, 0, 0, 0},
};

int fraction_bits(Kind kind) { return kind == Kind::kF16 ? 10 : kind == Kind::kF32 ? 23 : 52; }
int least_exponent(Kind kind) {
  return kind == Kind::kF16 ? -24 : kind == Kind::kF32 ? -149 : -1074;
}
int infinite_exponent(Kind kind) {
  return kind == Kind::kF16 ? 16 : kind == Kind::kF32 ? 128 : 1024;
}

Bits nearest_bits(Kind kind, double value) {
  return from_number(kind, static_cast<long double>(value));
}
/// A source of operands.
struct Random {
  std::uint64_t state;
  Spread spread;

  /// Any bits at all, once in `one_in` times when the spread has them.
  bool any_bits(std::uint64_t one_in) {
    return next_random(state) % one_in == 0 && spread == Spread::kAnyBits;
  }
  Bits bits(Kind kind) { return next_random(state) >> (64 - width_bits(kind)); }
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(next_random(state) >> 11) * 0x1p-53);
  }
};

/// The second operand: a number of the first one's size, or a power that gives a result in range.
Bits second_operand(const MathFunction& function, Kind kind, Bits first, Random& random) {
  const double x = std::fabs(to_double(kind, first));
  const bool is_power =
      function.op == Op::kPow || function.op == Op::kPowr || function.op == Op::kPown;
  double value = random.between(-4, 4) * x;
  if (is_power && x > 0 && std::isfinite(x) && x != 1)
    value = random.between(-1.1, 1.1) * infinite_exponent(kind) / std::log2(x);
  if (info(function.op).shape == Shape::kIntFloat) {
    if (random.any_bits(4) || !(std::fabs(value) < 0x1p30)) return random.bits(Kind::kI32);
    const double n = function.op == Op::kRootn ? random.between(-20, 20) : value;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(n));
  }
  return random.any_bits(4) ? random.bits(kind) : nearest_bits(kind, value);
}

Kind operand_kind(Op op, Kind kind, std::size_t index) {
  return info(op).shape == Shape::kIntFloat && index == 1 ? Kind::kI32 : kind;
}
Kind result_kind(Op op, Kind kind) {
  return info(op).shape == Shape::kFloatInt ? Kind::kI32 : kind;
}

Values run_form(const HandlerTable& table, Op op, Kind kind, const std::vector<Values>& calls,
                Form form, std::size_t per_run) {
  const Handler handler =
      table.simple[static_cast<std::size_t>(op)][static_cast<std::size_t>(kind)][form];
  if (handler == nullptr) throw std::runtime_error("no handler for " + std::string(info(op).name));
  RunOptions options;
  options.result = result_kind(op, kind);
  options.scalar_result = form == kUniform;
  Values results;
  for (std::size_t first = 0; first < calls.size(); first += per_run) {
    const std::size_t last = std::min(calls.size(), first + per_run);
    std::vector<Operand> operands(calls[first].size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      operands[i] = {operand_kind(op, kind, i), {}, options.scalar_result};
      for (std::size_t call = first; call < last; ++call)
        operands[i].values.push_back(calls[call][i]);
    }
    const Values got = run(table, handler, operands, options);
    results.insert(results.end(), got.begin(),
                   got.begin() + static_cast<std::ptrdiff_t>(last - first));
  }
  return results;
}

}  // namespace

std::span<const MathFunction> math_functions() { return kFunctions; }

const MathFunction& math_function(Op op) {
  for (const MathFunction& function : kFunctions)
    if (function.op == op) return function;
  throw std::runtime_error("not a math function");
}

std::vector<Values> random_operands(const MathFunction& function, Kind kind, Spread spread,
                                    std::size_t count) {
  Random random{12345 + static_cast<std::uint64_t>(function.op), spread};
  // The range of the exponential functions grows with that of the type.
  const bool exponential = function.high > 30 && function.op != Op::kRemainder;
  const double scale = exponential ? infinite_exponent(kind) / 128.0 : 1;
  std::vector<Values> calls;
  for (std::size_t i = 0; i < count; ++i) {
    Values call{random.any_bits(2) ? random.bits(kind)
                                   : nearest_bits(kind, random.between(function.low * scale,
                                                                       function.high * scale))};
    if (info(function.op).shape != Shape::kUnary)
      call.push_back(second_operand(function, kind, call[0], random));
    calls.push_back(call);
  }
  return calls;
}

Values run_rows(const HandlerTable& table, Op op, Kind kind, const std::vector<Values>& calls) {
  return run_form(table, op, kind, calls, kRows, table.lanes);
}
Values run_uniform(const HandlerTable& table, Op op, Kind kind, const std::vector<Values>& calls) {
  return run_form(table, op, kind, calls, kUniform, 1);
}

double to_double(Kind kind, Bits bits) {
  if (is_nan(kind, bits)) return std::nan("");
  return static_cast<double>(to_number(kind, bits));
}

double ulp_error(Kind kind, Bits result, mpfr_srcptr exact) {
  constexpr double kWrong = INFINITY;
  if (is_nan(kind, result) || mpfr_nan_p(exact))
    return is_nan(kind, result) && mpfr_nan_p(exact) ? 0 : kWrong;
  const double value = to_double(kind, result);
  const bool beyond =
      mpfr_inf_p(exact) || (mpfr_regular_p(exact) && mpfr_get_exp(exact) > infinite_exponent(kind));
  if (std::isinf(value) && beyond) return (value < 0) == (mpfr_signbit(exact) != 0) ? 0 : kWrong;
  if (mpfr_inf_p(exact)) return kWrong;
  if (mpfr_zero_p(exact)) return value == 0 ? 0 : kWrong;
  const long unit =
      std::max<long>(mpfr_get_exp(exact) - 1 - fraction_bits(kind), least_exponent(kind));
  Number difference;
  if (std::isinf(value))
    mpfr_set_si_2exp(difference.get(), value < 0 ? -1 : 1, infinite_exponent(kind), MPFR_RNDN);
  else
    mpfr_set_d(difference.get(), value, MPFR_RNDN);
  mpfr_sub(difference.get(), difference.get(), exact, MPFR_RNDN);
  mpfr_mul_2si(difference.get(), difference.get(), -unit, MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference.get(), MPFR_RNDN));
}

namespace {

/// Near its zeros, lgamma of a negative double is the small difference of two logarithms: there the
/// error counts in units in the last place of 1.
double unit_scale(const MathFunction& function, Kind kind, mpfr_srcptr a, mpfr_srcptr exact) {
  const bool cancels = function.op == Op::kLgamma && kind == Kind::kF64 && mpfr_sgn(a) < 0 &&
                       mpfr_regular_p(exact) != 0 && mpfr_get_exp(exact) < 1;
  return cancels ? std::ldexp(1.0, static_cast<int>(mpfr_get_exp(exact)) - 1) : 1;
}

}  // namespace

WorstError worst_error(const MathFunction& function, Kind kind, const std::vector<Values>& calls,
                       const Values& results) {
  Number a, b, exact;
  WorstError worst;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    mpfr_set_d(a.get(), to_double(kind, calls[i][0]), MPFR_RNDN);
    long n = 0;
    if (info(function.op).shape == Shape::kIntFloat)
      n = static_cast<std::int32_t>(calls[i][1]);
    else if (calls[i].size() > 1)
      mpfr_set_d(b.get(), to_double(kind, calls[i][1]), MPFR_RNDN);
    function.exact(exact.get(), a.get(), b.get(), n);
    const double ulp =
        ulp_error(kind, results[i], exact.get()) * unit_scale(function, kind, a.get(), exact.get());
    if (!(ulp <= worst.ulp)) worst = {ulp, calls[i], results[i]};
  }
  return worst;
}

}  // namespace transpire::test
