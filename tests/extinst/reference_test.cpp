// The reference mode's pieces: rounding to a format, results in all four directions between MPFR's,
// the geometric functions against sums in 5000 bits, and handlers against the plain function.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "extinst/math_functions.h"
#include "extinst/reference/geometric.h"
#include "vm/ops/float_oracle.h"
#include "vm/reference/handlers.h"

using namespace transpire;
using namespace transpire::test;
namespace reference = transpire::extinst::reference;
using vm::Kind;
using vm::Rounding;

namespace {

constexpr Kind kFloats[] = {Kind::kF16, Kind::kF32, Kind::kF64};
constexpr Rounding kDirections[] = {Rounding::kRte, Rounding::kRtz, Rounding::kRtp, Rounding::kRtn};

class Exact {
 public:
  explicit Exact(mpfr_prec_t precision = 140) { mpfr_init2(value_, precision); }
  ~Exact() { mpfr_clear(value_); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

/// A random number whose exponent is in the lowest, the highest or a middle part of the kind's.
Bits some_number(Kind kind, std::uint64_t& state) {
  for (;;) {
    const Bits bits = next_random(state) >> (64 - vm::width_bits(kind));
    if (std::isfinite(to_double(kind, bits))) return bits;
  }
}

/// The exact value of one call.
void exact_value(const MathFunction& function, Kind kind, const Values& call, mpfr_ptr exact) {
  Exact a, b;
  mpfr_set_d(a, to_double(kind, call[0]), MPFR_RNDN);
  long n = 0;
  if (vm::info(function.op).shape == vm::Shape::kIntFloat)
    n = static_cast<std::int32_t>(call[1]);
  else if (call.size() > 1)
    mpfr_set_d(b, to_double(kind, call[1]), MPFR_RNDN);
  function.exact(exact, a, b, n);
}

/// Empty, or what is wrong with the results of the four directions around the exact value.
std::string check_directions(const MathFunction& function, Kind kind, const Values& call) {
  const reference::Function& known = *reference::find_function(function.op);
  Exact exact;
  mpfr_clear_inexflag();
  exact_value(function, kind, call, exact);
  const bool inexact = mpfr_inexflag_p() != 0;  // MPFR cannot tell in 140 bits what is no number
  if (!mpfr_regular_p(static_cast<mpfr_ptr>(exact))) return {};
  Bits operands[2] = {call[0], call.size() > 1 ? call[1] : 0};
  double got[4];
  for (const Rounding way : kDirections)
    got[static_cast<int>(way)] =
        to_double(kind, vm::exec::evaluate_correctly(known, kind, way, operands));
  const double below = got[static_cast<int>(Rounding::kRtn)];
  const double above = got[static_cast<int>(Rounding::kRtp)];
  if (mpfr_cmp_d(exact, below) < 0 || mpfr_cmp_d(exact, above) > 0)
    return "the exact value does not lie between the numbers below and above";
  if (below != above && !inexact &&
      (mpfr_cmp_d(exact, below) == 0 || mpfr_cmp_d(exact, above) == 0))
    return "an exact value is rounded";
  const double nearest = got[static_cast<int>(Rounding::kRte)];
  if (nearest != below && nearest != above) return "the nearest number is neither of both";
  if (got[static_cast<int>(Rounding::kRtz)] !=
      (mpfr_sgn(static_cast<mpfr_ptr>(exact)) > 0 ? below : above))
    return "towards zero is another number";
  const Bits next = static_cast<Bits>(vm::width_bits(kind)) - 1;
  const auto magnitude = [&](double x) {
    return reference::round_to(kind, Rounding::kRte, std::fabs(x)) & ((Bits{1} << next) - 1);
  };
  const Bits steps =
      std::max(magnitude(below), magnitude(above)) - std::min(magnitude(below), magnitude(above));
  return steps > 1 ? "the numbers below and above are no neighbours" : "";
}

/// How far a sum's root, or the sum itself, is from `result`, in units in the last place.
double geometric_error(Kind kind, Bits result, const Values& a, bool of_differences, bool root) {
  Exact sum(5000), part(5000), second(5000);
  mpfr_set_zero(sum, 1);
  for (std::size_t i = 0; i < a.size(); i += 2) {
    mpfr_set_d(part, to_double(kind, a[i]), MPFR_RNDN);
    mpfr_set_d(second, to_double(kind, a[i + 1]), MPFR_RNDN);
    if (of_differences) {
      mpfr_sub(part, part, second, MPFR_RNDN);
      mpfr_sqr(part, part, MPFR_RNDN);
    } else {
      mpfr_mul(part, part, second, MPFR_RNDN);
    }
    mpfr_add(sum, sum, part, MPFR_RNDN);
  }
  if (root) mpfr_sqrt(sum, sum, MPFR_RNDN);
  return ulp_error(kind, result, sum);
}

}  // namespace

TEST_CASE("reference: a double is rounded to half and float in every direction") {
  std::uint64_t state = 1;
  for (const Kind kind : {Kind::kF16, Kind::kF32})
    for (int i = 0; i < 20000; ++i) {
      // Around the kind's own numbers and ties, and anywhere.
      double value = to_double(kind, some_number(kind, state));
      if (i % 4 == 1) value *= 1 + 0x1p-12;
      if (i % 4 == 2) value *= 1 + 0x1p-25;
      if (i % 4 == 3) value = __builtin_bit_cast(double, next_random(state));
      if (!std::isfinite(value)) continue;
      for (const Rounding way : kDirections) {
        INFO(value, " to ", std::string(vm::kind_name(kind)), " direction ", static_cast<int>(way));
        REQUIRE(reference::round_to(kind, way, value) == from_number(kind, value, way));
      }
    }
}

TEST_CASE("reference: halves, what lies between them and beside that are rounded to the nearest") {
  const auto check = [](double value) {
    INFO(value);
    REQUIRE(reference::round_to_half(value) == from_number(Kind::kF16, value, Rounding::kRte));
    REQUIRE(reference::round_to_half(-value) == from_number(Kind::kF16, -value, Rounding::kRte));
  };
  for (Bits bits = 0; bits < 0x7c00; ++bits) {
    const double half = to_double(Kind::kF16, bits);
    REQUIRE(reference::round_to_half(half) == bits);
    const double next = bits == 0x7bff ? 0x1p16 : to_double(Kind::kF16, bits + 1);
    const double tie = half + (next - half) / 2;
    for (const double value : {tie, std::nextafter(tie, 0.0), std::nextafter(tie, 1e9)})
      check(value);
  }
  for (const double value : {0x1p16, 1e300, 0x1p-26, 5e-324, double{INFINITY}}) check(value);
}

TEST_CASE("reference: results of the four directions enclose the exact value") {
  for (const MathFunction& function : math_functions()) {
    if (reference::find_function(function.op) == nullptr) continue;
    for (const Kind kind : kFloats)
      for (const Values& call : random_operands(function, kind, Spread::kAnyBits, 60)) {
        const std::string wrong = check_directions(function, kind, call);
        const std::string kind_text = vm::kind_name(kind);
        INFO(function.name, " ", kind_text, " of bits ", call[0]);
        REQUIRE(wrong == "");
      }
  }
}

TEST_CASE("reference: handlers give what the plain function gives, in running lanes") {
  for (const MathFunction& function : math_functions()) {
    const reference::Function* const known = reference::find_function(function.op);
    if (known == nullptr) continue;
    for (const Kind kind : kFloats) {
      const auto calls = random_operands(function, kind, Spread::kModerate, 40);
      Values expected;
      for (const Values& call : calls) {
        const Bits operands[2] = {call[0], call.size() > 1 ? call[1] : 0};
        expected.push_back(vm::exec::evaluate_correctly(*known, kind, Rounding::kRte, operands));
      }
      for (const auto* fast : tables()) {
        const auto& table = vm::exec::reference_handlers(*fast);
        INFO(std::string(table.isa), " ", function.name);
        CHECK(table.is_reference);
        CHECK(run_rows(table, function.op, kind, calls) == expected);
        CHECK(run_uniform(table, function.op, kind, calls) == expected);
      }
    }
  }
}

TEST_CASE("reference: dot, length and distance are the exact value, rounded once") {
  std::uint64_t state = 7;
  for (const Kind kind : kFloats)
    for (int i = 0; i < 400; ++i) {
      Values a;
      const int components = 2 + i % 3;
      for (int c = 0; c < 2 * components; ++c) a.push_back(some_number(kind, state));
      if (i % 2 == 0) {  // a sum that cancels but for the last component
        a[2] = a[1];
        a[3] = a[0] ^ (Bits{1} << (vm::width_bits(kind) - 1));
      }
      INFO(std::string(vm::kind_name(kind)), " call ", i);
      CHECK(geometric_error(kind, reference::dot(kind, Rounding::kRte, a), a, false, false) <= 0.5);
      CHECK(geometric_error(kind, reference::distance(kind, Rounding::kRte, a), a, true, true) <=
            0.5);
      Values twice, vector(a.begin(), a.begin() + components);
      for (const Bits x : vector) twice.insert(twice.end(), {x, x});
      CHECK(geometric_error(kind, reference::length(kind, Rounding::kRte, vector), twice, false,
                            true) <= 0.5);
    }
}

TEST_CASE("reference: normalize of vectors with known lengths, and of what has no length") {
  const auto number = [](double x) { return reference::round_to(Kind::kF64, Rounding::kRte, x); };
  const auto normal = [&](double x, std::vector<double> vector) {
    Values a{number(x)};
    for (const double v : vector) a.push_back(number(v));
    return __builtin_bit_cast(double, reference::normalize(Kind::kF64, Rounding::kRte, a));
  };
  CHECK(normal(3, {3, 4}) == 0.6);
  CHECK(normal(-4e300, {3e300, -4e300}) == doctest::Approx(-0.8).epsilon(1e-15));
  CHECK(normal(1, {1, 1, 1, 1}) == 0.5);
  CHECK(normal(0x1p-1074, {0x1p-1074, 0}) == 1);
  CHECK(std::signbit(normal(-0.0, {-0.0, 0})));
  CHECK(normal(INFINITY, {INFINITY, 5}) == 1);
  CHECK(normal(5, {INFINITY, 5}) == 0);
  CHECK(normal(INFINITY, {INFINITY, -INFINITY}) == std::sqrt(0.5));
  CHECK(std::isnan(normal(1, {1, NAN, INFINITY})));
}
