// combine_products.
#include <doctest/doctest.h>

#include "tests/vm/passes/pass_case.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

// %x and %y differ between work-items, %s does not; all are between 1 and 2.
const std::string kOperands = R"(
    arguments: %p pointer, %argument i32
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

const std::string kScalar = R"(
      %s0 i32 = BitwiseOr %argument, i32:1065353216 | %s0 i32 = BitwiseOr %argument, i32:1065353216  ; uniform
      %s f32 = Bitcast %s0                          | %s f32 = Bitcast %s0  ; uniform
)";

/// Instructions behind kOperands.
const PassCase kProducts[] = {
    {"a product becomes part of the sum or difference that uses it, operands in order",
     kScalar + R"(
      %m0 f32 = FMul %x, %y   |
      %r0 f32 = FAdd %m0, %x  | %r0 f32 = FMulPlus %x, %y, %x
      %m1 f32 = FMul %y, %s   |
      %r1 f32 = FAdd %r0, %m1 | %r1 f32 = FPlusMul %r0, %y, %s
      %m2 f32 = FMul %s, %r0  |
      %r2 f32 = FSub %m2, %r1 | %r2 f32 = FMulMinus %s, %r0, %r1
      %m3 f32 = FMul %r2, %r1 |
      %r3 f32 = FSub %y, %m3  | %r3 f32 = FMinusMul %y, %r2, %r1
      Store %p + %i * 16, %r0, %r1, %r2, %r3 (global f32x4, align 4)
  )"},
    {"doubles too", R"(
      %xd f64 = FConvert %x
      %yd f64 = FConvert %y
      %m0 f64 = FMul %xd, %yd |
      %r0 f64 = FAdd %m0, %xd | %r0 f64 = FMulPlus %xd, %yd, %xd
      %m1 f64 = FMul %yd, %r0 |
      %r1 f64 = FSub %xd, %m1 | %r1 f64 = FMinusMul %xd, %yd, %r0
      Store %p + %i * 16, %r0, %r1 (global f64x2, align 8)
  )"},
    {"of two products the later joins; those of scalars join a scalar sum", kScalar + R"(
      %m0 f32 = FMul %x, %x
      %m1 f32 = FMul %y, %y   |
      %r0 f32 = FAdd %m0, %m1 | %r0 f32 = FPlusMul %m0, %y, %y
      %m2 f32 = FMul %x, %y
      %m3 f32 = FMul %r0, %y  |
      %r1 f32 = FSub %m3, %m2 | %r1 f32 = FMulMinus %r0, %y, %m2
      %m4 f32 = FMul %s, %s   |
      %r2 f32 = FAdd %m4, %s  | %r2 f32 = FMulPlus %s, %s, %s  ; uniform
      %r3 f32 = FAdd %r1, %r2
      Store %p + %i * 16, %r0, %r1, %r2, %r3 (global f32x4, align 4)
  )"},
    {"products used twice, of scalars for a row, or in another block stay", kScalar + R"(
      %twice f32 = FMul %x, %x
      %r0 f32 = FAdd %twice, %y
      %r1 f32 = FAdd %twice, %r0
      %square f32 = FMul %r1, %y
      %r2 f32 = FSub %square, %square
      %scalar f32 = FMul %s, %s | %scalar f32 = FMul %s, %s  ; uniform
      %r3 f32 = FAdd %scalar, %r2
      %away f32 = FMul %r3, %y
      Branch b1
    b1:                         | b1: from b0
      %r4 f32 = FAdd %away, %r3
      Store %p + %i * 16, %r0, %r1, %r2, %r4 (global f32x4, align 4)
  )"},
};

const PassCase kHalves{"halves are not joined: each of their steps goes through float", R"(
    arguments: %q pointer
      %i i64 = GlobalId [0]
      %v f16 = Load %q + %i * 2 (global f16, align 2)
      %m f16 = FMul %v, %v
      %s f16 = FAdd %m, %v
      Store %q + %i * 2, %s (global f16, align 2)
  )"};

void combine(Function& f) {
  order_blocks(f);
  analyse_divergence(f, {});
  combine_products(f);
  eliminate_dead_values(f);
}

TEST_CASE("a product becomes part of its sum") {
  for (const PassCase& c : kProducts) check_pass({c.name, kOperands + c.text}, combine);
  check_pass(kHalves, combine);
}

}  // namespace
}  // namespace transpire::test
