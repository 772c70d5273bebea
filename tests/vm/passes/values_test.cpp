// eliminate_common_values, hoist_invariants, eliminate_dead_values, fold_addresses, narrow_indexes.
#include <doctest/doctest.h>

#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "tests/vm/lir/random_lir.h"
#include "vm/passes/narrow_indexes.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

using namespace vm;
using namespace vm::lir;

template <class Pass>
std::string after(std::string_view text, Pass pass) {
  Function f = parse_lir(text);
  CHECK(verify(f) == "");
  const Function before = f;
  pass(f);
  CHECK(verify(f) == "");
  CHECK(compare_functions(before, f, 4) == "");
  return lir_text(f);
}

TEST_CASE("values computed above are not computed again, those beside are") {
  CHECK(after(R"(
    parameter a: value, slots 0+1
    parameter p: pointer, slots 1+1
    %a i32 = Argument [0]
    %p i64 = Argument [1]
    b0:
      %x i32 = IAdd %a, i32:1
      %s i32 = IMul %a, %x
      %c bool = ULessThan %x, i32:5
      BranchConditional %c, b1, b2
    b1: from b0
      %t i32 = IMul %x, %a
      %u i32 = ISub %t, %a
      Store %p, %u (global i32, align 4)
      Branch b3
    b2: from b0
      %v i32 = ISub %s, %a
      Store %p, %v (global i32, align 4)
      Branch b3
    b3: from b1 b2
      %y i32 = Phi %t, %s
      %z i32 = Phi %t, %s
      %w i32 = IAdd %y, %z
      Store %p, %w (global i32, align 4)
      Return
  )",
              eliminate_common_values) == dedent(R"(
    b0:
      %0 i32 = IAdd %1, i32:1
      %2 i32 = IMul %1, %0
      %3 bool = ULessThan %0, i32:5
      BranchConditional %3, b1, b2
    b1: from b0
      %4 i32 = ISub %2, %1
      Store %5, %4 (global i32, align 4)
      Branch b3
    b2: from b0
      %6 i32 = ISub %2, %1
      Store %5, %6 (global i32, align 4)
      Branch b3
    b3: from b1 b2
      %7 i32 = Phi %2, %2
      %8 i32 = IAdd %7, %7
      Store %5, %8 (global i32, align 4)
      Return
  )"));
}

TEST_CASE("loads are common until something may have been written there") {
  CHECK(after(R"(
    parameter p: pointer, slots 0+1
    private x: 8 bytes, slot 1
    %p i64 = Argument [0]
    %x i64 = Argument [1]
    b0:
      %a i32 = Load %p (global i32x2, align 4)
      %a1 i32 = Result %a [1]
      Store %x, %a (private i32, align 4)
      %b i32 = Load %p (global i32x2, align 4)
      %b1 i32 = Result %b [1]
      Store %p, %b, %b1 (global i32x2, align 4)
      %c i32 = Load %p (global i32x2, align 4)
      %k i32 = Load %p + 4 (constant i32, align 4)
      Store %p, %c (global i32, align 4)
      %l i32 = Load %p + 4 (constant i32, align 4)
      %v i32 = Load %p (global i32, align 4, volatile)
      %w i32 = Load %p (global i32, align 4, volatile)
      Store %p, %k, %l, %v, %w (global i32x4, align 4)
      Return
  )",
              eliminate_common_values) == dedent(R"(
    b0:
      %0 i32 = Load %1 (global i32x2, align 4)
      %2 i32 = Result %0 [1]
      Store %3, %0 (private i32, align 4)
      Store %1, %0, %2 (global i32x2, align 4)
      %4 i32 = Load %1 (global i32x2, align 4)
      %5 i32 = Load %1 + 4 (constant i32, align 4)
      Store %1, %4 (global i32, align 4)
      %6 i32 = Load %1 (global i32, align 4, volatile)
      %7 i32 = Load %1 (global i32, align 4, volatile)
      Store %1, %5, %5, %6, %7 (global i32x4, align 4)
      Return
  )"));
}

TEST_CASE("invariants leave all loops they can; what costs more only when it is always needed") {
  CHECK(after(R"(
    parameter a: value, slots 0+1
    parameter p: pointer, slots 1+1
    %a i32 = Argument [0]
    %p i64 = Argument [1]
    b0:
      Branch b1
    b1: from b0 b5
      %i i32 = Phi i32:0, %i2
      Branch b2
    b2: from b1 b4
      %j i32 = Phi i32:0, %j2
      %x i32 = IAdd %a, i32:7
      %y i32 = IMul %x, %i
      %q i32 = UDiv %x, %i
      %c bool = ULessThan %j, i32:3
      BranchConditional %c, b3, b4
    b3: from b2
      %r i32 = UMod %x, %i
      Store %p, %r (global i32, align 4)
      Branch b4
    b4: from b2 b3
      %s i32 = IAdd %y, %q
      Store %p, %s (global i32, align 4)
      %j2 i32 = IAdd %j, i32:1
      %d bool = ULessThan %j2, i32:5
      BranchConditional %d, b2, b5
    b5: from b4
      %i2 i32 = IAdd %i, i32:1
      %e bool = ULessThan %i2, i32:5
      BranchConditional %e, b1, b6
    b6: from b5
      Return
  )",
              [](Function& f) {
                canonicalise_loops(f);
                hoist_invariants(f);
              }) == dedent(R"(
    b0:
      %0 i32 = IAdd %1, i32:7
      Branch b1
    b1: from b0 b8
      %2 i32 = Phi i32:0, %3
      %4 i32 = IMul %0, %2
      %5 i32 = UDiv %0, %2
      %6 i32 = IAdd %4, %5
      Branch b2
    b2: from b1 b7
      %7 i32 = Phi i32:0, %8
      %9 bool = ULessThan %7, i32:3
      BranchConditional %9, b3, b4
    b3: from b2
      %10 i32 = UMod %0, %2
      Store %11, %10 (global i32, align 4)
      Branch b4
    b4: from b2 b3
      Store %11, %6 (global i32, align 4)
      %8 i32 = IAdd %7, i32:1
      %12 bool = ULessThan %8, i32:5
      BranchConditional %12, b7, b5
    b5: from b4
      %3 i32 = IAdd %2, i32:1
      %13 bool = ULessThan %3, i32:5
      BranchConditional %13, b8, b6
    b6: from b5
      Return
    b7: from b4
      Branch b2
    b8: from b5
      Branch b1
  )"));
}

