#include "launch/queue_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "launch/diagnose.h"
#include "launch/plan_builder.h"
#include "launch/text.h"
#include "transpire/launch_rules.hpp"

namespace transpire::launch {
namespace {

constexpr const char* kQueueExample = "write 'queue small 4KiB', or 'queue usual' for one of 64MiB";

/// The handle behind its keyword, which is taken off with it.
Status take_handle(QueueSpec& queue, std::string_view& text) {
  constexpr std::string_view kKeyword = "handle";
  const std::size_t at = text.find(kKeyword);
  if (at == text.npos) return Unit{};
  const auto handle = parse_count(trimmed(text.substr(at + kKeyword.size())), "handle");
  if (!handle) return handle.errors();
  if (*handle == 0 || *handle > UINT32_MAX)
    return command_error(kBadValue, fmt::format("queue '{}' has the handle {}, and 1 to {} can be",
                                                queue.name, *handle, UINT32_MAX));
  queue.handle = *handle;
  text = trimmed(text.substr(0, at));
  return Unit{};
}

/// Gives those that have none the first ones that are free.
void give_handles(std::vector<KnownQueues::Known>& queues, const std::set<std::uint64_t>& taken) {
  std::uint64_t next = 1;
  for (KnownQueues::Known& known : queues) {
    if (known.queue.handle != 0) continue;
    while (taken.contains(next)) ++next;
    known.queue.handle = next++;
  }
}

}  // namespace

Result<QueueSpec> parse_queue(std::string_view text) {
  QueueSpec queue;
  queue.name = take_word(text);
  if (queue.name.empty())
    return command_error(kBadLaunchFile, "the name of the queue is missing", kQueueExample);
  if (queue.name == kNoDefaultQueue)
    return command_error(kBadLaunchFile, "a queue cannot be called 'none'",
                         "'default-queue none' says that there is no default queue");
  if (const Status taken = take_handle(queue, text); !taken) return taken.errors();
  if (text.empty()) return queue;
  const auto size = parse_bytes(text);
  if (!size) return size.errors();
  if (const auto refused = refusal_of_queue_size(*size))
    return command_error(kBadValue, fmt::format("queue '{}': {}", queue.name, refused->message),
                         kQueueExample);
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
