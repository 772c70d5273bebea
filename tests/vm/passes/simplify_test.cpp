// simplify: folding, value rules, control flow.
#include <doctest/doctest.h>

#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "tests/vm/lir/random_lir.h"
#include "vm/lir/cfg.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

using namespace vm;
using namespace vm::lir;

Function simplified(std::string_view text) {
  Function f = parse_lir(text);
  CHECK(verify(f) == "");
  const Function before = f;
  simplify(f, {});
  eliminate_dead_values(f);
  CHECK(verify(f) == "");
  CHECK(compare_functions(before, f, 4) == "");
  return f;
}

// What `value`, computed by `body` from the arguments a, b (i32), w (i64) and c (bool), becomes.
std::string result_of(std::string_view body, const std::string& kind) {
  const Function f = simplified(R"(
    parameter a: value, slots 0+1
    parameter b: value, slots 1+1
    parameter w: value, slots 2+1
    parameter p: pointer, slots 3+1
    parameter c: value, slots 4+1
    %a i32 = Argument [0]
    %b i32 = Argument [1]
    %w i64 = Argument [2]
    %p i64 = Argument [3]
    %c bool = Argument [4]
    b0:
      )" + std::string(body) + R"(
      Store %p, %r (global )" + kind +
                                R"(, align 1)
      Return
  )");
  std::string text = print(f);
  text = text.substr(text.find("b0:\n") + 4);
  text = text.substr(0, text.find("  Return"));
  return renumber(text);
}

TEST_CASE("integer rules") {
  struct Row {
    const char* body;
    const char* kind;
    const char* expected;
  };
  const Row rows[] = {
      {"%r i32 = IAdd %a, i32:0", "i32", "  Store %3, %0 (global i32, align 1)\n"},
      {"%r i32 = IAdd i32:2, i32:3", "i32", "  Store %3, i32:5 (global i32, align 1)\n"},
      {"%r i32 = ISub %a, %a", "i32", "  Store %3, i32:0 (global i32, align 1)\n"},
      {"%x i32 = IAdd i32:3, %a\n%r i32 = ISub %x, i32:5", "i32",
       "  %6 i32 = IAdd %0, i32:-2\n  Store %3, %6 (global i32, align 1)\n"},
      {"%r i32 = IMul %a, i32:8", "i32",
       "  %5 i32 = ShiftLeftLogical %0, i32:3\n  Store %3, %5 (global i32, align 1)\n"},
      {"%r i32 = IMul %a, i32:-1", "i32",
       "  %5 i32 = SNegate %0\n  Store %3, %5 (global i32, align 1)\n"},
      {"%r i32 = UMod %a, i32:16", "i32",
       "  %5 i32 = BitwiseAnd %0, i32:15\n  Store %3, %5 (global i32, align 1)\n"},
      {"%r i32 = SDiv %a, i32:16", "i32",
       "  %5 i32 = SDiv %0, i32:16\n  Store %3, %5 (global i32, align 1)\n"},
      {"%x i32 = BitwiseXor %a, i32:-1\n%r i32 = Not %x", "i32",
       "  Store %3, %0 (global i32, align 1)\n"},
      {"%x i32 = ShiftLeftLogical %a, i32:20\n%r i32 = ShiftLeftLogical %x, i32:44", "i32",
       "  Store %3, i32:0 (global i32, align 1)\n"},
      {"%x i64 = ShiftLeftLogical %w, i64:32\n%r i64 = ShiftRightArithmetic %x, i64:32", "i64",
       "  %8 i32 = Truncate %2\n  %6 i64 = SignExtend %8\n  Store %3, %6 (global i64, align 1)\n"},
      {"%x i64 = ShiftLeftLogical %w, i64:32\n%r i64 = ShiftRightArithmetic %x, i64:30", "i64",
       "  %9 i32 = Truncate %2\n  %10 i64 = SignExtend %9\n"
       "  %6 i64 = ShiftLeftLogical %10, i64:2\n  Store %3, %6 (global i64, align 1)\n"},
      {"%x i8 = Truncate %a\n%r i8 = UMin %x, i8:255", "i8",
       "  %5 i8 = Truncate %0\n  Store %3, %5 (global i8, align 1)\n"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.body);
    CHECK(result_of(row.body, row.kind) == renumber(row.expected));
  }
}

