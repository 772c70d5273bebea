// canonicalise_loops and order_blocks: shapes of loops, loop-closed values, irreducible cycles.
#include <doctest/doctest.h>

#include "tests/random_cases.h"
#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "tests/vm/lir/random_lir.h"
#include "tests/vm/passes/pass_case.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

void canonicalise(Function& function) {
  CHECK(verify(function) == "");
  canonicalise_loops(function);
  order_blocks(function);
  CHECK(verify(function) == "");
}

TEST_CASE("a do-while loop gets a latch, and its value leaves through a phi") {
  std::vector<BlockId> order;
  check_pass({"do-while", R"(
    arguments: %p pointer
      Branch b1
    b1: from b0 b1                          | b1: from b0 b3
      %i i32 = Phi i32:0, %next
      %next i32 = IAdd %i, i32:1
      %more bool = ULessThan %next, i32:10
      BranchConditional %more, b1, b2       | BranchConditional %more, b3, b2
    b2: from b1
                                            | %0 i32 = Phi %next
      Store %p, %next (global i32, align 4) | Store %p, %0 (global i32, align 4)
      Return
                                            | b3: from b1
                                            | Branch b1
  )"},
             [&](Function& f) {
               canonicalise(f);
               order = f.order;
             });
  CHECK(order == std::vector<BlockId>{0, 1, 3, 2});
}

TEST_CASE("several back edges meet in one latch, several entries in one preheader") {
  Function f = parse_lir(R"(
    arguments: %a i32, %b i32
      %c bool = ULessThan %a, %b
      BranchConditional %c, b1, b2
    b1: from b0
      Branch b3
    b2: from b0
    b3: from b1 b2 b4 b5
      %x i32 = Phi i32:1, i32:2, %y, %z
      %y i32 = IAdd %x, i32:1
      %d bool = ULessThan %y, %b
      BranchConditional %d, b4, b6
    b4: from b3
      %e bool = IEqual %y, %a
      BranchConditional %e, b3, b5
    b5: from b4
      %z i32 = IAdd %y, i32:5
      Branch b3
    b6: from b3
  )");
  canonicalise(f);
  CHECK(f.order == std::vector<BlockId>{0, 1, 2, 8, 3, 4, 5, 7, 6});
  CHECK(lir_text(f).find("b3: from b7 b8") != std::string::npos);
}

TEST_CASE("a value that leaves two loops at once passes one phi, step by step two") {
  Function f = parse_lir(R"(
    arguments: %n i32, %p pointer
    b1: from b0 b4
      %i i32 = Phi i32:0, %i2
    b2: from b1 b3
      %j i32 = Phi i32:0, %j2
      %j2 i32 = IAdd %j, %i
      %out bool = IEqual %j2, i32:77
      BranchConditional %out, b5, b3
    b3: from b2
      %again bool = ULessThan %j2, %n
      BranchConditional %again, b2, b4
    b4: from b3
      %i2 i32 = IAdd %i, i32:1
      %more bool = ULessThan %i2, %n
      BranchConditional %more, b1, b6
    b5: from b2
      Store %p, %j2 (global i32, align 4)
      Return
    b6: from b4
      Store %p, %j2 (global i32, align 4)
  )");
  canonicalise(f);
  const std::string text = lir_text(f);
  CHECK(f.order.size() == f.blocks.size());
  std::size_t single_phis = 0;
  for (const Block& block : f.blocks) {
    for (const ValueId phi : block.phis) single_phis += f.values[phi].args.size() == 1 ? 1 : 0;
  }
  // j2: at b5, at the inner exit to b4, and from there at b6.
  CHECK(single_phis == 3);
}

// Every block of a loop between its header and its latch, all edges forward but the latch's.
void check_order(const Function& f) {
  std::vector<std::size_t> position(f.blocks.size());
  for (std::size_t i = 0; i < f.order.size(); ++i) position[f.order[i]] = i;
  for (BlockId b = 0; b < f.blocks.size(); ++b) {
    for (const BlockId target : f.blocks[b].targets) {
      if (position[target] > position[b]) continue;
      CHECK(f.blocks[b].targets.size() == 1);  // a latch
      std::size_t backs = 0;
      for (const BlockId pred : f.blocks[target].preds) backs += position[pred] >= position[target];
      CHECK(backs == 1);
      // Lanes inside the loop leave forward only.
      for (std::size_t i = position[target]; i <= position[b]; ++i) {
        for (const BlockId pred : f.blocks[f.order[i]].preds) {
          CHECK((i == position[target] || position[pred] >= position[target]));
        }
      }
    }
  }
}

TEST_CASE("a cycle with two entries becomes a loop with a dispatch block") {
  Function f = parse_lir(R"(
    arguments: %a i32, %p pointer
      %u i32 = IMul %a, i32:3
      %c bool = ULessThan %a, i32:4
      BranchConditional %c, b1, b2
    b1: from b0 b2
      %x i32 = Phi i32:7, %y
      %x2 i32 = IAdd %x, %u
    b2: from b0 b1
      %y i32 = Phi i32:9, %x2
      %d bool = ULessThan %y, i32:100
      BranchConditional %d, b1, b3
    b3: from b2
      Store %p, %y (global i32, align 4)
  )");
  canonicalise(f);
  check_order(f);
  CHECK(lir_text(f).find("Switch") != std::string::npos);
}

TEST_CASE("any graph becomes canonical, and its lanes do what they did alone") {
  for (std::uint32_t seed = 0; seed < random_cases(250); ++seed) {
    CAPTURE(seed);
    RandomLirOptions options;
    options.structured = seed % 4 == 0;
    const Function before = random_lir(seed, options);
    REQUIRE(verify(before) == "");
    Function f = before;
    canonicalise_loops(f);
    order_blocks(f);
    REQUIRE(verify(f) == "");
    check_order(f);
    CHECK(compare_functions(before, f, 8) == "");
    const std::size_t blocks = f.blocks.size();
    const std::size_t values = f.values.size();
    canonicalise_loops(f);
    CHECK(f.blocks.size() == blocks);
    CHECK(f.values.size() == values);
  }
}

}  // namespace
}  // namespace transpire::test
