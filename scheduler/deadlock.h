// Deadlock detection of one launch. DeadlockState: what its threads share. DeadlockWatch: the part of one thread.
//
// A thread whose work-items all wait for memory to change counts itself as waiting. While every thread that takes part waits, they
// run their rounds of turns one after the other, under the mutex. The launch is deadlocked once each thread has returned to a state
// of its work-items that it was in before, and every digest of memory in the meantime was the same. The watch only compares digests;
// its thread computes them.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "scheduler/cycle_detector.h"

namespace transpire::scheduler {

class DeadlockState {
 public:
  /// Counts a thread as active as long as this object lives.
  class Active {
   public:
    explicit Active(DeadlockState& state) : state_(state) { state_.active_.fetch_add(1); }
    ~Active() { state_.active_.fetch_sub(1); }
    Active(const Active&) = delete;
    Active& operator=(const Active&) = delete;

   private:
    DeadlockState& state_;
  };

  /// Threads that take part and have not ended. Thread-safe.
  unsigned active() const { return active_.load(); }

 private:
  friend class DeadlockWatch;
  std::atomic<unsigned> active_{0};
  std::mutex mutex_;
  // The mutex guards all members below.
  unsigned waiting_ = 0;   ///< active threads whose work-items all wait
  unsigned returned_ = 0;  ///< waiting threads that returned to an earlier state in this generation
  std::uint64_t memory_ = 0;      ///< digest
  std::uint64_t generation_ = 1;  ///< counts the times that memory or a thread was found changed
};

class DeadlockWatch {
 public:
  /// Begins a launch, which this thread does not wait in.
  void begin(DeadlockState& shared) {
    *this = {};
    shared_ = &shared;
  }

  /// Counts the thread as waiting, and lets no other waiting thread run as long as this object lives.
  class Waiting {
   public:
    explicit Waiting(DeadlockWatch& watch) : lock_(watch.shared_->mutex_) { watch.wait(); }

   private:
    std::lock_guard<std::mutex> lock_;
  };

  // The functions below require a Waiting.

  /// The thread no longer waits: one of its work-items did something.
  void leave();
  /// True if every active thread waits.
  bool all_wait() const { return shared_->waiting_ == shared_->active_.load(); }
  /// True in the first round, and then after as many further rounds as saw_memory() said.
  bool is_time_to_look() { return rounds_to_look_-- == 0; }
  /// The digest of the launch's memory. `rounds`: rounds until the next look.
  void saw_memory(std::uint64_t memory, std::uint64_t rounds);
  /// True if the thread returns to a state that it was in since memory or a thread last changed; only the first time. `state()` is a
  /// digest of the present state, 0 if it is unknown.
  template <typename State>
  bool returns_to(State state) {
    const std::uint64_t present = state();
    return present != 0 && !has_returned_ && states_.sees(present);
  }
  /// Counts this thread as having returned. True if every active thread has.
  bool all_return() {
    has_returned_ = true;
    return ++shared_->returned_ == shared_->active_.load();
  }

  /// As leave(), if the thread waits. Must not be called with a Waiting.
  void stop_waiting();

 private:
  void wait();

  DeadlockState* shared_ = nullptr;
  bool waits_ = false, has_returned_ = false;
  std::uint64_t seen_generation_ = 0, rounds_to_look_ = 0;
  CycleDetector states_;  ///< states in the present generation
};

}  // namespace transpire::scheduler
