// Allocation: segments of the linear order, and the places that registers get for them.
#include "vm/emit/allocate.h"

#include <doctest/doctest.h>

#include "tests/vm/emit/stages.h"
#include "vm/emit/live_ranges.h"
#include "vm/lir/budget.h"

namespace transpire::test {
namespace {

constexpr const char* kLoop = R"(
    arguments: %own pointer
      %g i64 = GlobalId [0]
      %n i32 = Load %own + %g * 4 (global i32, align 4)
      %s i32 = IMul %n, %n
      Branch b1
    b1: from b0 b1
      %i i32 = Phi %s, %j
      %t i32 = IMul %i, %n
      %u i32 = IMul %t, %t
      %j i32 = IMul %u, %u
      %c bool = ULessThan %j, i32:1000
      BranchConditional %c, b1, b2
    b2: from b1
      Store %own + %g * 4, %u (global i32, align 4))";

TEST_CASE("live ranges: values that are live into a loop or out of it are needed in all of it") {
  const Stages stages(kLoop);
  const LiveRanges ranges = find_live_ranges(stages.function, stages.order, stages.selection);
  REQUIRE(stages.order.loops.size() == 1);
  const Position first = ranges.blocks[stages.order.loops[0].first].first;
  const Position last = ranges.blocks[stages.order.loops[0].last].last;
  const auto segment = [&](const char* name) { return ranges.segments[stages.reg(name)]; };
  CHECK(segment("n").from < first);
  CHECK(segment("n").to == last);
  CHECK(segment("s").to < first);
  CHECK(segment("t").from > first);
  CHECK(segment("t").to < last);
  // The phi that closes the loop takes %u over.
  CHECK(segment("u").from >= first);
  CHECK(segment("u").to <= last);
}

TEST_CASE("allocate: rows share places when their segments permit, phis those of their sources") {
  Stages stages(kLoop);
  const Allocation a = allocate(stages.input(), stages.order, stages.selection);
  const auto offset = [&](const char* name) { return a.offset(stages.reg(name)); };
  CHECK(offset("i") == offset("s"));
  CHECK(offset("i") == offset("j"));
  CHECK(offset("n") != offset("i"));
  CHECK(offset("n") != offset("t"));
  CHECK(offset("u") == offset("t"));  // read last where it is written
  CHECK(a.register_bytes % 64 == 0);
  for (const std::uint32_t place : a.offsets) CHECK(place < a.register_bytes);
}

TEST_CASE("allocate: a register that is kept shares its place with no other") {
  Stages stages(kLoop);
  Registers& registers = stages.selection.registers;
  registers.all[stages.reg("t")].is_kept = registers.all[stages.reg("i")].is_kept = true;
  const Allocation a = allocate(stages.input(), stages.order, stages.selection);
  for (const char* name : {"t", "i"})
    for (VReg other = 0; other < registers.size(); ++other)
      if (other != stages.reg(name) && !registers[other].is_scalar)
        CHECK(a.offset(other) != a.offset(stages.reg(name)));
}

TEST_CASE("allocate: registers that take more than the limit are refused") {
  Stages stages(kLoop);
  stages.options.limits.register_bytes = 1024;
  try {
    allocate(stages.input(), stages.order, stages.selection);
    FAIL("not refused");
  } catch (const BudgetSpent& spent) {
    CHECK(spent.why.rule == "TSP-L0007");
  }
}

}  // namespace
}  // namespace transpire::test
