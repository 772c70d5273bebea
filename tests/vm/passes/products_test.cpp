// combine_products.
#include <doctest/doctest.h>

#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

using namespace vm;
using namespace vm::lir;

// %x and %y differ between work-items, %s does not; all are between 1 and 2.
constexpr std::string_view kOperands = R"(
    parameter p: pointer, slots 0+1
    %p i64 = Argument [0]
    %argument i32 = Argument [1]
    b0:
      %s0 i32 = BitwiseOr %argument, i32:1065353216
      %s f32 = Bitcast %s0
      %i i64 = GlobalId [0]
      %x0 i32 = Load %p + %i * 4 (global i32, align 4)
      %x1 i32 = BitwiseAnd %x0, i32:8388607
      %x2 i32 = BitwiseOr %x1, i32:1065353216
      %x f32 = Bitcast %x2
      %y0 i32 = Load %p + %i * 4 + 4096 (global i32, align 4)
      %y1 i32 = BitwiseAnd %y0, i32:8388607
      %y2 i32 = BitwiseOr %y1, i32:1065353216
      %y f32 = Bitcast %y2
)";

Function combined(std::string_view text) {
  Function f = parse_lir(text);
  REQUIRE(verify(f) == "");
  order_blocks(f);
  analyse_divergence(f, {});
  combine_products(f);
  eliminate_dead_values(f);
  CHECK(verify(f) == "");
  return f;
}

/// What the pass makes of instructions that follow kOperands; those are left out. The function must
/// do what it did before.
std::string after(std::string_view instructions) {
  const std::string text = std::string(kOperands) + std::string(instructions);
  const Function f = combined(text);
  CHECK(compare_functions(parse_lir(text), f, 4) == "");
  const std::string all = lir_text(f);
  return "b0:\n" + all.substr(all.find('\n', all.rfind("Bitcast")) + 1);
}

TEST_CASE("a product becomes part of the sum or difference that uses it, operands in order") {
  CHECK(after(R"(
      %m0 f32 = FMul %x, %y
      %r0 f32 = FAdd %m0, %x
      %m1 f32 = FMul %y, %s
      %r1 f32 = FAdd %r0, %m1
      %m2 f32 = FMul %s, %r0
      %r2 f32 = FSub %m2, %r1
      %m3 f32 = FMul %r2, %r1
      %r3 f32 = FSub %y, %m3
      Store %p + %i * 16, %r0, %r1, %r2, %r3 (global f32x4, align 4)
      Return
  )") == dedent(R"(
    b0:
      %13 f32 = FMulPlus %8, %12, %8
      %14 f32 = FPlusMul %13, %12, %2
      %15 f32 = FMulMinus %2, %13, %14
      %16 f32 = FMinusMul %12, %15, %14
      Store %5 + %3 * 16, %13, %14, %15, %16 (global f32x4, align 4)
      Return
  )"));
}

TEST_CASE("doubles too") {
  CHECK(after(R"(
      %xd f64 = FConvert %x
      %yd f64 = FConvert %y
      %m0 f64 = FMul %xd, %yd
      %r0 f64 = FAdd %m0, %xd
      %m1 f64 = FMul %yd, %r0
      %r1 f64 = FSub %xd, %m1
      Store %p + %i * 16, %r0, %r1 (global f64x2, align 8)
      Return
  )") == dedent(R"(
    b0:
      %10 f64 = FConvert %5
      %11 f64 = FConvert %9
      %12 f64 = FMulPlus %10, %11, %10
      %13 f64 = FMinusMul %10, %11, %12
      Store %2 + %0 * 16, %12, %13 (global f64x2, align 8)
      Return
  )"));
}

TEST_CASE("of two products the later joins; those of scalars join a scalar sum") {
  CHECK(after(R"(
      %m0 f32 = FMul %x, %x
      %m1 f32 = FMul %y, %y
      %r0 f32 = FAdd %m0, %m1
      %m2 f32 = FMul %x, %y
      %m3 f32 = FMul %r0, %y
      %r1 f32 = FSub %m3, %m2
      %m4 f32 = FMul %s, %s
      %r2 f32 = FAdd %m4, %s
      %r3 f32 = FAdd %r1, %r2
      Store %p + %i * 16, %r0, %r1, %r2, %r3 (global f32x4, align 4)
      Return
  )") == dedent(R"(
    b0:
      %13 f32 = FMul %8, %8
      %14 f32 = FPlusMul %13, %12, %12
      %15 f32 = FMul %8, %12
      %16 f32 = FMulMinus %14, %12, %15
      %17 f32 = FMulPlus %2, %2, %2  ; uniform
      %18 f32 = FAdd %16, %17
      Store %5 + %3 * 16, %14, %16, %17, %18 (global f32x4, align 4)
      Return
  )"));
}

TEST_CASE("products used twice, of scalars for a row, or in another block stay") {
  CHECK(after(R"(
      %twice f32 = FMul %x, %x
      %r0 f32 = FAdd %twice, %y
      %r1 f32 = FAdd %twice, %r0
      %square f32 = FMul %r1, %y
      %r2 f32 = FSub %square, %square
      %scalar f32 = FMul %s, %s
      %r3 f32 = FAdd %scalar, %r2
      %away f32 = FMul %r3, %y
      Branch b1
    b1:
      %r4 f32 = FAdd %away, %r3
      Store %p + %i * 16, %r0, %r1, %r2, %r4 (global f32x4, align 4)
      Return
  )") == dedent(R"(
    b0:
      %13 f32 = FMul %8, %8
      %14 f32 = FAdd %13, %12
      %15 f32 = FAdd %13, %14
      %16 f32 = FMul %15, %12
      %17 f32 = FSub %16, %16
      %18 f32 = FMul %2, %2  ; uniform
      %19 f32 = FAdd %18, %17
      %20 f32 = FMul %19, %12
      Branch b1
    b1: from b0
      %21 f32 = FAdd %20, %19
      Store %5 + %3 * 16, %14, %15, %17, %21 (global f32x4, align 4)
      Return
  )"));
}

TEST_CASE("halves are not joined: each of their steps goes through float") {
  const std::string text = dedent(R"(
    b0:
      %0 i64 = GlobalId [0]
      %1 f16 = Load %2 + %0 * 2 (global f16, align 2)
      %3 f16 = FMul %1, %1
      %4 f16 = FAdd %3, %1
      Store %2 + %0 * 2, %4 (global f16, align 2)
      Return
  )");
  CHECK(lir_text(combined("parameter p: pointer, slots 0+1\n%2 i64 = Argument [0]\n" + text)) ==
        text);
}

}  // namespace
}  // namespace transpire::test
