// GroupNotifier: what an observer is told about groups that run by turns.
#include "scheduler/group_notifier.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/scheduler/fake_program.h"

namespace transpire::test {
namespace {

/// Writes down the calls, each as a letter and the group's first coordinate.
struct TurnLog final : vm::Observer {
  void group_begins(const std::uint64_t id[3]) override { add("b", id); }
  void group_goes_on(const std::uint64_t id[3]) override { add("g", id); }
  void group_ends(const std::uint64_t id[3]) override { add("e", id); }
  void add(const char* call, const std::uint64_t id[3]) { calls += call + std::to_string(id[0]); }
  std::string calls;
};

struct TwoUnits {
  TwoUnits() {
    first.go_to<Filling::kByGroup>(0);
    second.go_to<Filling::kByGroup>(1);
  }
  const GeometryPlan plan{make_ids({{8, 1, 1}, {4, 1, 1}}), 64, Filling::kByGroup};
  UnitGroups first{plan, 0}, second{plan, 0};
};

TEST_CASE("a group that goes on after another one is reported, once") {
  TwoUnits units;
  TurnLog log;
  GroupNotifier observer;
  observer.begin(&log);
  observer.begins(units.first);
  observer.resumes(units.first);
  observer.begins(units.second);
  observer.resumes(units.first);
  observer.resumes(units.first);
  observer.ends(units.second);
  observer.ends(units.first);
  CHECK(log.calls == "b0b1g0g1e1g0e0");
}

TEST_CASE("without an observer nothing is reported") {
  TwoUnits units;
  GroupNotifier observer;
  observer.begin(nullptr);
  observer.begins(units.first);
  observer.resumes(units.second);
  observer.ends(units.first);
  observer.waits(Batch());
  observer.meets(Batch());
}

}  // namespace
}  // namespace transpire::test
