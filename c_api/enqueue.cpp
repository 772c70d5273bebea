// The C interface: queues, and what kernels enqueued.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "c_api/c_api.h"
#include "transpire/launch_rules.hpp"

namespace transpire::c_api {
namespace {

static_assert(static_cast<int>(ChildLaunch::End::kCompleted) == TRANSPIRE_CHILD_COMPLETED);
static_assert(static_cast<int>(ChildLaunch::End::kRefused) == TRANSPIRE_CHILD_REFUSED);
static_assert(static_cast<int>(ChildLaunch::End::kStopped) == TRANSPIRE_CHILD_STOPPED);

static_assert(DeviceQueue{}.size_bytes == TRANSPIRE_QUEUE_BYTES);
static_assert(DeviceQueue::kMaxBytes == TRANSPIRE_MAX_QUEUE_BYTES);

/// Where the queue of that number stands in the launch; the numbers are handles.
Result<std::size_t> find_queue(const Launch& launch, std::uint32_t number) {
  const auto found = std::ranges::find(launch.queues, number, &DeviceQueue::handle);
  if (found != launch.queues.end()) return static_cast<std::size_t>(found - launch.queues.begin());
  return invalid(fmt::format("expected the number of a queue of the launch, found {}", number));
}

Status add_queue(Launch& launch, std::uint64_t size_bytes, std::uint32_t& number) {
  if (const auto refused = refusal_of_queue_size(size_bytes)) return invalid(refused->message);
  if (const auto refused = refusal_of_queue_count(launch.queues.size() + 1))
    return invalid(refused->message);
  number = static_cast<std::uint32_t>(launch.queues.size()) + 1;  // none is ever taken away
  launch.queues.push_back({number, size_bytes});
  return Unit{};
}

Status set_default_queue(Launch& launch, std::uint32_t number) {
  if (number != 0) {
    TRANSPIRE_TRY(const std::size_t at, find_queue(launch, number));
    std::swap(launch.queues[0], launch.queues[at]);
  }
  launch.has_default_queue = number != 0;
  return Unit{};
}

Status set_queue(transpire_launch& handle, std::size_t index, std::uint64_t queue) {
  return set_argument(handle, index, [queue] { return Argument::queue(queue); });
}

/// `earlier`: those that stand before it, who enqueued it among them.
const transpire_child* child_in(Arena& arena, const ChildLaunch& from,
                                const std::vector<const transpire_child*>& earlier) {
  transpire_child child{};
  child.kernel = from.kernel.c_str();
  if (from.parent != ChildLaunch::kLaunch) child.parent = earlier[from.parent];
  std::ranges::copy(from.enqueued_by, child.enqueued_by);
  child.file = from.source.file.c_str();
  child.line = from.source.line;
  child.column = from.source.column;
  child.dimensions = from.dimensions;
  std::ranges::copy(from.global_size, child.global_size);
  std::ranges::copy(from.local_size, child.local_size);
  std::ranges::copy(from.global_offset, child.global_offset);
  child.end = static_cast<transpire_child_end>(from.end);
  child.seconds = from.seconds;
  child.findings = from.findings;
  return &arena.keep(child);
}

}  // namespace

transpire_children children_in(Arena& arena, const LaunchResult& result) {
  std::vector<const transpire_child*> children;
  for (const ChildLaunch& child : result.children)
    children.push_back(child_in(arena, child, children));
  transpire_children handed{};
  handed.child_count = children.size();
  handed.children = arena.keep(std::move(children)).data();
  handed.enqueued = result.child_count;
  handed.seconds = result.child_seconds;
  return handed;
}

}  // namespace transpire::c_api

using namespace transpire;
using c_api::guarded;

transpire_status transpire_launch_set_queue(transpire_launch* launch, size_t index,
                                            transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&]() -> Status {
    const Launch& given = launch->launch;
    if (!given.has_default_queue) return c_api::invalid("the launch has no default queue");
    return c_api::set_queue(*launch, index, given.queues.front().handle);
  });
}

transpire_status transpire_launch_add_queue(transpire_launch* launch, uint64_t size_bytes,
                                            uint32_t* queue, transpire_error** error) {
  if (queue != nullptr) *queue = 0;
  return guarded(__func__, error, {{"launch", launch}, {"queue", queue}},
                 [&] { return c_api::add_queue(launch->launch, size_bytes, *queue); });
}

transpire_status transpire_launch_set_default_queue(transpire_launch* launch, uint32_t queue,
                                                    transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}},
                 [&] { return c_api::set_default_queue(launch->launch, queue); });
}

transpire_status transpire_launch_set_added_queue(transpire_launch* launch, size_t index,
                                                  uint32_t queue, transpire_error** error) {
  return guarded(__func__, error, {{"launch", launch}}, [&]() -> Status {
    TRANSPIRE_TRY(const std::size_t at, c_api::find_queue(launch->launch, queue));
    return c_api::set_queue(*launch, index, launch->launch.queues[at].handle);
  });
}

transpire_status transpire_result_get_children(const transpire_result* result,
                                               const transpire_children** children,
                                               transpire_error** error) {
  return guarded(__func__, error, {{"result", result}, {"children", children}}, [&]() -> Status {
    *children = &result->children;
    return Unit{};
  });
}
