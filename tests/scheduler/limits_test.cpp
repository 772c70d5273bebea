// Ends of launches: limits, cancellation, findings and their order.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/scheduler/fake_program.h"

namespace transpire::test {

TEST_CASE("the step limit ends an endless loop and says where it was") {
  vm::Program program;
  set_code(program, {make(spin)});
  for (unsigned threads : {1u, 4u}) {
    RunOnceOptions options{.threads = threads};
    options.limits.max_steps = 1000;
    const Outcome outcome = run_once(program, {{1024, 1, 1}, {64, 1, 1}}, options);
    CHECK(outcome.end == LaunchResult::End::kStepLimit);
    REQUIRE(outcome.findings.size() == 1);
    CHECK(outcome.findings[0].rule == Rule::kL0001);
    CHECK(outcome.findings[0].instruction == &program.code[0]);
  }
}

/// Group 0 waits for the flag and then ends; the others set it and run the next instruction.
const Inst* wait_for_others(const Inst* ip, std::byte*, Batch* batch) {
  bool& flag = *reinterpret_cast<bool*>(ip->imm);
  if (vm::exec::work_item(*batch, 0).group_linear != 0) {
    flag = true;
    return ip + 1;
  }
  if (flag) return ip + 2;
  batch->stop = vm::exec::Stop::kTurn;
  batch->ip = ip;
  return nullptr;
}

TEST_CASE("a limit that ends a group which another one waited for counts each work-item once") {
  bool flag = false;
  vm::Program program;
  set_code(program, {make(wait_for_others, reinterpret_cast<std::uintptr_t>(&flag)), make(spin)});
  RunOnceOptions options;
  options.limits.max_steps = 100'000;
  const Outcome outcome = run_once(program, {{128, 1, 1}, {64, 1, 1}}, options);
  CHECK(outcome.end == LaunchResult::End::kStepLimit);
  REQUIRE(outcome.findings.size() == 1);
  CHECK(outcome.findings[0].first.group_id[0] == 1);
  CHECK(outcome.findings[0].count == 64);
}

TEST_CASE("a launch that was stopped leaves its team fit for the next one") {
  vm::Program program;
  set_code(program, {make(spin)});
  const GeometryPlan plan(make_ids({{64, 1, 1}, {64, 1, 1}}), 64, Filling::kByGroup);
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

TEST_CASE("the time limit ends an endless loop and says where it was") {
  vm::Program program;
  set_code(program, {make(end_below, 3), make(spin)});
  for (unsigned threads : {1u, 2u, 4u}) {
    RunOnceOptions options{.threads = threads};
    options.limits.timeout_seconds = 0.3;  // a worker must have begun, on a busy machine as well
    const Outcome outcome = run_once(program, {{256, 1, 1}, {64, 1, 1}}, options);
    CHECK(outcome.end == LaunchResult::End::kTimeLimit);
    REQUIRE(outcome.findings.size() == 1);  // one, however many threads stood there
    CHECK(outcome.findings[0].rule == Rule::kL0002);
    CHECK(outcome.findings[0].instruction == &program.code[1]);
    CHECK(outcome.findings[0].first.global_id[0] == 3);
    CHECK(outcome.findings[0].count % 61 == 0);
  }
}

TEST_CASE("the time limit is a finding without a place when no work-item was stopped") {
  vm::Program program;
  set_code(program, {make(dawdle, 2)});
  RunOnceOptions options{.threads = 2};
  options.limits.timeout_seconds = 0.005;
  const Outcome outcome = run_once(program, {{6400, 1, 1}, {64, 1, 1}}, options);
  CHECK(outcome.end == LaunchResult::End::kTimeLimit);
  REQUIRE(outcome.findings.size() == 1);
  CHECK(outcome.findings[0].rule == Rule::kL0002);
  CHECK(outcome.findings[0].instruction == nullptr);
  CHECK(outcome.findings[0].count == 0);
}

TEST_CASE("limits come last and do not count as findings") {
  vm::Program program;
  set_code(program, {make(fault_in_group, 1), make(spin)});
  RunOnceOptions options;
  options.limits.max_steps = 10;
  options.limits.max_findings = 2;
  const Outcome outcome = run_once(program, {{256, 1, 1}, {64, 1, 1}}, options);
  CHECK(outcome.end == LaunchResult::End::kStepLimit);
  CHECK(outcome.findings.size() == 1);
  set_code(program, {make(fault_in_group, 0), make(spin)});
  const Outcome faulty = run_once(program, {{256, 1, 1}, {64, 1, 1}}, options);
  REQUIRE(faulty.findings.size() == 2);
  CHECK(faulty.findings[0].rule == Rule::kR0060);
  CHECK(faulty.findings[1].rule == Rule::kL0001);
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
  RunOnceOptions options;
  options.limits.max_findings = 2;
  const Outcome outcome = run_once(program, {{1000, 1, 1}, {10, 1, 1}}, options);
  CHECK(outcome.end == LaunchResult::End::kTooManyFindings);
  options.limits.max_findings = 0;
  CHECK(run_once(program, {{1000, 1, 1}, {10, 1, 1}}, options).end ==
        LaunchResult::End::kCompleted);
}

TEST_CASE("the findings that are listed at the limit are the first ones of the launch") {
  vm::Program program;
  std::vector<Inst> code = {make(dawdle, 1)};
  for (std::uint64_t group : {90, 7, 1, 5, 3, 6, 40, 4})
    code.push_back(make(fault_in_group, group));
  set_code(program, code);
  RunOnceOptions options;
  options.limits.max_findings = 3;
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    options.threads = threads;
    const Outcome outcome = run_once(program, {{400, 1, 1}, {4, 1, 1}}, options);
    CHECK(outcome.end == LaunchResult::End::kTooManyFindings);
    REQUIRE(outcome.findings.size() == 3);
    CHECK(outcome.findings[0].first.group_linear == 1);
    CHECK(outcome.findings[1].first.group_linear == 3);
    CHECK(outcome.findings[2].first.group_linear == 4);
    CHECK(outcome.findings[2].instruction == &program.code[8]);
  }
}

TEST_CASE("printf keeps what fits in its buffer, the same for any number of threads") {
  vm::Program program;
  Record kept;
  set_code(program, {make(print_id, kept)});
  const Sizes sizes{{600, 1, 1}, {6, 1, 1}};
  for (const bool packed : {false, true}) {
    for (unsigned threads : {1u, 2u, 5u}) {
      RunOnceOptions options{.threads = threads, .packed = packed};
      options.limits.max_printf_bytes = 10 * (2 + kPrintBytes) + 2 * (3 + kPrintBytes);
      kept.batch_runs = 0;
      const Outcome outcome = run_once(program, sizes, options);
      CHECK(outcome.end == LaunchResult::End::kCompleted);
      CHECK(outcome.printf_output == "0 1 2 3 4 5 6 7 8 9 10 11 ");
      CHECK(outcome.printf_dropped == 588);
      REQUIRE(outcome.findings.size() == 1);
      CHECK(outcome.findings[0].rule == Rule::kL0005);
      CHECK(outcome.findings[0].count == 588);
      CHECK(kept.batch_runs >= 12);
      CHECK(kept.batch_runs < 100 * threads);  // memory is bounded by thread
    }
  }
  RunOnceOptions none;
  none.limits.max_printf_bytes = 0;
  CHECK(run_once(program, sizes, none).printf_output.empty());
  CHECK(run_once(program, sizes).findings.empty());
}

TEST_CASE("a group that alone prints too much ends the text") {
  vm::Program program;
  set_code(program, {make(print_id), make(print_id)});
  RunOnceOptions options;
  options.limits.max_printf_bytes = 5 * (2 + kPrintBytes) + 1;
  for (unsigned threads : {1u, 3u}) {
    options.threads = threads;
    const Outcome outcome = run_once(program, {{32, 1, 1}, {8, 1, 1}}, options);
    CHECK(outcome.printf_output == "0 1 2 3 4 ");  // the second call of work-item 0 came later
    CHECK(outcome.printf_dropped == 59);
  }
}

TEST_CASE("a pool serves several launches at once") {
  ThreadPool pool(2);
  const memory::AddressSpace space(8);
  const auto launch = [&] {
    for (int i = 0; i < 50; ++i) {
      Record seen;
      vm::Program program;
      set_code(program, {make(count_batch, seen)});
      const GeometryPlan plan(make_ids({{6400, 1, 1}, {64, 1, 1}}), 64, Filling::kByGroup);
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

#if !defined( \
    __SANITIZE_THREAD__)  // ThreadSanitizer allows no threads in the child of a process that has some
TEST_CASE("a child of fork starts threads of its own") {
  ThreadPool pool(2);
  vm::Program program;
  Record seen;
  set_code(program, {make(count_batch, seen)});
  const GeometryPlan plan(make_ids({{6400, 1, 1}, {64, 1, 1}}), 64, Filling::kByGroup);
  Team team(program, plan, 0, 2);
  const memory::AddressSpace space(8);
  LaunchSpec spec;
  spec.memory = &space;
  spec.limits.timeout_seconds = 60;  // a thread of the pool runs such a launch
  CHECK(run(spec, team, pool).end == LaunchResult::End::kCompleted);
  const pid_t child = fork();
  if (child == 0) {
    alarm(100);  // ends a child that waits for ever
    const bool ran = run(spec, team, pool).end == LaunchResult::End::kCompleted;
    _exit(ran && seen.batch_runs == 200 ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}
#endif

}  // namespace transpire::test