TEST_CASE("dead values go, in cycles too; effects stay, and loads that may be findings") {
  CHECK(after(R"(
    parameter p: pointer, slots 0+1
    private s: 8 bytes, slot 1
    %p i64 = Argument [0]
    %s i64 = Argument [1]
    b0:
      Branch b1
    b1: from b0 b1
      %i i32 = Phi i32:0, %i2
      %n i32 = Phi i32:0, %n2
      %i2 i32 = IAdd %i, i32:1
      %n2 i32 = IAdd %n, i32:1
      %x i32 = Load %p (global i32, align 4)
      %v i32 = Load %p (global i32, align 4, volatile)
      %inside i32 = Load %s + 4 (private i32, align 4)
      %outside i32 = Load %s + 8 (private i32, align 4)
      %c bool = ULessThan %i2, i32:5
      BranchConditional %c, b1, b2
    b2: from b1
      Return
  )",
              eliminate_dead_values) == dedent(R"(
    b0:
      Branch b1
    b1: from b0 b1
      %0 i32 = Phi i32:0, %1
      %1 i32 = IAdd %0, i32:1
      %2 i32 = Load %3 (global i32, align 4)
      %4 i32 = Load %3 (global i32, align 4, volatile)
      %5 i32 = Load %6 + 8 (private i32, align 4)
      %7 bool = ULessThan %1, i32:5
      BranchConditional %7, b1, b2
    b2: from b1
      Return
  )"));
}

TEST_CASE("accesses take over addresses of uniform bases, and offsets of any") {
  CHECK(after(R"(
    parameter p: pointer, slots 0+1
    parameter n: value, slots 1+1
    %p i64 = Argument [0]
    %n i64 = Argument [1]
    b0:
      %g i64 = GlobalId [0]
      %a i64 = Address %p + %g * 16
      %a4 i64 = Address %a + 4
      %x i32 = Load %a (global i32, align 4)
      %y i32 = Load %a4 + 4 (global i32, align 4)
      %v i64 = Address %a4 + %g * 4 + 32
      %z i32 = Load %v (global i32, align 4)
      %u i64 = Address %p + %n * 4
      %w i32 = Load %u (global i32, align 4)
      Store %a4, %x, %y, %z, %w (global i32x4, align 4)
      Return
  )",
              [](Function& f) {
                analyse_divergence(f, {});
                fold_addresses(f);
                eliminate_dead_values(f);
                for (Value& value : f.values) value.spread = Spread::kVarying;
              }) == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]
      %1 i64 = Address %2 + %0 * 16
      %3 i64 = Address %1 + 4
      %4 i32 = Load %2 + %0 * 16 (global i32, align 4)
      %5 i32 = Load %2 + %0 * 16 + 8 (global i32, align 4)
      %6 i64 = Address %3 + %0 * 4 + 32
      %7 i32 = Load %6 (global i32, align 4)
      %8 i64 = Address %2 + %9 * 4
      %10 i32 = Load %8 (global i32, align 4)
      Store %2 + %0 * 16 + 4, %4, %5, %7, %10 (global i32x4, align 4)
      Return
  )"));
}

TEST_CASE("ids that are rows index in 32 bits") {
  Function f = parse_lir(R"(
    parameter p: pointer, slots 0+1
    %p i64 = Argument [0]
    b0:
      %g i64 = GlobalId [0]
      %t i32 = Truncate %g
      %h i64 = IAdd %g, %g
      %w i64 = IAdd %h, %p
      %a i32 = Load %p + %g * 4 (global i32, align 4)
      %b i32 = Load %p + %w * 4 (global i32, align 4)
      %s i32 = IAdd %a, %t
      Store %p + %g * 4 + 4, %s, %b (global i32x2, align 4)
      Return
  )");
  const Function before = f;
  order_blocks(f);
  analyse_divergence(f, {});
  narrow_indexes(f, {});
  CHECK(verify(f) == "");
  CHECK(compare_functions(before, f, 4) == "");
  CHECK(lir_text(f) == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]
      %1 i32 = Truncate %0
      %2 i64 = IAdd %0, %0
      %3 i64 = IAdd %2, %4
      %5 i32 = Load %4 + s32 %1 * 4 (global i32, align 4)
      %6 i32 = Load %4 + %3 * 4 (global i32, align 4)
      %7 i32 = IAdd %5, %1
      Store %4 + s32 %1 * 4 + 4, %7, %6 (global i32x2, align 4)
      Return
  )"));
}

TEST_CASE("value passes keep what random functions do") {
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
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
