// Bit handlers against scalar oracles, every form and instruction set.
#include <doctest/doctest.h>

#include <bit>

#include "tests/vm/ops/row_runner.h"

namespace transpire::test {

using vm::Kind;
using vm::Op;

namespace {

constexpr Kind kInts[] = {Kind::kI8, Kind::kI16, Kind::kI32, Kind::kI64};

using Compute = Bits (*)(Bits a, Bits b, std::uint32_t width);

void check_binary(Op op, Compute compute) {
  for (const Kind kind : kInts) {
    const Values values = kind == Kind::kI8 ? all_values(kind) : edge_values(kind, 30);
    const Bits all = ~Bits{0} >> (64 - width_bits(kind));
    const auto oracle = [&](const Values& v) {
      return compute(v[0], v[1], width_bits(kind)) & all;
    };
    CHECK(check_op({op, {kind, kind}, kind, {values, values}, oracle}, kind) == "");
  }
}

void check_unary(Op op, Compute compute) {
  for (const Kind kind : kInts) {
    const Values values = width_bits(kind) <= 16 ? all_values(kind) : edge_values(kind, 1000);
    const Bits all = ~Bits{0} >> (64 - width_bits(kind));
    const auto oracle = [&](const Values& v) { return compute(v[0], 0, width_bits(kind)) & all; };
    CHECK(check_op({op, {kind}, kind, {values}, oracle}, kind) == "");
  }
}

Bits shift_right_arithmetic(Bits a, Bits b, std::uint32_t width) {
  const Bits sign = a >> (width - 1) & 1;
  for (Bits i = 0; i < b % width; ++i) a = a >> 1 | sign << (width - 1);
  return a;
}

Bits reverse(Bits a, Bits, std::uint32_t width) {
  Bits d = 0;
  for (std::uint32_t i = 0; i < width; ++i) d |= (a >> i & 1) << (width - 1 - i);
  return d;
}

}  // namespace

TEST_CASE("shift amounts count modulo the width") {
  check_binary(Op::kShiftLeftLogical,
               [](Bits a, Bits b, std::uint32_t width) { return a << b % width; });
  check_binary(Op::kShiftRightLogical,
               [](Bits a, Bits b, std::uint32_t width) { return a >> b % width; });
  check_binary(Op::kShiftRightArithmetic, shift_right_arithmetic);
}

TEST_CASE("bitwise logic") {
  check_binary(Op::kBitwiseOr, [](Bits a, Bits b, std::uint32_t) { return a | b; });
  check_binary(Op::kBitwiseXor, [](Bits a, Bits b, std::uint32_t) { return a ^ b; });
  check_binary(Op::kBitwiseAnd, [](Bits a, Bits b, std::uint32_t) { return a & b; });
  check_unary(Op::kNot, [](Bits a, Bits, std::uint32_t) { return ~a; });
}

TEST_CASE("bit count and bit reverse") {
  check_unary(Op::kBitCount, [](Bits a, Bits, std::uint32_t) { return Bits(std::popcount(a)); });
  check_unary(Op::kBitReverse, reverse);
}

}  // namespace transpire::test
