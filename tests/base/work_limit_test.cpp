#include "base/work_limit.h"

#include <doctest/doctest.h>

namespace transpire::test {

TEST_CASE("work limit: none is never spent") {
  CHECK_FALSE(WorkLimit().limited());
  CHECK_FALSE(WorkLimit().spent());
  CHECK_FALSE(WorkLimit::after(0).limited());
  CHECK_FALSE(WorkLimit::after(1e300).limited());
}

TEST_CASE("work limit: a deadline that has passed ends work, a later one does not") {
  const auto now = WorkLimit::Clock::now();
  CHECK(WorkLimit(now).end() == WorkLimit::End::kTime);
  CHECK_FALSE(WorkLimit(now + std::chrono::hours(1)).spent());
  CHECK_FALSE(WorkLimit::after(3600).spent());
  CHECK(WorkLimit::after(3600).limited());
}

TEST_CASE("work limit: the caller's flag ends work at once, and every copy sees it") {
  std::atomic<bool> cancelled = false;
  const WorkLimit limit = WorkLimit::after(3600, &cancelled);
  const WorkLimit copy = limit;
  CHECK_FALSE(copy.spent());
  cancelled = true;
  CHECK(copy.end() == WorkLimit::End::kCancelled);
  CHECK(limit.spent());
}

}  // namespace transpire::test
