// Comparisons, tests, mask logic and select against scalar oracles, every form and instruction set.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/vm/ops/float_oracle.h"
#include "tests/vm/ops/row_runner.h"

namespace transpire::test {

using vm::Kind;
using vm::Op;

namespace {

template <class Compute>
void check_integers(Op op, bool is_signed, Compute compute) {
  check_kinds(
      op, kInts, 2, 30,
      [&](Kind kind, const Values& v) -> Bits {
        return compute(number_of(kind, is_signed, v[0]), number_of(kind, is_signed, v[1]));
      },
      Kind::kBool);
}

/// `unordered` is the result when an operand is a NaN.
void check_floats(Op op, bool unordered, bool (*compute)(long double, long double)) {
  check_kinds(
      op, kFloats, 2, 30,
      [&](Kind kind, const Values& v) -> Bits {
        if (is_nan(kind, v[0]) || is_nan(kind, v[1])) return unordered;
        return compute(to_number(kind, v[0]), to_number(kind, v[1]));
      },
      Kind::kBool);
}

void check_test(Op op, bool (*test)(Kind, Bits)) {
  check_kinds(
      op, kFloats, 1, 1000, [&](Kind kind, const Values& v) -> Bits { return test(kind, v[0]); },
      Kind::kBool);
}

/// Enough of a mix that whole words of masks differ.
Values random_bools(std::uint64_t seed) {
  Values values(300);
  for (Bits& v : values) v = next_random(seed) & 1;
  return values;
}

void check_masks(Op op, bool (*compute)(bool, bool)) {
  const std::vector<Kind> kinds = {Kind::kBool, Kind::kBool};
  const auto oracle = [&](const Values& v) -> Bits { return compute(v[0] != 0, v[1] != 0); };
  CHECK(check_op({op, kinds, Kind::kBool, {random_bools(1), {0, 1}}, oracle}, Kind::kBool) == "");
  CHECK(check_op({op, kinds, Kind::kBool, {{0, 1}, random_bools(2)}, oracle}, Kind::kBool) == "");
}

const auto kEqual = [](auto a, auto b) { return a == b; };
const auto kNotEqual = [](auto a, auto b) { return a != b; };
const auto kLess = [](auto a, auto b) { return a < b; };
const auto kLessEqual = [](auto a, auto b) { return a <= b; };

TEST_CASE("integer comparisons") {
  check_integers(Op::kIEqual, false, kEqual);
  check_integers(Op::kINotEqual, false, kNotEqual);
  check_integers(Op::kULessThan, false, kLess);
  check_integers(Op::kULessThanEqual, false, kLessEqual);
  check_integers(Op::kSLessThan, true, kLess);
  check_integers(Op::kSLessThanEqual, true, kLessEqual);
}

TEST_CASE("float comparisons, ordered and unordered") {
  using Number = long double;
  check_floats(Op::kFOrdEqual, false, kEqual);
  check_floats(Op::kFOrdNotEqual, false, kNotEqual);
  check_floats(Op::kFOrdLessThan, false, kLess);
  check_floats(Op::kFOrdLessThanEqual, false, kLessEqual);
  check_floats(Op::kFUnordEqual, true, kEqual);
  check_floats(Op::kFUnordNotEqual, true, kNotEqual);
  check_floats(Op::kFUnordLessThan, true, kLess);
  check_floats(Op::kFUnordLessThanEqual, true, kLessEqual);
  check_floats(Op::kOrdered, false, [](Number, Number) { return true; });
  check_floats(Op::kUnordered, true, [](Number, Number) { return false; });
}

TEST_CASE("tests of one float") {
  check_test(Op::kIsNan, is_nan);
  check_test(Op::kIsInf,
             [](Kind k, Bits v) { return !is_nan(k, v) && std::isinf(to_number(k, v)); });
  check_test(Op::kIsFinite,
             [](Kind k, Bits v) { return !is_nan(k, v) && std::isfinite(to_number(k, v)); });
  check_test(Op::kIsNormal, [](Kind k, Bits v) {
    if (is_nan(k, v)) return false;
    const long double magnitude = std::fabs(to_number(k, v));
    const int least = k == Kind::kF16 ? -14 : k == Kind::kF32 ? -126 : -1022;
    return std::isfinite(magnitude) && magnitude >= std::ldexp(1.0L, least);
  });
  check_test(Op::kSignBitSet, [](Kind k, Bits v) { return (v >> (width_bits(k) - 1) & 1) != 0; });
}

TEST_CASE("logic on masks") {
  check_masks(Op::kLogicalEqual, [](bool a, bool b) { return a == b; });
  check_masks(Op::kLogicalNotEqual, [](bool a, bool b) { return a != b; });
  check_masks(Op::kLogicalOr, [](bool a, bool b) { return a || b; });
  check_masks(Op::kLogicalAnd, [](bool a, bool b) { return a && b; });
  const auto negate = [](const Values& v) { return v[0] ^ 1; };
  CHECK(check_op({Op::kLogicalNot, {Kind::kBool}, Kind::kBool, {random_bools(3)}, negate},
                 Kind::kBool) == "");
}

TEST_CASE("select") {
  const auto oracle = [](const Values& v) { return v[0] != 0 ? v[1] : v[2]; };
  for (const Kind kind : {Kind::kI8, Kind::kI16, Kind::kI32, Kind::kI64, Kind::kF16, Kind::kF32,
                          Kind::kF64, Kind::kBool}) {
    const Values some = kind == Kind::kBool ? Values{0, 1} : edge_values(kind, 3);
    const Values few(some.begin(), some.begin() + (kind == Kind::kBool ? 2 : 3));
    OpCase c{Op::kSelect, {Kind::kBool, kind, kind}, kind, {random_bools(4), some, few}, oracle};
    CHECK(check_op(c, kind) == "");
    c.values = {{0, 1}, few, some};
    CHECK(check_op(c, kind) == "");
  }
}

}  // namespace
}  // namespace transpire::test
