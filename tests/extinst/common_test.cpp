// The common functions and those that take numbers apart, against the C library: every form and
// instruction set, every half, random floats and doubles.
#include <doctest/doctest.h>

#include <climits>
#include <cmath>
#include <limits>

#include "tests/vm/ops/float_oracle.h"
#include "tests/vm/ops/row_runner.h"

namespace transpire::test {

using vm::Kind;
using vm::Op;

namespace {

Bits nan_bits(Kind kind) {
  return kind == Kind::kF16 ? 0x7e00u : kind == Kind::kF32 ? 0x7fc00000u : 0x7ff8000000000000u;
}
Bits sign_bit(Kind kind) { return Bits{1} << (vm::width_bits(kind) - 1); }
Bits one_bits(Kind kind) { return from_number(kind, 1); }

/// NaN operands give `of_nan(bits)`, numbers the function of their value.
void check_unary(Op op, Bits (*of_nan)(Kind, Bits), long double (*of_number)(Kind, long double)) {
  check_kinds(op, kFloats, 1, 2000, [&](Kind kind, const Values& v) {
    if (is_nan(kind, v[0])) return of_nan(kind, v[0]);
    return from_number(kind, of_number(kind, to_number(kind, v[0])));
  });
}

/// On bits, for all operands.
void check_binary(Op op, Bits (*compute)(Kind, Bits, Bits)) {
  check_kinds(op, kFloats, 2, 30,
              [&](Kind kind, const Values& v) { return compute(kind, v[0], v[1]); });
}

Bits fmin_bits(Kind kind, Bits a, Bits b) {
  if (is_nan(kind, b)) return kind == Kind::kF16 ? (is_nan(kind, a) ? quiet(kind, a) : a) : a;
  return to_number(kind, a) < to_number(kind, b) && !is_nan(kind, a) ? a : b;
}
Bits fmax_bits(Kind kind, Bits a, Bits b) {
  if (is_nan(kind, b)) return kind == Kind::kF16 ? (is_nan(kind, a) ? quiet(kind, a) : a) : a;
  return !is_nan(kind, a) && to_number(kind, b) < to_number(kind, a) ? a : b;
}
bool larger_magnitude(Kind kind, Bits a, Bits b) {
  return !is_nan(kind, a) && !is_nan(kind, b) &&
         std::fabs(to_number(kind, a)) > std::fabs(to_number(kind, b));
}

void check_float_to_int(Op op, std::int32_t (*compute)(long double), std::int32_t of_nan) {
  check_kinds(
      op, kFloats, 1, 2000,
      [&](Kind kind, const Values& v) -> Bits {
        if (is_nan(kind, v[0])) return static_cast<std::uint32_t>(of_nan);
        return static_cast<std::uint32_t>(compute(to_number(kind, v[0])));
      },
      Kind::kI32);
}

/// The largest number below 1.
long double below_one(Kind kind) { return to_number(kind, one_bits(kind) - 1); }

TEST_CASE("rounding to integral values") {
  check_unary(Op::kFloor, quiet, [](Kind, long double x) { return std::floor(x); });
  check_unary(Op::kCeil, quiet, [](Kind, long double x) { return std::ceil(x); });
  check_unary(Op::kTrunc, quiet, [](Kind, long double x) { return std::trunc(x); });
  check_unary(Op::kRint, quiet, [](Kind, long double x) { return std::nearbyint(x); });
  check_unary(Op::kRound, quiet, [](Kind, long double x) { return std::round(x); });
}

TEST_CASE("fractions") {
  check_unary(Op::kFract, quiet, [](Kind kind, long double x) -> long double {
    if (x == 0 || std::isinf(x)) return std::copysign(0.0L, x);
    // The difference is rounded as the kind does before it is limited.
    return std::min(to_number(kind, from_number(kind, x - std::floor(x))), below_one(kind));
  });
  check_unary(Op::kModf, quiet, [](Kind, long double x) {
    return std::copysign(std::isinf(x) ? 0 : x - std::trunc(x), x);
  });
}

TEST_CASE("mantissas and exponents") {
  check_unary(Op::kLogb, quiet, [](Kind, long double x) { return std::logb(x); });
  check_unary(
      Op::kFrexp, [](Kind kind, Bits v) { return kind == Kind::kF16 ? quiet(kind, v) : v; },
      [](Kind, long double x) {
        int exponent = 0;
        return std::frexp(x, &exponent);
      });
  check_float_to_int(
      Op::kFrexpExponent,
      [](long double x) {
        int exponent = 0;
        if (!std::isinf(x)) std::frexp(x, &exponent);
        return exponent;
      },
      0);
  check_float_to_int(
      Op::kIlogb,
      [](long double x) {
        if (x == 0) return INT_MIN;
        return std::isinf(x) ? INT_MAX : std::ilogb(x);
      },
      INT_MAX);
}

TEST_CASE("ldexp rounds once") {
  Values exponents;
  for (const std::int64_t n :
       {0,    1,   -1,   10,  -10,  24,   -24,   52,   -52,   100,  -100,  126,  -126, 149,
        -149, 300, -300, 970, -970, 1022, -1022, 1075, -1075, 2098, -2098, 2200, -2200})
    exponents.push_back(static_cast<std::uint32_t>(n));
  exponents.insert(exponents.end(), {0x7fffffffu, 0x80000000u});
  for (const Kind kind : kFloats) {
    const auto oracle = [&](const Values& v) {
      if (is_nan(kind, v[0])) return quiet(kind, v[0]);
      return from_number(kind, std::ldexp(to_number(kind, v[0]), static_cast<std::int32_t>(v[1])));
    };
    const Values values = edge_values(kind, 100);
    CHECK(check_op({Op::kLdexp, {kind, Kind::kI32}, kind, {values, exponents}, oracle}, kind) ==
          "");
  }
}

TEST_CASE("signs") {
  check_kinds(Op::kFAbs, kFloats, 1, 2000,
              [](Kind kind, const Values& v) { return v[0] & ~sign_bit(kind); });
  check_binary(Op::kCopysign, [](Kind kind, Bits a, Bits b) {
    return (a & ~sign_bit(kind)) | (b & sign_bit(kind));
  });
  check_unary(
      Op::kSign, [](Kind, Bits) { return Bits{0}; },
      [](Kind, long double x) { return x == 0 ? x : std::copysign(1.0L, x); });
}

TEST_CASE("minima and maxima") {
  check_binary(Op::kFMin, fmin_bits);
  check_binary(Op::kFMax, fmax_bits);
  check_binary(Op::kMinmag, [](Kind kind, Bits a, Bits b) {
    if (larger_magnitude(kind, a, b)) return b;
    return larger_magnitude(kind, b, a) ? a : fmin_bits(kind, a, b);
  });
  check_binary(Op::kMaxmag, [](Kind kind, Bits a, Bits b) {
    if (larger_magnitude(kind, a, b)) return a;
    return larger_magnitude(kind, b, a) ? b : fmax_bits(kind, a, b);
  });
  for (const Kind kind : kFloats) {
    const Values values = edge_values(kind, 0);
    const auto clamp = [&](const Values& v) {
      return fmin_bits(kind, fmax_bits(kind, v[0], v[1]), v[2]);
    };
    CHECK(check_op({Op::kFClamp, {kind, kind, kind}, kind, {values, values, values}, clamp},
                   kind) == "");
  }
}

TEST_CASE("fdim and step") {
  check_binary(Op::kFDim, [](Kind kind, Bits a, Bits b) {
    if (is_nan(kind, a) || is_nan(kind, b)) return nan_bits(kind);
    const long double x = to_number(kind, a), y = to_number(kind, b);
    if (!(x > y)) return Bits{0};
    // Long double has 64 bits: too few for a difference of doubles to be rounded again.
    return kind == Kind::kF64 ? from_number(kind, static_cast<double>(x) - static_cast<double>(y))
                              : from_number(kind, x - y);
  });
  check_binary(Op::kStep, [](Kind kind, Bits edge, Bits x) {
    const bool below =
        !is_nan(kind, edge) && !is_nan(kind, x) && to_number(kind, x) < to_number(kind, edge);
    return below ? Bits{0} : one_bits(kind);
  });
}

TEST_CASE("nextafter") {
  check_binary(Op::kNextafter, [](Kind kind, Bits a, Bits b) {
    if (is_nan(kind, a) || is_nan(kind, b)) return nan_bits(kind);
    const long double x = to_number(kind, a), y = to_number(kind, b);
    if (x == y) return b;
    if (x == 0) return Bits{1} | (b & sign_bit(kind));
    return (x < y) == (x > 0) ? a + 1 : a - 1;
  });
}

TEST_CASE("nan carries its code") {
  for (const Kind kind : {Kind::kI16, Kind::kI32, Kind::kI64}) {
    const Kind as_float = kind == Kind::kI16   ? Kind::kF16
                          : kind == Kind::kI32 ? Kind::kF32
                                               : Kind::kF64;
    const int fraction = kind == Kind::kI16 ? 10 : kind == Kind::kI32 ? 23 : 52;
    const auto oracle = [&](const Values& v) {
      return nan_bits(as_float) | (v[0] & ((Bits{1} << fraction) - 1));
    };
    CHECK(check_op({Op::kNan, {kind}, kind, {edge_values(kind, 100)}, oracle}, kind) == "");
  }
}

}  // namespace
}  // namespace transpire::test
