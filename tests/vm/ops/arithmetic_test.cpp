// Arithmetic handlers against scalar oracles, every form and instruction set.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "tests/vm/ops/float_oracle.h"
#include "tests/vm/ops/row_runner.h"

namespace transpire::test {

using vm::Kind;
using vm::Op;

namespace {

__extension__ using Wide = __int128;

constexpr Kind kInts[] = {Kind::kI8, Kind::kI16, Kind::kI32, Kind::kI64};
constexpr Kind kFloats[] = {Kind::kF16, Kind::kF32, Kind::kF64};

Wide signed_value(Kind kind, Bits bits) {
  const std::uint32_t spare = 64 - width_bits(kind);
  return static_cast<std::int64_t>(bits << spare) >> spare;
}
Bits cut(Kind kind, Wide value) {
  return static_cast<Bits>(value) & ~Bits{0} >> (64 - width_bits(kind));
}

void check_integers(Op op, const std::function<Wide(Kind, Wide, Wide)>& of_signed,
                    const std::function<Wide(Kind, Wide, Wide)>& of_unsigned) {
  for (const Kind kind : kInts) {
    const Values values = kind == Kind::kI8 ? all_values(kind) : edge_values(kind, 24);
    const auto oracle = [&](const Values& v) {
      if (of_signed)
        return cut(kind, of_signed(kind, signed_value(kind, v[0]), signed_value(kind, v[1])));
      return cut(kind, of_unsigned(kind, v[0], v[1]));
    };
    CHECK(check_op({op, {kind, kind}, kind, {values, values}, oracle}, kind) == "");
  }
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
  for (const Kind kind : kFloats) {
    const Values values = edge_values(kind, 40);
    const auto oracle = [&](const Values& v) { return float_result(kind, v, compute); };
    CHECK(check_op({op, {kind, kind}, kind, {values, values}, oracle}, kind) == "");
  }
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

void check_unary(Op op, Kind kind, const Oracle& oracle) {
  const Values values = width_bits(kind) <= 16 ? all_values(kind) : edge_values(kind, 1000);
  CHECK(check_op({op, {kind}, kind, {values}, oracle}, kind) == "");
}

}  // namespace

TEST_CASE("integer addition, subtraction, multiplication wrap") {
  check_integers(Op::kIAdd, nullptr, [](Kind, Wide a, Wide b) { return a + b; });
  check_integers(Op::kISub, nullptr, [](Kind, Wide a, Wide b) { return a - b; });
  check_integers(
      Op::kIMul, [](Kind, Wide a, Wide b) { return a * b; }, nullptr);
}

TEST_CASE("high halves, carries and borrows") {
  check_integers(
      Op::kSMulHigh, [](Kind k, Wide a, Wide b) { return a * b >> width_bits(k); }, nullptr);
  check_integers(Op::kUMulHigh, nullptr, [](Kind k, Wide a, Wide b) {
    return static_cast<Wide>(
        static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b) >> width_bits(k));
  });
  check_integers(Op::kUAddCarry, nullptr,
                 [](Kind k, Wide a, Wide b) { return (a + b) >> width_bits(k); });
  check_integers(Op::kUSubBorrow, nullptr, [](Kind, Wide a, Wide b) -> Wide { return a < b; });
}

TEST_CASE("integer division: quotient 0 and remainder a when dividing by zero, wrapping overflow") {
  check_integers(Op::kUDiv, nullptr, [](Kind, Wide a, Wide b) { return b == 0 ? 0 : a / b; });
  check_integers(
      Op::kSDiv, [](Kind, Wide a, Wide b) { return b == 0 ? 0 : a / b; }, nullptr);
  check_integers(Op::kUMod, nullptr, [](Kind, Wide a, Wide b) { return b == 0 ? a : a % b; });
  check_integers(
      Op::kSRem, [](Kind, Wide a, Wide b) { return b == 0 ? a : a % b; }, nullptr);
  check_integers(
      Op::kSMod,
      [](Kind, Wide a, Wide b) {
        if (b == 0) return a;
        const Wide remainder = a % b;
        return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
      },
      nullptr);
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
      return v[1] == 0 ? 0 : cut(kind, signed_value(kind, v[0]) / signed_value(kind, v[1]));
    };
    CHECK(check_op({Op::kSDiv, {kind, kind}, kind, {dividends, divisors}, oracle_signed}, kind) ==
          "");
  }
}

TEST_CASE("negation") {
  for (const Kind kind : kInts)
    check_unary(Op::kSNegate, kind,
                [&](const Values& v) { return cut(kind, -signed_value(kind, v[0])); });
  for (const Kind kind : kFloats)
    check_unary(Op::kFNegate, kind,
                [&](const Values& v) { return v[0] ^ Bits { 1 } << (width_bits(kind) - 1); });
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

}  // namespace transpire::test
