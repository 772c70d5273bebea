// simplify: folding, value rules, control flow.
#include <doctest/doctest.h>

#include <sstream>

#include "tests/random_cases.h"
#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "tests/vm/lir/random_lir.h"
#include "tests/vm/passes/pass_case.h"
#include "vm/lir/cfg.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

void simplify_all(Function& f) {
  simplify(f, {});
  eliminate_dead_values(f);
}

void simplify_and_compare(Function& f) {
  CHECK(verify(f) == "");
  const Function before = f;
  simplify_all(f);
  CHECK(verify(f) == "");
  CHECK(compare_functions(before, f, 4) == "");
}

struct Row {
  const char* body;  ///< instructions that compute %r from %a, %b (i32), %w, %p (i64) and %c (bool)
  const char* expected;  ///< what becomes of them, and of %r
};

const Row kRows[] = {
    // Integer rules.
    {"%r i32 = IAdd %a, i32:0", "-> %a"},
    {"%r i32 = IAdd i32:2, i32:3", "-> i32:5"},
    {"%r i32 = ISub %a, %a", "-> i32:0"},
    {"%x i32 = IAdd i32:3, %a\n%r i32 = ISub %x, i32:5", "%r i32 = IAdd %a, i32:-2\n-> %r"},
    {"%r i32 = IMul %a, i32:8", "%r i32 = ShiftLeftLogical %a, i32:3\n-> %r"},
    {"%r i32 = IMul %a, i32:-1", "%r i32 = SNegate %a\n-> %r"},
    {"%r i32 = UMod %a, i32:16", "%r i32 = BitwiseAnd %a, i32:15\n-> %r"},
    {"%r i32 = SDiv %a, i32:16", "%r i32 = SDiv %a, i32:16\n-> %r"},
    {"%x i32 = BitwiseXor %a, i32:-1\n%r i32 = Not %x", "-> %a"},
    {"%x i32 = ShiftLeftLogical %a, i32:20\n%r i32 = ShiftLeftLogical %x, i32:44", "-> i32:0"},
    {"%x i64 = ShiftLeftLogical %w, i64:32\n%r i64 = ShiftRightArithmetic %x, i64:32",
     "%0 i32 = Truncate %w\n%r i64 = SignExtend %0\n-> %r"},
    {"%x i64 = ShiftLeftLogical %w, i64:32\n%r i64 = ShiftRightArithmetic %x, i64:30",
     "%0 i32 = Truncate %w\n%1 i64 = SignExtend %0\n%r i64 = ShiftLeftLogical %1, i64:2\n-> %r"},
    {"%x i8 = Truncate %a\n%r i8 = UMin %x, i8:255", "%x i8 = Truncate %a\n-> %x"},
    {"%x i32 = ShiftLeftLogical %a, i32:25\n%y i32 = ShiftRightLogical %a, i32:7\n%r i32 = "
     "BitwiseOr "
     "%y, %x",
     "%r i32 = Rotate %a, i32:25\n-> %r"},
    {"%x i32 = ShiftLeftLogical %a, i32:25\n%y i32 = ShiftRightLogical %a, i32:6\n%r i32 = "
     "BitwiseOr "
     "%y, %x",
     "%x i32 = ShiftLeftLogical %a, i32:25\n%y i32 = ShiftRightLogical %a, i32:6\n%r i32 = "
     "BitwiseOr "
     "%y, %x\n-> %r"},
    // Ids below 2^31 need no extension.
    {"%g i64 = GlobalId [0]\n%x i64 = ShiftLeftLogical %g, i64:32\n%r i64 = ShiftRightArithmetic "
     "%x, i64:32",
     "%g i64 = GlobalId [0]\n-> %g"},
    {"%g i64 = GlobalId [0]\n%x i32 = Truncate %g\n%y i32 = IAdd %x, i32:1\n%r i64 = ZeroExtend %y",
     "%g i64 = GlobalId [0]\n%x i32 = Truncate %g\n%y i32 = IAdd %x, i32:1\n%r i64 = ZeroExtend "
     "%y\n-> %r"},
    {"%g i64 = GlobalId [0]\n%r bool = SLessThan %g, i64:0", "-> false"},
    {"%g i64 = GlobalId [0]\n%r i64 = UDiv %g, i64:3",
     "%g i64 = GlobalId [0]\n%0 i32 = Truncate %g\n%1 i32 = UDiv %0, i32:3\n%r i64 = ZeroExtend "
     "%1\n-> %r"},
    // Booleans through integers.
    {"%x i32 = Select %c, i32:1, i32:0\n%r bool = INotEqual i32:0, %x", "-> %c"},
    {"%x i8 = Select %c, i8:1, i8:0\n%y i32 = ZeroExtend %x\n%r bool = IEqual %y, i32:0",
     "%r bool = LogicalNot %c\n-> %r"},
    {"%r bool = Select %c, true, false", "-> %c"},
    {"%d bool = ULessThan %a, %b\n%r bool = Select %c, %c, %d",
     "%d bool = ULessThan %a, %b\n%r bool = LogicalOr %c, %d\n-> %r"},
    {"%d bool = ULessThan %a, %b\n%r bool = Select %c, %d, %c",
     "%d bool = ULessThan %a, %b\n%r bool = LogicalAnd %c, %d\n-> %r"},
    // Comparisons in half the width, and the other way round.
    {"%g i64 = GlobalId [0]\n%x i64 = ZeroExtend %a\n%r bool = SLessThan %g, %x",
     "%g i64 = GlobalId [0]\n%0 i32 = Truncate %g\n%r bool = ULessThan %0, %a\n-> %r"},
    {"%x i8 = Load %p (global i8, align 1)\n%y i8 = Load %p + 1 (global i8, align 1)\n%z i32 = "
     "ZeroExtend "
     "%x\n%u i32 = ZeroExtend %y\n%r bool = SLessThan %z, %u",
     "%x i8 = Load %p (global i8, align 1)\n%y i8 = Load %p + 1 (global i8, align 1)\n%r bool = "
     "ULessThan %x, %y\n-> %r"},
    {"%x bool = ULessThan %a, %b\n%r bool = LogicalNot %x",
     "%r bool = ULessThanEqual %b, %a\n-> %r"},
    {"%l f32 = Load %p (global f32, align 4)\n%x bool = FOrdLessThan %l, f32:1\n%r bool = "
     "LogicalNot %x",
     "%l f32 = Load %p (global f32, align 4)\n%r bool = FUnordLessThanEqual f32:1, %l\n-> %r"},
    {"%d bool = ULessThan %a, %b\n%x i32 = Select %c, i32:1, i32:0\n%y i32 = Select %d, i32:1, "
     "i32:0\n%r bool = IEqual %x, %y",
     "%d bool = ULessThan %a, %b\n%r bool = LogicalEqual %c, %d\n-> %r"},
    // The low half of a sum is the sum of the low halves.
    {"%x i64 = SignExtend %a\n%y i64 = IAdd %x, %w\n%r i32 = Truncate %y",
     "%0 i32 = Truncate %w\n%r i32 = IAdd %a, %0\n-> %r"},
    {"%x i64 = ZeroExtend %a\n%r i64 = BitwiseAnd %w, %x",
     "%0 i32 = Truncate %w\n%1 i32 = BitwiseAnd %0, %a\n%r i64 = ZeroExtend %1\n-> %r"},
    // Addresses take up constants, scales and extensions.
    {"%x i64 = SignExtend %a\n%q i64 = Address %p + %x * 4 + 8\n%r i64 = Address %q + 4",
     "%q i64 = Address %p + s32 %a * 4 + 8\n%r i64 = Address %q + 4\n-> %r"},
    {"%q i64 = Address %p + 8\n%x i64 = IAdd %w, i64:-1\n%r i64 = Address %q + %x * 4",
     "%r i64 = Address %p + %w * 4 + 4\n-> %r"},
    {"%x i64 = ShiftLeftLogical %w, i64:2\n%r i64 = Address %p + %x * 4",
     "%r i64 = Address %p + %w * 16\n-> %r"},
    {"%r i64 = Address %p + s32 i32:-3 * 4 + 12", "-> %p"},
    // In 32 bits only where the sum cannot wrap.
    {"%x i32 = IAdd %a, i32:-1\n%r i64 = Address %p + s32 %x * 4",
     "%x i32 = IAdd %a, i32:-1\n%r i64 = Address %p + s32 %x * 4\n-> %r"},
    {"%g i64 = GlobalId [0]\n%t i32 = Truncate %g\n%x i32 = IAdd %t, i32:-1\n%r i64 = Address %p + "
     "s32 %x * 4",
     "%g i64 = GlobalId [0]\n%r i64 = Address %p + %g * 4 + -4\n-> %r"},
    // A multiple of four does not wrap within the next three; the fourth may.
    {"%x i32 = ShiftLeftLogical %a, i32:2\n%y i32 = IAdd %x, i32:3\n%r i64 = Address %p + s32 %y * "
     "16",
     "%x i32 = ShiftLeftLogical %a, i32:2\n%r i64 = Address %p + s32 %x * 16 + 48\n-> %r"},
    {"%x i32 = IMul %a, i32:12\n%y i32 = IAdd %x, i32:3\n%r i64 = Address %p + u32 %y * 1",
     "%x i32 = IMul %a, i32:12\n%r i64 = Address %p + u32 %x * 1 + 3\n-> %r"},
    {"%x i32 = BitwiseAnd %a, i32:-8\n%y i32 = IAdd %x, i32:7\n%r i64 = Address %p + s32 %y * 1",
     "%x i32 = BitwiseAnd %a, i32:-8\n%r i64 = Address %p + s32 %x * 1 + 7\n-> %r"},
    {"%x i32 = ShiftLeftLogical %a, i32:2\n%y i32 = IAdd %x, i32:4\n%r i64 = Address %p + s32 %y * "
     "1",
     "%x i32 = ShiftLeftLogical %a, i32:2\n%y i32 = IAdd %x, i32:4\n%r i64 = Address %p + s32 %y * "
     "1\n-> %r"},
    // Floating point is left alone but for constants.
    {"%x f32 = Load %p (global f32, align 4)\n%r f32 = FAdd %x, f32:0",
     "%x f32 = Load %p (global f32, align 4)\n%r f32 = FAdd %x, f32:0\n-> %r"},
    {"%r f32 = FMul f32:1.5, f32:3", "-> f32:4.5"},
    {"%r i32 = ConvertFToS f32:-7.9", "-> i32:-7"},
    {"%r f64 = FConvert f32:0.5", "-> f64:0.5"},
    {"%r bool = FOrdLessThan f32:0.5, f32:1", "-> true"},
};

