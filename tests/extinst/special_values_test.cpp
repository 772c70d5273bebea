// Zeros, infinities, NaNs and poles: "OpenCL SPIR-V Environment Specification", "Edge Case
// Behavior", and C99 annex F.9. Every operand and result here is a value of half, float and double
// alike.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "tests/extinst/math_functions.h"
#include "tests/vm/ops/float_oracle.h"

namespace transpire::test {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

Bits bits_of(Kind kind, double value) {
  if (std::isnan(value))
    return kind == Kind::kF16 ? 0x7e00u : kind == Kind::kF32 ? 0x7fc00000u : 0x7ff8000000000000u;
  return from_number(kind, value);
}

/// The call in every instruction set, as a row and as a scalar.
void check_call(Op op, Kind kind, const Values& call, double expected) {
  const Bits wanted = bits_of(kind, expected);
  for (const auto* table : tables()) {
    const Bits row = run_rows(*table, op, kind, {call})[0];
    const Bits scalar = run_uniform(*table, op, kind, {call})[0];
    const std::string isa(isa_name(table->isa)), kind_text = vm::kind_name(kind);
    INFO(isa, " ", vm::info(op).name, " ", kind_text, "(", to_double(kind, call[0]), ")");
    CHECK(row == wanted);
    CHECK(scalar == wanted);
  }
}

/// "3 -0 = 1": the operands of a call and its result, of all kinds.
void check_line(Op op, const std::string& line) {
  CAPTURE(line);
  const std::size_t equals = line.find('=');
  REQUIRE(equals != line.npos);
  std::vector<double> numbers;
  std::istringstream words(line.substr(0, equals) + line.substr(equals + 1));
  for (std::string word; words >> word;) numbers.push_back(std::strtod(word.c_str(), nullptr));
  const bool has_integer = vm::info(op).shape == vm::Shape::kIntFloat;
  for (const Kind kind : kFloats) {
    Values call{bits_of(kind, numbers.front())};
    if (numbers.size() == 3)
      call.push_back(has_integer ? static_cast<std::uint32_t>(static_cast<std::int32_t>(numbers[1]))
                                 : bits_of(kind, numbers[1]));
    check_call(op, kind, call, numbers.back());
  }
}

Op op_named(const std::string& name) {
  for (std::size_t i = 0; i < vm::kOpCount; ++i)
    if (vm::info(static_cast<Op>(i)).name == name) return static_cast<Op>(i);
  FAIL("no such op: ", name);
  return {};
}

/// The names of ops, a colon, and calls with what they give.
constexpr const char* kCalls = R"(
# Exponentials at the ends
Exp Exp2 Exp10: 0 = 1, -0 = 1, inf = inf, -inf = 0, nan = nan
Exp2: 3 = 8, -3 = 0.125, -14 = 0x1p-14
Expm1: 0 = 0, -0 = -0, inf = inf, -inf = -1, nan = nan

# Logarithms at the ends
Log Log2 Log10: 0 = -inf, -0 = -inf, 1 = 0, -1 = nan, -inf = nan, inf = inf, nan = nan
Log2: 8 = 3, 0.25 = -2
Log10: 100 = 2, 1000 = 3
Log1p: 0 = 0, -0 = -0, -1 = -inf, -2 = nan, inf = inf, nan = nan

# Roots at the ends
Sqrt: 0 = 0, -0 = -0, -1 = nan, inf = inf, nan = nan, 9 = 3
Rsqrt: 0 = inf, -0 = -inf, -1 = nan, inf = 0, -inf = nan, nan = nan, 4 = 0.5
Cbrt: 0 = 0, -0 = -0, inf = inf, -inf = -inf, nan = nan
Cbrt: 27 = 3, -8 = -2
Hypot: inf nan = inf, nan -inf = inf, nan 1 = nan, 0 -0 = 0, 3 -4 = 5

# Trigonometric functions at the ends
Sin Tan Sinpi Tanpi: 0 = 0, -0 = -0, inf = nan, -inf = nan, nan = nan
Cos Cospi: 0 = 1, -0 = 1, inf = nan, -inf = nan, nan = nan
Sinpi: 1 = 0, -1 = -0, 2 = 0, -2 = -0, 0.5 = 1, -0.5 = -1, 1.5 = -1, 4096 = 0
Cospi: 1 = -1, 0.5 = 0, -0.5 = 0, 1.5 = 0, 3 = -1, 4096 = 1
Tanpi: 1 = -0, -1 = 0, 2 = 0, -2 = -0, 0.5 = inf, -0.5 = -inf, 1.5 = -inf, 2.5 = inf, -1.5 = inf

# Inverse trigonometric functions at the ends
Asin Asinpi: 0 = 0, -0 = -0, 1.5 = nan, -inf = nan, nan = nan
Acos Acospi: 1 = 0, 1.5 = nan, -2 = nan, inf = nan, nan = nan
Asinpi: 1 = 0.5, -1 = -0.5
Acospi: 0 = 0.5, -1 = 1
Atan: 0 = 0, -0 = -0, inf = 1.5707963267948966, -inf = -1.5707963267948966, nan = nan
Atanpi: 0 = 0, -0 = -0, inf = 0.5, -inf = -0.5, nan = nan
Atanpi: 1 = 0.25, -1 = -0.25

# The angle of a point on an axis or at infinity
Atan2pi: 0 -0 = 1, -0 -0 = -1, 0 0 = 0, -0 0 = -0, 0 -2 = 1, -0 -2 = -1, 0 2 = 0, -0 2 = -0, -2 0 = -0.5,
    -2 -0 = -0.5, 2 0 = 0.5, 2 -0 = 0.5, 2 -inf = 1, -2 -inf = -1, 2 inf = 0, -2 inf = -0, inf 2 = 0.5, -inf 2 = -0.5,
    inf -inf = 0.75, -inf -inf = -0.75, inf inf = 0.25, -inf inf = -0.25, nan 1 = nan, 1 nan = nan

# Hyperbolic functions at the ends
Sinh Asinh: 0 = 0, -0 = -0, inf = inf, -inf = -inf, nan = nan
Tanh: 0 = 0, -0 = -0, inf = 1, -inf = -1, nan = nan
Cosh: 0 = 1, inf = inf, -inf = inf, nan = nan
Acosh: 1 = 0, 0.5 = nan, -inf = nan, inf = inf, nan = nan
Atanh: 0 = 0, -0 = -0, 1 = inf, -1 = -inf, 1.5 = nan, nan = nan

# Error and gamma functions at the ends
Erf: 0 = 0, -0 = -0, inf = 1, -inf = -1, nan = nan
Erfc: 0 = 1, -inf = 2, inf = 0, nan = nan
Tgamma: 0 = inf, -0 = -inf, -3 = nan, -inf = nan, inf = inf, nan = nan, 5 = 24, 1 = 1
Lgamma: 1 = 0, 2 = 0, 0 = inf, -2 = inf, inf = inf, -inf = inf, nan = nan

# Pow: annex F
Pow: 0 -3 = inf, -0 -3 = -inf, -0 -2 = inf, 0 -inf = inf, -0 -inf = inf, 0 3 = 0, -0 3 = -0, -0 2.5 = 0, -1 inf = 1,
    -1 -inf = 1, 1 nan = 1, 1 -inf = 1, nan 0 = 1, nan -0 = 1, inf 0 = 1, -2 0.5 = nan, -2 3 = -8, -2 -2 = 0.25,
    0.5 -inf = inf, 2 -inf = 0, -0.5 inf = 0, -2 inf = inf, -inf -3 = -0, -inf -2 = 0, -inf 3 = -inf, -inf 2 = inf,
    -inf 0.5 = inf, inf -2 = 0, inf 0.5 = inf, nan 2 = nan, 2 nan = nan

# Powr, pown, rootn: where they differ from pow
Powr: 3 0 = 1, 0 -2 = inf, -0 -3 = inf, 0 -inf = inf, -0 3 = 0, 1 5 = 1, -1 2 = nan, 0 0 = nan, -0 -0 = nan,
    inf 0 = nan, 1 inf = nan, 1 -inf = nan, 2 nan = nan, nan 0 = nan, 2 inf = inf
Pown: nan 0 = 1, -0 -3 = -inf, 0 -3 = inf, -0 -2 = inf, -0 2 = 0, -0 3 = -0, -2 3 = -8, nan 1 = nan, -inf 3 = -inf,
    -1 2147483647 = -1, 2 -2147483648 = 0
Rootn: 27 3 = 3, -27 3 = -3, 4 -2 = 0.5, -4 2 = nan, 4 0 = nan, 0 -3 = inf, -0 -3 = -inf, -0 -2 = inf, -0 2 = 0,
    -0 3 = -0, nan 3 = nan, -inf 3 = -inf

# Remainder and the quotient of remquo
Remainder: 5 3 = -1, -5 3 = 1, 7 2 = -1, 5 2 = 1, 6 3 = 0, -6 3 = -0, 5 inf = 5, inf 2 = nan, 2 0 = nan, nan 1 = nan,
    1 nan = nan, -0 1 = -0
RemquoQuotient: 5 3 = 2, -5 3 = -2, 7 2 = 4, 1025 2 = 0, 300 -1 = -44, inf 1 = 0, 1 0 = 0, 1 nan = 0, 1 inf = 0
)";

