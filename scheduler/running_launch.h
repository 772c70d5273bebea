// RunningLaunch: the register of all launches that run in this process. It says whether two of them share memory.
#pragma once

#include "memory/address_space.h"
#include "scheduler/launch.h"

namespace transpire::scheduler {

/// True if the allocation is a buffer or an image to which kernels may store.
inline bool is_stored_to(const memory::Allocation& allocation) {
  return allocation.host != nullptr && allocation.live && !allocation.read_only &&
         (allocation.region == memory::Region::kBuffer ||
          allocation.region == memory::Region::kImage);
}

/// Registers a launch as long as this object lives. The launch's allocations must not change in that time.
class RunningLaunch {
 public:
  /// `spec` must outlive this object.
  explicit RunningLaunch(const LaunchSpec& spec);
  ~RunningLaunch();
  RunningLaunch(const RunningLaunch&) = delete;
  RunningLaunch& operator=(const RunningLaunch&) = delete;

  /// True if another running launch may store to buffers or images of this one. Thread-safe.
  bool shares_memory() const;

 private:
  bool overlaps(const RunningLaunch& other) const;

  const LaunchSpec& spec_;
};

}  // namespace transpire::scheduler