TEST_CASE("values become simpler") {
  for (const Row& row : kRows) {
    LirNames names;
    const std::string body = row.body;
    CAPTURE(body);
    const std::size_t kind = body.rfind("%r ") + 3;
    Function f =
        parse_lir("arguments: %a i32, %b i32, %w i64, %p pointer, %c bool\nb0:\n" + body +
                      "\nStore %p, %r (global " + body.substr(kind, body.find(' ', kind) - kind) +
                      ", align 1)\nReturn\n",
                  names);
    simplify_and_compare(f);
    std::string found;
    std::istringstream lines(lir_text(f, names));
    for (std::string line; std::getline(lines, line) && found.find("->") == found.npos;) {
      if (line.starts_with("  Store %p, "))
        found += "-> " + line.substr(12, line.find(" (") - 12);
      else if (line != "b0:")
        found += line.substr(2) + "\n";
    }
    CHECK(found == row.expected);
  }
}

TEST_CASE("a product of an id is an index where no id makes it wrap") {
  constexpr const char* kText =
      "arguments: %p pointer\nb0:\n%g i64 = GlobalId [0]\n%t i32 = Truncate %g\n%x i32 = IMul %t, "
      "i32:3\n"
      "%y i32 = IAdd %x, i32:2\n%r i64 = Address %p + s32 %y * 1\nStore %p, %r (global i64, align "
      "1)\n"
      "Return\n";
  for (const std::uint32_t bits : {24u, 28u, 31u, 64u}) {
    CAPTURE(bits);
    LirNames names;
    Function f = parse_lir(kText, names);
    LowerOptions options;
    options.id_bits = bits;
    simplify(f, options);
    eliminate_dead_values(f);
    CHECK((lir_text(f, names).find("Address %p + %g * 3 + 2") != std::string::npos) == (bits < 31));
  }
}

