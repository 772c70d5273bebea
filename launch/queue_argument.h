// Device queues: reads their words in the launch language, and gives them to launches.
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

/// Name in `default-queue` that means there is no default queue.
inline constexpr std::string_view kNoDefaultQueue = "none";

/// Parses the text behind the statement `queue`. Fails with C0021 and C0022.
Result<QueueSpec> parse_queue(std::string_view text);

/// Reads the text behind `queue` in an argument: a name, or nothing. Fails with C0021.
Status read_queue_argument(ArgumentSpec& argument, std::string_view text);

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
