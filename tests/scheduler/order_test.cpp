// The order of findings: by barriers passed, then by work-item; and where work-items are when a launch is ended.
#include <doctest/doctest.h>

#include "tests/scheduler/fake_program.h"

namespace transpire::test {
namespace {

/// A finding of each lane whose LocalId[0] is not below imm; goes on.
const Inst* fault_from(const Inst* ip, std::byte*, Batch* batch) {
  for (std::uint32_t lane = 0; lane < batch->program->lanes; ++lane) {
    if (!has_lane(batch->mask, lane) || batch->local_id[0][lane] < ip->imm) continue;
    vm::exec::Event event;
    event.rule = static_cast<std::uint16_t>(Rule::kR0060);
    event.instruction = ip;
    event.lane = lane;
    batch->sink->finding(*batch, event);
  }
  return ip + 1;
}

std::vector<std::ptrdiff_t> places(const Outcome& outcome, const vm::Program& program) {
  std::vector<std::ptrdiff_t> numbers;
  for (const scheduler::Finding& finding : outcome.findings)
    numbers.push_back(finding.rule == Rule::kR0040 ? -1
                                                   : finding.instruction - program.code.data());
  return numbers;
}

const Waiting* waiting_at(const scheduler::Finding& finding, Waiting::Where where) {
  for (const Waiting& place : finding.waiting)
    if (place.where == where) return &place;
  return nullptr;
}

TEST_CASE("findings come by barriers passed, then by work-item") {
  vm::Program program;
  set_code(program, {make(fault_from, 100), make(barrier), make(fault_from, 3), make(fault_from, 2),
                     make(barrier), make(fault_from, 0)});
  for (const unsigned threads : {1u, 2u, 8u})
    CHECK(places(run_once(program, {{1500, 1, 1}, {150, 1, 1}}, {.threads = threads}), program) ==
          std::vector<std::ptrdiff_t>{0, 3, 2, 5});
}

TEST_CASE("the same of groups that share a batch") {
  vm::Program program;
  set_code(program, {make(fault_from, 5), make(barrier), make(fault_from, 3), make(fault_from, 2)});
  CHECK(places(run_once(program, {{800, 1, 1}, {8, 1, 1}}, {.packed = true}), program) ==
        std::vector<std::ptrdiff_t>{0, 3, 2});
}

TEST_CASE("a group that parts is told of behind what led there, and before what comes of it") {
  vm::Program program;
  set_code(program, {make(fault_from, 64), make(skip_next_from, 64), make(barrier),
                     make(skip_next_from, 64), make(fault_from, 0)});
  CHECK(places(run_once(program, {{128, 1, 1}, {128, 1, 1}}), program) ==
        std::vector<std::ptrdiff_t>{0, -1, 4});
}

TEST_CASE("what a work-item was found to do before is remembered") {
  vm::Program program;
  set_code(program, {make(fault_from, 3), make(fault_from, 1), make(fault_from, 4)});
  const Outcome outcome = run_once(program, {{64, 1, 1}, {64, 1, 1}});
  REQUIRE(places(outcome, program) == std::vector<std::ptrdiff_t>{1, 0, 2});
  CHECK(outcome.findings[0].earlier.empty());  // work-item 1
  CHECK(outcome.findings[1].earlier.empty());  // work-item 3
  REQUIRE(outcome.findings[2].earlier.size() == 2);
  CHECK(std::get<1>(outcome.findings[2].earlier[0]) == &program.code[0]);
  CHECK(std::get<1>(outcome.findings[2].earlier[1]) == &program.code[1]);
}

TEST_CASE("what is ended tells of work-items at barriers, and of those that had not begun") {
  vm::Program program;
  RunOnceOptions options;
  options.limits.max_steps = 10;
  const Sizes sizes{{150, 1, 1}, {150, 1, 1}};
  set_code(program, {make(skip_next_from, 64), make(barrier), make(spin)});
  const Outcome waits = run_once(program, sizes, options);
  REQUIRE(waits.findings.size() == 1);
  const scheduler::Finding& behind = waits.findings[0];
  CHECK(behind.instruction == &program.code[2]);
  CHECK(behind.count == 150);
  REQUIRE(waiting_at(behind, Waiting::Where::kAtBarrier) != nullptr);
  CHECK(waiting_at(behind, Waiting::Where::kAtBarrier)->count == 64);
  CHECK(waiting_at(behind, Waiting::Where::kAtBarrier)->instruction == &program.code[1]);
  REQUIRE(waiting_at(behind, Waiting::Where::kStopped) != nullptr);
  CHECK(waiting_at(behind, Waiting::Where::kStopped)->count == 64);
  REQUIRE(waiting_at(behind, Waiting::Where::kNotBegun) != nullptr);
  CHECK(waiting_at(behind, Waiting::Where::kNotBegun)->count == 22);
  CHECK(waiting_at(behind, Waiting::Where::kNotBegun)->first.local_id[0] == 128);
}

TEST_CASE("whoever asks is told of instructions while a group runs") {
  vm::Program program;
  set_code(program, {make(spin)});
  std::uint64_t last = 0;
  int calls = 0;
  const std::function<void(std::uint64_t)> executing = [&](std::uint64_t count) {
    CHECK(count >= last);
    last = count;
  };
  const std::function<bool(std::uint64_t, std::uint64_t)> report =
      [&](std::uint64_t, std::uint64_t) { return last == 0 || ++calls < 5; };
  const Outcome outcome =
      run_once(program, {{64, 1, 1}, {64, 1, 1}}, {.progress = &report, .executing = &executing});
  CHECK(outcome.end == LaunchResult::End::kCancelled);
  CHECK(last != 0);
  CHECK(last <= outcome.instructions);
}

TEST_CASE("places of several workers' work-items are told in the order of work-items") {
  vm::Program program;
  set_code(program, {make(spin)});
  const auto spins_in = [&program](std::uint64_t group) {
    Waiting place;
    place.where = Waiting::Where::kBusyWait;
    place.instruction = &program.code[0];
    place.address = 4 * group;
    place.count = 1;
    place.first.group_linear = group;
    return place;
  };
  Collector collectors[3];
  FindingLimit limit(0);
  const std::vector<std::uint64_t> groups[] = {{2, 5}, {1, 4}, {0, 2}};
  for (std::size_t worker = 0; worker < 3; ++worker) {
    collectors[worker].begin(nullptr, &limit, 0);
    std::vector<Waiting> places;
    for (const std::uint64_t group : groups[worker]) places.push_back(spins_in(group));
    collectors[worker].stopped(std::move(places), Rule::kR0048);
  }
  const std::vector<scheduler::Finding> findings =
      merge_findings({&collectors[0], &collectors[1], &collectors[2]}, program);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].first.group_linear == 0);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> told;
  for (const Waiting& place : findings[0].waiting)
    told.emplace_back(place.first.group_linear, place.count);
  CHECK(told == std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                    {0, 1}, {1, 1}, {2, 2}, {4, 1}, {5, 1}});
}

}  // namespace
}  // namespace transpire::test
