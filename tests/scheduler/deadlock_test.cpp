// DeadlockWatch: which sequences of states and of memory are a deadlock, with one thread and with two.
#include "scheduler/deadlock.h"

#include <doctest/doctest.h>

namespace transpire::test {
namespace {

using namespace scheduler;

/// A thread that takes part in a launch.
struct Waiter {
  explicit Waiter(DeadlockState& shared) : active(shared) { watch.begin(shared); }

  /// A round in which nothing moves. True if the launch is deadlocked.
  bool round(std::uint64_t state, std::uint64_t memory, std::uint64_t pause = 0) {
    const DeadlockWatch::Waiting waiting(watch);
    if (!watch.all_wait() || !watch.is_time_to_look()) return false;
    watch.saw_memory(memory, pause);
    return watch.returns_to([state] { return state; }) && watch.all_return();
  }
  /// A round in which a work-item does something.
  void moves() {
    const DeadlockWatch::Waiting waiting(watch);
    watch.leave();
  }

  DeadlockState::Active active;
  DeadlockWatch watch;
};

TEST_CASE("a thread that returns to a state is deadlocked, unless memory changes") {
  DeadlockState shared;
  Waiter only(shared);
  CHECK_FALSE(only.round(1, 7));
  CHECK_FALSE(only.round(1, 8));  // a store in between
  CHECK_FALSE(only.round(2, 8));
  CHECK_FALSE(only.round(3, 8));
  CHECK(only.round(3, 8));
}

TEST_CASE("a state of before a work-item moved does not count") {
  DeadlockState shared;
  Waiter only(shared);
  CHECK_FALSE(only.round(1, 7));
  only.moves();
  CHECK_FALSE(only.round(1, 7));
  CHECK(only.round(1, 7));
}

TEST_CASE("an unknown state is no state to return to") {
  DeadlockState shared;
  Waiter only(shared);
  for (int i = 0; i < 10; ++i) CHECK_FALSE(only.round(0, 7));
}

TEST_CASE("memory is looked at again only after as many rounds as it is large") {
  DeadlockState shared;
  Waiter only(shared);
  CHECK_FALSE(only.round(1, 7, 3));
  for (int i = 0; i < 3; ++i) CHECK_FALSE(only.round(1, 7, 3));
  CHECK(only.round(1, 7, 3));
}

TEST_CASE("a launch is deadlocked when all of its threads are") {
  DeadlockState shared;
  Waiter first(shared), second(shared);
  CHECK(shared.active() == 2);
  for (int i = 0; i < 5; ++i) CHECK_FALSE(first.round(1, 7));  // the second one still runs
  CHECK_FALSE(second.round(5, 7));
  CHECK_FALSE(first.round(1, 7));
  CHECK_FALSE(first.round(1, 7));  // has returned; the second one has not
  CHECK_FALSE(first.round(1, 7));
  CHECK(second.round(5, 7));
}

TEST_CASE("a thread that moves makes the others begin anew") {
  DeadlockState shared;
  Waiter first(shared), second(shared);
  CHECK_FALSE(first.round(1, 7));
  CHECK_FALSE(second.round(5, 7));
  CHECK_FALSE(first.round(1, 7));
  CHECK_FALSE(first.round(1, 7));
  second.moves();
  CHECK_FALSE(second.round(5, 7));
  CHECK_FALSE(second.round(5, 7));
  CHECK_FALSE(first.round(1, 7));
  CHECK(first.round(1, 7));
}

TEST_CASE("a thread that has ended is not waited for") {
  DeadlockState shared;
  Waiter first(shared);
  {
    Waiter second(shared);
    CHECK_FALSE(second.round(5, 7));
    second.watch.stop_waiting();
    CHECK_FALSE(first.round(1, 7));
  }
  CHECK_FALSE(first.round(1, 7));
  CHECK(first.round(1, 7));
}

}  // namespace
}  // namespace transpire::test
