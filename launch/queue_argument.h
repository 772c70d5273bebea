// Queues of the device: the words of the launch language, and what a launch gets of them.
//
//   queue NAME [SIZE] [handle N]   queue small 4KiB
//   default-queue NAME             default-queue small
//   default-queue none
//   arg NAME = queue [NAME]        arg q = queue small
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/launch_plan.h"
#include "transpire/enqueue.hpp"
#include "transpire/result.hpp"

namespace transpire::launch {

/// In the place of a queue's name: there is no default queue.
inline constexpr std::string_view kNoDefaultQueue = "none";

/// What follows after the statement `queue`. Fails with C0021 and C0022.
Result<QueueSpec> parse_queue(std::string_view text);

/// What follows after `queue` in an argument: a name. Fails with C0021.
Status read_queue_argument(ArgumentSpec& argument, std::string_view text);

/// The queues of a plan's launches, as Launch::queues has them: the default one first.
struct KnownQueues {
  struct Known {
    std::string name;  ///< empty: the default queue that no statement declares
    DeviceQueue queue;
  };
  std::vector<Known> queues{{}};
  bool has_default = true;

  /// The default one where no name is given. Fails with C0003.
  Result<DeviceQueue> find(const std::string& name) const;
  void give_to(Launch& launch) const;
};

/// Fails with C0003 where the plan's default queue is none that it declares, with C0022 where two have one handle.
Result<KnownQueues> queues_of(const LaunchPlan& plan);

}  // namespace transpire::launch
