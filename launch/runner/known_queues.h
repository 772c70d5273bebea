// Device queues of a plan: makes them, and gives them to launches.
#pragma once

#include <string>
#include <vector>

#include "launch/language/launch_plan.h"
#include "transpire/enqueue.hpp"
#include "transpire/result.hpp"

namespace transpire::launch {

/// The queues of a plan's launches, in the order of Launch::queues: the default queue comes first.
struct KnownQueues {
  struct Known {
    std::string name;  ///< empty: the default queue that no statement declares
    DeviceQueue queue;
  };
  std::vector<Known> queues{{}};
  bool has_default = true;

  /// The queue of that name, or the default queue for an empty name. Fails with C0003.
  Result<DeviceQueue> find(const std::string& name) const;
  void give_to(Launch& launch) const;
};

/// The queues that a plan declares. Fails with C0003 if its default queue is not declared, and with C0022 if two queues have
/// the same handle.
Result<KnownQueues> queues_of(const LaunchPlan& plan);

}  // namespace transpire::launch
