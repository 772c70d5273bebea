// The reference mode's pieces: rounding to a format, results in all four directions between MPFR's,
// the geometric functions against sums in 5000 bits, and handlers against the plain function.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "extinst/reference/common.h"
#include "extinst/reference/geometric.h"
#include "tests/extinst/math_functions.h"
#include "tests/vm/ops/float_oracle.h"
#include "transpire/half.hpp"
#include "vm/ops/math_functions.h"
#include "vm/reference/handlers.h"

namespace transpire::test {

namespace reference = transpire::extinst::reference;

namespace {

class BigFloat {
 public:
  explicit BigFloat(mpfr_prec_t precision = 140) { mpfr_init2(value_, precision); }
  ~BigFloat() { mpfr_clear(value_); }
  BigFloat(const BigFloat&) = delete;
  BigFloat& operator=(const BigFloat&) = delete;
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
  BigFloat a, b;
  mpfr_set_d(a, to_double(kind, call[0]), MPFR_RNDN);
  long n = 0;
  if (vm::info(function.op).shape == vm::Shape::kIntFloat)
    n = static_cast<std::int32_t>(call[1]);
  else if (call.size() > 1)
    mpfr_set_d(b, to_double(kind, call[1]), MPFR_RNDN);
  function.exact(exact, a, b, n);
}

/// Empty, or what is wrong with the results of the four directions (by Rounding) around an exact
/// value, which is `inexact` when MPFR had to round it.
std::string wrong_directions(Kind kind, mpfr_srcptr exact, bool inexact, const Bits* results) {
  if (!mpfr_regular_p(exact)) return {};
  double got[4];
  for (const Rounding way : kRoundings)
    got[static_cast<int>(way)] = to_double(kind, results[static_cast<int>(way)]);
  const double below = got[static_cast<int>(Rounding::kRtn)];
  const double above = got[static_cast<int>(Rounding::kRtp)];
  if (mpfr_cmp_d(exact, below) < 0 || mpfr_cmp_d(exact, above) > 0)
    return "the exact value does not lie between the numbers below and above";
  if (below != above && !inexact &&
      (mpfr_cmp_d(exact, below) == 0 || mpfr_cmp_d(exact, above) == 0))
    return "an exact value is rounded";
  const double nearest = got[static_cast<int>(Rounding::kRte)];
  if (nearest != below && nearest != above) return "the nearest number is neither of both";
  if (std::isfinite(nearest) && ulp_error(kind, results[0], exact) > 0.5)
    return "the nearest number is the other one";
  if (got[static_cast<int>(Rounding::kRtz)] != (mpfr_sgn(exact) > 0 ? below : above))
    return "towards zero is another number";
  const Bits next = static_cast<Bits>(vm::width_bits(kind)) - 1;
  const auto magnitude = [&](double x) {
    return reference::round_to(kind, Rounding::kRte, std::fabs(x)) & ((Bits{1} << next) - 1);
  };
  const Bits steps =
      std::max(magnitude(below), magnitude(above)) - std::min(magnitude(below), magnitude(above));
  return steps > 1 ? "the numbers below and above are no neighbours" : "";
}

std::string check_directions(const MathFunction& function, Kind kind, const Values& call) {
  BigFloat exact;
  mpfr_clear_inexflag();
  exact_value(function, kind, call, exact);
  const bool inexact = mpfr_inexflag_p() != 0;  // MPFR cannot tell in 140 bits what is no number
  const Bits operands[2] = {call[0], call.size() > 1 ? call[1] : 0};
  Bits results[4];
  for (const Rounding way : kRoundings)
    results[static_cast<int>(way)] = vm::exec::evaluate_correctly(function.op, kind, way, operands);
  return wrong_directions(kind, exact, inexact, results);
}

/// A function of several steps, and its value in so many bits that only its last step rounds.
struct Whole {
  const char* name;
  Bits (*function)(Kind, Rounding, std::span<const Bits>);
  std::size_t operands;
  void (*exact)(const std::vector<double>& a, mpfr_ptr result);
};

constexpr mpfr_prec_t kWholeBits = 13000;

void set_difference(mpfr_ptr to, double from, double minus) {
  mpfr_set_d(to, from, MPFR_RNDN);
  mpfr_sub_d(to, to, minus, MPFR_RNDN);
}

void set_sum_of_squares(const std::vector<double>& a, mpfr_ptr sum) {
  BigFloat square(kWholeBits);
  mpfr_set_zero(sum, 1);
  for (const double x : a) {
    mpfr_set_d(square, x, MPFR_RNDN);
    mpfr_sqr(square, square, MPFR_RNDN);
    mpfr_add(sum, sum, square, MPFR_RNDN);
  }
}

void exact_mix(const std::vector<double>& a, mpfr_ptr result) {
  set_difference(result, a[1], a[0]);
  mpfr_mul_d(result, result, a[2], MPFR_RNDN);
  mpfr_add_d(result, result, a[0], MPFR_RNDN);
}

void exact_smoothstep(const std::vector<double>& a, mpfr_ptr result) {
  BigFloat t(kWholeBits), span(kWholeBits);
  set_difference(t, a[2], a[0]);
  set_difference(span, a[1], a[0]);
  if (mpfr_zero_p(static_cast<mpfr_ptr>(span))) return mpfr_set_nan(result);
  mpfr_div(t, t, span, MPFR_RNDN);
  if (mpfr_sgn(static_cast<mpfr_ptr>(t)) < 0) mpfr_set_zero(t, 1);
  if (mpfr_cmp_ui(t, 1) > 0) mpfr_set_ui(t, 1, MPFR_RNDN);
  mpfr_mul_ui(result, t, 2, MPFR_RNDN);
  mpfr_ui_sub(result, 3, result, MPFR_RNDN);
  mpfr_sqr(t, t, MPFR_RNDN);
  mpfr_mul(result, result, t, MPFR_RNDN);
}

const Whole kWhole[] = {
    {"degrees", reference::degrees, 1,
     [](const std::vector<double>& a, mpfr_ptr result) {
       BigFloat pi(kWholeBits);
       mpfr_const_pi(pi, MPFR_RNDN);
       mpfr_set_d(result, a[0], MPFR_RNDN);
       mpfr_mul_ui(result, result, 180, MPFR_RNDN);
       mpfr_div(result, result, pi, MPFR_RNDN);
     }},
    {"radians", reference::radians, 1,
     [](const std::vector<double>& a, mpfr_ptr result) {
       mpfr_const_pi(result, MPFR_RNDN);
       mpfr_mul_d(result, result, a[0], MPFR_RNDN);
       mpfr_div_ui(result, result, 180, MPFR_RNDN);
     }},
    {"mix", reference::mix, 3, exact_mix},
    {"smoothstep", reference::smoothstep, 3, exact_smoothstep},
    {"distance", reference::distance, 4,
     [](const std::vector<double>& a, mpfr_ptr result) {
       BigFloat other(kWholeBits);
       set_difference(result, a[0], a[1]);
       set_difference(other, a[2], a[3]);
       mpfr_sqr(result, result, MPFR_RNDN);
       mpfr_sqr(other, other, MPFR_RNDN);
       mpfr_add(result, result, other, MPFR_RNDN);
       mpfr_sqrt(result, result, MPFR_RNDN);
     }},
    {"length", reference::length, 3,
     [](const std::vector<double>& a, mpfr_ptr result) {
       set_sum_of_squares(a, result);
       mpfr_sqrt(result, result, MPFR_RNDN);
     }},
    {"normalize", reference::normalize, 4,
     [](const std::vector<double>& a, mpfr_ptr result) {
       set_sum_of_squares({a.begin() + 1, a.end()}, result);
       mpfr_sqrt(result, result, MPFR_RNDN);
       mpfr_d_div(result, a[0], result, MPFR_RNDN);
     }},
    {"dot", reference::dot, 4, [](const std::vector<double>& a, mpfr_ptr result) {
       BigFloat product(kWholeBits);
       mpfr_set_d(result, a[0], MPFR_RNDN);
       mpfr_mul_d(result, result, a[1], MPFR_RNDN);
       mpfr_set_d(product, a[2], MPFR_RNDN);
       mpfr_mul_d(product, product, a[3], MPFR_RNDN);
       mpfr_add(result, result, product, MPFR_RNDN);
     }}};

/// Random operands, whose results often are not far from those of the steps in the kind itself.
Values whole_operands(const Whole& whole, Kind kind, int number, std::uint64_t& state) {
  Values a;
  const auto other_bits = [&](Bits bits) { return bits ^ (next_random(state) & 7); };
  for (std::size_t i = 0; i < whole.operands; ++i) a.push_back(some_number(kind, state));
  const bool close = number % 2 == 0;
  if (close && whole.operands == 3) {  // near one another: the weight, or x between its edges
    a[1] = other_bits(a[0]);
    a[2] = other_bits(
        whole.function == &reference::mix ? reference::round_to(kind, Rounding::kRte, 0.3) : a[0]);
  }
  if (close && whole.function == &reference::distance)
    for (const std::size_t i : {0, 2}) a[i + 1] = other_bits(a[i]);
  if (close && whole.function == &reference::dot) {  // cancels, or nearly
    a[2] = other_bits(a[1]);
    a[3] = a[0] ^ (Bits{1} << (vm::width_bits(kind) - 1));
  }
  if (whole.function == &reference::normalize) a[0] = a[1 + static_cast<std::size_t>(number) % 3];
  return a;
}

/// How far a sum's root, or the sum itself, is from `result`, in units in the last place.
double geometric_error(Kind kind, Bits result, const Values& a, bool of_differences, bool root) {
  BigFloat sum(5000), part(5000), second(5000);
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
      for (const Rounding way : kRoundings) {
        INFO(value, " to ", std::string(vm::kind_name(kind)), " direction ", static_cast<int>(way));
        REQUIRE(reference::round_to(kind, way, value) == from_number(kind, value, way));
      }
    }
}

TEST_CASE("reference: halves, what lies between them and beside that are rounded to the nearest") {
  const auto check = [](double value) {
    INFO(value);
    REQUIRE(half_from_double(value) == from_number(Kind::kF16, value, Rounding::kRte));
    REQUIRE(half_from_double(-value) == from_number(Kind::kF16, -value, Rounding::kRte));
  };
  for (Bits bits = 0; bits < 0x7c00; ++bits) {
    const double half = to_double(Kind::kF16, bits);
    REQUIRE(half_from_double(half) == bits);
    const double next = bits == 0x7bff ? 0x1p16 : to_double(Kind::kF16, bits + 1);
    const double tie = half + (next - half) / 2;
    for (const double value : {tie, std::nextafter(tie, 0.0), std::nextafter(tie, 1e9)})
      check(value);
  }
  for (const double value : {0x1p16, 1e300, 0x1p-26, 5e-324, double{INFINITY}}) check(value);
}

TEST_CASE("reference: results of the four directions enclose the exact value") {
  for (const MathFunction& function : math_functions()) {
    if (vm::reference_function(function.op) == nullptr) continue;
    for (const Kind kind : kFloats)
      for (const Values& call : random_operands(function, kind, Spread::kAnyBits, 60)) {
        const std::string wrong = check_directions(function, kind, call);
        const std::string kind_text = vm::kind_name(kind);
        INFO(std::string(function.name), " ", kind_text, " of bits ", call[0]);
        REQUIRE(wrong == "");
      }
  }
}

TEST_CASE("reference: handlers give what the plain function gives, in running lanes") {
  for (const MathFunction& function : math_functions()) {
    if (vm::reference_function(function.op) == nullptr) continue;
    for (const Kind kind : kFloats) {
      const auto calls = random_operands(function, kind, Spread::kModerate, 40);
      Values expected;
      for (const Values& call : calls) {
        const Bits operands[2] = {call[0], call.size() > 1 ? call[1] : 0};
        expected.push_back(
            vm::exec::evaluate_correctly(function.op, kind, Rounding::kRte, operands));
      }
      for (const auto* fast : tables()) {
        const auto& table = vm::exec::reference_handlers(*fast);
        INFO(std::string(isa_name(table.isa)), " ", std::string(function.name));
        CHECK(table.is_reference);
        CHECK(run_rows(table, function.op, kind, calls) == expected);
        CHECK(run_uniform(table, function.op, kind, calls) == expected);
      }
    }
  }
}

TEST_CASE("reference: roots of powers of two next to 1 are rounded as they should be") {
  const reference::Function& rootn = *reference::find_function("rootn");
  const auto root = [&](double x, std::int32_t n, Rounding way) {
    const Bits operands[2] = {reference::round_to(Kind::kF16, Rounding::kRte, x),
                              static_cast<std::uint32_t>(n)};
    return to_double(Kind::kF16, reference::round_exactly(rootn, Kind::kF16, way, operands));
  };
  const std::int32_t least = std::numeric_limits<std::int32_t>::min();
  const double below = 1 - 0x1p-11, above = 1 + 0x1p-10;
  CHECK(root(2, -16777216, Rounding::kRtz) == below);
  CHECK(root(32768, least, Rounding::kRtn) == below);
  CHECK(root(32768, least, Rounding::kRtp) == 1);
  CHECK(root(-2, -16777217, Rounding::kRtz) == -below);
  CHECK(root(-2, -16777217, Rounding::kRtn) == -1);
  CHECK(root(0.5, least, Rounding::kRtp) == above);
  CHECK(root(0.5, least, Rounding::kRtz) == 1);
  CHECK(root(4, -2, Rounding::kRtz) == 0.5);
}

TEST_CASE("reference: functions of several steps are rounded once, in every direction") {
  std::uint64_t state = 11;
  for (const Whole& whole : kWhole)
    for (const Kind kind : kFloats)
      for (int i = 0; i < 300; ++i) {
        const Values a = whole_operands(whole, kind, i, state);
        std::vector<double> numbers;
        for (const Bits bits : a) numbers.push_back(to_double(kind, bits));
        BigFloat exact(kWholeBits);
        mpfr_clear_inexflag();
        whole.exact(numbers, exact);
        const bool inexact = mpfr_inexflag_p() != 0;
        Bits results[4];
        for (const Rounding way : kRoundings)
          results[static_cast<int>(way)] = whole.function(kind, way, a);
        const std::string kind_text = vm::kind_name(kind);
        INFO(std::string(whole.name), " ", kind_text, " call ", i);
        REQUIRE(wrong_directions(kind, exact, inexact, results) == "");
      }
}

TEST_CASE("reference: mix and smoothstep of zeros, infinities, NaNs and edges") {
  const auto call = [](auto* function, std::vector<double> a, Rounding way = Rounding::kRte) {
    Values bits;
    for (const double x : a) bits.push_back(reference::round_to(Kind::kF64, Rounding::kRte, x));
    return __builtin_bit_cast(double, function(Kind::kF64, way, bits));
  };
  const double none = std::numeric_limits<double>::quiet_NaN(), all = INFINITY;
  const double largest = std::numeric_limits<double>::max(), least = 0x1p-1074;
  CHECK(call(reference::mix, {-largest, largest, 0.5}) == 0);
  CHECK(!std::signbit(call(reference::mix, {-largest, largest, 0.5})));
  CHECK(std::signbit(call(reference::mix, {-largest, largest, 0.5}, Rounding::kRtn)));
  CHECK(std::signbit(call(reference::mix, {-0.0, 0.0, -1})));
  CHECK(!std::signbit(call(reference::mix, {-0.0, 0.0, 1})));
  // A zero difference, and a sum of zeros, have the sign that the direction gives them.
  CHECK(std::signbit(call(reference::mix, {0.0, 0.0, 0.5}, Rounding::kRtn)));
  CHECK(!std::signbit(call(reference::mix, {0.0, 0.0, 0.5}, Rounding::kRtp)));
  CHECK(!std::signbit(call(reference::mix, {0.0, 0.0, -0.5}, Rounding::kRtn)));
  CHECK(std::signbit(call(reference::mix, {-0.0, -0.0, 0.5}, Rounding::kRtn)));
  CHECK(std::signbit(call(reference::mix, {-0.0, -0.0, -0.5})));
  CHECK(call(reference::mix, {least, 2 * least, 0.25}) == least);
  CHECK(call(reference::mix, {least, 2 * least, 0.25}, Rounding::kRtp) == 2 * least);
  CHECK(call(reference::mix, {1, all, 0.5}) == all);
  CHECK(std::isnan(call(reference::mix, {1, all, 0})));
  CHECK(std::isnan(call(reference::mix, {1, 2, none})));
  CHECK(call(reference::smoothstep, {-largest, largest, 0}) == 0.5);
  CHECK(call(reference::smoothstep, {1, 2, 0.5}) == 0);
  CHECK(call(reference::smoothstep, {1, 2, 2}) == 1);
  CHECK(call(reference::smoothstep, {2, 1, 1.5}) == 0.5);
  CHECK(call(reference::smoothstep, {2, 1, 3}) == 0);
  CHECK(call(reference::smoothstep, {1, 1, 1}) == 0);
  CHECK(call(reference::smoothstep, {1, 1, 2}) == 1);
  CHECK(call(reference::smoothstep, {0, 1, all}) == 1);
  CHECK(call(reference::smoothstep, {0, 1, -all}) == 0);
  CHECK(call(reference::smoothstep, {-largest, largest, all}) == 1);
  CHECK(call(reference::smoothstep, {largest, -largest, -all}) == 1);
  CHECK(call(reference::smoothstep, {0.0, -0.0, 1}) == 1);
  CHECK(call(reference::smoothstep, {0, all, 5}) == 0);
  CHECK(call(reference::smoothstep, {0, all, all}) == 0);
  CHECK(call(reference::smoothstep, {-all, 0, 5}) == 0);
  CHECK(call(reference::smoothstep, {0, 1, none}) == 0);
  CHECK(call(reference::smoothstep, {0, largest, least}) == 0);
  CHECK(call(reference::smoothstep, {0, largest, least}, Rounding::kRtp) == least);
  CHECK(std::signbit(call(reference::degrees, {-0.0})));
  CHECK(call(reference::radians, {-all}) == -all);
  CHECK(std::isnan(call(reference::radians, {none})));
  CHECK(call(reference::degrees, {largest}, Rounding::kRtz) == largest);
  CHECK(call(reference::degrees, {largest}) == all);
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

}  // namespace
}  // namespace transpire::test