TEST_CASE("math functions of zeros, infinities, NaNs and poles") {
  std::vector<Op> ops;
  std::istringstream table(kCalls);
  std::size_t count = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with('#')) continue;
    if (const std::size_t colon = line.find(':'); colon != line.npos) {
      std::istringstream names(line.substr(0, colon));
      ops.clear();
      for (std::string name; names >> name;) ops.push_back(op_named(name));
      line.erase(0, colon + 1);
    }
    std::istringstream calls(line);
    for (std::string call; std::getline(calls, call, ',');) {
      if (call.find_first_not_of(' ') == call.npos) continue;
      for (const Op op : ops) check_line(op, call);
      count += ops.size();
    }
  }
  CHECK(count > 300);
}

TEST_CASE("atan2 of points on an axis or at infinity") {
  const double ends[] = {0.0, -0.0, 2.0, -2.0, kInf, -kInf, kNan};
  for (const double a : ends)
    for (const double b : ends)
      for (const Kind kind : kFloats) {
        if (std::isfinite(a * b) && a * b != 0) continue;  // between the axes it is not exact
        check_call(Op::kAtan2, kind, {bits_of(kind, a), bits_of(kind, b)}, std::atan2(a, b));
      }
}

TEST_CASE("random quotients of remquo") {
  for (const Kind kind : kFloats) {
    const std::vector<Values> calls =
        random_operands(math_function(Op::kRemainder), kind, Spread::kAnyBits, 2000);
    const Values got = run_rows(*tables().front(), Op::kRemquoQuotient, kind, calls);
    for (const auto* table : tables())
      CHECK(run_rows(*table, Op::kRemquoQuotient, kind, calls) == got);
    mpfr_t a, b, rest;
    mpfr_inits2(53, a, b, rest, nullptr);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      long quotient = 0;
      mpfr_set_d(a, to_double(kind, calls[i][0]), MPFR_RNDN);
      mpfr_set_d(b, to_double(kind, calls[i][1]), MPFR_RNDN);
      mpfr_remquo(rest, &quotient, a, b, MPFR_RNDN);
      const long low = mpfr_nan_p(rest) ? 0 : std::labs(quotient) & 0x7f;
      wrong += to_double(kind, got[i]) != static_cast<double>(quotient < 0 ? -low : low);
    }
    mpfr_clears(a, b, rest, nullptr);
    CHECK(wrong == 0);
  }
}

TEST_CASE("the sign of gamma") {
  const auto sign = [](double x) {
    const std::vector<Values> call = {{bits_of(Kind::kF32, x)}};
    const Bits row = run_rows(*tables().back(), Op::kLgammaSign, Kind::kF32, call)[0];
    CHECK(row == run_uniform(*tables().front(), Op::kLgammaSign, Kind::kF32, call)[0]);
    return static_cast<std::int32_t>(row);
  };
  CHECK(sign(3.5) == 1);
  CHECK(sign(-0.5) == -1);
  CHECK(sign(-1.5) == 1);
  CHECK(sign(-2.5) == -1);
  CHECK(sign(0) == 0);
  CHECK(sign(-4) == 0);
  CHECK(sign(kInf) == 1);
}

}  // namespace
}  // namespace transpire::test
