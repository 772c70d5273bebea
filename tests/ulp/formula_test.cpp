// Formulas of `transpire ulp`: the errors that Vulkan allows, and the verdicts on a call's result.
#include "ulp/formula.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "ulp/arbiter.h"

namespace transpire::test {

using namespace ulp;
using vm::Kind;

namespace {

using Float = Permitted<Kind::kF32>;
using Half = Permitted<Kind::kF16>;

template <Kind kKind>
void check(const Permitted<kKind>& range, double low, double high) {
  CHECK_FALSE(range.any);
  CHECK(range.low == low);
  CHECK(range.high == high);
}

Bits bits(float number) { return std::bit_cast<std::uint32_t>(number); }

Arbiter::Verdict verdict_of(const char* name, std::initializer_list<float> operands, float result,
                            std::size_t component = 0) {
  Call call;
  std::size_t i = 0;
  for (const float operand : operands) call.set_operand(i++, bits(operand));
  call.component = component;
  const Arbiter arbiter(*find_measured(name), Kind::kF32);
  const Arbiter::Verdict verdict = arbiter.judge(call, bits(result));
  const Arbiter::Verdict exact = arbiter.judge_exactly(call, bits(result));
  CHECK(arbiter.same(verdict.expected, exact.expected));
  // Both may be infinite.
  CHECK((verdict.ulp == exact.ulp || verdict.ulp == doctest::Approx(exact.ulp)));
  CHECK((verdict.allowed == exact.allowed || verdict.allowed == doctest::Approx(exact.allowed)));
  return verdict;
}

}  // namespace

TEST_CASE(
    "ulp: Vulkan permits both neighbours of an inexact step, and only the number itself of an "
    "exact one") {
  const auto number = [](double x) { return Float::number(x); };
  check(number(1) + number(0x1p-30), 1, 1 + 0x1p-23);
  check(number(1) - number(0x1p-30), 1 - 0x1p-24, 1);
  check(number(3) * number(0.5), 1.5, 1.5);
  check(Float{1, 2, false} * Float{-3, 5, false}, -6, 10);
  check(number(0x1p-149) * number(0.5), 0, 0x1p-149);
  // The format's numbers within 2.5 ulp, and within 2; of a power of two, an ulp is the distance to the number below.
  check(number(4.5) / number(1.5), 3 - 2 * 0x1p-22, 3 + 2 * 0x1p-22);
  check(number(3) / number(1.5), 2 - 2 * 0x1p-23, 2 + 0x1p-22);
  check(inverse_sqrt(number(4)), 0.5 - 2 * 0x1p-25, 0.5 + 0x1p-24);
  check(sqrt(number(0)), 0, 0);
  check(Half::number(2048) + Half::number(1), 2048, 2050);
}

TEST_CASE("ulp: Vulkan permits any number where a step may overflow, divide by 0 or has no error") {
  const auto number = [](double x) { return Float::number(x); };
  CHECK((number(0x1p100) * number(0x1p100)).any);
  CHECK((number(1) / Float{-1, 1, false}).any);
  CHECK((number(1) / number(0x1p127)).any);
  CHECK_FALSE((number(1) / number(0x1p126)).any);
  CHECK(sqrt(number(-1)).any);
  CHECK(number(INFINITY).any);
  check(choose(Float{-1, 1, false}, number(2), number(5)), 2, 5);
  check(choose(number(0), number(2), number(5)), 5, 5);
  check(clamped(Float::any_number()), 0, 1);
}

TEST_CASE("ulp: formulas are judged by their exact values") {
  // 2^24 + 1 is half way between two floats; a little less rounds down.
  CHECK(verdict_of("Fma", {0x1p12f, 0x1p12f, 1}, 0x1p24f).ulp == 0.5);
  const Arbiter::Verdict below =
      verdict_of("Fma", {-0x1.3ffffep+3f, 1.5f, -0x1.000002p-126f}, -0x1.dffffcp+3f);
  CHECK(below.expected == bits(-0x1.dffffep+3f));
  CHECK(below.allowed == doctest::Approx(0.5));
  // 1 - 2^-24 - 1: the products may be 1 - 2^-24 or neighbours.
  const Arbiter::Verdict cancels = verdict_of("OpDot2", {1 - 0x1p-24f, 1, 1, -1}, 0);
  CHECK(cancels.expected == bits(-0x1p-24f));
  CHECK(cancels.allowed == 0);
  CHECK(cancels.ulp == 0x1p24);
  CHECK(verdict_of("FMin", {-0.0f, 0.0f}, -0.0f).expected == bits(0.0f));
  CHECK(verdict_of("NClamp", {NAN, 1, 2}, 1).ulp == 0);
  CHECK(verdict_of("Cross3", {1, 2, 3, 4, 5, 6}, 6, 1).ulp == 0);
}

TEST_CASE("ulp: special operands are judged where they count") {
  CHECK(verdict_of("FMix", {INFINITY, 1, 0.5f}, INFINITY).ulp == 0);
  CHECK(verdict_of("FMix", {INFINITY, 1, 0.5f}, NAN).allowed == INFINITY);
  CHECK(verdict_of("OpOuterProduct2", {3, NAN, 5, 7}, 21, 2).ulp == 0);
  CHECK(verdict_of("Normalize2", {INFINITY, 5}, 1).ulp == 0);
  CHECK(verdict_of("Normalize2", {0, -0.0f}, -0.0f, 1).ulp == 0);
  CHECK(verdict_of("SmoothStep", {0, 1, NAN}, 0).ulp == 0);
  CHECK(verdict_of("MatrixInverse2", {1, 2, 2, 4}, 3).allowed == INFINITY);
}

}  // namespace transpire::test
