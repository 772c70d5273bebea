#include "vm/exec/device_queue.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

namespace transpire::vm::exec {
namespace {

/// An event's handle: the launch's mark, then its number, counted from 1.
constexpr std::uint32_t kNumberBits = 24, kMostEvents = (1u << kNumberBits) - 1;

/// Another one for each launch, of 255: an event of an earlier launch is known as such, most of the time.
std::uint32_t next_mark() {
  static std::atomic<std::uint32_t> launches{0};
  return launches.fetch_add(1, std::memory_order_relaxed) % 255 + 1;
}

void write_times(std::byte* to, const DeviceQueue::Times& times) {
  const std::uint64_t both[2] = {times.end_ns, times.complete_ns};
  std::memcpy(to, both, sizeof both);
}

}  // namespace

DeviceQueue::DeviceQueue(std::vector<QueueShape> queues, bool has_default,
                         std::uint64_t max_commands)
    : commands_left_(max_commands), mark_(next_mark()) {
  if (has_default && !queues.empty()) default_ = queues.front().handle;
  for (const QueueShape& shape : queues) queues_.push_back({shape});
}

bool DeviceQueue::has(std::uint64_t queue) const {
  return std::ranges::any_of(queues_, [&](const Queue& q) { return q.shape.handle == queue; });
}

DeviceQueue::Queue* DeviceQueue::find(std::uint64_t queue) {
  for (Queue& each : queues_)
    if (each.shape.handle == queue) return &each;
  return nullptr;
}

bool DeviceQueue::has_room(std::uint64_t queue, std::uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(
      queues_, [&](const Queue& q) { return q.shape.handle == queue && bytes <= room_of(q); });
}

EnqueueError DeviceQueue::enqueue(Command command, bool with_event, EventHandle& event,
                                  bool& too_many) {
  const std::lock_guard lock(mutex_);
  Queue* const queue = find(command.queue);
  if (queue == nullptr) return EnqueueError::kInvalidQueue;
  too_many = commands_left_ == 0;
  if (too_many || command.bytes() > room_of(*queue)) return EnqueueError::kQueueFull;
  if (with_event) {
    event = add_event(false);
    if (event == 0) return EnqueueError::kEventAllocation;
  }
  --commands_left_;
  queue->used_bytes += command.bytes();
  command.event = event;
  taken_.push_back(std::move(command));
  return EnqueueError::kNone;
}

EventHandle DeviceQueue::add_event(bool is_user) {
  if (events_.size() >= kMostEvents) return 0;
  events_.emplace_back().is_user = is_user;
  return mark_ << kNumberBits | static_cast<std::uint32_t>(events_.size());
}

std::size_t DeviceQueue::index_of(EventHandle event) const {
  const bool is_ours = event >> kNumberBits == mark_;
  return is_ours ? std::size_t{event & kMostEvents} - 1 : events_.size();
}

EventFault DeviceQueue::check_held(EventHandle event) const {
  const std::size_t index = index_of(event);
  if (index >= events_.size()) return EventFault::kNull;
  return events_[index].holders == 0 ? EventFault::kReleased : EventFault::kNone;
}

EventFault DeviceQueue::check(EventHandle event) const {
  const std::lock_guard lock(mutex_);
  return check_held(event);
}

EventHandle DeviceQueue::create_user_event() {
  const std::lock_guard lock(mutex_);
  return add_event(true);
}

EventFault DeviceQueue::set_status(EventHandle event, std::int32_t status, const WorkItem& by) {
  const std::lock_guard lock(mutex_);
  if (const EventFault fault = check_held(event); fault != EventFault::kNone) return fault;
  Event& found = events_[index_of(event)];
  if (!found.is_user) return EventFault::kNoUser;
  if (found.status <= kComplete) return EventFault::kTwice;
  end(found, status, {});
  set_.emplace_back(by, event);
  return EventFault::kNone;
}

EventFault DeviceQueue::retain(EventHandle event) {
  const std::lock_guard lock(mutex_);
  if (const EventFault fault = check_held(event); fault != EventFault::kNone) return fault;
  ++events_[index_of(event)].holders;
  return EventFault::kNone;
}

EventFault DeviceQueue::release(EventHandle event) {
  const std::lock_guard lock(mutex_);
  if (const EventFault fault = check_held(event); fault != EventFault::kNone) return fault;
  --events_[index_of(event)].holders;
  return EventFault::kNone;
}

EventFault DeviceQueue::capture(EventHandle event, std::byte* times) {
  const std::lock_guard lock(mutex_);
  if (const EventFault fault = check_held(event); fault != EventFault::kNone) return fault;
  Event& found = events_[index_of(event)];
  if (found.status <= kComplete)
    write_times(times, found.times);
  else if (!found.is_user && found.captures.size() < kMostCaptures)
    found.captures.push_back(times);
  return EventFault::kNone;
}

std::vector<Command> DeviceQueue::take() {
  const std::lock_guard lock(mutex_);
  std::vector<Command> commands = std::exchange(taken_, {});
  // A work-item's are there as it went: one thread runs it.
  std::ranges::stable_sort(commands,
                           [](const Command& a, const Command& b) { return a.item < b.item; });
  return commands;
}

void DeviceQueue::started(const Command& command) {
  const std::lock_guard lock(mutex_);
  if (Queue* const queue = find(command.queue)) queue->used_bytes -= command.bytes();
}

std::int32_t DeviceQueue::status(EventHandle event) const {
  const std::lock_guard lock(mutex_);
  const std::size_t index = index_of(event);
  return index < events_.size() ? events_[index].status
                                : static_cast<std::int32_t>(EnqueueError::kInvalidWaitList);
}

void DeviceQueue::finish(EventHandle event, std::int32_t status, Times times) {
  const std::lock_guard lock(mutex_);
  const std::size_t index = index_of(event);
  if (index >= events_.size()) return;
  end(events_[index], status, times);
  ended_.push_back(event);
}

void DeviceQueue::end(Event& event, std::int32_t status, Times times) {
  event.status = status;
  event.times = times;
  for (std::byte* const to : std::exchange(event.captures, {})) write_times(to, times);
}

std::vector<EventHandle> DeviceQueue::take_ended() {
  const std::lock_guard lock(mutex_);
  std::ranges::stable_sort(set_, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<EventHandle> all;
  for (const auto& [_, event] : std::exchange(set_, {})) all.push_back(event);
  const std::vector<EventHandle> ended = std::exchange(ended_, {});
  all.insert(all.end(), ended.begin(), ended.end());
  return all;
}

}  // namespace transpire::vm::exec
