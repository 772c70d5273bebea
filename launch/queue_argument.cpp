#include "launch/queue_argument.h"

#include <fmt/format.h>

#include <algorithm>

#include "launch/diagnose.h"
#include "launch/plan_builder.h"

namespace transpire::launch {
namespace {

constexpr const char* kExample = "write 'queue small 4KiB', or 'queue usual' for one of 64MiB";

}  // namespace

Result<QueueSpec> parse_queue(std::string_view text) {
  QueueSpec queue;
  queue.name = take_word(text);
  if (queue.name.empty())
    return command_error(kBadLaunchFile, "the name of the queue is missing", kExample);
  if (queue.name == kNoDefaultQueue)
    return command_error(kBadLaunchFile, "a queue cannot be called 'none'",
                         "'default-queue none' says that there is no default queue");
  if (text.empty()) return queue;
  const auto size = parse_bytes(text);
  if (!size) return size.errors();
  if (*size == 0)
    return command_error(kBadValue, fmt::format("queue '{}' has no room for anything", queue.name),
                         kExample);
  if (*size > DeviceQueue::kMaxBytes)
    return command_error(kBadValue, fmt::format("queue '{}' has {} bytes, and at most {} can be",
                                                queue.name, *size, DeviceQueue::kMaxBytes));
  queue.size_bytes = *size;
  return queue;
}

Status read_queue_argument(ArgumentSpec& argument, std::string_view text) {
  argument.kind = ArgumentSpec::Kind::kQueue;
  argument.queue = take_word(text);
  if (text.empty()) return Unit{};
  return command_error(kBadLaunchFile,
                       fmt::format("'{}' was not expected after 'queue {}'", text, argument.queue),
                       "the statement 'queue NAME SIZE' declares queues; an argument names one");
}

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
  for (const QueueSpec& spec : plan.queues) {
    DeviceQueue queue;
    queue.size_bytes = spec.size_bytes.value_or(queue.size_bytes);
    all.queues.push_back({spec.name, queue});
  }
  all.has_default = name != kNoDefaultQueue;
  if (all.has_default && !name.empty()) {
    if (const auto known = all.find(name); !known)
      return placed(known.errors(), plan.default_queue->where);
    const auto at = std::ranges::find(all.queues, name, &KnownQueues::Known::name);
    std::rotate(all.queues.begin(), at, at + 1);
  }
  std::uint64_t handle = 0;
  for (KnownQueues::Known& known : all.queues) known.queue.handle = ++handle;
  return all;
}

}  // namespace transpire::launch
