// Zeros, infinities, NaNs and poles: "OpenCL SPIR-V Environment Specification", "Edge Case
// Behavior", and C99 annex F.9. Every operand and result here is a value of half, float and double
// alike.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "tests/extinst/math_functions.h"
#include "tests/vm/ops/float_oracle.h"

namespace transpire::test {

using vm::Kind;
using vm::Op;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

struct Unary {
  Op op;
  double a, result;
};
struct Binary {
  Op op;
  double a, b, result;
};
struct Integer {
  Op op;
  double a;
  std::int32_t n;
  double result;
};

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

constexpr Kind kFloats[] = {Kind::kF16, Kind::kF32, Kind::kF64};

void check_unary(const std::vector<Unary>& cases) {
  for (const Unary& c : cases)
    for (const Kind kind : kFloats) check_call(c.op, kind, {bits_of(kind, c.a)}, c.result);
}
void check_binary(const std::vector<Binary>& cases) {
  for (const Binary& c : cases)
    for (const Kind kind : kFloats)
      check_call(c.op, kind, {bits_of(kind, c.a), bits_of(kind, c.b)}, c.result);
}
void check_integer(const std::vector<Integer>& cases) {
  for (const Integer& c : cases)
    for (const Kind kind : kFloats)
      check_call(c.op, kind, {bits_of(kind, c.a), static_cast<std::uint32_t>(c.n)}, c.result);
}

/// f(0) = 0 with its sign, f(inf) and f(-inf), f(NaN) = NaN.
void check_ends(Op op, double of_infinity, double of_minus_infinity) {
  check_unary({{op, 0, 0},
               {op, -0.0, -0.0},
               {op, kInf, of_infinity},
               {op, -kInf, of_minus_infinity},
               {op, kNan, kNan}});
}

}  // namespace

TEST_CASE("exponentials at the ends") {
  for (const Op op : {Op::kExp, Op::kExp2, Op::kExp10})
    check_unary({{op, 0, 1}, {op, -0.0, 1}, {op, kInf, kInf}, {op, -kInf, 0}, {op, kNan, kNan}});
  check_unary({{Op::kExp2, 3, 8}, {Op::kExp2, -3, 0.125}, {Op::kExp2, -14, 0x1p-14}});
  check_ends(Op::kExpm1, kInf, -1);
}

TEST_CASE("logarithms at the ends") {
  for (const Op op : {Op::kLog, Op::kLog2, Op::kLog10})
    check_unary({{op, 0, -kInf},
                 {op, -0.0, -kInf},
                 {op, 1, 0},
                 {op, -1, kNan},
                 {op, -kInf, kNan},
                 {op, kInf, kInf},
                 {op, kNan, kNan}});
  check_unary(
      {{Op::kLog2, 8, 3}, {Op::kLog2, 0.25, -2}, {Op::kLog10, 100, 2}, {Op::kLog10, 1000, 3}});
  check_unary({{Op::kLog1p, 0, 0},
               {Op::kLog1p, -0.0, -0.0},
               {Op::kLog1p, -1, -kInf},
               {Op::kLog1p, -2, kNan},
               {Op::kLog1p, kInf, kInf},
               {Op::kLog1p, kNan, kNan}});
}

TEST_CASE("roots at the ends") {
  check_unary({{Op::kSqrt, 0, 0},
               {Op::kSqrt, -0.0, -0.0},
               {Op::kSqrt, -1, kNan},
               {Op::kSqrt, kInf, kInf},
               {Op::kSqrt, kNan, kNan},
               {Op::kSqrt, 9, 3}});
  check_unary({{Op::kRsqrt, 0, kInf},
               {Op::kRsqrt, -0.0, -kInf},
               {Op::kRsqrt, -1, kNan},
               {Op::kRsqrt, kInf, 0},
               {Op::kRsqrt, -kInf, kNan},
               {Op::kRsqrt, kNan, kNan},
               {Op::kRsqrt, 4, 0.5}});
  check_ends(Op::kCbrt, kInf, -kInf);
  check_unary({{Op::kCbrt, 27, 3}, {Op::kCbrt, -8, -2}});
  check_binary({{Op::kHypot, kInf, kNan, kInf},
                {Op::kHypot, kNan, -kInf, kInf},
                {Op::kHypot, kNan, 1, kNan},
                {Op::kHypot, 0, -0.0, 0},
                {Op::kHypot, 3, -4, 5}});
}

