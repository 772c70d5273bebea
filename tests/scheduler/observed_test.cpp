// Observers are told of one thing after the other, by one thread, whatever threads there are.
#include <doctest/doctest.h>

#include <algorithm>
#include <thread>

#include "tests/scheduler/fake_program.h"

namespace transpire::test {
namespace {

/// The groups in the order in which it is told of them, and the threads that tell.
struct GroupLog final : vm::Observer {
  std::mutex mutex;
  std::vector<std::uint64_t> begun, ended;
  std::set<std::thread::id> threads;

  void group_begins(const std::uint64_t id[3]) override { note(begun, id[0]); }
  void group_ends(const std::uint64_t id[3]) override { note(ended, id[0]); }

 private:
  void note(std::vector<std::uint64_t>& groups, std::uint64_t id) {
    const std::lock_guard lock(mutex);
    groups.push_back(id);
    threads.insert(std::this_thread::get_id());
  }
};

TEST_CASE("a team has one worker for a program that is observed, and as many as asked for others") {
  vm::Program program;
  set_code(program, {make(dawdle, 0)});
  const GeometryPlan plan(make_ids({{6400, 1, 1}, {64, 1, 1}}), 64, Filling::kByGroup);
  CHECK(Team(program, plan, 0, 4).threads() == 4);
  CHECK(Team(program, plan, 0, 0).threads() == 1);
  program.observed = program.watched = true;
  CHECK(Team(program, plan, 0, 4).threads() == 1);
}

TEST_CASE("an observer is told of groups in their order by one thread") {
  vm::Program program;
  set_code(program, {make(dawdle, 1)});
  program.observed = program.watched = true;
  const GeometryPlan plan(make_ids({{1280, 1, 1}, {64, 1, 1}}), 64, Filling::kByGroup);
  const memory::AddressSpace space(8);
  for (const double timeout : {0.0, 60.0}) {  // without a limit, the calling thread works
    CAPTURE(timeout);
    ThreadPool pool(4);
    Team team(program, plan, 0, 4);
    GroupLog log;
    LaunchSpec spec;
    spec.memory = &space;
    spec.observer = &log;
    spec.limits.timeout_seconds = timeout;
    CHECK(run(spec, team, pool).end == LaunchResult::End::kCompleted);
    CHECK(log.threads.size() == 1);
    CHECK(log.begun.size() == 20);
    CHECK(std::is_sorted(log.begun.begin(), log.begun.end()));
    CHECK(log.begun == log.ended);
  }
}

}  // namespace
}  // namespace transpire::test