const PassCase kBranches[] = {
    {"constant branches, empty blocks and chains disappear", R"(
    arguments: %p pointer
      %c bool = ULessThan i32:3, i32:5   |
      BranchConditional %c, b1, b2       |
    b1: from b0                          |
      Switch i32:7, b3, b4, 7: 1         |
    b2: from b0                          |
      Branch b4                          |
    b3: from b1                          |
      Branch b4                          |
    b4: from b1 b2 b3                    |
      %x i32 = Phi i32:1, i32:2, i32:3   |
      Branch b5                          |
    b5: from b4                          |
      Store %p, %x (global i32, align 4) | Store %p, i32:1 (global i32, align 4)
  )"},
    {"a branch with an empty arm on both sides is none; a switch of one case is a comparison", R"(
    arguments: %p pointer, %a i32
      %c bool = ULessThan %a, i32:5     | %0 bool = IEqual %a, i32:7
      BranchConditional %c, b1, b2      | BranchConditional %0, b2, b1
    b1: from b0
      Branch b3                         |
    b2: from b0                         |
      Branch b3                         |
    b3: from b1 b2                      |
      Switch %a, b4, b5, b4, 7: 1, 9: 2 |
    b4: from b3                         |
      Store %p, i32:4 (global i32, align 4)
      Return
    b5: from b3                         | b2: from b0
      Store %p, i32:5 (global i32, align 4)
  )"},
};

TEST_CASE("branches that decide nothing disappear") {
  for (const PassCase& c : kBranches) check_pass(c, simplify_all);
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
  return "arguments: %p pointer\nb0:\n%id i64 = GlobalId [0]\n"
         "%s i64 = IMul %id, i64:2\nSwitch %s, " +
         targets + "\n" + blocks + "b" + std::to_string(cases + 2) + ": from" + from + "\n" +
         (with_phi ? "%x i64 = Phi " + values : "%x i64 = IAdd %id, i64:1") +
         "\nStore %p, %x (global i64, align 8)\nReturn\n";
}

TEST_CASE("edges of blocks with very many are left alone") {
  constexpr std::size_t kMany = kMostEdges + 6;
  for (const bool with_phi : {false, true}) {
    CAPTURE(with_phi);
    Function few = parse_lir(wide_switch(8, with_phi)),
             many = parse_lir(wide_switch(kMany, with_phi));
    simplify_and_compare(few);
    simplify_and_compare(many);
    CHECK(few.blocks.size() < 11);
    CHECK(many.blocks.size() == kMany + 3);
  }
}

TEST_CASE("simplification keeps what random functions do") {
  for (std::uint32_t seed = 0; seed < random_cases(250); ++seed) {
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
