// Ends of launches: limits, cancellation, findings and their order.
#include <doctest/doctest.h>

#include "scheduler/fake_program.h"

namespace transpire::scheduler::test {

TEST_CASE("the step limit ends an endless loop and says where it was") {
  vm::Program program;
  set_code(program, {make(spin)});
  for (unsigned threads : {1u, 4u}) {
    RunOptions options{.threads = threads};
    options.limits.max_steps = 1000;
    const Outcome outcome = run_once(program, {{1024, 1, 1}, {64, 1, 1}}, options);
    CHECK(outcome.end == LaunchResult::End::kStepLimit);
    REQUIRE(outcome.findings.size() == 1);
    CHECK(outcome.findings[0].rule == Rule::kL0001);
    CHECK(outcome.findings[0].instruction == &program.code[0]);
  }
}

TEST_CASE("a launch that was stopped leaves its team fit for the next one") {
  vm::Program program;
  set_code(program, {make(spin)});
  const GeometryPlan plan(make_ids({{64, 1, 1}, {64, 1, 1}}), 64, false);
  ThreadPool pool(1);
  Team team(program, plan, 0, 1);
  const memory::AddressSpace space(8);
  LaunchSpec spec;
  spec.memory = &space;
  spec.limits.max_steps = 10;
  CHECK(run(spec, team, pool).end == LaunchResult::End::kStepLimit);
  program.code[0].run = count_batch;
  Record seen;
  program.code[0].imm = reinterpret_cast<std::uintptr_t>(&seen);
  const Outcome outcome = run(spec, team, pool);
  CHECK(outcome.end == LaunchResult::End::kCompleted);
  CHECK(outcome.findings.empty());
  CHECK(outcome.instructions == 1);
}

TEST_CASE("the time limit ends an endless loop") {
  vm::Program program;
  set_code(program, {make(spin)});
  for (unsigned threads : {1u, 2u}) {
    RunOptions options{.threads = threads};
    options.limits.timeout_seconds = 0.01;
    CHECK(run_once(program, {{256, 1, 1}, {64, 1, 1}}, options).end ==
          LaunchResult::End::kTimeLimit);
  }
}

TEST_CASE("progress is reported and can cancel") {
  vm::Program program;
  Record seen;
  set_code(program, {make(count_batch, seen)});
  std::uint64_t last = 0;
  std::function<bool(std::uint64_t, std::uint64_t)> report = [&](std::uint64_t done,
                                                                 std::uint64_t total) {
    CHECK(total == 100);
    last = done;
    return true;
  };
  CHECK(run_once(program, {{6400, 1, 1}, {64, 1, 1}}, {.progress = &report}).end ==
        LaunchResult::End::kCompleted);
  CHECK(last == 100);

  set_code(program, {make(spin)});
  report = [](std::uint64_t, std::uint64_t) { return false; };
  CHECK(run_once(program, {{6400, 1, 1}, {64, 1, 1}}, {.threads = 2, .progress = &report}).end ==
        LaunchResult::End::kCancelled);
}

TEST_CASE("equal findings are folded, and the first work-item is the lowest") {
  vm::Program program;
  set_code(program, {make(end_below, 5), make(fault), make(fault)});
  for (unsigned threads : {1u, 2u, 8u}) {
    const Outcome outcome = run_once(program, {{1000, 1, 1}, {100, 1, 1}}, {.threads = threads});
    REQUIRE(outcome.findings.size() == 2);
    CHECK(outcome.findings[0].instruction == &program.code[1]);
    CHECK(outcome.findings[1].instruction == &program.code[2]);
    CHECK(outcome.findings[0].count == 950);
    CHECK(outcome.findings[0].first.global_id[0] == 5);
  }
}

TEST_CASE("too many distinct findings end the launch") {
  vm::Program program;
  set_code(program, {make(fault), make(fault), make(fault)});
  RunOptions options;
  options.limits.max_findings = 2;
  const Outcome outcome = run_once(program, {{1000, 1, 1}, {10, 1, 1}}, options);
  CHECK(outcome.end == LaunchResult::End::kTooManyFindings);
  options.limits.max_findings = 0;
  CHECK(run_once(program, {{1000, 1, 1}, {10, 1, 1}}, options).end ==
        LaunchResult::End::kCompleted);
}

TEST_CASE("a pool serves several launches at once") {
  ThreadPool pool(2);
  const memory::AddressSpace space(8);
  const auto launch = [&] {
    for (int i = 0; i < 50; ++i) {
      Record seen;
      vm::Program program;
      set_code(program, {make(count_batch, seen)});
      const GeometryPlan plan(make_ids({{6400, 1, 1}, {64, 1, 1}}), 64, false);
      Team team(program, plan, 0, 3);
      LaunchSpec spec;
      spec.memory = &space;
      run(spec, team, pool);
      CHECK(seen.batch_runs == 100);
    }
  };
  std::thread first(launch), second(launch), third(launch);
  first.join();
  second.join();
  third.join();
}

}  // namespace transpire::scheduler::test
