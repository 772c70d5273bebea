#include "launch/runner/known_queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "launch/language/queue_argument.h"
#include "launch/report/diagnose.h"

namespace transpire::launch {
namespace {

/// Gives queues without a handle the first free ones.
void give_handles(std::vector<KnownQueues::Known>& queues, const std::set<std::uint64_t>& taken) {
  std::uint64_t next = 1;
  for (KnownQueues::Known& known : queues) {
    if (known.queue.handle != 0) continue;
    while (taken.contains(next)) ++next;
    known.queue.handle = next++;
  }
}

}  // namespace

Result<DeviceQueue> KnownQueues::find(const std::string& name) const {
  if (name.empty() && has_default) return queues.front().queue;
  std::vector<std::string> names;
  for (const Known& known : queues) {
    if (!name.empty() && known.name == name) return known.queue;
    if (!known.name.empty()) names.push_back(known.name);
  }
  if (name.empty())
    return command_error(kBadArgument, "there is no default queue",
                         names.empty() ? "'null' is no queue"
                                       : fmt::format("name a queue: 'queue {}'", names.front()));
  return command_error(kBadArgument, fmt::format("there is no queue '{}'", name),
                       names.empty() ? fmt::format("declare it: 'queue {} 4KiB'", name)
                                     : suggestion(name, names, "queues"));
}

void KnownQueues::give_to(Launch& launch) const {
  launch.queues.clear();
  for (const Known& known : queues) launch.queues.push_back(known.queue);
  launch.has_default_queue = has_default;
}

Result<KnownQueues> queues_of(const LaunchPlan& plan) {
  KnownQueues all;
  const std::string name = plan.default_queue ? plan.default_queue->name : std::string();
  if (!name.empty()) all.queues.clear();
  for (KnownQueues::Known& known : all.queues) known.queue.handle = 0;
  std::set<std::uint64_t> handles;
  for (const QueueSpec& spec : plan.queues) {
    DeviceQueue queue;
    queue.size_bytes = spec.size_bytes.value_or(queue.size_bytes);
    queue.handle = spec.handle.value_or(0);
    if (spec.handle && !handles.insert(queue.handle).second)
      return placed({command_error(kBadValue, fmt::format("another queue than '{}' has the handle "
                                                          "{}",
                                                          spec.name, queue.handle))},
                    spec.where);
    all.queues.push_back({spec.name, queue});
  }
  all.has_default = name != kNoDefaultQueue;
  if (all.has_default && !name.empty()) {
    if (const auto known = all.find(name); !known)
      return placed(known.errors(), plan.default_queue->where);
    const auto at = std::ranges::find(all.queues, name, &KnownQueues::Known::name);
    std::rotate(all.queues.begin(), at, at + 1);
  }
  give_handles(all.queues, handles);
  return all;
}

}  // namespace transpire::launch
