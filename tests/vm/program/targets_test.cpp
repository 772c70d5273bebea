// The blocks at which execution may continue behind a terminator.
#include "vm/program/targets.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/vm/lir/lir_engine.h"
#include "tests/vm/lir/lir_text.h"

namespace transpire::test {
namespace {

/// The numbers of the blocks to which the last instruction of the entry may branch.
std::vector<std::size_t> targets_of_entry(const std::string& terminator) {
  const HandlerTable& table = *engine_tables().front();
  const auto program = emitted(analysed(parse_lir(R"(
    arguments: %own pointer
      %g i64 = GlobalId [0]
      %k i32 = Load %own + %g * 4 (global i32, align 4)
      %c bool = IEqual %k, i32:3
      )" + terminator + R"(
    b1: from b0
      Return
    b2: from b0)"),
                                        table),
                               table);
  const Inst* last = program->block_entry[0];
  while (!ends_block(*program, *last)) {
    for_each_target(*program, *last, [](const Inst*) { FAIL("no terminator"); });
    ++last;
  }
  std::vector<std::size_t> blocks;
  for_each_target(*program, *last, [&](const Inst* target) {
    const auto& entries = program->block_entry;
    blocks.push_back(
        static_cast<std::size_t>(std::ranges::find(entries, target) - entries.begin()));
  });
  return blocks;
}

TEST_CASE("targets: those of branches and switches, in the order of the terminator") {
  // The target of true comes first in the linear order.
  CHECK(targets_of_entry("BranchConditional %c, b2, b1") == std::vector<std::size_t>{1, 2});
  CHECK(targets_of_entry("Switch %k, b1, b2, 5: 1, 9: 1") == std::vector<std::size_t>{1, 2, 2});
}

}  // namespace
}  // namespace transpire::test
