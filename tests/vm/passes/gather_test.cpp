// gather_arrivals: lanes that come to a barrier on different ways execute it together.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "tests/vm/lir/lir_machine.h"
#include "tests/vm/lir/lir_text.h"
#include "tests/vm/lir/random_lir.h"
#include "vm/passes/passes.h"
#include "vm/program/immediates.h"

namespace transpire::test {
namespace {

constexpr std::uint32_t kLanes = 8;

LowerOptions lanes_in_line() {
  LowerOptions options;
  options.lanes = kLanes;
  options.linear_x = true;
  return options;
}

/// True if the pass cut a loop. What is left is ready to run in a batch.
bool gather(Function& function) {
  function.uses_barrier = function.uses_subgroups = true;
  const auto switches = [&function] {
    return std::count_if(function.blocks.begin(), function.blocks.end(), [&](const Block& block) {
      return function.values[block.terminator].op == Op::kSwitch;
    });
  };
  // The pass itself may turn cycles with several entries into loops, which have a switch as well.
  canonicalise_loops(function);
  const auto before = switches();
  gather_arrivals(function, lanes_in_line());
  const bool has_cut = switches() != before;
  CHECK(verify(function) == "");
  canonicalise_loops(function);
  order_blocks(function);
  analyse_divergence(function, lanes_in_line());
  CHECK(verify(function) == "");
  return has_cut;
}

/// The barriers that all lanes come to alone in the same order.
std::vector<std::uint32_t> common_meetings(const Function& function) {
  std::vector<std::uint32_t> common;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    std::vector<std::uint32_t> own;
    for (const MachineMeeting& each : run_machine(function, {1, lane, 100}).meetings)
      own.push_back(each.source);
    if (lane == 0) common = own;
    const auto [end, _] = std::mismatch(common.begin(), common.end(), own.begin(), own.end());
    common.erase(end, common.end());
  }
  return common;
}

/// Empty when the lanes of a batch come together to the barriers that they come to alone in the same order.
std::string check_meetings(const Function& before, const Function& after) {
  const std::vector<std::uint32_t> common = common_meetings(before);
  const MachineResult batch = run_machine(after, {kLanes, 0, 1000});
  const std::vector<MachineMeeting>& met = batch.meetings;
  const bool has_ended =
      std::find(batch.finished.begin(), batch.finished.end(), false) == batch.finished.end();
  for (std::size_t k = 0; k < common.size(); ++k) {
    if (k == met.size()) return has_ended ? "meeting " + std::to_string(k) + " is missing" : "";
    if (met[k].source != common[k]) return "another barrier at meeting " + std::to_string(k);
    if (met[k].lanes != kLanes) return "lanes are missing at meeting " + std::to_string(k);
  }
  return "";
}

struct LoopCase {
  std::string name;
  std::size_t meetings;  ///< barriers that all lanes come to; 0: the loop is left as it is
  const char* text;
};

const LoopCase kLoops[] = {
    // Reduction by doubling, as an optimiser leaves it that makes one barrier of that before the loop and that in it:
    // the step is 1, 2, 4, 8 and 16, for n is 10.
    {"lanes that go round a loop on two ways come to its barrier together", 5, R"(
    arguments: %p pointer, %n i32
      %g i64 = GlobalId [0]
      %l i32 = Truncate %g
    b1: from b0 b4
      %outer i32 = Phi i32:1, %doubled
    b2: from b1 b3
      %s i32 = Phi %outer, %twice
      ControlBarrier
      %more bool = ULessThan %s, %n
      BranchConditional %more, b3, b5
    b3: from b2
      %twice i32 = IAdd %s, %s
      %left i32 = UMod %l, %twice
      %comes bool = IEqual %left, i32:0
      BranchConditional %comes, b4, b2
    b4: from b3
      Store %p, %s (global i32, align 4)
      %doubled i32 = IAdd %s, %s
      Branch b1
    b5: from b2
      Store %p, %s (global i32, align 4)
  )"},
    {"lanes that come to a barrier in different rounds of a loop wait for each other", 1, R"(
    arguments: %p pointer
      %g i64 = GlobalId [0]
      %l i32 = Truncate %g
      %own i32 = BitwiseAnd %l, i32:3
    b1: from b0 b3
      %i i32 = Phi i32:0, %next
      %comes bool = IEqual %i, %own
      BranchConditional %comes, b2, b3
    b2: from b1
      ControlBarrier
      Store %p, %i (global i32, align 4)
    b3: from b1 b2
      %next i32 = IAdd %i, i32:1
      %more bool = ULessThan %next, i32:4
      BranchConditional %more, b1, b4
    b4: from b3
  )"},
    {"the inner loop goes round as often as the outer one says, which is the same for all", 0, R"(
    arguments: %n i32
    b1: from b0 b3
      %i i32 = Phi i32:0, %i_next
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
  )"},
    {"how often differs, but every round has the barrier: who leaves never comes back", 0, R"(
      %g i64 = GlobalId [0]
      %l i32 = Truncate %g
    b1: from b0 b1
      %k i32 = Phi i32:0, %k_next
      ControlBarrier
      %k_next i32 = IAdd %k, i32:1
      %k_more bool = ULessThan %k_next, %l
      BranchConditional %k_more, b1, b2
    b2: from b1
  )"},
};

TEST_CASE("loops are cut where lanes come to barriers on different ways") {
  for (const LoopCase& c : kLoops) {
    CAPTURE(c.name);
    const Function before = parse_lir(c.text);
    REQUIRE(verify(before) == "");
    Function f = before;
    CHECK(gather(f) == (c.meetings != 0));
    CHECK(compare_functions(before, f, kLanes) == "");
    if (c.meetings != 0) CHECK(common_meetings(before).size() == c.meetings);
    CHECK(check_meetings(before, f) == "");
  }
}

/// Barriers of both kinds in some blocks, each with a source of its own.
void add_meetings(Function& function, std::uint32_t seed) {
  std::mt19937 random(seed);
  function.sources.resize(1);
  for (BlockId block = 0; block < function.blocks.size(); ++block) {
    if (random() % 3 != 0) continue;
    Value value;
    value.op = random() % 2 == 0 ? Op::kControlBarrier : Op::kGroupSync;
    if (value.op == Op::kGroupSync)
      value.imm = vm::GroupOperation{.size = kLanes, .uniform = true}.encode();
    value.source = static_cast<std::uint32_t>(function.sources.size());
    value.block = block;
    function.sources.emplace_back();
    const ValueId id = function.add(std::move(value));
    auto& all = function.blocks[block].instructions;
    const auto at = static_cast<std::ptrdiff_t>(random() % (all.size() + 1));
    // The components of a load stand right behind it.
    const auto next = all.begin() + at;
    if (next != all.end() && function.values[*next].op == Op::kResult)
      all.push_back(id);
    else
      all.insert(next, id);
  }
}

TEST_CASE("in any graph lanes do what they did alone, and meet at the barriers that they share") {
  std::uint32_t cut = 0, met = 0;
  for (std::uint32_t seed = 0; seed < 120; ++seed) {
    CAPTURE(seed);
    RandomLirOptions options;
    options.structured = seed % 3 == 0;
    options.max_blocks = 4 + seed % 9;
    Function before = random_lir(seed, options);
    add_meetings(before, seed);
    REQUIRE(verify(before) == "");
    Function f = before;
    const bool has_cut = gather(f);
    cut += has_cut;
    met += has_cut && common_meetings(before).size() > 1;
    REQUIRE(compare_functions(before, f, kLanes) == "");
    REQUIRE(check_meetings(before, f) == "");
  }
  CHECK(cut > 20);
  CHECK(met > 4);
}

}  // namespace
}  // namespace transpire::test
