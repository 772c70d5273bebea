// The summary lines of a run.
#include "launch/runner/run_plan.h"
#include "tests/launch/support.h"

namespace transpire::test {
namespace {

std::string summary(double seconds, std::uint64_t work_items,
                    LaunchResult::End end = LaunchResult::End::kCompleted) {
  LaunchReport launch;
  launch.kernel = "k";
  launch.global_size = {work_items, 0, 0};
  launch.local_size = {1, 0, 0};
  launch.repeats = 1;
  launch.work_items = work_items;
  launch.wall_seconds = seconds;
  launch.end = end;
  RunReport report;
  report.launches.push_back(launch);
  return format_summary(report);
}

TEST_CASE("units are chosen after rounding") {
  CHECK(summary(999.4e-6, 1) == "k: 1 work-item in groups of 1, 999 us, 1 k work-items/s\n");
  CHECK(summary(999.6e-6, 0) == "k: 0 work-items in groups of 1, 1 ms, 0 work-items/s\n");
  CHECK(summary(0.9996, 1000) == "k: 1000 work-items in groups of 1, 1 s, 1 k work-items/s\n");
  CHECK(summary(1, 999'600) == "k: 999600 work-items in groups of 1, 1 s, 1 M work-items/s\n");
  CHECK(summary(1234, 1) == "k: 1 work-item in groups of 1, 1234 s, 0.00081 work-items/s\n");
  CHECK(summary(1e-3, 999'700'000) ==
        "k: 999700000 work-items in groups of 1, 1 ms, 1000 G work-items/s\n");
}

TEST_CASE("a launch that ended early has no rate") {
  CHECK(summary(0.5, 64, LaunchResult::End::kTimeLimit) ==
        "k: 64 work-items in groups of 1, 500 ms; ended early: time limit\n");
}

}  // namespace
}  // namespace transpire::test