TEST_CASE("trigonometric functions at the ends") {
  check_ends(Op::kSin, kNan, kNan);
  check_ends(Op::kTan, kNan, kNan);
  check_ends(Op::kSinpi, kNan, kNan);
  check_ends(Op::kTanpi, kNan, kNan);
  for (const Op op : {Op::kCos, Op::kCospi})
    check_unary({{op, 0, 1}, {op, -0.0, 1}, {op, kInf, kNan}, {op, -kInf, kNan}, {op, kNan, kNan}});
  check_unary({{Op::kSinpi, 1, 0},
               {Op::kSinpi, -1, -0.0},
               {Op::kSinpi, 2, 0},
               {Op::kSinpi, -2, -0.0},
               {Op::kSinpi, 0.5, 1},
               {Op::kSinpi, -0.5, -1},
               {Op::kSinpi, 1.5, -1},
               {Op::kSinpi, 4096, 0}});
  check_unary({{Op::kCospi, 1, -1},
               {Op::kCospi, 0.5, 0},
               {Op::kCospi, -0.5, 0},
               {Op::kCospi, 1.5, 0},
               {Op::kCospi, 3, -1},
               {Op::kCospi, 4096, 1}});
  check_unary({{Op::kTanpi, 1, -0.0},
               {Op::kTanpi, -1, 0},
               {Op::kTanpi, 2, 0},
               {Op::kTanpi, -2, -0.0},
               {Op::kTanpi, 0.5, kInf},
               {Op::kTanpi, -0.5, -kInf},
               {Op::kTanpi, 1.5, -kInf},
               {Op::kTanpi, 2.5, kInf},
               {Op::kTanpi, -1.5, kInf}});
}

TEST_CASE("inverse trigonometric functions at the ends") {
  for (const Op op : {Op::kAsin, Op::kAsinpi})
    check_unary(
        {{op, 0, 0}, {op, -0.0, -0.0}, {op, 1.5, kNan}, {op, -kInf, kNan}, {op, kNan, kNan}});
  for (const Op op : {Op::kAcos, Op::kAcospi})
    check_unary({{op, 1, 0}, {op, 1.5, kNan}, {op, -2, kNan}, {op, kInf, kNan}, {op, kNan, kNan}});
  check_unary({{Op::kAsinpi, 1, 0.5},
               {Op::kAsinpi, -1, -0.5},
               {Op::kAcospi, 0, 0.5},
               {Op::kAcospi, -1, 1}});
  check_ends(Op::kAtan, std::atan(kInf), std::atan(-kInf));
  check_ends(Op::kAtanpi, 0.5, -0.5);
  check_unary({{Op::kAtanpi, 1, 0.25}, {Op::kAtanpi, -1, -0.25}});
}

TEST_CASE("the angle of a point on an axis or at infinity") {
  const std::vector<Binary> half_turns = {
      {Op::kAtan2pi, 0, -0.0, 1},        {Op::kAtan2pi, -0.0, -0.0, -1},
      {Op::kAtan2pi, 0, 0, 0},           {Op::kAtan2pi, -0.0, 0, -0.0},
      {Op::kAtan2pi, 0, -2, 1},          {Op::kAtan2pi, -0.0, -2, -1},
      {Op::kAtan2pi, 0, 2, 0},           {Op::kAtan2pi, -0.0, 2, -0.0},
      {Op::kAtan2pi, -2, 0, -0.5},       {Op::kAtan2pi, -2, -0.0, -0.5},
      {Op::kAtan2pi, 2, 0, 0.5},         {Op::kAtan2pi, 2, -0.0, 0.5},
      {Op::kAtan2pi, 2, -kInf, 1},       {Op::kAtan2pi, -2, -kInf, -1},
      {Op::kAtan2pi, 2, kInf, 0},        {Op::kAtan2pi, -2, kInf, -0.0},
      {Op::kAtan2pi, kInf, 2, 0.5},      {Op::kAtan2pi, -kInf, 2, -0.5},
      {Op::kAtan2pi, kInf, -kInf, 0.75}, {Op::kAtan2pi, -kInf, -kInf, -0.75},
      {Op::kAtan2pi, kInf, kInf, 0.25},  {Op::kAtan2pi, -kInf, kInf, -0.25},
      {Op::kAtan2pi, kNan, 1, kNan},     {Op::kAtan2pi, 1, kNan, kNan}};
  check_binary(half_turns);
  for (Binary c : half_turns) {
    c.op = Op::kAtan2;
    c.result = std::atan2(c.a, c.b);
    check_binary({c});
  }
}