TEST_CASE("ids below 2^31 need no extension") {
  CHECK(result_of("%g i64 = GlobalId [0]\n%x i64 = ShiftLeftLogical %g, i64:32\n"
                  "%r i64 = ShiftRightArithmetic %x, i64:32",
                  "i64") ==
        renumber("  %5 i64 = GlobalId [0]\n  Store %3, %5 (global i64, align 1)\n"));
  CHECK(result_of("%g i64 = GlobalId [0]\n%x i32 = Truncate %g\n%y i32 = IAdd %x, i32:1\n"
                  "%r i64 = ZeroExtend %y",
                  "i64") ==
        renumber("  %5 i64 = GlobalId [0]\n  %6 i32 = Truncate %5\n  %7 i32 = IAdd %6, i32:1\n"
                 "  %8 i64 = ZeroExtend %7\n  Store %3, %8 (global i64, align 1)\n"));
  CHECK(result_of("%g i64 = GlobalId [0]\n%r bool = SLessThan %g, i64:0", "bool") ==
        renumber("  Store %3, false (global bool, align 1)\n"));
  CHECK(result_of("%g i64 = GlobalId [0]\n%r i64 = UDiv %g, i64:3", "i64") ==
        renumber("  %5 i64 = GlobalId [0]\n  %8 i32 = Truncate %5\n  %10 i32 = UDiv %8, i32:3\n"
                 "  %6 i64 = ZeroExtend %10\n  Store %3, %6 (global i64, align 1)\n"));
}

TEST_CASE("booleans through integers") {
  CHECK(result_of("%x i32 = Select %c, i32:1, i32:0\n%r bool = INotEqual i32:0, %x", "bool") ==
        renumber("  Store %3, %4 (global bool, align 1)\n"));
  CHECK(
      result_of("%x i8 = Select %c, i8:1, i8:0\n%y i32 = ZeroExtend %x\n%r bool = IEqual %y, i32:0",
                "bool") ==
      renumber("  %7 bool = LogicalNot %4\n  Store %3, %7 (global bool, align 1)\n"));
  CHECK(result_of("%r bool = Select %c, true, false", "bool") ==
        renumber("  Store %3, %4 (global bool, align 1)\n"));
}

TEST_CASE("comparisons in half the width, and the other way round") {
  CHECK(result_of("%g i64 = GlobalId [0]\n%x i64 = ZeroExtend %a\n%r bool = SLessThan %g, %x",
                  "bool") ==
        renumber("  %5 i64 = GlobalId [0]\n  %6 i32 = Truncate %5\n  %7 bool = ULessThan %6, %0\n"
                 "  Store %3, %7 (global bool, align 1)\n"));
  CHECK(result_of("%x bool = ULessThan %a, %b\n%r bool = LogicalNot %x", "bool") ==
        renumber("  %6 bool = ULessThanEqual %1, %0\n  Store %3, %6 (global bool, align 1)\n"));
  CHECK(result_of("%l f32 = Load %p (global f32, align 4)\n%x bool = FOrdLessThan %l, f32:1\n"
                  "%r bool = LogicalNot %x",
                  "bool")
            .find("FUnordLessThanEqual f32:1, %") != std::string::npos);
  CHECK(result_of("%d bool = ULessThan %a, %b\n%x i32 = Select %c, i32:1, i32:0\n"
                  "%y i32 = Select %d, i32:1, i32:0\n%r bool = IEqual %x, %y",
                  "bool") ==
        renumber("  %6 bool = ULessThan %0, %1\n  %7 bool = LogicalEqual %4, %6\n"
                 "  Store %3, %7 (global bool, align 1)\n"));
}

