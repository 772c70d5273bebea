// The time limits of a run: for each part, and for the whole.
#include "launch/runner/run_clock.h"

#include <doctest/doctest.h>

namespace transpire::test {
namespace {

using namespace launch;

AskedSettings limits_of(std::optional<double> each, std::optional<double> total) {
  AskedSettings settings;
  settings.timeout_seconds = each;
  settings.total_timeout_seconds = total;
  return settings;
}

TEST_CASE("a run without limits has no time left to count") {
  const RunClock clock(AskedSettings{}, {});
  CHECK(clock.seconds_left() == 0);
  CHECK_FALSE(clock.is_over());
  CHECK_FALSE(clock.limit().limited());
}

TEST_CASE("a part of a run has the smaller of both limits") {
  CHECK(RunClock(limits_of(100, {}), {}).seconds_left() == 100);
  CHECK(RunClock(limits_of(100, 1000), {}).seconds_left() == 100);
  for (const auto each : {std::optional<double>(), std::optional(1000.0)}) {
    const RunClock clock(limits_of(each, 100), {});
    CHECK(clock.seconds_left() <= 100);
    CHECK(clock.seconds_left() > 0);
    CHECK(clock.limit().limited());
  }
}

TEST_CASE("a new part has its limit anew, within the limit of the run") {
  RunClock clock(limits_of(1e-9, 1000), {});
  CHECK(clock.limit().end() == WorkLimit::End::kTime);
  CHECK_FALSE(clock.is_over());
  RunClock over(limits_of(1000, 1e-9), {});
  CHECK(over.is_over());
  over.begin();
  CHECK(over.limit().end() == WorkLimit::End::kTime);
}

TEST_CASE("an interrupt ends the part in which it comes, and none behind") {
  bool wanted = false;
  RunClock clock(AskedSettings{}, [&] { return wanted; });
  const StepLimit& limit = clock.limit();
  CHECK(limit.end() == WorkLimit::End::kNone);
  wanted = true;
  CHECK(limit.end() == WorkLimit::End::kCancelled);
  clock.begin();
  CHECK(limit.end() == WorkLimit::End::kNone);
}

}  // namespace
}  // namespace transpire::test
