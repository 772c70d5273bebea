// CycleDetector: sequences of states that repeat themselves, sooner or later. Pace: the turns of parts that run, wait, and do
// something each time before they wait.
#include "scheduler/pace.h"

#include <doctest/doctest.h>

#include <vector>

#include "scheduler/cycle_detector.h"
#include "scheduler/state_digest.h"

namespace transpire::test {
namespace {

using namespace scheduler;

/// After how many states of `lead` different ones and then laps of `lap` a state is seen again.
std::uint64_t seen_after(std::uint64_t lead, std::uint64_t lap) {
  CycleDetector cycle;
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
  CycleDetector cycle;
  for (std::uint64_t change = 0; change < 1000; ++change) {
    std::uint64_t turns = 0;
    while (!cycle.sees(change)) ++turns;
    CHECK(turns <= 3);
  }
}

TEST_CASE("states that all differ never repeat") {
  CycleDetector cycle;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    CHECK_FALSE(cycle.sees(i));
    CHECK_FALSE(cycle.repeats());
  }
}

TEST_CASE("what left its lap repeats no longer, and does again in another one") {
  CycleDetector cycle;
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

constexpr std::uint64_t kShortest = 16;

/// Steps of a whole turn, after which the part is in this state and stays in it if it waits; else it goes from there from state to state.
std::uint64_t take_turn(Pace& pace, std::uint64_t state, bool waits, Pace::Activity wanted) {
  std::uint64_t steps = 0;
  Pace::Activity what;
  do {
    steps += pace.steps();
    what = pace.stopped(state);
    if (!waits) ++state;
  } while (what == Pace::Activity::kUnknown);
  CHECK((what == wanted || wanted == Pace::Activity::kUnknown));
  return steps;
}

TEST_CASE("a part that never comes back to a state gets longer turns") {
  Pace pace(kShortest);
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const std::uint64_t steps = take_turn(pace, 1'000 * (i + 1), false, Pace::Activity::kRuns);
    if (i == 1000) CHECK(steps == kShortest);
    last = steps;
  }
  CHECK(last >= Pace::kLongest);
  CHECK(last <= Pace::kLongest + 64 * kShortest);
}

TEST_CASE("a part that stays in a state waits, with short turns, until it goes on") {
  Pace pace(kShortest);
  CHECK(take_turn(pace, 7, true, Pace::Activity::kRuns) == kShortest);
  for (int i = 0; i < 10; ++i) CHECK(take_turn(pace, 7, true, Pace::Activity::kWaits) == kShortest);
  take_turn(pace, 8, true,
            Pace::Activity::kUnknown);  // it may be on its way round a loop in its loop
  CHECK(take_turn(pace, 9, true, Pace::Activity::kRuns) == kShortest);
  CHECK(pace.turns() == 1);
}

TEST_CASE("a loop in a loop comes back to where it stood") {
  for (const std::uint64_t rounds : {2, 3, 64, 300}) {
    CAPTURE(rounds);
    Pace pace(kShortest);
    std::uint64_t turns = 0;
    while (pace.stopped(1 + turns % rounds) != Pace::Activity::kWaits) ++turns;
    CHECK(turns <= 4 * rounds + 4);
  }
}

TEST_CASE("a part that waits after it did something each time does not wait long") {
  Pace pace(kShortest);
  std::uint64_t steps = 0, most = 0;
  constexpr std::uint64_t kTimes = 100'000;
  for (std::uint64_t i = 0; i < kTimes; ++i) {
    const std::uint64_t one = take_turn(pace, i + 1, true, Pace::Activity::kUnknown);
    steps += one;
    most = std::max(most, one);
  }
  CHECK(steps <= kTimes * 2 * kShortest);
  CHECK(most <= 64 * kShortest);
}

TEST_CASE("who comes from a barrier begins anew, and nobody knows the state 0") {
  Pace pace(kShortest);
  for (int i = 0; i < 10; ++i) CHECK(take_turn(pace, 0, true, Pace::Activity::kRuns) == kShortest);
  CHECK(pace.turns() == 10);
  pace.left_loop();
  CHECK(pace.turns() == 0);
  CHECK(take_turn(pace, 5, true, Pace::Activity::kRuns) == kShortest);
  CHECK(take_turn(pace, 5, true, Pace::Activity::kWaits) == kShortest);
  CHECK(take_turn(pace, 5, true, Pace::Activity::kWaits) == kShortest);
  pace.changed();
  CHECK(take_turn(pace, 5, true, Pace::Activity::kRuns) == kShortest);
}

}  // namespace
}  // namespace transpire::test