TEST_CASE("the low half of a sum is the sum of the low halves") {
  CHECK(result_of("%x i64 = SignExtend %a\n%y i64 = IAdd %x, %w\n%r i32 = Truncate %y", "i32") ==
        renumber("  %6 i32 = Truncate %2\n  %7 i32 = IAdd %0, %6\n  Store %3, %7 (global i32, "
                 "align 1)\n"));
  CHECK(result_of("%x i64 = ZeroExtend %a\n%r i64 = BitwiseAnd %w, %x", "i64") ==
        renumber("  %6 i32 = Truncate %2\n  %7 i32 = BitwiseAnd %6, %0\n  %8 i64 = ZeroExtend %7\n"
                 "  Store %3, %8 (global i64, align 1)\n"));
}

TEST_CASE("addresses take up constants, scales and extensions") {
  CHECK(result_of(
            "%x i64 = SignExtend %a\n%q i64 = Address %p + %x * 4 + 8\n%r i64 = Address %q + 4",
            "i64") == renumber("  %6 i64 = Address %3 + s32 %0 * 4 + 8\n  %7 i64 = Address %6 + 4\n"
                               "  Store %3, %7 (global i64, align 1)\n"));
  CHECK(result_of("%q i64 = Address %p + 8\n%x i64 = IAdd %w, i64:-1\n%r i64 = Address %q + %x * 4",
                  "i64") ==
        renumber("  %7 i64 = Address %3 + %2 * 4 + 4\n  Store %3, %7 (global i64, align 1)\n"));
  CHECK(result_of("%x i64 = ShiftLeftLogical %w, i64:2\n%r i64 = Address %p + %x * 4", "i64") ==
        renumber("  %6 i64 = Address %3 + %2 * 16\n  Store %3, %6 (global i64, align 1)\n"));
  CHECK(result_of("%r i64 = Address %p + s32 i32:-3 * 4 + 12", "i64") ==
        renumber("  Store %3, %3 (global i64, align 1)\n"));
  // In 32 bits only where the sum cannot wrap.
  CHECK(result_of("%x i32 = IAdd %a, i32:-1\n%r i64 = Address %p + s32 %x * 4", "i64") ==
        renumber("  %5 i32 = IAdd %0, i32:-1\n  %6 i64 = Address %3 + s32 %5 * 4\n"
                 "  Store %3, %6 (global i64, align 1)\n"));
  CHECK(result_of("%g i64 = GlobalId [0]\n%t i32 = Truncate %g\n%x i32 = IAdd %t, i32:-1\n"
                  "%r i64 = Address %p + s32 %x * 4",
                  "i64") ==
        renumber("  %5 i64 = GlobalId [0]\n  %8 i64 = Address %3 + %5 * 4 + -4\n"
                 "  Store %3, %8 (global i64, align 1)\n"));
}

TEST_CASE("floating point is left alone but for constants") {
  CHECK(result_of("%x f32 = Load %p (global f32, align 4)\n%r f32 = FAdd %x, f32:0", "f32")
            .find("FAdd") != std::string::npos);
  CHECK(result_of("%r f32 = FMul f32:1.5, f32:3", "f32") ==
        renumber("  Store %3, f32:4.5 (global f32, align 1)\n"));
  CHECK(result_of("%r i32 = ConvertFToS f32:-7.9", "i32") ==
        renumber("  Store %3, i32:-7 (global i32, align 1)\n"));
  CHECK(result_of("%r f64 = FConvert f32:0.5", "f64") ==
        renumber("  Store %3, f64:0.5 (global f64, align 1)\n"));
  CHECK(result_of("%r bool = FOrdLessThan f32:0.5, f32:1", "bool") ==
        renumber("  Store %3, true (global bool, align 1)\n"));
}

