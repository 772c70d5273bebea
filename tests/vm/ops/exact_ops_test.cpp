// Handlers of ops whose results are exactly defined, against the arithmetic oracle: every form and instruction set, every pair of
// bytes, every half, and of wider kinds edges and random bits.
#include <doctest/doctest.h>

#include <optional>

#include "tests/vm/ops/op_oracle.h"
#include "tests/vm/ops/row_runner.h"
#include "vm/ops/op.h"

namespace transpire::test {

namespace {

/// Every row of these tables, so a new one needs its meaning in the oracle.
constexpr Op kExactOps[] = {
#define TRANSPIRE_OP(name, shape, kinds, cheap, flags, meaning) Op::k##name,
#include "extinst/common.def"
#include "extinst/integer.def"
#include "vm/ops/arithmetic.def"
#include "vm/ops/bit.def"
#include "vm/ops/relational_logical.def"
#undef TRANSPIRE_OP
};

/// Ops that give the second result of an instruction.
struct SecondResult {
  Op op;
  std::string_view instruction;
};
constexpr SecondResult kSecondResults[] = {{Op::kSMulHigh, "OpSMulExtended"},
                                           {Op::kUMulHigh, "OpUMulExtended"},
                                           {Op::kUAddCarry, "OpIAddCarry"},
                                           {Op::kUSubBorrow, "OpISubBorrow"},
                                           {Op::kFrexpExponent, "frexp"}};

/// Ops that are a multiplication of the operands from `factor` on, and another instruction of the product and the rest.
struct ProductAndMore {
  Op op;
  std::size_t factor;
  std::string_view instruction;
};
constexpr ProductAndMore kProductsWithMore[] = {{Op::kFMulPlus, 0, "OpFAdd"},
                                                {Op::kFPlusMul, 1, "OpFAdd"},
                                                {Op::kFMulMinus, 0, "OpFSub"},
                                                {Op::kFMinusMul, 1, "OpFSub"}};

Oracle oracle_of_product(const ProductAndMore& of, Kind kind) {
  const oracle::Compute multiply = instruction_named("OpFMul").compute,
                        combine = instruction_named(of.instruction).compute;
  return [=, factor = of.factor](const Values& v) {
    const Bits product = multiply(scalar_of(kind), &v[factor]);
    const Bits both[] = {factor == 0 ? product : v[0], factor == 0 ? v[2] : product};
    return combine(scalar_of(kind), both);
  };
}

Oracle oracle_of(Op op, Kind kind, Kind result) {
  if (op == Op::kSelect) return [](const Values& v) { return v[0] != 0 ? v[1] : v[2]; };
  for (const ProductAndMore& each : kProductsWithMore)
    if (each.op == op) return oracle_of_product(each, kind);
  std::optional<oracle::Compute> compute;
  for (const SecondResult& each : kSecondResults)
    if (each.op == op) compute = instruction_named(each.instruction).second;
  if (!compute) compute = instruction_named(info(op).name).compute;
  return [=](const Values& v) {
    return cut(result, static_cast<Wide>((*compute)(scalar_of(kind), v.data())));
  };
}

std::vector<Kind> operands_of(Shape shape, Kind kind) {
  switch (shape) {
    case Shape::kBinary:
    case Shape::kCompare:
    case Shape::kMask:
      return {kind, kind};
    case Shape::kTernary:
      return {kind, kind, kind};
    case Shape::kSelect:
      return {Kind::kBool, kind, kind};
    case Shape::kIntFloat:
      return {kind, Kind::kI32};
    default:
      return {kind};
  }
}

Kind result_of(Shape shape, Kind kind) {
  if (shape == Shape::kFloatInt) return Kind::kI32;
  return shape == Shape::kCompare || shape == Shape::kTest ? Kind::kBool : kind;
}

/// Enough of a mix that whole words of masks differ.
Values random_bools(std::uint64_t seed) {
  Values values(300);
  for (Bits& v : values) v = next_random(seed) & 1;
  return values;
}

/// Operands of one kind, `count` of them.
std::vector<Values> numbers(Kind kind, std::size_t count) {
  const bool takes_all = width_bits(kind) <= (count == 1 ? 16u : count == 2 ? 8u : 0u);
  Values values = takes_all ? all_values(kind)
                            : edge_values(kind, count == 1   ? 2000
                                                : count == 2 ? 40
                                                             : 4);
  if (count == 3) values.resize(std::min<std::size_t>(values.size(), 40));
  return std::vector<Values>(count, values);
}

/// Numbers to scale by that lead to denormals, zeros and infinities of each float kind.
Values exponents() {
  Values values = {0x7fffffffu, 0x80000000u};
  for (const std::uint32_t n :
       {0u, 1u, 10u, 24u, 52u, 100u, 126u, 149u, 300u, 970u, 1022u, 1075u, 2098u, 2200u})
    values.insert(values.end(), {n, (0u - n) & 0xffffffffu});
  return values;
}

/// Lists of operands; each of them is tried by itself.
std::vector<std::vector<Values>> operand_lists(Op op, Kind kind) {
  const Shape shape = info(op).shape;
  const Values both = {0, 1};
  if (shape == Shape::kMaskUnary) return {{random_bools(3)}};
  if (shape == Shape::kMask) return {{random_bools(1), both}, {both, random_bools(2)}};
  if (shape == Shape::kSelect) {
    const Values some = edge_values(kind, 3);
    const Values few(some.begin(), some.begin() + (kind == Kind::kBool ? 2 : 3));
    return {{random_bools(4), some, few}, {both, few, some}};
  }
  if (shape == Shape::kIntFloat) return {{edge_values(kind, 100), exponents()}};
  return {numbers(kind, operands_of(shape, kind).size())};
}

TEST_CASE("handlers of exact ops give what the arithmetic oracle says") {
  for (const Op op : kExactOps) {
    for (std::size_t k = 0; k < vm::kKindCount; ++k) {
      const auto kind = static_cast<Kind>(k);
      if ((info(op).kinds & bit(kind)) == 0) continue;
      const Kind result = result_of(info(op).shape, kind);
      OpCase c{op, operands_of(info(op).shape, kind), result, {}, oracle_of(op, kind, result)};
      for (std::vector<Values>& values : operand_lists(op, kind)) {
        c.values = std::move(values);
        CHECK(check_op(c, kind) == "");
      }
    }
  }
}

void check_divisions(Kind kind, const Values& dividends, const Values& divisors) {
  for (const Op op : {Op::kUDiv, Op::kSDiv, Op::kUMod, Op::kSRem, Op::kSMod})
    CHECK(check_op({op, {kind, kind}, kind, {dividends, divisors}, oracle_of(op, kind, kind)},
                   kind) == "");
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
  check_divisions(Kind::kI64, dividends, divisors);
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
    check_divisions(kind, dividends, divisors);
  }
}

}  // namespace
}  // namespace transpire::test
