#include "scheduler/running.h"

#include <algorithm>
#include <mutex>

namespace transpire::scheduler {
namespace {

struct Running {
  std::mutex mutex;
  std::vector<const RunningLaunch*> launches;
};

Running& running() {
  static Running* const all =
      new Running;  // never destroyed: launches may run when the process exits
  return *all;
}

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

}  // namespace

RunningLaunch::RunningLaunch(const LaunchSpec& spec) : is_shared_(spec.is_shared) {
  if (!is_shared_)
    for (const memory::Allocation& each : spec.memory->allocations())
      if (is_stored_to(each)) stored_to_.emplace_back(each.host, each.size_bytes);
  const std::lock_guard lock(running().mutex);
  running().launches.push_back(this);
}

RunningLaunch::~RunningLaunch() {
  const std::lock_guard lock(running().mutex);
  std::erase(running().launches, this);
}

bool RunningLaunch::overlaps(const RunningLaunch& other) const {
  if (is_shared_ || other.is_shared_) return true;
  return std::ranges::any_of(stored_to_, [&](std::span<const std::byte> own) {
    return std::ranges::any_of(other.stored_to_,
                               [&](std::span<const std::byte> its) { return overlap(own, its); });
  });
}

bool RunningLaunch::shares_memory() const {
  const std::lock_guard lock(running().mutex);
  return std::ranges::any_of(running().launches, [&](const RunningLaunch* other) {
    return other != this && overlaps(*other);
  });
}

}  // namespace transpire::scheduler