TEST_CASE("hyperbolic functions at the ends") {
  check_ends(Op::kSinh, kInf, -kInf);
  check_ends(Op::kTanh, 1, -1);
  check_ends(Op::kAsinh, kInf, -kInf);
  check_unary({{Op::kCosh, 0, 1},
               {Op::kCosh, kInf, kInf},
               {Op::kCosh, -kInf, kInf},
               {Op::kCosh, kNan, kNan}});
  check_unary({{Op::kAcosh, 1, 0},
               {Op::kAcosh, 0.5, kNan},
               {Op::kAcosh, -kInf, kNan},
               {Op::kAcosh, kInf, kInf},
               {Op::kAcosh, kNan, kNan}});
  check_unary({{Op::kAtanh, 0, 0},
               {Op::kAtanh, -0.0, -0.0},
               {Op::kAtanh, 1, kInf},
               {Op::kAtanh, -1, -kInf},
               {Op::kAtanh, 1.5, kNan},
               {Op::kAtanh, kNan, kNan}});
}

TEST_CASE("error and gamma functions at the ends") {
  check_ends(Op::kErf, 1, -1);
  check_unary(
      {{Op::kErfc, 0, 1}, {Op::kErfc, -kInf, 2}, {Op::kErfc, kInf, 0}, {Op::kErfc, kNan, kNan}});
  check_unary({{Op::kTgamma, 0, kInf},
               {Op::kTgamma, -0.0, -kInf},
               {Op::kTgamma, -3, kNan},
               {Op::kTgamma, -kInf, kNan},
               {Op::kTgamma, kInf, kInf},
               {Op::kTgamma, kNan, kNan},
               {Op::kTgamma, 5, 24},
               {Op::kTgamma, 1, 1}});
  check_unary({{Op::kLgamma, 1, 0},
               {Op::kLgamma, 2, 0},
               {Op::kLgamma, 0, kInf},
               {Op::kLgamma, -2, kInf},
               {Op::kLgamma, kInf, kInf},
               {Op::kLgamma, -kInf, kInf},
               {Op::kLgamma, kNan, kNan}});
}

TEST_CASE("pow: annex F") {
  check_binary(
      {{Op::kPow, 0, -3, kInf},      {Op::kPow, -0.0, -3, -kInf},   {Op::kPow, -0.0, -2, kInf},
       {Op::kPow, 0, -kInf, kInf},   {Op::kPow, -0.0, -kInf, kInf}, {Op::kPow, 0, 3, 0},
       {Op::kPow, -0.0, 3, -0.0},    {Op::kPow, -0.0, 2.5, 0},      {Op::kPow, -1, kInf, 1},
       {Op::kPow, -1, -kInf, 1},     {Op::kPow, 1, kNan, 1},        {Op::kPow, 1, -kInf, 1},
       {Op::kPow, kNan, 0, 1},       {Op::kPow, kNan, -0.0, 1},     {Op::kPow, kInf, 0, 1},
       {Op::kPow, -2, 0.5, kNan},    {Op::kPow, -2, 3, -8},         {Op::kPow, -2, -2, 0.25},
       {Op::kPow, 0.5, -kInf, kInf}, {Op::kPow, 2, -kInf, 0},       {Op::kPow, -0.5, kInf, 0},
       {Op::kPow, -2, kInf, kInf},   {Op::kPow, -kInf, -3, -0.0},   {Op::kPow, -kInf, -2, 0},
       {Op::kPow, -kInf, 3, -kInf},  {Op::kPow, -kInf, 2, kInf},    {Op::kPow, -kInf, 0.5, kInf},
       {Op::kPow, kInf, -2, 0},      {Op::kPow, kInf, 0.5, kInf},   {Op::kPow, kNan, 2, kNan},
       {Op::kPow, 2, kNan, kNan}});
}

