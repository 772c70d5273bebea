// Emission by what functions do: whichever registers share a place, every lane gets its own values.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/vm/lir/lir_engine.h"
#include "tests/vm/lir/lir_text.h"
#include "tests/vm/lir/random_lir.h"
#include "vm/passes/passes.h"

namespace transpire::test {
namespace {

struct CopyCase {
  std::string name;
  std::uint32_t copies;  ///< row copies that the program has
  const char* text;      ///< behind kHead
};

constexpr const char* kHead = R"(
    arguments: %own pointer
      %g i64 = GlobalId [0]
      %n i32 = Truncate %g)";

const CopyCase kCases[] = {
    {"a phi that most edges give the old value shares its place; the others copy", 2, R"(
      %s i32 = IMul %n, %n
      %k i32 = BitwiseAnd %n, i32:3
      Switch %k, b1, b2, b3, b4, 0: 1, 1: 2, 2: 3
    b1: from b0
      %a i32 = IAdd %s, i32:100
      Branch b4
    b2: from b0
      Store %own + %g * 256 + 8, %s (global i32, align 4)
      Branch b4
    b3: from b0
      %b i32 = IMul %s, i32:7
    b4: from b0 b1 b2 b3
      %x i32 = Phi %s, %a, %s, %b
      Store %own + %g * 256, %x (global i32, align 4))"},
    // One in each case, and what leaves the loop.
    {"an interpreter's registers keep their places around the loop", 4, R"(
      %start i32 = IMul %n, %n
    b1: from b0 b5
      %pc i32 = Phi %start, %pc3
      %acc i32 = Phi %n, %acc3
      %k i32 = BitwiseAnd %pc, i32:3
      %pc2 i32 = IAdd %pc, i32:5
      Switch %k, b2, b3, b4, b6, 0: 1, 1: 2, 2: 3
    b2: from b1
      %t i32 = ShiftRightLogical %pc2, i32:1
      Branch b5
    b3: from b1
      %u i32 = IMul %acc, i32:3
      Branch b5
    b4: from b1
      %v i32 = IAdd %acc, %pc
    b5: from b2 b3 b4
      %pc3 i32 = Phi %t, %pc2, %pc2
      %acc3 i32 = Phi %acc, %u, %v
      Branch b1
    b6: from b1
      Store %own + %g * 256, %acc (global i32, align 4))"},
    // The old value is read behind the join as well: the phi may not have its place.
    {"lanes that wait keep a value that others overwrite", 1, R"(
      %s i32 = IMul %n, %n
      %k i32 = BitwiseAnd %n, i32:3
      %c bool = IEqual %k, i32:1
      BranchConditional %c, b1, b2
    b1: from b0
      %a i32 = IAdd %s, i32:100
      Branch b3
    b2: from b0
    b3: from b1 b2
      %x i32 = Phi %a, %s
      Store %own + %g * 256, %x (global i32, align 4)
      Store %own + %g * 256 + 4, %s (global i32, align 4))"},
    {"both sides of a branch compute: one of them copies", 1, R"(
      %s i32 = IMul %n, %n
      %c bool = ULessThan i32:100, %s
      BranchConditional %c, b1, b2
    b1: from b0
      %a i32 = IAdd %s, i32:100
      Branch b3
    b2: from b0
      %b i32 = IMul %s, i32:3
    b3: from b1 b2
      %x i32 = Phi %a, %b
      Store %own + %g * 256, %x (global i32, align 4))"},
    // The value that leaves has a place of its own: the place of the loop's value is written in every lane.
    {"a value that leaves two loops at once is not overwritten by their next rounds", 1, R"(
      %m i32 = BitwiseAnd %n, i32:7
      %start i32 = IMul %n, %n
    b1: from b0 b4
      %x i32 = Phi %start, %x2
      %i i32 = Phi i32:0, %i2
      %y i32 = IMul %x, i32:3
    b2: from b1 b3
      %j i32 = Phi i32:0, %j2
      %sum i32 = IAdd %i, %j
      %leaves bool = ULessThan %m, %sum
      BranchConditional %leaves, b5, b3
    b3: from b2
      %j2 i32 = IAdd %j, i32:1
      %again bool = ULessThan %j2, i32:3
      BranchConditional %again, b2, b4
    b4: from b3
      %x2 i32 = IAdd %y, %sum
      %i2 i32 = IAdd %i, i32:1
      Branch b1
    b5: from b2
      Store %own + %g * 256, %y (global i32, align 4))"},
    // The values that leave share the places of the loop's: only the parts of running lanes are written.
    {"values that change places in a loop go through a temporary", 2, R"(
      %p i32 = IMul %n, %n
      %q i32 = IAdd %p, i32:5
      %m i32 = BitwiseAnd %n, i32:7
    b1: from b0 b2
      %x i32 = Phi %p, %y
      %y i32 = Phi %q, %x
      %i i32 = Phi i32:0, %i2
      %i2 i32 = IAdd %i, i32:1
      %again bool = ULessThan %i, %m
      BranchConditional %again, b2, b3
    b2: from b1
      Branch b1
    b3: from b1
      Store %own + %g * 256, %x (global i32, align 4)
      Store %own + %g * 256 + 4, %y (global i32, align 4))"},
    {"cases that fall through read what the case before left", 3, R"(
      %s i32 = IMul %n, %n
      %k i32 = BitwiseAnd %n, i32:3
      Switch %k, b4, b1, b2, b3, 0: 1, 1: 2, 2: 3
    b1: from b0
      %a i32 = IAdd %s, i32:100
    b2: from b0 b1
      %x i32 = Phi %s, %a
      %b i32 = BitwiseXor %x, i32:21
    b3: from b0 b2
      %y i32 = Phi %s, %b
      %c i32 = IMul %y, i32:3
    b4: from b0 b3
      %z i32 = Phi %s, %c
      Store %own + %g * 256, %z (global i32, align 4))"},
};

TEST_CASE("registers share places where no lane needs both") {
  for (const CopyCase& c : kCases) {
    CAPTURE(c.name);
    const Function before = parse_lir(std::string(kHead) + c.text);
    for (const HandlerTable* table : engine_tables()) {
      const Function after = analysed(before, *table);
      REQUIRE(verify(after) == "");
      CHECK(compare_with_engine(before, after, *table, 1) == "");
      const EngineResult result = run_engine(after, *table);
      CHECK(result.row_copies == c.copies);
      CHECK(std::find(result.finished.begin(), result.finished.end(), false) ==
            result.finished.end());
    }
  }
}

TEST_CASE("random functions do on the engine what they do work-item by work-item") {
  const auto tables = engine_tables();
  std::uint32_t copies = 0, finished = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    RandomLirOptions options;
    options.own_stores = true;
    options.structured = seed % 3 != 0;
    options.max_blocks = 8 + seed % 23;
    const Function before = random_lir(seed, options);
    const HandlerTable& table = *tables[seed % tables.size()];
    Function after = before;
    if (seed % 4 == 0) {
      run_passes(after, engine_options(table));
    } else {
      after = analysed(before, table);
    }
    CAPTURE(seed);
    REQUIRE(verify(after) == "");
    CHECK(compare_with_engine(before, after, table, 5) == "");
    const EngineResult result = run_engine(after, table);
    copies += result.row_copies;
    for (const bool lane : result.finished) finished += lane;
  }
  MESSAGE("copies left: " << copies << ", lanes finished: " << finished);
}

}  // namespace
}  // namespace transpire::test
