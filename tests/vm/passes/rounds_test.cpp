// count_rounds: which loops count their rounds, and which barriers look at them.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/vm/lir/lir_text.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

using namespace vm::lir;
using vm::Op;

/// How many values of the function have the op.
std::size_t count(const Function& function, Op op) {
  std::size_t found = 0;
  for (const Block& block : function.blocks)
    for (const ValueId id : block.instructions) found += function.values[id].op == op;
  return found;
}

/// The counters of each barrier, in the order of the blocks.
std::vector<vm::RoundCounters> counters(Function& function) {
  function.uses_barrier = true;
  count_rounds(function);
  CHECK(verify(function) == "");
  CHECK(count(function, Op::kLoopBegins) == count(function, Op::kLoopGoesRound));
  std::vector<vm::RoundCounters> found;
  for (const Block& block : function.blocks)
    for (const ValueId id : block.instructions)
      if (function.values[id].op == Op::kControlBarrier)
        found.push_back(function.values[id].rounds);
  return found;
}

}  // namespace

TEST_CASE("a loop with a barrier in every round needs no counter") {
  Function f = parse_lir(R"(
    parameter p: value, slots 0+1
    %n i32 = Argument [0]
    b0:
      Branch b1
    b1: from b0 b1
      %i i32 = Phi i32:0, %next
      ControlBarrier
      %next i32 = IAdd %i, i32:1
      %more bool = ULessThan %next, %n
      BranchConditional %more, b1, b2
    b2: from b1
      Return
  )");
  CHECK(counters(f) == std::vector<vm::RoundCounters>{0});
  CHECK(count(f, Op::kLoopBegins) == 0);
}

TEST_CASE("a loop with a barrier in some rounds counts them, from 0 whenever it is entered") {
  Function f = parse_lir(R"(
    parameter p: value, slots 0+1
    %n i32 = Argument [0]
    b0:
      ControlBarrier
      Branch b1
    b1: from b0 b3
      %i i32 = Phi i32:0, %next
      %comes bool = IEqual %i, %n
      BranchConditional %comes, b2, b3
    b2: from b1
      ControlBarrier
      Branch b3
    b3: from b1 b2
      %next i32 = IAdd %i, i32:1
      %more bool = ULessThan %next, i32:10
      BranchConditional %more, b1, b4
    b4: from b3
      Return
  )");
  CHECK(counters(f) == std::vector<vm::RoundCounters>{0, 1});
  CHECK(count(f, Op::kLoopBegins) == 1);
  const auto ends_with = [&](BlockId block, Op op) {
    const std::vector<ValueId>& all = f.blocks[block].instructions;
    return !all.empty() && f.values[all.back()].op == op;
  };
  for (const BlockId pred : f.blocks[1].preds)
    CHECK(ends_with(pred, pred == 0 ? Op::kLoopBegins : Op::kLoopGoesRound));
}

TEST_CASE("a loop around one with a barrier in every round counts, that one does not") {
  Function f = parse_lir(R"(
    parameter p: value, slots 0+1
    %n i32 = Argument [0]
    b0:
      Branch b1
    b1: from b0 b3
      %i i32 = Phi i32:0, %i_next
      Branch b2
    b2: from b1 b2
      %k i32 = Phi i32:0, %k_next
      ControlBarrier
      %k_next i32 = IAdd %k, i32:1
      %k_more bool = ULessThan %k_next, %i
      BranchConditional %k_more, b2, b3
    b3: from b2
      %i_next i32 = IAdd %i, i32:1
      %i_more bool = ULessThan %i_next, %n
      BranchConditional %i_more, b1, b4
    b4: from b3
      Return
  )");
  CHECK(counters(f) == std::vector<vm::RoundCounters>{1});
  CHECK(count(f, Op::kLoopGoesRound) == 1);
}

TEST_CASE("more loops than there are counters: the outer ones are counted") {
  // 20 loops, each in the one before. Headers are b1 to b20, latches b22 to b41; b21 has the barrier.
  constexpr int kLoops = 20;
  std::string text = "parameter p: value, slots 0+1\n%n i32 = Argument [0]\nb0:\n  Branch b1\n";
  for (int loop = 1; loop <= kLoops; ++loop) {
    text += fmt::format("b{0}: from b{1} b{2}\n  %i{0} i32 = Phi i32:0, %next{0}\n", loop, loop - 1,
                        42 - loop);
    text += loop < kLoops
                ? fmt::format("  Branch b{}\n", loop + 1)
                : "  %comes bool = IEqual %i20, %n\n  BranchConditional %comes, b21, b22\n";
  }
  text += "b21: from b20\n  ControlBarrier\n  Branch b22\n";
  for (int loop = kLoops; loop >= 1; --loop)
    text += fmt::format(
        "b{1}: from {2}b{3}\n  %next{0} i32 = IAdd %i{0}, i32:1\n"
        "  %more{0} bool = ULessThan %next{0}, %n\n  BranchConditional %more{0}, b{0}, b{4}\n",
        loop, 42 - loop, loop == kLoops ? "b20 " : "", 41 - loop, 43 - loop);
  text += "b42: from b41\n  Return\n";
  Function f = parse_lir(text);
  CHECK(counters(f) == std::vector<vm::RoundCounters>{0xffff});
  CHECK(count(f, Op::kLoopBegins) == vm::kMostRoundCounters);
}

}  // namespace transpire::test
