// combine_products.
#include <doctest/doctest.h>

#include "tests/vm/lower/lir_machine.h"
#include "tests/vm/lower/lir_text.h"
#include "vm/lower/passes.h"

namespace transpire::tests {
namespace {

using namespace vm;
using namespace vm::lir;

/// The function after the pass, which must do the same as before.
std::string after(std::string_view text) {
  Function f = parse_lir(text);
  REQUIRE(verify(f) == "");
  order_blocks(f);
  analyse_divergence(f, {});
  const Function before = f;
  combine_products(f);
  eliminate_dead_values(f);
  CHECK(verify(f) == "");
  CHECK(compare_functions(before, f, 4) == "");
  return lir_text(f);
}

TEST_CASE("a product becomes part of the sum or difference that uses it, operands in order") {
  CHECK(after(R"(
    parameter p: pointer, slots 0+1
    %p i64 = Argument [0]
    %s f32 = Argument [1]
    b0:
      %i i64 = GlobalId [0]
      %x f32 = Load %p + %i * 4 (global f32, align 4)
      %y f32 = Load %p + %i * 4 + 4096 (global f32, align 4)
      %m0 f32 = FMul %x, %y
      %r0 f32 = FAdd %m0, %x
      %m1 f32 = FMul %y, %s
      %r1 f32 = FAdd %r0, %m1
      %m2 f32 = FMul %s, %r0
      %r2 f32 = FSub %m2, %r1
      %m3 f32 = FMul %r2, %r1
      %r3 f32 = FSub %y, %m3
      Store %p + %i * 4, %r3 (global f32, align 4)
      Return
  )") == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]
      %1 f32 = Load %2 + %0 * 4 (global f32, align 4)
      %3 f32 = Load %2 + %0 * 4 + 4096 (global f32, align 4)
      %4 f32 = FMulPlus %1, %3, %1
      %5 f32 = FPlusMul %4, %3, %6
      %7 f32 = FMulMinus %6, %4, %5
      %8 f32 = FMinusMul %3, %7, %5
      Store %2 + %0 * 4, %8 (global f32, align 4)
      Return
  )"));
}

TEST_CASE("of two products the later joins; those of scalars join a scalar sum") {
  CHECK(after(R"(
    parameter p: pointer, slots 0+1
    %p i64 = Argument [0]
    %s f32 = Argument [1]
    b0:
      %i i64 = GlobalId [0]
      %x f32 = Load %p + %i * 4 (global f32, align 4)
      %y f32 = Load %p + %i * 4 + 4096 (global f32, align 4)
      %m0 f32 = FMul %x, %x
      %m1 f32 = FMul %y, %y
      %r0 f32 = FAdd %m0, %m1
      %m2 f32 = FMul %x, %y
      %m3 f32 = FMul %r0, %y
      %r1 f32 = FSub %m3, %m2
      %m4 f32 = FMul %s, %s
      %r2 f32 = FAdd %m4, %s
      %r3 f32 = FAdd %r1, %r2
      Store %p + %i * 4, %r3 (global f32, align 4)
      Return
  )") == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]
      %1 f32 = Load %2 + %0 * 4 (global f32, align 4)
      %3 f32 = Load %2 + %0 * 4 + 4096 (global f32, align 4)
      %4 f32 = FMul %1, %1
      %5 f32 = FPlusMul %4, %3, %3
      %6 f32 = FMul %1, %3
      %7 f32 = FMulMinus %5, %3, %6
      %8 f32 = FMulPlus %9, %9, %9  ; uniform
      %10 f32 = FAdd %7, %8
      Store %2 + %0 * 4, %10 (global f32, align 4)
      Return
  )"));
}

TEST_CASE("products used twice, of scalars for a row, of halves, or in another block stay") {
  CHECK(after(R"(
    parameter p: pointer, slots 0+1
    %p i64 = Argument [0]
    %s f32 = Argument [1]
    b0:
      %i i64 = GlobalId [0]
      %x f32 = Load %p + %i * 4 (global f32, align 4)
      %h f16 = Load %p + %i * 2 + 4096 (global f16, align 2)
      %twice f32 = FMul %x, %x
      %r0 f32 = FAdd %twice, %x
      %r1 f32 = FAdd %twice, %r0
      %double f32 = FMul %r1, %r1
      %r2 f32 = FAdd %double, %double
      %scalar f32 = FMul %s, %s
      %r3 f32 = FAdd %scalar, %r2
      %hm f16 = FMul %h, %h
      %hr f16 = FAdd %hm, %h
      Store %p + %i * 2 + 4096, %hr (global f16, align 2)
      %away f32 = FMul %r3, %r3
      Branch b1
    b1:
      %r4 f32 = FAdd %away, %r3
      Store %p + %i * 4, %r4 (global f32, align 4)
      Return
  )") == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]
      %1 f32 = Load %2 + %0 * 4 (global f32, align 4)
      %3 f16 = Load %2 + %0 * 2 + 4096 (global f16, align 2)
      %4 f32 = FMul %1, %1
      %5 f32 = FAdd %4, %1
      %6 f32 = FAdd %4, %5
      %7 f32 = FMul %6, %6
      %8 f32 = FAdd %7, %7
      %9 f32 = FMul %10, %10  ; uniform
      %11 f32 = FAdd %9, %8
      %12 f16 = FMul %3, %3
      %13 f16 = FAdd %12, %3
      Store %2 + %0 * 2 + 4096, %13 (global f16, align 2)
      %14 f32 = FMul %11, %11
      Branch b1
    b1: from b0
      %15 f32 = FAdd %14, %11
      Store %2 + %0 * 4, %15 (global f32, align 4)
      Return
  )"));
}

}  // namespace
}  // namespace transpire::tests
