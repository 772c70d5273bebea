// Arithmetic and bit handlers against scalar oracles, every form and instruction set.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "tests/vm/ops/float_oracle.h"
#include "tests/vm/ops/row_runner.h"

namespace transpire::test {

using vm::Kind;
using vm::Op;

namespace {

/// An op on integers, which are read as signed or unsigned numbers.
struct IntegerOp {
  Op op;
  bool is_signed;
  Wide (*meaning)(Kind, Wide a, Wide b);
};

constexpr IntegerOp kWrapping[] = {
    {Op::kIAdd, false, [](Kind, Wide a, Wide b) { return a + b; }},
    {Op::kISub, false, [](Kind, Wide a, Wide b) { return a - b; }},
    {Op::kIMul, true, [](Kind, Wide a, Wide b) { return a * b; }},
};

Wide high_product(Kind kind, Wide a, Wide b) {
  using Unsigned = unsigned __int128;
  return static_cast<Wide>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b) >> width_bits(kind));
}

constexpr IntegerOp kHighHalves[] = {
    {Op::kSMulHigh, true, [](Kind k, Wide a, Wide b) { return a * b >> width_bits(k); }},
    {Op::kUMulHigh, false, high_product},
    {Op::kUAddCarry, false, [](Kind k, Wide a, Wide b) { return (a + b) >> width_bits(k); }},
    {Op::kUSubBorrow, false, [](Kind, Wide a, Wide b) -> Wide { return a < b; }},
};

