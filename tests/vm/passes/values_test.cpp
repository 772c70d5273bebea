// eliminate_common_values, hoist_invariants, eliminate_dead_values, fold_addresses, narrow_indexes.
#include <doctest/doctest.h>

#include "tests/random_cases.h"
#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/random_lir.h"
#include "tests/vm/passes/pass_case.h"
#include "vm/passes/narrow_indexes.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

struct ValuePass {
  Pass pass;
  PassCase c;
};

void hoist(Function& f) {
  canonicalise_loops(f);
  hoist_invariants(f);
}

void fold(Function& f) {
  analyse_divergence(f, {});
  fold_addresses(f);
  eliminate_dead_values(f);
  for (Value& value : f.values) value.spread = Spread::kVarying;
}

void narrow(Function& f) {
  order_blocks(f);
  analyse_divergence(f, {});
  narrow_indexes(f, {});
}

const ValuePass kValuePasses[] = {
    {eliminate_common_values, {"values computed above are not computed again, those beside are", R"(
    arguments: %a i32, %p pointer
      %x i32 = IAdd %a, i32:1
      %s i32 = IMul %a, %x
      %c bool = ULessThan %x, i32:5
      BranchConditional %c, b1, b2
    b1: from b0
      %t i32 = IMul %x, %a |
      %u i32 = ISub %t, %a | %u i32 = ISub %s, %a
      Store %p, %u (global i32, align 4)
      Branch b3
    b2: from b0
      %v i32 = ISub %s, %a
      Store %p, %v (global i32, align 4)
      Branch b3
    b3: from b1 b2
      %y i32 = Phi %t, %s  | %y i32 = Phi %s, %s
      %z i32 = Phi %t, %s  |
      %w i32 = IAdd %y, %z | %w i32 = IAdd %y, %y
      Store %p, %w (global i32, align 4)
  )"}},
    {eliminate_common_values, {"loads are common until something may have been written there", R"(
    arguments: %p pointer, %x private 8
      %a i32 = Load %p (global i32x2, align 4)
      %a1 i32 = Result %a [1]
      Store %x, %a (private i32, align 4)
      %b i32 = Load %p (global i32x2, align 4)         |
      %b1 i32 = Result %b [1]                          |
      Store %p, %b, %b1 (global i32x2, align 4)        | Store %p, %a, %a1 (global i32x2, align 4)
      %c i32 = Load %p (global i32x2, align 4)
      %k i32 = Load %p + 4 (constant i32, align 4)
      Store %p, %c (global i32, align 4)
      %l i32 = Load %p + 4 (constant i32, align 4)     |
      %v i32 = Load %p (global i32, align 4, volatile)
      %w i32 = Load %p (global i32, align 4, volatile)
      Store %p, %k, %l, %v, %w (global i32x4, align 4) | Store %p, %k, %k, %v, %w (global i32x4, align 4)
  )"}},
    {hoist,
     {"invariants leave all loops they can; what costs more only when it is always needed", R"(
    arguments: %a i32, %p pointer
                                   | %x i32 = IAdd %a, i32:7
      Branch b1
    b1: from b0 b5                 | b1: from b0 b8
      %i i32 = Phi i32:0, %i2
      Branch b2                    |
    b2: from b1 b4                 |
      %j i32 = Phi i32:0, %j2      |
      %x i32 = IAdd %a, i32:7      |
      %y i32 = IMul %x, %i
      %q i32 = UDiv %x, %i
                                   | %s i32 = IAdd %y, %q
                                   | Branch b2
                                   | b2: from b1 b7
                                   | %j i32 = Phi i32:0, %j2
      %c bool = ULessThan %j, i32:3
      BranchConditional %c, b3, b4
    b3: from b2
      %r i32 = UMod %x, %i
      Store %p, %r (global i32, align 4)
      Branch b4
    b4: from b2 b3
      %s i32 = IAdd %y, %q         |
      Store %p, %s (global i32, align 4)
      %j2 i32 = IAdd %j, i32:1
      %d bool = ULessThan %j2, i32:5
      BranchConditional %d, b2, b5 | BranchConditional %d, b7, b5
    b5: from b4
      %i2 i32 = IAdd %i, i32:1
      %e bool = ULessThan %i2, i32:5
      BranchConditional %e, b1, b6 | BranchConditional %e, b8, b6
    b6: from b5
      Return
                                   | b7: from b4
                                   | Branch b2
                                   | b8: from b5
                                   | Branch b1
  )"}},
    {eliminate_dead_values,
     {"dead values go, in cycles too; effects stay, and loads that may be findings", R"(
    arguments: %p pointer, %s private 8
      Branch b1
    b1: from b0 b1
      %i i32 = Phi i32:0, %i2
      %n i32 = Phi i32:0, %n2                          |
      %i2 i32 = IAdd %i, i32:1
      %n2 i32 = IAdd %n, i32:1                         |
      %x i32 = Load %p (global i32, align 4)
      %v i32 = Load %p (global i32, align 4, volatile)
      %inside i32 = Load %s + 4 (private i32, align 4) |
      %outside i32 = Load %s + 8 (private i32, align 4)
      %c bool = ULessThan %i2, i32:5
      BranchConditional %c, b1, b2
    b2: from b1
  )"}},
    {fold, {"accesses take over addresses of uniform bases, and offsets of any", R"(
    arguments: %p pointer, %n i64
      %g i64 = GlobalId [0]
      %a i64 = Address %p + %g * 16
      %a4 i64 = Address %a + 4
      %x i32 = Load %a (global i32, align 4)            | %x i32 = Load %p + %g * 16 (global i32, align 4)
      %y i32 = Load %a4 + 4 (global i32, align 4)       | %y i32 = Load %p + %g * 16 + 8 (global i32, align 4)
      %v i64 = Address %a4 + %g * 4 + 32
      %z i32 = Load %v (global i32, align 4)
      %u i64 = Address %p + %n * 4
      %w i32 = Load %u (global i32, align 4)
      Store %a4, %x, %y, %z, %w (global i32x4, align 4) | Store %p + %g * 16 + 4, %x, %y, %z, %w (global i32x4, align 4)
  )"}},
    {narrow, {"ids that are rows index in 32 bits", R"(
    arguments: %p pointer
      %g i64 = GlobalId [0]
      %t i32 = Truncate %g                                  | %0 i32 = Truncate %g
      %h i64 = IAdd %g, %g
      %w i64 = IAdd %h, %p
      %a i32 = Load %p + %g * 4 (global i32, align 4)       | %a i32 = Load %p + s32 %0 * 4 (global i32, align 4)
      %b i32 = Load %p + %w * 4 (global i32, align 4)
      %s i32 = IAdd %a, %t                                  | %s i32 = IAdd %a, %0
      Store %p + %g * 4 + 4, %s, %b (global i32x2, align 4) | Store %p + s32 %0 * 4 + 4, %s, %b (global i32x2, align 4)
  )"}},
};

TEST_CASE("value passes") {
  for (const ValuePass& row : kValuePasses) check_pass(row.c, row.pass);
}

TEST_CASE("value passes keep what random functions do") {
  for (std::uint32_t seed = 0; seed < random_cases(250); ++seed) {
    CAPTURE(seed);
    RandomLirOptions options;
    options.structured = seed % 4 != 0;
    options.private_variables = seed % 2;
    const Function before = random_lir(seed, options);
    Function f = before;
    canonicalise_loops(f);
    eliminate_common_values(f);
    REQUIRE(verify(f) == "");
    CHECK(compare_functions(before, f, 1) == "");
    hoist_invariants(f);
    REQUIRE(verify(f) == "");
    CHECK(compare_functions(before, f, 1) == "");
    eliminate_dead_values(f);
    canonicalise_loops(f);
    order_blocks(f);
    analyse_divergence(f, {});
    fold_addresses(f);
    REQUIRE(verify(f) == "");
    CHECK(compare_functions(before, f, 8) == "");
  }
}

}  // namespace
}  // namespace transpire::test
