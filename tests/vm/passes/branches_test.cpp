// convert_branches, and run_passes as a whole.
#include <doctest/doctest.h>

#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "tests/vm/lir/random_lir.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

using namespace vm;
using namespace vm::lir;

std::string converted(std::string_view text) {
  Function f = parse_lir(text);
  CHECK(verify(f) == "");
  const Function before = f;
  convert_branches(f);
  CHECK(verify(f) == "");
  CHECK(compare_functions(before, f, 4) == "");
  return lir_text(f);
}

TEST_CASE("nested ifs with short arms become selects, inner ones first") {
  CHECK(converted(R"(
    parameter a: value, slots 0+1
    parameter p: pointer, slots 1+1
    %a i32 = Argument [0]
    %p i64 = Argument [1]
    b0:
      %c bool = ULessThan %a, i32:5
      BranchConditional %c, b1, b4
    b1: from b0
      %x i32 = IAdd %a, i32:1
      %d bool = ULessThan %x, i32:3
      BranchConditional %d, b2, b3
    b2: from b1
      %y i32 = IMul %x, i32:3
      Branch b3
    b3: from b1 b2
      %z i32 = Phi %x, %y
      Branch b5
    b4: from b0
      %w i32 = ISub %a, i32:9
      Branch b5
    b5: from b3 b4
      %r i32 = Phi %z, %w
      Store %p, %r (global i32, align 4)
      Return
  )") == dedent(R"(
    b0:
      %0 bool = ULessThan %1, i32:5
      %2 i32 = IAdd %1, i32:1
      %3 bool = ULessThan %2, i32:3
      %4 i32 = IMul %2, i32:3
      %5 i32 = Select %3, %4, %2
      %6 i32 = ISub %1, i32:9
      %7 i32 = Select %0, %5, %6
      Store %8, %7 (global i32, align 4)
      Return
  )"));
}

TEST_CASE("tests in a row with a common target become one") {
  CHECK(converted(R"(
    parameter a: value, slots 0+1
    parameter p: pointer, slots 1+1
    %a i32 = Argument [0]
    %p i64 = Argument [1]
    b0:
      %c bool = ULessThan %a, i32:5
      BranchConditional %c, b1, b3
    b1: from b0
      %x i32 = IAdd %a, i32:1
      %d bool = ULessThan %x, i32:3
      BranchConditional %d, b2, b3
    b2: from b1
      Store %p, %x (global i32, align 4)
      Branch b3
    b3: from b0 b1 b2
      %r i32 = Phi i32:1, %x, i32:3
      Store %p, %r (global i32, align 4)
      Return
  )") == dedent(R"(
    b0:
      %0 bool = ULessThan %1, i32:5
      %2 i32 = IAdd %1, i32:1
      %3 bool = ULessThan %2, i32:3
      %4 bool = LogicalAnd %0, %3
      %5 i32 = Select %0, %2, i32:1
      BranchConditional %4, b1, b2
    b1: from b0
      Store %6, %2 (global i32, align 4)
      Branch b2
    b2: from b0 b1
      %7 i32 = Phi %5, i32:3
      Store %6, %7 (global i32, align 4)
      Return
  )"));
}

TEST_CASE("arms with loads, stores, divisions or uniform conditions stay branches") {
  const char* arms[] = {
      "%x i32 = Load %p (global i32, align 4)",
      "%x i32 = UDiv %a, i32:7",
      "%x i32 = IAdd %a, i32:7\nStore %p, %x (global i32, align 4)",
  };
  for (const char* arm : arms) {
    CAPTURE(arm);
    const std::string text = std::string(R"(
      parameter a: value, slots 0+1
      parameter p: pointer, slots 1+1
      %a i32 = Argument [0]
      %p i64 = Argument [1]
      b0:
        %c bool = ULessThan %a, i32:5
        BranchConditional %c, b1, b2
      b1: from b0
        )") + arm + R"(
        Branch b2
      b2: from b0 b1
        %r i32 = Phi %a, %x
        Store %p, %r (global i32, align 4)
        Return
    )";
    CHECK(converted(text).find("BranchConditional") != std::string::npos);
  }
}

TEST_CASE("a uniform condition stays a branch") {
  Function f = parse_lir(R"(
    parameter a: value, slots 0+1
    parameter p: pointer, slots 1+1
    %a i32 = Argument [0]
    %p i64 = Argument [1]
    b0:
      %c bool = ULessThan %a, i32:5
      BranchConditional %c, b1, b2
    b1: from b0
      %x i32 = IAdd %a, i32:7
      Branch b2
    b2: from b0 b1
      %r i32 = Phi %a, %x
      Store %p, %r (global i32, align 4)
      Return
  )");
  analyse_divergence(f, {});
  convert_branches(f);
  CHECK(f.blocks.size() == 3);
}

TEST_CASE("saxpy as clang writes it without optimisation") {
  Function f = parse_lir(R"(
    parameter n: value, slots 0+1
    parameter a: value, slots 1+1
    parameter x: pointer, slots 2+1
    parameter y: pointer, slots 3+1
    private n.addr: 4 bytes, slot 4
    private a.addr: 4 bytes, slot 5
    private x.addr: 8 bytes, slot 6
    private y.addr: 8 bytes, slot 7
    private i: 4 bytes, slot 8
    %n i32 = Argument [0]
    %a f32 = Argument [1]
    %x i64 = Argument [2]
    %y i64 = Argument [3]
    %nv i64 = Argument [4]
    %av i64 = Argument [5]
    %xv i64 = Argument [6]
    %yv i64 = Argument [7]
    %iv i64 = Argument [8]
    b0:
      Store %nv, %n (private i32, align 4)
      Store %av, %a (private f32, align 4)
      Store %xv, %x (private i64, align 8)
      Store %yv, %y (private i64, align 8)
      LifetimeStart [4]
      %g i64 = GlobalId [0]
      %g32 i32 = Truncate %g
      Store %iv, %g32 (private i32, align 4)
      %i0 i32 = Load %iv (private i32, align 4)
      %n0 i32 = Load %nv (private i32, align 4)
      %c bool = SLessThan %i0, %n0
      BranchConditional %c, b1, b2
    b1: from b0
      %a0 f32 = Load %av (private f32, align 4)
      %x0 i64 = Load %xv (private i64, align 8)
      %i1 i32 = Load %iv (private i32, align 4)
      %e1 i64 = SignExtend %i1
      %xa i64 = Address %x0 + %e1 * 4
      %xl f32 = Load %xa (global f32, align 4)
      %y0 i64 = Load %yv (private i64, align 8)
      %i2 i32 = Load %iv (private i32, align 4)
      %e2 i64 = SignExtend %i2
      %ya i64 = Address %y0 + %e2 * 4
      %yl f32 = Load %ya (global f32, align 4)
      %m f32 = FMul %a0, %xl
      %s f32 = FAdd %m, %yl
      Store %ya, %s (global f32, align 4)
      Branch b2
    b2: from b0 b1
      LifetimeStop [4]
      Return
  )");
  for (PrivateVariable& variable : f.private_variables) variable.align_bytes = 8;
  LowerOptions options;
  options.linear_x = true;
  run_passes(f, options);
  CHECK(verify(f) == "");
  CHECK(lir_text(f) == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]  ; affine 1
      %1 i32 = Truncate %0  ; affine 1
      %2 bool = SLessThan %1, %3
      BranchConditional %2, b1, b2
    b1: from b0
      %4 f32 = Load %5 + %0 * 4 (global f32, align 4)
      %6 f32 = Load %7 + %0 * 4 (global f32, align 4)
      %8 f32 = FMulPlus %9, %4, %6
      Store %7 + %0 * 4, %8 (global f32, align 4)
      Branch b2
    b2: from b0 b1
      Return
  )"));
}

TEST_CASE("a grid-stride loop keeps its index a scalar") {
  Function f = parse_lir(R"(
    parameter n: value, slots 0+1
    parameter x: pointer, slots 1+1
    %n i64 = Argument [0]
    %x i64 = Argument [1]
    b0:
      %g i64 = GlobalId [0]
      %size i64 = GlobalSize [0]
      Branch b1
    b1: from b0 b2
      %i i64 = Phi %g, %i2
      %c bool = ULessThan %i, %n
      BranchConditional %c, b2, b3
    b2: from b1
      %a i64 = Address %x + %i * 4
      %v i32 = Load %a (global i32, align 4)
      %w i32 = IAdd %v, i32:1
      Store %a, %w (global i32, align 4)
      %i2 i64 = IAdd %i, %size
      Branch b1
    b3: from b1
      Return
  )");
  LowerOptions options;
  options.linear_x = true;
  run_passes(f, options);
  CHECK(lir_text(f) == dedent(R"(
    b0:
      %0 i64 = GlobalId [0]  ; affine 1
      %1 i64 = GlobalSize [0]  ; uniform
      Branch b1
    b1: from b0 b2
      %2 i64 = Phi %0, %3  ; affine 1
      %4 bool = ULessThan %2, %5
      BranchConditional %4, b2, b3
    b2: from b1
      %6 i32 = Load %7 + %2 * 4 (global i32, align 4)
      %8 i32 = IAdd %6, i32:1
      Store %7 + %2 * 4, %8 (global i32, align 4)
      %3 i64 = IAdd %1, %2  ; affine 1
      Branch b1
    b3: from b1
      Return
  )"));
}

TEST_CASE("all passes together keep what random functions do") {
  const MachineGroups groups{{16, 1, 1}, {2, 1, 1}};
  for (std::uint32_t seed = 0; seed < 1200; ++seed) {
    CAPTURE(seed);
    RandomLirOptions form;
    form.structured = seed % 4 != 0;
    form.private_variables = seed % 5;
    form.max_blocks = 5 + seed % 30;
    const Function before = random_lir(seed, form);
    LowerOptions options;
    options.linear_x = seed % 2 == 0;
    options.reference = seed % 7 == 0;
    Function f = before;
    run_passes(f, options);
    REQUIRE(verify(f) == "");
    CHECK(compare_launches(before, f, 16, groups, false) == "");
  }
}

}  // namespace
}  // namespace transpire::test