Wide quotient(Kind, Wide a, Wide b) { return b == 0 ? 0 : a / b; }
Wide remainder(Kind, Wide a, Wide b) { return b == 0 ? a : a % b; }
/// The remainder with the divisor's sign.
Wide modulus(Kind, Wide a, Wide b) {
  if (b == 0) return a;
  const Wide rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

constexpr IntegerOp kDivisions[] = {{Op::kUDiv, false, quotient},
                                    {Op::kSDiv, true, quotient},
                                    {Op::kUMod, false, remainder},
                                    {Op::kSRem, true, remainder},
                                    {Op::kSMod, true, modulus}};

/// Shifts count modulo the width.
Wide shift_right_arithmetic(Kind kind, Wide a, Wide b) {
  const std::uint32_t width = width_bits(kind);
  const Wide sign = a >> (width - 1) & 1;
  for (Wide i = 0; i < b % width; ++i) a = a >> 1 | sign << (width - 1);
  return a;
}

constexpr IntegerOp kBitOps[] = {
    {Op::kShiftLeftLogical, false, [](Kind k, Wide a, Wide b) { return a << b % width_bits(k); }},
    {Op::kShiftRightLogical, false, [](Kind k, Wide a, Wide b) { return a >> b % width_bits(k); }},
    {Op::kShiftRightArithmetic, false, shift_right_arithmetic},
    {Op::kBitwiseOr, false, [](Kind, Wide a, Wide b) { return a | b; }},
    {Op::kBitwiseXor, false, [](Kind, Wide a, Wide b) { return a ^ b; }},
    {Op::kBitwiseAnd, false, [](Kind, Wide a, Wide b) { return a & b; }},
};

void check_integers(std::span<const IntegerOp> ops) {
  for (const IntegerOp& of : ops)
    check_kinds(of.op, kInts, 2, 30, [&](Kind kind, const Values& v) {
      const Wide a = number_of(kind, of.is_signed, v[0]), b = number_of(kind, of.is_signed, v[1]);
      return cut(kind, of.meaning(kind, a, b));
    });
}

/// Results that are NaNs: the first operand that is one, made quiet; else the default NaN. Halves
/// are computed in long double, which holds their sums and products exactly and has 64 >= 2 * 11 +
/// 2 bits.
template <class Compute>
Bits float_result(Kind kind, const Values& v, Compute compute) {
  for (const Bits operand : v)
    if (is_nan(kind, operand)) return quiet(kind, operand);
  if (kind == Kind::kF32) {
    volatile float a = std::bit_cast<float>(static_cast<std::uint32_t>(v[0]));
    volatile float b = std::bit_cast<float>(static_cast<std::uint32_t>(v[1]));
    const float result = compute(float{a}, float{b});
    return std::isnan(result) ? default_nan(kind) : std::bit_cast<std::uint32_t>(result);
  }
  if (kind == Kind::kF64) {
    volatile double a = std::bit_cast<double>(v[0]), b = std::bit_cast<double>(v[1]);
    const double result = compute(double{a}, double{b});
    return std::isnan(result) ? default_nan(kind) : std::bit_cast<Bits>(result);
  }
  const long double result = compute(to_number(kind, v[0]), to_number(kind, v[1]));
  return std::isnan(result) ? default_nan(kind) : from_number(kind, result);
}

template <class Compute>
void check_floats(Op op, Compute compute) {
  check_kinds(op, kFloats, 2, 40,
              [&](Kind kind, const Values& v) { return float_result(kind, v, compute); });
}

/// What FMul makes of the operands from `factor` on, and what Compute makes of that and the other.
template <class Compute>
void check_product(Op op, std::size_t factor, Compute compute) {
  for (const Kind kind : {Kind::kF32, Kind::kF64}) {
    const Values values = edge_values(kind, 0);
    const auto oracle = [&](const Values& v) {
      const Bits product =
          float_result(kind, {v[factor], v[factor + 1]}, [](auto a, auto b) { return a * b; });
      return float_result(kind, factor == 0 ? Values{product, v[2]} : Values{v[0], product},
                          compute);
    };
    CHECK(check_op({op, {kind, kind, kind}, kind, {values, values, values}, oracle}, kind) == "");
  }
}

TEST_CASE("integer addition, subtraction, multiplication wrap") { check_integers(kWrapping); }

TEST_CASE("high halves, carries and borrows") { check_integers(kHighHalves); }

TEST_CASE("integer division: quotient 0 and remainder a when dividing by zero, wrapping overflow") {
  check_integers(kDivisions);
}

TEST_CASE("shifts modulo the width, and bitwise logic") { check_integers(kBitOps); }

TEST_CASE("bits of one operand") {
  check_kinds(Op::kNot, kInts, 1, 1000, [](Kind k, const Values& v) { return cut(k, ~v[0]); });
  check_kinds(Op::kBitCount, kInts, 1, 1000,
              [](Kind, const Values& v) { return Bits(std::popcount(v[0])); });
  check_kinds(Op::kBitReverse, kInts, 1, 1000, [](Kind k, const Values& v) {
    Bits d = 0;
    for (std::uint32_t i = 0; i < width_bits(k); ++i)
      d |= (v[0] >> i & 1) << (width_bits(k) - 1 - i);
    return d;
  });
}

TEST_CASE("64-bit division through double, rows of narrow operands") {
  // Quotients just below, at and just above whole numbers, at the limits of the narrow path.
  std::uint64_t state = 7;
  Values dividends, divisors = {0, 1, 2, 3, 10, 0xfffffffffffff};
  for (int i = 0; i < 40; ++i)
    divisors.push_back(next_random(state) >> (12 + next_random(state) % 50));
  for (const Bits divisor : divisors) {
    const Bits factor = (next_random(state) >> 12) / (divisor + 1);
    for (const Bits offset : {-1, 0, 1})
      dividends.push_back((factor * divisor + offset) & 0xfffffffffffff);
  }
  const Kind kind = Kind::kI64;
  const auto divide = [](const Values& v) { return v[1] == 0 ? 0 : v[0] / v[1]; };
  const auto remainder = [](const Values& v) { return v[1] == 0 ? v[0] : v[0] % v[1]; };
  for (const Op op : {Op::kUDiv, Op::kSDiv})
    CHECK(check_op({op, {kind, kind}, kind, {dividends, divisors}, divide}, kind) == "");
  for (const Op op : {Op::kUMod, Op::kSRem, Op::kSMod})
    CHECK(check_op({op, {kind, kind}, kind, {dividends, divisors}, remainder}, kind) == "");
}

TEST_CASE("32-bit and 16-bit division next to whole quotients") {
  for (const Kind kind : {Kind::kI16, Kind::kI32}) {
    std::uint64_t state = 11;
    Values dividends, divisors;
    for (int i = 0; i < 60; ++i) {
      const Bits divisor =
          (next_random(state) >> (64 - width_bits(kind))) >> next_random(state) % width_bits(kind);
      const Bits limit = ~Bits{0} >> (64 - width_bits(kind));
      const Bits factor = limit / (divisor + 1);
      divisors.push_back(divisor);
      for (const Bits offset : {-1, 0, 1}) dividends.push_back((factor * divisor + offset) & limit);
    }
    const auto oracle = [&](const Values& v) { return v[1] == 0 ? 0 : v[0] / v[1]; };
    CHECK(check_op({Op::kUDiv, {kind, kind}, kind, {dividends, divisors}, oracle}, kind) == "");
    const auto oracle_signed = [&](const Values& v) {
      return v[1] == 0 ? 0 : cut(kind, number_of(kind, true, v[0]) / number_of(kind, true, v[1]));
    };
    CHECK(check_op({Op::kSDiv, {kind, kind}, kind, {dividends, divisors}, oracle_signed}, kind) ==
          "");
  }
}

TEST_CASE("negation") {
  check_kinds(Op::kSNegate, kInts, 1, 1000,
              [](Kind kind, const Values& v) { return cut(kind, -number_of(kind, true, v[0])); });
  check_kinds(Op::kFNegate, kFloats, 1, 1000, [](Kind kind, const Values& v) {
    return v[0] ^ Bits { 1 } << (width_bits(kind) - 1);
  });
}

TEST_CASE("float arithmetic rounds once, and its NaNs do not depend on instruction set or form") {
  check_floats(Op::kFAdd, [](auto a, auto b) { return a + b; });
  check_floats(Op::kFSub, [](auto a, auto b) { return a - b; });
  check_floats(Op::kFMul, [](auto a, auto b) { return a * b; });
  check_floats(Op::kFDiv, [](auto a, auto b) { return a / b; });
}

TEST_CASE("a product with its sum or difference is what the two instructions give") {
  const auto sum = [](auto a, auto b) { return a + b; };
  const auto difference = [](auto a, auto b) { return a - b; };
  check_product(Op::kFMulPlus, 0, sum);
  check_product(Op::kFPlusMul, 1, sum);
  check_product(Op::kFMulMinus, 0, difference);
  check_product(Op::kFMinusMul, 1, difference);
}

TEST_CASE("float remainders are exact") {
  check_floats(Op::kFRem, [](auto a, auto b) { return std::fmod(a, b); });
  check_floats(Op::kFMod, [](auto a, auto b) {
    const auto remainder = std::fmod(a, b);
    if (remainder == 0) return std::copysign(remainder, b);
    return std::signbit(remainder) != std::signbit(b) ? remainder + b : remainder;
  });
}

}  // namespace
}  // namespace transpire::test
