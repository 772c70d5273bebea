// LaunchRegistration: a launch's entry in the list of all launches that run in this process. It says whether another one shares its
// memory.
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
class LaunchRegistration {
 public:
  /// `spec` must outlive this object.
  explicit LaunchRegistration(const LaunchSpec& spec);
  ~LaunchRegistration();
  LaunchRegistration(const LaunchRegistration&) = delete;
  LaunchRegistration& operator=(const LaunchRegistration&) = delete;

  /// True if another running launch may store to buffers or images of this one. Thread-safe.
  bool shares_memory() const;

 private:
  bool overlaps(const LaunchRegistration& other) const;

  const LaunchSpec& spec_;
};

}  // namespace transpire::scheduler
