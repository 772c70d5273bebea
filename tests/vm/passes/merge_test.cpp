// merge_accesses.
#include <doctest/doctest.h>

#include "tests/vm/passes/pass_case.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

/// Stores of several components are traced component by component, so the order of stores must be that of their
/// addresses.
const PassCase kMerged[] = {
    {"loads of neighbours become one, at the first one's place", R"(
    arguments: %p pointer, %q pointer
      %i i64 = GlobalId [0]
                                                           | %a i32 = Load %p + %i * 16 (global i32x3, align 4, parts 2+1 0+1 1+1)
      %c i32 = Load %p + %i * 16 + 8 (global i32, align 4) | %c i32 = Result %a [2]
      %d i32 = IAdd %c, i32:1
      %a i32 = Load %p + %i * 16 (global i32, align 4)     |
      %b i32 = Load %p + %i * 16 + 4 (global i32, align 4) | %b i32 = Result %a [1]
      %far i32 = Load %p + %i * 16 + 20 (global i32, align 4)
      %other i32 = Load %p + %i * 8 + 12 (global i32, align 4)
      %f f32 = Load %p + %i * 16 + 12 (global f32, align 4)
      Store %q + %i * 4, %d (global i32, align 4)
      %e i32 = IAdd %a, %b
      Store %q + %i * 4, %e (global i32, align 4)
      %g i32 = IAdd %far, %other
      Store %q + %i * 4, %g (global i32, align 4)
      Store %q + %i * 4, %f (global f32, align 4)
  )"},
    {"vectors keep their components, an alignment that the whole cannot promise keeps them apart",
     R"(
    arguments: %p pointer, %q pointer
      %i i64 = GlobalId [0]
                                                             | %a i32 = Load %p + %i * 64 (global i32x3, align 4, parts 1+2 0+1)
      %v i32 = Load %p + %i * 64 + 4 (global i32x2, align 4) | %v i32 = Result %a [1]
      %v1 i32 = Result %v [1]                                | %v1 i32 = Result %a [2]
      %a i32 = Load %p + %i * 64 (global i32, align 4)       |
      %x i32 = Load %p + %i * 64 + 32 (global i32, align 4)
      %w i32 = Load %p + %i * 64 + 36 (global i32x2, align 8)
      %w1 i32 = Result %w [1]
      Store %q + %i * 24, %a, %v, %v1, %x, %w, %w1 (global i32x6, align 4)
  )"},
    {"stores of neighbours become one, at the last one's place", R"(
    arguments: %p pointer, %q pointer
      %i i64 = GlobalId [0]
      %a i32 = Load %q + %i * 4 (constant i32, align 4)
      Store %p + %i * 8, %a (global i32, align 4)     |
      %b i32 = Load %q + %i * 4 + 400 (constant i32, align 4)
      Store %p + %i * 8 + 4, %b (global i32, align 4) | Store %p + %i * 8, %a, %b (global i32x2, align 4, parts 0+1 1+1)
      Store %p + %i * 8 + 800, %a (global i32, align 4)
      %c i32 = Load %q + %i * 4 (global i32, align 4)
      Store %p + %i * 8 + 804, %c (global i32, align 4)
  )"},
    {"stores of lanes that are as far apart as can be become one", R"(
    arguments: %p pointer
      %i i64 = GlobalId [0]
      Store %p + %i * -9223372036854775808, i32:1 (global i32, align 4)     | Store %p + %i * -9223372036854775808, i32:1, i32:2 (global i32x2, align 4, parts 0+1 1+1)
      Store %p + %i * -9223372036854775808 + 4, i32:2 (global i32, align 4) |
  )"},
    {"what may touch the same bytes between keeps accesses apart", R"(
    arguments: %p pointer, %q pointer
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
  )"},
    {"checks that look at their operands only do not keep accesses apart", R"(
    arguments: %p pointer, %q pointer
      %i i64 = GlobalId [0]
      %a i32 = Load %p + %i * 8 (global i32, align 4)     | %a i32 = Load %p + %i * 8 (global i32x2, align 4, parts 0+1 1+1)
      CheckChain %p, %q
      CheckFlag %q, i64:8 [1]
      CheckView %q, i64:8 [1]
      CheckIndex %i, %p [8]
      %b i32 = Load %p + %i * 8 + 4 (global i32, align 4) | %b i32 = Result %a [1]
      Store %q + %i * 8, %b (global i32, align 4)         |
      CheckChain %p, %q
      CheckFlag %q, i64:8 [1]
      Store %q + %i * 8 + 4, %a (global i32, align 4)     | Store %q + %i * 8, %b, %a (global i32x2, align 4, parts 0+1 1+1)
  )"},
};

void merge(Function& f) {
  order_blocks(f);
  analyse_divergence(f, {});
  merge_accesses(f);
}

TEST_CASE("accesses of neighbours become one") {
  for (const PassCase& c : kMerged) check_pass(c, merge);
}

}  // namespace
}  // namespace transpire::test
