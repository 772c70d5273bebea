// Deadlock detection of one launch: the state that its workers share to find out that the launch can never end.
//
// A worker whose work-items all wait for memory to change counts itself as waiting. While every worker that takes part waits, they
// run their rounds of turns one after the other, under the mutex. The launch is deadlocked once each worker has returned to a state
// of its work-items that it was in before, and every digest of memory in the meantime was the same.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace transpire::scheduler {

struct DeadlockState {
  /// Counts a worker as active as long as this object lives.
  class Active {
   public:
    explicit Active(DeadlockState& state) : state_(state) { state_.active.fetch_add(1); }
    ~Active() { state_.active.fetch_sub(1); }
    Active(const Active&) = delete;
    Active& operator=(const Active&) = delete;

   private:
    DeadlockState& state_;
  };

  std::atomic<unsigned> active{0};  ///< workers that take part and have not ended
  std::mutex mutex;
  // The mutex guards all members below.
  unsigned waiting = 0;    ///< active workers whose work-items all wait
  unsigned repeating = 0;  ///< waiting workers that returned to an earlier state in this generation
  std::uint64_t memory_digest = 0;
  std::uint64_t generation = 1;  ///< counts the times that memory or a worker was found changed
};

}  // namespace transpire::scheduler
