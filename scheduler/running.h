// Which launches of the process run, and whether two of them have the same memory.
#pragma once

#include "memory/address_space.h"
#include "scheduler/launch.h"

namespace transpire::scheduler {

/// Whether it is a buffer or an image to which kernels may store.
inline bool is_stored_to(const memory::Allocation& allocation) {
  return allocation.host != nullptr && allocation.live && !allocation.read_only &&
         (allocation.region == memory::Region::kBuffer ||
          allocation.region == memory::Region::kImage);
}

/// One launch, as long as it runs. The allocations of its memory stay as they are meanwhile.
class RunningLaunch {
 public:
  explicit RunningLaunch(const LaunchSpec& spec);  ///< which outlives it
  ~RunningLaunch();
  RunningLaunch(const RunningLaunch&) = delete;
  RunningLaunch& operator=(const RunningLaunch&) = delete;

  /// Whether another launch that runs may store to buffers or images of this one. From any thread.
  bool shares_memory() const;

 private:
  bool overlaps(const RunningLaunch& other) const;

  const LaunchSpec& spec_;
};

}  // namespace transpire::scheduler