TEST_CASE("powr, pown, rootn: where they differ from pow") {
  check_binary({{Op::kPowr, 3, 0, 1},
                {Op::kPowr, 0, -2, kInf},
                {Op::kPowr, -0.0, -3, kInf},
                {Op::kPowr, 0, -kInf, kInf},
                {Op::kPowr, -0.0, 3, 0},
                {Op::kPowr, 1, 5, 1},
                {Op::kPowr, -1, 2, kNan},
                {Op::kPowr, 0, 0, kNan},
                {Op::kPowr, -0.0, -0.0, kNan},
                {Op::kPowr, kInf, 0, kNan},
                {Op::kPowr, 1, kInf, kNan},
                {Op::kPowr, 1, -kInf, kNan},
                {Op::kPowr, 2, kNan, kNan},
                {Op::kPowr, kNan, 0, kNan},
                {Op::kPowr, 2, kInf, kInf}});
  check_integer({{Op::kPown, kNan, 0, 1},
                 {Op::kPown, -0.0, -3, -kInf},
                 {Op::kPown, 0, -3, kInf},
                 {Op::kPown, -0.0, -2, kInf},
                 {Op::kPown, -0.0, 2, 0},
                 {Op::kPown, -0.0, 3, -0.0},
                 {Op::kPown, -2, 3, -8},
                 {Op::kPown, kNan, 1, kNan},
                 {Op::kPown, -kInf, 3, -kInf},
                 {Op::kPown, -1, 0x7fffffff, -1},
                 {Op::kPown, 2, -0x7fffffff - 1, 0}});
  check_integer({{Op::kRootn, 27, 3, 3},
                 {Op::kRootn, -27, 3, -3},
                 {Op::kRootn, 4, -2, 0.5},
                 {Op::kRootn, -4, 2, kNan},
                 {Op::kRootn, 4, 0, kNan},
                 {Op::kRootn, 0, -3, kInf},
                 {Op::kRootn, -0.0, -3, -kInf},
                 {Op::kRootn, -0.0, -2, kInf},
                 {Op::kRootn, -0.0, 2, 0},
                 {Op::kRootn, -0.0, 3, -0.0},
                 {Op::kRootn, kNan, 3, kNan},
                 {Op::kRootn, -kInf, 3, -kInf}});
}

TEST_CASE("remainder and the quotient of remquo") {
  check_binary({{Op::kRemainder, 5, 3, -1},
                {Op::kRemainder, -5, 3, 1},
                {Op::kRemainder, 7, 2, -1},
                {Op::kRemainder, 5, 2, 1},
                {Op::kRemainder, 6, 3, 0},
                {Op::kRemainder, -6, 3, -0.0},
                {Op::kRemainder, 5, kInf, 5},
                {Op::kRemainder, kInf, 2, kNan},
                {Op::kRemainder, 2, 0, kNan},
                {Op::kRemainder, kNan, 1, kNan},
                {Op::kRemainder, 1, kNan, kNan},
                {Op::kRemainder, -0.0, 1, -0.0}});
  check_binary({{Op::kRemquoQuotient, 5, 3, 2},
                {Op::kRemquoQuotient, -5, 3, -2},
                {Op::kRemquoQuotient, 7, 2, 4},
                {Op::kRemquoQuotient, 1025, 2, 0},
                {Op::kRemquoQuotient, 300, -1, -44},
                {Op::kRemquoQuotient, kInf, 1, 0},
                {Op::kRemquoQuotient, 1, 0, 0},
                {Op::kRemquoQuotient, 1, kNan, 0},
                {Op::kRemquoQuotient, 1, kInf, 0}});
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

}  // namespace transpire::test