TEST_CASE("constant branches, empty blocks and chains disappear") {
  const Function f = simplified(R"(
    parameter p: pointer, slots 0+1
    %p i64 = Argument [0]
    b0:
      %c bool = ULessThan i32:3, i32:5
      BranchConditional %c, b1, b2
    b1: from b0
      Switch i32:7, b3, b4, 7: 1
    b2: from b0
      Branch b4
    b3: from b1
      Branch b4
    b4: from b1 b2 b3
      %x i32 = Phi i32:1, i32:2, i32:3
      Branch b5
    b5: from b4
      Store %p, %x (global i32, align 4)
      Return
  )");
  CHECK(lir_text(f) == dedent(R"(
    b0:
      Store %0, i32:1 (global i32, align 4)
      Return
  )"));
}

TEST_CASE(
    "a branch with an empty arm on both sides is none; a switch of one case is a comparison") {
  const Function f = simplified(R"(
    parameter p: pointer, slots 0+1
    parameter a: value, slots 1+1
    %p i64 = Argument [0]
    %a i32 = Argument [1]
    b0:
      %c bool = ULessThan %a, i32:5
      BranchConditional %c, b1, b2
    b1: from b0
      Branch b3
    b2: from b0
      Branch b3
    b3: from b1 b2
      Switch %a, b4, b5, b4, 7: 1, 9: 2
    b4: from b3
      Store %p, i32:4 (global i32, align 4)
      Return
    b5: from b3
      Store %p, i32:5 (global i32, align 4)
      Return
  )");
  CHECK(lir_text(f) == dedent(R"(
    b0:
      %0 bool = IEqual %1, i32:7
      BranchConditional %0, b2, b1
    b1: from b0
      Store %2, i32:4 (global i32, align 4)
      Return
    b2: from b0
      Store %2, i32:5 (global i32, align 4)
      Return
  )"));
}

// A switch by work-item whose cases are a block each, which lead to one join. `with_phi`: the join
// stores what the case gives.
std::string wide_switch(std::size_t cases, bool with_phi) {
  std::string targets = "b1", blocks, from, values;
  for (std::size_t i = 0; i <= cases; ++i) {
    const std::string block = std::to_string(i + 1);
    if (i > 0) targets += ", b" + block;
    blocks += "b" + block + ": from b0\n  Branch b" + std::to_string(cases + 2) + "\n";
    from += " b" + block;
    values += (i == 0 ? "i64:" : ", i64:") + std::to_string(3 * i);
  }
  for (std::size_t i = 1; i <= cases; ++i)
    targets += ", " + std::to_string(2 * i) + ": " + std::to_string(i);
  return "parameter p: pointer, slots 0+1\n%p i64 = Argument [0]\nb0:\n%id i64 = GlobalId [0]\n"
         "%s i64 = IMul %id, i64:2\nSwitch %s, " +
         targets + "\n" + blocks + "b" + std::to_string(cases + 2) + ": from" + from + "\n" +
         (with_phi ? "%x i64 = Phi " + values : "%x i64 = IAdd %id, i64:1") +
         "\nStore %p, %x (global i64, align 8)\nReturn\n";
}

TEST_CASE("edges of blocks with very many are left alone") {
  constexpr std::size_t kMany = kMostEdges + 6;
  for (const bool with_phi : {false, true}) {
    CAPTURE(with_phi);
    CHECK(simplified(wide_switch(8, with_phi)).blocks.size() < 11);
    const Function f = simplified(wide_switch(kMany, with_phi));
    CHECK(f.blocks.size() == kMany + 3);
  }
}

TEST_CASE("simplification keeps what random functions do") {
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    CAPTURE(seed);
    RandomLirOptions options;
    options.structured = seed % 2 == 0;
    options.private_variables = seed % 3;
    const Function before = random_lir(seed, options);
    REQUIRE(verify(before) == "");
    Function f = before;
    simplify(f, {});
    REQUIRE(verify(f) == "");
    CHECK(compare_functions(before, f, 1) == "");
    promote_private(f);
    simplify(f, {});
    REQUIRE(verify(f) == "");
    canonicalise_loops(f);
    order_blocks(f);
    analyse_divergence(f, {});
    CHECK(compare_functions(before, f, 8) == "");
  }
}

}  // namespace
}  // namespace transpire::test
