// Cycle: sequences of states that repeat themselves, sooner or later.
#include "scheduler/cycle.h"

#include <doctest/doctest.h>

#include <vector>

namespace transpire::test {
namespace {

using scheduler::Cycle;
using scheduler::digest;

/// After how many states of `lead` different ones and then laps of `lap` a state is seen again.
std::uint64_t seen_after(std::uint64_t lead, std::uint64_t lap) {
  Cycle cycle;
  for (std::uint64_t i = 0; i < 100'000; ++i)
    if (cycle.sees(i < lead ? i + 1 : lead + 1 + (i - lead) % lap)) return i;
  return 0;
}

TEST_CASE("a sequence that repeats itself is seen to, after a few times its length") {
  for (const std::uint64_t lead : {0, 1, 2, 3, 10, 1000})
    for (const std::uint64_t lap : {1, 2, 3, 7, 64, 500}) {
      CAPTURE(lead);
      CAPTURE(lap);
      const std::uint64_t after = seen_after(lead, lap);
      CHECK(after >= lap);
      CHECK(after <= 4 * (lead + lap) + 4);
    }
}

TEST_CASE("what changes between laps is seen again soon, however often it did") {
  Cycle cycle;
  for (std::uint64_t change = 0; change < 1000; ++change) {
    std::uint64_t turns = 0;
    while (!cycle.sees(change)) ++turns;
    CHECK(turns <= 3);
  }
}

TEST_CASE("states that all differ never repeat") {
  Cycle cycle;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    CHECK_FALSE(cycle.sees(i));
    CHECK_FALSE(cycle.repeats());
  }
}

TEST_CASE("what left its lap repeats no longer, and does again in another one") {
  Cycle cycle;
  for (std::uint64_t i = 0; i < 40; ++i) cycle.sees(i % 4);
  CHECK(cycle.repeats());
  for (std::uint64_t i = 100; i < 105; ++i) CHECK_FALSE(cycle.sees(i));
  CHECK_FALSE(cycle.repeats());
  bool seen = false;
  for (std::uint64_t i = 0; i < 400; ++i) seen |= cycle.sees(1000 + i % 3);
  CHECK(seen);
  CHECK(cycle.repeats());
}

TEST_CASE("a digest depends on each byte, on their number and on the one before") {
  std::vector<unsigned char> bytes(100);
  const std::uint64_t all = digest(bytes.data(), bytes.size(), 0);
  for (unsigned char& each : bytes) {
    each ^= 1;
    CHECK(digest(bytes.data(), bytes.size(), 0) != all);
    each ^= 1;
  }
  CHECK(digest(bytes.data(), bytes.size(), 0) == all);
  CHECK(digest(bytes.data(), bytes.size() - 1, 0) != all);
  CHECK(digest(bytes.data(), bytes.size(), 1) != all);
}

}  // namespace
}  // namespace transpire::test
