// Pace: the turns of parts that run, wait, and do something each time before they wait.
#include "scheduler/pace.h"

#include <doctest/doctest.h>

namespace transpire::test {
namespace {

using scheduler::Pace;

constexpr std::uint64_t kShortest = 16;

/// Steps of a whole turn, after which the part is in this state and stays in it if it waits; else it goes from there from state to state.
std::uint64_t take_turn(Pace& pace, std::uint64_t state, bool waits, Pace::What wanted) {
  std::uint64_t steps = 0;
  Pace::What what;
  do {
    steps += pace.steps();
    what = pace.stopped(state);
    if (!waits) ++state;
  } while (what == Pace::What::kUnknown);
  CHECK((what == wanted || wanted == Pace::What::kUnknown));
  return steps;
}

TEST_CASE("a part that never comes back to a state gets longer turns") {
  Pace pace(kShortest);
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const std::uint64_t steps = take_turn(pace, 1'000 * (i + 1), false, Pace::What::kRuns);
    if (i == 1000) CHECK(steps == kShortest);
    last = steps;
  }
  CHECK(last >= Pace::kLongest);
  CHECK(last <= Pace::kLongest + 64 * kShortest);
}

TEST_CASE("a part that stays in a state waits, with short turns, until it goes on") {
  Pace pace(kShortest);
  CHECK(take_turn(pace, 7, true, Pace::What::kRuns) == kShortest);
  for (int i = 0; i < 10; ++i) CHECK(take_turn(pace, 7, true, Pace::What::kWaits) == kShortest);
  take_turn(pace, 8, true, Pace::What::kUnknown);  // it may be on its way round a loop in its loop
  CHECK(take_turn(pace, 9, true, Pace::What::kRuns) == kShortest);
  CHECK(pace.turns() == 1);
}

TEST_CASE("a loop in a loop comes back to where it stood") {
  for (const std::uint64_t rounds : {2, 3, 64, 300}) {
    CAPTURE(rounds);
    Pace pace(kShortest);
    std::uint64_t turns = 0;
    while (pace.stopped(1 + turns % rounds) != Pace::What::kWaits) ++turns;
    CHECK(turns <= 4 * rounds + 4);
  }
}

TEST_CASE("a part that waits after it did something each time does not wait long") {
  Pace pace(kShortest);
  std::uint64_t steps = 0, most = 0;
  constexpr std::uint64_t kTimes = 100'000;
  for (std::uint64_t i = 0; i < kTimes; ++i) {
    const std::uint64_t one = take_turn(pace, i + 1, true, Pace::What::kUnknown);
    steps += one;
    most = std::max(most, one);
  }
  CHECK(steps <= kTimes * 2 * kShortest);
  CHECK(most <= 64 * kShortest);
}

TEST_CASE("who comes from a barrier begins anew, and nobody knows the state 0") {
  Pace pace(kShortest);
  for (int i = 0; i < 10; ++i) CHECK(take_turn(pace, 0, true, Pace::What::kRuns) == kShortest);
  CHECK(pace.turns() == 10);
  pace.left_loop();
  CHECK(pace.turns() == 0);
  CHECK(take_turn(pace, 5, true, Pace::What::kRuns) == kShortest);
  CHECK(take_turn(pace, 5, true, Pace::What::kWaits) == kShortest);
  CHECK(take_turn(pace, 5, true, Pace::What::kWaits) == kShortest);
  pace.changed();
  CHECK(take_turn(pace, 5, true, Pace::What::kRuns) == kShortest);
}

}  // namespace
}  // namespace transpire::test
