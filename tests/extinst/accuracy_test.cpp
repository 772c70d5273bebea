// Errors of the math functions against MPFR, on random operands over all exponents and over the
// range of each function; the same bits from every instruction set and form.
#include <doctest/doctest.h>

#include <algorithm>

#include "extinst/table.h"
#include "tests/extinst/math_functions.h"

namespace transpire::test {

namespace {

std::size_t sample_count(Kind kind) {
  switch (kind) {
    case Kind::kF32:
      return 20000;
    case Kind::kF64:
      return 5000;
    default:
      return 2000;
  }
}

double promised_ulp(const MathFunction& function, Kind kind) {
  if (kind == Kind::kF16) return function.half_ulp;
  return kind == Kind::kF32 ? function.float_ulp : function.double_ulp;
}
float allowed_ulp(const extinst::UlpBounds& bounds, Kind kind) {
  if (kind == Kind::kF16) return bounds.half_ulp;
  return kind == Kind::kF32 ? bounds.float_ulp : bounds.double_ulp;
}

void check_same(const vm::HandlerTable& table, const MathFunction& function,
                const std::vector<Values>& calls, const Values& got, const Values& expected) {
  const auto [at, other] = std::mismatch(got.begin(), got.end(), expected.begin());
  if (at == got.end()) return;
  const Values& call = calls[static_cast<std::size_t>(at - got.begin())];
  FAIL_CHECK(std::string(isa_name(table.isa)), " ", function.name, " of bits ", call[0], " gave ",
             *at, ", another form ", *other);
}

void check_function(const MathFunction& function, Kind kind, Spread spread, std::size_t count) {
  const std::vector<Values> calls = random_operands(function, kind, spread, count);
  const std::vector<Values> some(calls.begin(), calls.begin() + 300);
  const Values expected = run_rows(*tables().front(), function.op, kind, calls);
  for (const auto* table : tables()) {
    check_same(*table, function, calls, run_rows(*table, function.op, kind, calls), expected);
    check_same(*table, function, some, run_uniform(*table, function.op, kind, some), expected);
  }
  const WorstError worst = worst_error(function, kind, calls, expected);
  const std::string kind_text = vm::kind_name(kind);
  INFO(function.name, " ", kind_text, " of ",
       to_double(kind, worst.call.empty() ? 0 : worst.call[0]));
  CHECK(worst.ulp <= promised_ulp(function, kind));
}

/// Every half against the double function, whose error is small beside a half's last place.
void check_all_halves(const MathFunction& function) {
  std::vector<Values> halves, doubles;
  for (const Bits bits : all_values(Kind::kF16)) {
    halves.push_back({bits});
    doubles.push_back({__builtin_bit_cast(Bits, to_double(Kind::kF16, bits))});
  }
  const auto& table = *tables().back();
  const Values got = run_rows(table, function.op, Kind::kF16, halves);
  const Values wide = run_rows(table, function.op, Kind::kF64, doubles);
  mpfr_t exact;
  mpfr_init2(exact, 53);
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    mpfr_set_d(exact, __builtin_bit_cast(double, wide[i]), MPFR_RNDN);
    worst = std::max(worst, ulp_error(Kind::kF16, got[i], exact));
  }
  mpfr_clear(exact);
  INFO(function.name);
  CHECK(worst <= function.half_ulp);
}

TEST_CASE("what the math functions promise is within the specification's bounds") {
  for (const MathFunction& function : math_functions())
    for (const Kind kind : kFloats) {
      const float allowed = allowed_ulp(extinst::find_opencl_std(function.name)->bounds, kind);
      const std::string kind_text = vm::kind_name(kind);
      INFO(function.name, " ", kind_text);
      CHECK((allowed == extinst::kNoBound || promised_ulp(function, kind) <= allowed));
    }
}

TEST_CASE("math functions of random floats, doubles and halves") {
  for (const MathFunction& function : math_functions())
    for (const Kind kind : kFloats) {
      check_function(function, kind, Spread::kAnyBits, sample_count(kind));
      check_function(function, kind, Spread::kModerate, 1000);
    }
}

TEST_CASE("math functions of every half") {
  for (const MathFunction& function : math_functions())
    if (vm::info(function.op).shape == vm::Shape::kUnary) check_all_halves(function);
}

}  // namespace
}  // namespace transpire::test
