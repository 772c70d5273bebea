// What lowering a hostile module may cost: each is lowered, or refused by the rule of what it asks
// too much of, on every instruction set, within a number of steps that is far below the default.
#include "vm/lir/budget.h"

#include <doctest/doctest.h>

#include <deque>
#include <random>
#include <thread>

#include "tests/fuzz/hostile_modules.h"
#include "tests/fuzz/small_lowering.h"
#include "tests/patience.h"
#include "tests/sanitized.h"
#include "tests/vm/lir/lir_engine.h"
#include "vm/lower/lower.h"

namespace transpire::test {
namespace {

using Words = std::vector<std::uint32_t>;
using Clock = std::chrono::steady_clock;

const decoder::Module& decoded_for_good(const Words& words) {
  static std::deque<decoder::Module> modules;  // programs point into them
  auto module = decoder::decode(std::as_bytes(std::span(words)), {.input_name = "hostile"});
  REQUIRE_MESSAGE(module.ok(), format(module.errors()[0]));
  return modules.emplace_back(std::move(module).value());
}

LowerOptions options_for(const HandlerTable& table, bool optimise) {
  LowerOptions options;
  options.lanes = table.lanes;
  options.reference = !optimise;
  return options;
}

/// The rule that the module is refused with; empty when it is lowered.
std::string rule_of(const decoder::Module& module, const HandlerTable& table,
                    const LowerOptions& options) {
  const auto program = lower(module, module.entry_points[0], options, table);
  return program.ok() ? "" : program.errors()[0].rule;
}

/// The same on each instruction set, optimised and on the reference path.
void check_rule(const Words& words, const std::string& rule, LowerLimits limits = {}) {
  const decoder::Module& module = decoded_for_good(words);
  for (const HandlerTable* table : engine_tables()) {
    for (const bool optimise : {true, false}) {
      CAPTURE(vm::isa_name(table->isa));
      CAPTURE(optimise);
      LowerOptions options = options_for(*table, optimise);
      options.limits = limits;
      CHECK(rule_of(module, *table, options) == rule);
    }
  }
}

LowerLimits steps(std::uint64_t most) {
  LowerLimits limits;
  limits.steps = most;
  return limits;
}

TEST_CASE("budget: calls that double at each level are refused, whatever the functions hold") {
  const auto start = Clock::now();
  const std::uint32_t depth = kSanitized ? 24 : 60;
  check_rule(fuzz::call_tree(depth), "TSP-L0003", steps(10'000'000));
  check_rule(fuzz::branching_call_tree(depth), "TSP-L0003", steps(10'000'000));
  // Twelve times; one takes some tenths of a second.
  CHECK(Clock::now() - start < 4 * kPatience);
}

TEST_CASE("budget: as many calls as real programs have are expanded") {
  check_rule(fuzz::calls(5000), "");
  check_rule(fuzz::call_tree(10), "");
}

TEST_CASE("budget: registers are counted in 64 bits and limited before anything is allocated") {
  LowerLimits small;
  small.register_bytes = 1 << 20;
  check_rule(fuzz::live_values(20), "", small);
  check_rule(fuzz::live_values(200), "TSP-L0007", small);
  check_rule(fuzz::live_values(9000), "TSP-L0007");
  // More bytes than offsets in instructions can say: the limit of the format holds for any other.
  LowerLimits none;
  none.register_bytes = ~std::uint64_t{0};
  const decoder::Module& module = decoded_for_good(fuzz::live_values(1000));
  for (const HandlerTable* table : engine_tables()) {
    LowerOptions options = options_for(*table, true);
    options.limits = none;
    const auto program = lower(module, module.entry_points[0], options, *table);
    REQUIRE(program.ok());
    CHECK((*program)->register_bytes >= 16'000 * row_bytes(Kind::kI64, table->lanes));
  }
}

TEST_CASE("budget: copies of phis take linear time, and the arrays of phis stay in memory") {
  check_rule(fuzz::rotating_phis(2000), "", steps(4'000'000));
  check_rule(fuzz::rotating_phis(8000), "", steps(16'000'000));
  for (const std::uint64_t components : {2u, 1024u, 1025u, 65536u})
    check_rule(fuzz::rotating_arrays(2, components), "", steps(4'000'000));
  check_rule(fuzz::rotating_arrays(400, 65536), "", steps(4'000'000));
  check_rule(fuzz::rotating_arrays(1100, 65536), "TSP-L0004", steps(4'000'000));
  check_rule(fuzz::rotating_arrays(2, 65537), "TSP-U0007", steps(4'000'000));
}

TEST_CASE("budget: whole arrays are loaded and stored as copies, of which memory has a limit") {
  check_rule(fuzz::aggregates(1000), "", steps(4'000'000));
  check_rule(fuzz::aggregates(40'000), "TSP-L0004", steps(20'000'000));
}

TEST_CASE("budget: graphs with many entries to a cycle and long chains take linear time") {
  check_rule(fuzz::irreducible(1500), "", steps(30'000'000));
  check_rule(fuzz::irreducible(6000), "", steps(120'000'000));
  check_rule(fuzz::chains(7500), "", steps(10'000'000));
  check_rule(fuzz::chains(30'000), "", steps(40'000'000));
}

TEST_CASE("budget: what is spent has its rule") {
  const decoder::Module& module = decoded_for_good(fuzz::blocks(500));
  const HandlerTable& table = *engine_tables().front();
  LowerOptions options = options_for(table, true);
  CHECK(rule_of(module, table, options).empty());
  options.limits = steps(1000);
  CHECK(rule_of(module, table, options) == "TSP-L0006");
  options.limits = {};
  options.limits.bytes = 100'000;
  CHECK(rule_of(module, table, options) == "TSP-L0003");
  options.limits = {};
  options.limits.time = WorkLimit(WorkLimit::Clock::now());
  CHECK(rule_of(module, table, options) == "TSP-L0002");
  options.limits = {};
  options.max_instructions = 100;
  CHECK(rule_of(module, table, options) == "TSP-L0003");
}

TEST_CASE("budget: a refusal names the kernel, and where its building had come to") {
  const decoder::Module& module = decoded_for_good(fuzz::call_tree(24));
  const HandlerTable& table = *engine_tables().front();
  LowerOptions options = options_for(table, true);
  options.limits.bytes = 100'000;
  const auto program = lower(module, module.entry_points[0], options, table);
  REQUIRE(!program.ok());
  const Diagnostic& error = program.errors()[0];
  CHECK(error.message == "lowering the kernel takes more than 0 MiB of memory");
  CHECK(error.input == "hostile");
  CHECK(error.instruction == "OpFunctionCall");
}

TEST_CASE("budget: cancelling ends lowering at once, wherever it stands") {
  const decoder::Module& module = decoded_for_good(fuzz::blocks(20'000));
  const HandlerTable& table = *engine_tables().front();
  for (const int wait : {1, 20, 60, 150, 300}) {
    std::atomic<bool> cancelled = false;
    LowerOptions options = options_for(table, true);
    options.limits.time = WorkLimit(std::nullopt, &cancelled);
    double when = 0;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(wait));
      when = processor_seconds();
      cancelled = true;
    });
    const std::string rule = rule_of(module, table, options);
    const double end = processor_seconds();
    other.join();
    if (rule.empty()) continue;  // a fast machine
    CHECK(rule == "TSP-L0002");
    CHECK(end - when < 2);  // freeing what was made counts as well
  }
}

TEST_CASE("budget: hostile modules with words changed at random are lowered or refused") {
  std::mt19937 random(17);
  int made = 0;
  const auto try_edits = [&](const Words& original) {
    for (int round = 0; round < 40; ++round) {
      Words words = original;
      words[2] = random();  // the options
      for (std::uint32_t edits = random() % 3; edits > 0; --edits) {
        const std::size_t at = 5 + random() % (words.size() - 5);
        words[at] = random() % 2 == 0 ? words[5 + random() % (words.size() - 5)]
                                      : words[at] + random() % 5 - 2;
      }
      made += fuzz::lower_small(std::as_bytes(std::span(words)));
    }
  };
  for (const std::uint32_t n : {1u, 3u, 6u}) {
    for (const fuzz::HostileFamily& family : fuzz::hostile_families()) try_edits(family.make(n));
    try_edits(fuzz::branching_call_tree(n));
    try_edits(fuzz::nested_loops(n));
    try_edits(fuzz::rotating_arrays(n, 2000));
    try_edits(fuzz::rotating_arrays(n, 3));
  }
  CHECK(made > 500);
}

}  // namespace
}  // namespace transpire::test
