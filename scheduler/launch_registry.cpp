#include "scheduler/launch_registry.h"

#include <algorithm>
#include <mutex>
#include <vector>

namespace transpire::scheduler {
namespace {

struct Running {
  std::mutex mutex;
  std::vector<const LaunchRegistration*> launches;
};

Running& running() {
  static Running* const all =
      new Running;  // never destroyed: launches may run when the process exits
  return *all;
}

bool overlap(const memory::Allocation& a, const memory::Allocation& b) {
  return a.host < b.host + b.size_bytes && b.host < a.host + a.size_bytes;
}

}  // namespace

LaunchRegistration::LaunchRegistration(const LaunchSpec& spec) : spec_(spec) {
  const std::lock_guard lock(running().mutex);
  running().launches.push_back(this);
}

LaunchRegistration::~LaunchRegistration() {
  const std::lock_guard lock(running().mutex);
  std::erase(running().launches, this);
}

bool LaunchRegistration::overlaps(const LaunchRegistration& other) const {
  if (spec_.is_shared || other.spec_.is_shared) return true;
  const auto other_has = [&](const memory::Allocation& own) {
    return std::ranges::any_of(
        other.spec_.memory->allocations(),
        [&](const memory::Allocation& its) { return is_stored_to(its) && overlap(own, its); });
  };
  return std::ranges::any_of(spec_.memory->allocations(), [&](const memory::Allocation& own) {
    return is_stored_to(own) && other_has(own);
  });
}

bool LaunchRegistration::shares_memory() const {
  const std::lock_guard lock(running().mutex);
  return std::ranges::any_of(running().launches, [&](const LaunchRegistration* other) {
    return other != this && overlaps(*other);
  });
}

}  // namespace transpire::scheduler
