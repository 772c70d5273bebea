// What the workers of a launch know together of whether it can ever end.
//
// A worker whose work-items all wait for memory to change looks for the rest of the launch whether it does. While all workers
// do so they take turns, under the mutex. Once each of them has come back to a state that it was in before, and memory was
// the same whenever one of them looked in the meantime, nothing will ever change.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace transpire::scheduler {

struct Stall {
  /// A worker takes part, as long as this lives.
  class Active {
   public:
    explicit Active(Stall& stall) : stall_(stall) { stall_.active.fetch_add(1); }
    ~Active() { stall_.active.fetch_sub(1); }
    Active(const Active&) = delete;
    Active& operator=(const Active&) = delete;

   private:
    Stall& stall_;
  };

  std::atomic<unsigned> active{0};  ///< workers that take part and have not ended
  std::mutex mutex;
  // All below under it.
  unsigned waiting = 0;      ///< of these, those whose work-items all wait
  unsigned stalled = 0;      ///< of these, those that came back to a state, in this generation
  std::uint64_t memory = 0;  ///< a digest of it
  std::uint64_t generation =
      1;  ///< another one each time that memory or a worker was found changed
};

}  // namespace transpire::scheduler
