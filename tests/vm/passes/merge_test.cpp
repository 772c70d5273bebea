// merge_accesses.
#include <doctest/doctest.h>

#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

using namespace vm;
using namespace vm::lir;

/// The function after the pass, which must do the same as before. Stores of several components are
/// traced component by component, so the order of stores must be that of their addresses.
std::string after(std::string_view text) {
  Function f = parse_lir(text);
  CHECK(verify(f) == "");
  order_blocks(f);
  analyse_divergence(f, {});
  const Function before = f;
  merge_accesses(f);
  CHECK(verify(f) == "");
  CHECK(compare_functions(before, f, 4) == "");
  return lir_text(f);
}

TEST_CASE("loads of neighbours become one, at the first one's place") {
  CHECK(after(R"(
    parameter p: pointer, slots 0+1
    parameter q: pointer, slots 1+1
    %p i64 = Argument [0]
    %q i64 = Argument [1]
    b0:
      %i i64 = GlobalId [0]
      %c i32 = Load %p + %i * 16 + 8 (global i32, align 4)
      %d i32 = IAdd %c, i32:1
      %a i32 = Load %p + %i * 16 (global i32, align 4)
      %b i32 = Load %p + %i * 16 + 4 (global i32, align 4)
      %far i32 = Load %p + %i * 16 + 20 (global i32, align 4)
      %other i32 = Load %p + %i * 8 + 12 (global i32, align 4)
      %f f32 = Load %p + %i * 16 + 12 (global f32, align 4)
      Store %q + %i * 4, %d (global i32, align 4)
      %e i32 = IAdd %a, %b
      Store %q + %i * 4, %e (global i32, align 4)
      %g i32 = IAdd %far, %other
      Store %q + %i * 4, %g (global i32, align 4)
      Store %q + %i * 4, %f (global f32, align 4)
      Return
  )") == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]
      %1 i32 = Load %2 + %0 * 16 (global i32x3, align 4, parts 2+1 0+1 1+1)
      %3 i32 = Result %1 [2]
      %4 i32 = IAdd %3, i32:1
      %5 i32 = Result %1 [1]
      %6 i32 = Load %2 + %0 * 16 + 20 (global i32, align 4)
      %7 i32 = Load %2 + %0 * 8 + 12 (global i32, align 4)
      %8 f32 = Load %2 + %0 * 16 + 12 (global f32, align 4)
      Store %9 + %0 * 4, %4 (global i32, align 4)
      %10 i32 = IAdd %1, %5
      Store %9 + %0 * 4, %10 (global i32, align 4)
      %11 i32 = IAdd %6, %7
      Store %9 + %0 * 4, %11 (global i32, align 4)
      Store %9 + %0 * 4, %8 (global f32, align 4)
      Return
  )"));
}

TEST_CASE(
    "vectors keep their components, an alignment that the whole cannot promise keeps them apart") {
  CHECK(after(R"(
    parameter p: pointer, slots 0+1
    parameter q: pointer, slots 1+1
    %p i64 = Argument [0]
    %q i64 = Argument [1]
    b0:
      %i i64 = GlobalId [0]
      %v i32 = Load %p + %i * 64 + 4 (global i32x2, align 4)
      %v1 i32 = Result %v [1]
      %a i32 = Load %p + %i * 64 (global i32, align 4)
      %x i32 = Load %p + %i * 64 + 32 (global i32, align 4)
      %w i32 = Load %p + %i * 64 + 36 (global i32x2, align 8)
      %w1 i32 = Result %w [1]
      Store %q + %i * 24, %a, %v, %v1, %x, %w, %w1 (global i32x6, align 4)
      Return
  )") == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]
      %1 i32 = Load %2 + %0 * 64 (global i32x3, align 4, parts 1+2 0+1)
      %3 i32 = Result %1 [1]
      %4 i32 = Result %1 [2]
      %5 i32 = Load %2 + %0 * 64 + 32 (global i32, align 4)
      %6 i32 = Load %2 + %0 * 64 + 36 (global i32x2, align 8)
      %7 i32 = Result %6 [1]
      Store %8 + %0 * 24, %1, %3, %4, %5, %6, %7 (global i32x6, align 4)
      Return
  )"));
}

