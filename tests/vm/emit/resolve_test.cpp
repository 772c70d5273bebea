// Resolution: branch targets, polls, copies and initial values of a Program.
#include "vm/emit/resolve.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/vm/emit/stages.h"

namespace transpire::test {
namespace {

Resolved resolved(Stages& stages) {
  const Allocation allocation = allocate(stages.input(), stages.order, stages.selection);
  return resolve(stages.input(), stages.order, allocation, &stages.selection);
}

std::ptrdiff_t count_of(const Program& program, Op op) {
  return std::ranges::count(program.sites, op, &Site::op);
}

/// A branch around block 1, which has `%a` for the phi behind it.
std::string branch(const std::string& a) {
  return R"(
    arguments: %own pointer
      %g i64 = GlobalId [0]
      %n i32 = Load %own + %g * 4 (global i32, align 4)
      %c bool = IEqual %n, i32:1
      BranchConditional %c, b1, b2
    b1: from b0
      )" +
         a + R"(
      Branch b2
    b2: from b0 b1
      %x i32 = Phi %n, %a
      Store %own + %g * 4, %x (global i32, align 4))";
}

TEST_CASE("resolve: a branch passes over the block of an edge whose copy is not made") {
  Stages stages(branch("%a i32 = IAdd %n, i32:100"));
  const Resolved result = resolved(stages);
  const Program& p = *result.program;
  const std::uint32_t join = stages.order.number_of[2];
  CHECK(result.entered == std::vector<std::uint32_t>{0, join, 2, join});
  CHECK(p.code[result.blocks[0].last].targets.on_false == join);
  CHECK(count_of(p, Op::kCopy) == 1);  // makes %x of %a
  CHECK(!p.has_loop);
  REQUIRE(p.block_entry.size() == 4);
  CHECK(p.block_entry[join] == p.code.data() + result.blocks[join].first);
}

TEST_CASE("resolve: the engine looks for a cancellation on long ways") {
  std::string sums = "%a0 i32 = IMul %n, %n\n";
  for (int i = 1; i < 2100; ++i)
    sums += "%a" + std::to_string(i) + " i32 = IMul %a" + std::to_string(i - 1) + ", %n\n";
  Stages stages(branch(sums + "%a i32 = IAdd %a2099, i32:1"));
  const Resolved result = resolved(stages);
  CHECK(count_of(*result.program, Op::kPoll) == 2);
  // Polls are no instructions of the block.
  const CodeBlock& block = result.blocks[2];
  CHECK(result.program->code[block.last].d == block.last - block.first + 1 - 2);
}

TEST_CASE("resolve: constants and arguments have initial values") {
  Stages stages(branch("%a i32 = IAdd %n, i32:100"));
  const Resolved result = resolved(stages);
  REQUIRE(result.program->argument_scalars.size() == 1);
  CHECK(result.program->argument_scalars[0].slot == 0);
  CHECK(std::ranges::count(result.program->initial_scalars, 100u, &Program::InitialScalar::bits) ==
        1);
}

}  // namespace
}  // namespace transpire::test
