// The blocks of a kernel in a line: which edges have blocks of their own, and which loops there are.
#include "vm/emit/linear_order.h"

#include <doctest/doctest.h>

#include "tests/vm/emit/stages.h"

namespace transpire::test {

TEST_CASE("linear order: an edge that needs copies has a block if its source has other targets") {
  const Stages stages(R"(
    arguments: %own pointer
      %g i64 = GlobalId [0]
      %n i32 = Truncate %g
      %c bool = IEqual %n, i32:1
      BranchConditional %c, b1, b2
    b1: from b0
      %a i32 = IAdd %n, i32:100
      Branch b2
    b2: from b0 b1
      %x i32 = Phi %n, %a
      Store %own + %g * 4, %x (global i32, align 4))");
  const auto& blocks = stages.order.blocks;
  REQUIRE(blocks.size() == 4);
  const std::uint32_t edge = 1, one = stages.order.number_of[1], join = stages.order.number_of[2];
  CHECK(blocks[0].block == 0);
  CHECK(blocks[0].copies.empty());
  REQUIRE(blocks[0].targets.size() == 2);
  CHECK(blocks[0].targets[0] == one);
  CHECK(blocks[0].targets[1] == edge);
  CHECK(blocks[edge].block == vm::lir::kNoBlock);
  REQUIRE(blocks[edge].copies.size() == 1);
  CHECK(blocks[edge].copies[0].value == stages.id("n"));
  CHECK(blocks[edge].targets[0] == join);
  REQUIRE(blocks[one].copies.size() == 1);
  CHECK(blocks[one].copies[0].value == stages.id("a"));
  CHECK(blocks[one].copies[0].phi == stages.id("x"));
}

TEST_CASE("linear order: loops are the spans of backward edges, each in the smallest around it") {
  // 0 -> 1; outer loop 1..4, inner loop 2..3; 5 is a loop by itself.
  LinearOrder order;
  const std::vector<std::vector<std::uint32_t>> targets{{1}, {2}, {3, 5}, {2, 4}, {1}, {5, 6}, {}};
  for (const auto& list : targets) order.blocks.emplace_back().targets = list;
  find_loops(&order);
  REQUIRE(order.loops.size() == 3);
  CHECK(order.loops[1].first == 2);
  CHECK(order.loops[1].last == 3);
  CHECK(order.loops[1].parent == 0);
  CHECK(order.loops[2].parent == kNoLoop);
  const std::uint32_t depths[] = {0, 1, 2, 2, 1, 1, 0};
  for (std::size_t n = 0; n < order.blocks.size(); ++n) CHECK(order.depth(n, 10) == depths[n]);
  CHECK(order.depth(3, 1) == 1);
}

}  // namespace transpire::test