TEST_CASE("stores of neighbours become one, at the last one's place") {
  CHECK(after(R"(
    parameter p: pointer, slots 0+1
    parameter q: pointer, slots 1+1
    %p i64 = Argument [0]
    %q i64 = Argument [1]
    b0:
      %i i64 = GlobalId [0]
      %a i32 = Load %q + %i * 4 (constant i32, align 4)
      Store %p + %i * 8, %a (global i32, align 4)
      %b i32 = Load %q + %i * 4 + 400 (constant i32, align 4)
      Store %p + %i * 8 + 4, %b (global i32, align 4)
      Store %p + %i * 8 + 800, %a (global i32, align 4)
      %c i32 = Load %q + %i * 4 (global i32, align 4)
      Store %p + %i * 8 + 804, %c (global i32, align 4)
      Return
  )") == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]
      %1 i32 = Load %2 + %0 * 4 (constant i32, align 4)
      %3 i32 = Load %2 + %0 * 4 + 400 (constant i32, align 4)
      Store %4 + %0 * 8, %1, %3 (global i32x2, align 4, parts 0+1 1+1)
      Store %4 + %0 * 8 + 800, %1 (global i32, align 4)
      %5 i32 = Load %2 + %0 * 4 (global i32, align 4)
      Store %4 + %0 * 8 + 804, %5 (global i32, align 4)
      Return
  )"));
}

TEST_CASE("stores of lanes that are as far apart as can be become one") {
  CHECK(after(R"(
    parameter p: pointer, slots 0+1
    %p i64 = Argument [0]
    b0:
      %i i64 = GlobalId [0]
      Store %p + %i * -9223372036854775808, i32:1 (global i32, align 4)
      Store %p + %i * -9223372036854775808 + 4, i32:2 (global i32, align 4)
      Return
  )") == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]
      Store %1 + %0 * -9223372036854775808, i32:1, i32:2 (global i32x2, align 4, parts 0+1 1+1)
      Return
  )"));
}

TEST_CASE("what may touch the same bytes between keeps accesses apart") {
  CHECK(after(R"(
    parameter p: pointer, slots 0+1
    parameter q: pointer, slots 1+1
    %p i64 = Argument [0]
    %q i64 = Argument [1]
    b0:
      %i i64 = GlobalId [0]
      %a i32 = Load %p + %i * 8 (global i32, align 4)
      Store %q + %i * 4, %a (global i32, align 4)
      %b i32 = Load %p + %i * 8 + 4 (global i32, align 4)
      %c i32 = Load %p + %i * 8 + 16 (global i32, align 4)
      %v i32 = Load %q (global i32, align 4, volatile)
      %d i32 = Load %p + %i * 8 + 20 (global i32, align 4)
      %s i32 = IAdd %b, %c
      %t i32 = IAdd %s, %d
      %u i32 = IAdd %t, %v
      Store %q + %i * 4 + 100, %u (global i32, align 4)
      Store %q + %i * 4 + 104, %u (global i32, align 4)
      Return
  )") == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]
      %1 i32 = Load %2 + %0 * 8 (global i32, align 4)
      Store %3 + %0 * 4, %1 (global i32, align 4)
      %4 i32 = Load %2 + %0 * 8 + 4 (global i32, align 4)
      %5 i32 = Load %2 + %0 * 8 + 16 (global i32, align 4)
      %6 i32 = Load %3 (global i32, align 4, volatile)
      %7 i32 = Load %2 + %0 * 8 + 20 (global i32, align 4)
      %8 i32 = IAdd %4, %5
      %9 i32 = IAdd %8, %7
      %10 i32 = IAdd %9, %6
      Store %3 + %0 * 4 + 100, %10 (global i32, align 4)
      Store %3 + %0 * 4 + 104, %10 (global i32, align 4)
      Return
  )"));
}

TEST_CASE("checks that look at their operands only do not keep accesses apart") {
  Function f = parse_lir(R"(
    parameter p: pointer, slots 0+1
    parameter q: pointer, slots 1+1
    %p i64 = Argument [0]
    %q i64 = Argument [1]
    b0:
      %i i64 = GlobalId [0]
      %a i32 = Load %p + %i * 8 (global i32, align 4)
      CheckChain %p, %q
      CheckFlag %q, i64:8 [1]
      CheckView %q, i64:8 [1]
      CheckIndex %i, %p [8]
      %b i32 = Load %p + %i * 8 + 4 (global i32, align 4)
      Store %q + %i * 8, %b (global i32, align 4)
      CheckChain %p, %q
      CheckFlag %q, i64:8 [1]
      Store %q + %i * 8 + 4, %a (global i32, align 4)
      Return
  )");
  CHECK(verify(f) == "");
  order_blocks(f);
  analyse_divergence(f, {});
  merge_accesses(f);
  CHECK(verify(f) == "");
  CHECK(lir_text(f) == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]
      %1 i32 = Load %2 + %0 * 8 (global i32x2, align 4, parts 0+1 1+1)
      CheckChain %2, %3
      CheckFlag %3, i64:8 [1]
      CheckView %3, i64:8 [1]
      CheckIndex %0, %2 [8]
      %4 i32 = Result %1 [1]
      CheckChain %2, %3
      CheckFlag %3, i64:8 [1]
      Store %3 + %0 * 8, %4, %1 (global i32x2, align 4, parts 0+1 1+1)
      Return
  )"));
}

}  // namespace
}  // namespace transpire::test
