// convert_branches, and run_passes as a whole.
#include <doctest/doctest.h>

#include "tests/random_cases.h"
#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "tests/vm/lir/random_lir.h"
#include "tests/vm/passes/pass_case.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

const PassCase kSelects[] = {
    {"nested ifs with short arms become selects, inner ones first", R"(
    arguments: %a i32, %p pointer
      %c bool = ULessThan %a, i32:5
      BranchConditional %c, b1, b4       |
    b1: from b0                          |
      %x i32 = IAdd %a, i32:1
      %d bool = ULessThan %x, i32:3
      BranchConditional %d, b2, b3       |
    b2: from b1                          |
      %y i32 = IMul %x, i32:3
      Branch b3                          | %0 i32 = Select %d, %y, %x
    b3: from b1 b2                       |
      %z i32 = Phi %x, %y                |
      Branch b5                          |
    b4: from b0                          |
      %w i32 = ISub %a, i32:9
      Branch b5                          | %1 i32 = Select %c, %0, %w
    b5: from b3 b4                       |
      %r i32 = Phi %z, %w                |
      Store %p, %r (global i32, align 4) | Store %p, %1 (global i32, align 4)
  )"},
    {"tests in a row with a common target become one", R"(
    arguments: %a i32, %p pointer
      %c bool = ULessThan %a, i32:5
      BranchConditional %c, b1, b3  |
    b1: from b0                     |
      %x i32 = IAdd %a, i32:1
      %d bool = ULessThan %x, i32:3
                                    | %0 bool = LogicalAnd %c, %d
                                    | %1 i32 = Select %c, %x, i32:1
      BranchConditional %d, b2, b3  | BranchConditional %0, b1, b2
    b2: from b1                     | b1: from b0
      Store %p, %x (global i32, align 4)
      Branch b3                     | Branch b2
    b3: from b0 b1 b2               | b2: from b0 b1
      %r i32 = Phi i32:1, %x, i32:3 | %r i32 = Phi %1, i32:3
      Store %p, %r (global i32, align 4)
  )"},
};

TEST_CASE("short arms become selects") {
  for (const PassCase& c : kSelects) check_pass(c, convert_branches);
}

/// A branch around an arm that gives %x.
Function with_arm(const std::string& arm) {
  return parse_lir(R"(
    arguments: %a i32, %p pointer
      %c bool = ULessThan %a, i32:5
      BranchConditional %c, b1, b2
    b1: from b0
      )" + arm + R"(
    b2: from b0 b1
      %r i32 = Phi %a, %x
      Store %p, %r (global i32, align 4)
  )");
}

TEST_CASE("arms with loads, stores, divisions or uniform conditions stay branches") {
  for (const std::string arm : {"%x i32 = Load %p (global i32, align 4)", "%x i32 = UDiv %a, i32:7",
                                "%x i32 = IAdd %a, i32:7\nStore %p, %x (global i32, align 4)"}) {
    CAPTURE(arm);
    Function f = with_arm(arm);
    const Function before = f;
    convert_branches(f);
    CHECK(verify(f) == "");
    CHECK(compare_functions(before, f, 4) == "");
    CHECK(lir_text(f).find("BranchConditional") != std::string::npos);
  }
}

TEST_CASE("a uniform condition stays a branch") {
  Function f = with_arm("%x i32 = IAdd %a, i32:7");
  analyse_divergence(f, {});
  convert_branches(f);
  CHECK(f.blocks.size() == 3);
}

const PassCase kAllPasses[] = {
    {"saxpy as clang writes it without optimisation", R"(
    arguments: %n i32, %a f32, %x pointer, %y pointer
    arguments: %nv private 4, %av private 4, %xv private 8, %yv private 8, %iv private 4
    b0:
      Store %nv, %n (private i32, align 4)      |
      Store %av, %a (private f32, align 4)      |
      Store %xv, %x (private i64, align 8)      |
      Store %yv, %y (private i64, align 8)      |
      LifetimeStart [4]                         |
      %g i64 = GlobalId [0]                     | %g i64 = GlobalId [0]  ; affine 1
      %g32 i32 = Truncate %g                    | %g32 i32 = Truncate %g  ; affine 1
      Store %iv, %g32 (private i32, align 4)    |
      %i0 i32 = Load %iv (private i32, align 4) |
      %n0 i32 = Load %nv (private i32, align 4) |
      %c bool = SLessThan %i0, %n0              | %c bool = SLessThan %g32, %n
      BranchConditional %c, b1, b2
    b1: from b0
      %a0 f32 = Load %av (private f32, align 4) |
      %x0 i64 = Load %xv (private i64, align 8) |
      %i1 i32 = Load %iv (private i32, align 4) |
      %e1 i64 = SignExtend %i1                  |
      %xa i64 = Address %x0 + %e1 * 4           |
      %xl f32 = Load %xa (global f32, align 4)  | %xl f32 = Load %x + %g * 4 (global f32, align 4)
      %y0 i64 = Load %yv (private i64, align 8) |
      %i2 i32 = Load %iv (private i32, align 4) |
      %e2 i64 = SignExtend %i2                  |
      %ya i64 = Address %y0 + %e2 * 4           |
      %yl f32 = Load %ya (global f32, align 4)  | %yl f32 = Load %y + %g * 4 (global f32, align 4)
      %m f32 = FMul %a0, %xl                    |
      %s f32 = FAdd %m, %yl                     | %s f32 = FMulPlus %a, %xl, %yl
      Store %ya, %s (global f32, align 4)       | Store %y + %g * 4, %s (global f32, align 4)
      Branch b2
    b2: from b0 b1
      LifetimeStop [4]                          |
  )"},
    {"a grid-stride loop keeps its index a scalar", R"(
    arguments: %n i64, %x pointer
      %g i64 = GlobalId [0]                  | %g i64 = GlobalId [0]  ; affine 1
      %size i64 = GlobalSize [0]             | %size i64 = GlobalSize [0]  ; uniform
      Branch b1
    b1: from b0 b2
      %i i64 = Phi %g, %i2                   | %i i64 = Phi %g, %i2  ; affine 1
      %c bool = ULessThan %i, %n
      BranchConditional %c, b2, b3
    b2: from b1
      %a i64 = Address %x + %i * 4           |
      %v i32 = Load %a (global i32, align 4) | %v i32 = Load %x + %i * 4 (global i32, align 4)
      %w i32 = IAdd %v, i32:1
      Store %a, %w (global i32, align 4)     | Store %x + %i * 4, %w (global i32, align 4)
      %i2 i64 = IAdd %i, %size               | %i2 i64 = IAdd %size, %i  ; affine 1
      Branch b1
    b3: from b1
  )"},
};

TEST_CASE("all passes together") {
  LowerOptions options;
  options.linear_x = true;
  for (const PassCase& c : kAllPasses)
    check_pass(
        c,
        [&](Function& f) {
          for (PrivateVariable& variable : f.private_variables) variable.align_bytes = 8;
          run_passes(f, options);
        },
        [](const Function& before, const Function& after) {
          return compare_launches(before, after, 16, {{16, 1, 1}, {2, 1, 1}}, false);
        });
}

TEST_CASE("all passes together keep what random functions do") {
  const MachineGroups groups{{16, 1, 1}, {2, 1, 1}};
  for (std::uint32_t seed = 0; seed < random_cases(400); ++seed) {
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
