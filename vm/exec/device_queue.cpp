#include "vm/exec/device_queue.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/checked.h"
#include "transpire/enqueue.hpp"

namespace transpire::vm::exec {
namespace {

/// An event's handle: the launch's mark, then its number, counted from 1.
constexpr std::uint32_t kNumberBits = 24, kLastEvent = (1u << kNumberBits) - 1;

/// Another one for each launch, of 255: an event of an earlier launch is known as such, most of the time.
std::uint32_t next_mark() {
  static std::atomic<std::uint32_t> launches{0};
  return launches.fetch_add(1, std::memory_order_relaxed) % 255 + 1;
}

/// Relates a finding to the event that a command ends.
Related made_by(const Command& command) {
  Related made;
  made.relation = Relation::kEventMade;
  made.program = command.program;
  made.instruction = command.instruction;
  made.by = Related::By::kItem;
  made.item = command.item;
  return made;
}

void write_times(std::byte* to, const DeviceQueue::Times& times) {
  const std::uint64_t both[2] = {times.end_ns, times.complete_ns};
  std::memcpy(to, both, sizeof both);
}

}  // namespace

DeviceQueue::DeviceQueue(std::vector<QueueShape> queues, bool has_default,
                         std::uint64_t max_commands, const CommandRules& rules,
                         const CommandMemory& memory)
    : rules_(rules), commands_left_(max_commands), memory_(memory), mark_(next_mark()) {
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

bool DeviceQueue::has_memory(std::uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  return (Checked(used_bytes_) + bytes).fits(memory_.max_bytes);
}

EnqueueError DeviceQueue::enqueue(Command command, bool with_event, EventHandle& event,
                                  EnqueueLimit& limit) {
  const std::lock_guard lock(mutex_);
  limit = EnqueueLimit::kNone;
  Queue* const queue = find(command.queue);
  if (queue == nullptr) return EnqueueError::kInvalidQueue;
  const Checked needed =
      Checked(used_bytes_) + sizeof(Command) + memory_.bytes_each + command.held_bytes();
  limit = commands_left_ == 0              ? EnqueueLimit::kCommands
          : needed.fits(memory_.max_bytes) ? EnqueueLimit::kNone
                                           : EnqueueLimit::kMemory;
  if (limit != EnqueueLimit::kNone || command.bytes() > room_of(*queue))
    return EnqueueError::kQueueFull;
  for (const EventHandle each : command.waits)
    if (!events_.contains(each)) return EnqueueError::kInvalidWaitList;
  if (with_event) {
    event = add_event(false, made_by(command));
    if (event == 0) return EnqueueError::kEventAllocation;
  }
  for (const EventHandle each : command.waits) ++events_[each].waiters;
  --commands_left_;
  used_bytes_ = needed.value();
  queue->used_bytes += command.bytes();
  command.event = event;
  command.order = static_cast<std::uint32_t>(taken_.size());
  taken_.push_back(std::move(command));
  return EnqueueError::kNone;
}

std::uint32_t DeviceQueue::enqueued() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint32_t>(taken_.size());
}

EventHandle DeviceQueue::add_event(bool is_user, const Related& by) {
  if (events_.size() >= kMaxDeviceEvents || last_event_ == kLastEvent) return 0;
  const EventHandle event = mark_ << kNumberBits | ++last_event_;
  events_[event].is_user = is_user;
  remember(event, by);
  return event;
}

void DeviceQueue::remember(EventHandle event, const Related& step) {
  const std::size_t at = (event & kLastEvent) % kMostRemembered;
  if (at >= histories_.size()) histories_.resize(at + 1);
  History& history = histories_[at];
  if (history.event > event) return;
  if (history.event != event) history = {event, {}};
  const auto known = std::ranges::find(history.steps, step.relation, &Related::relation);
  if (known != history.steps.end())
    *known = step;
  else
    history.steps.push_back(step);
}

std::vector<Related> DeviceQueue::history(EventHandle event) const {
  const std::lock_guard lock(mutex_);
  const std::size_t at = (event & kLastEvent) % kMostRemembered;
  if (at >= histories_.size() || histories_[at].event != event) return {};
  return histories_[at].steps;
}

std::optional<Related> DeviceQueue::awaited(EventHandle event) const {
  for (Related step : history(event)) {
    if (step.relation != Relation::kEventMade) continue;
    const std::lock_guard lock(mutex_);
    const auto found = events_.find(event);
    const bool is_user = found != events_.end() && found->second.is_user;
    step.relation = is_user ? Relation::kWaitsForUser : Relation::kWaitsForCommand;
    return step;
  }
  return std::nullopt;
}

EventFault DeviceQueue::check_held(EventHandle event) const {
  const std::uint32_t number = event & kLastEvent;
  if (event >> kNumberBits != mark_ || number == 0 || number > last_event_)
    return EventFault::kNull;
  const auto found = events_.find(event);
  return found == events_.end() || found->second.holders == 0 ? EventFault::kReleased
                                                              : EventFault::kNone;
}

void DeviceQueue::drop_if_over(Events::iterator event) {
  const Event& each = event->second;
  // A user event that nobody holds gets no status any more.
  const bool is_over = each.is_user || each.status <= kComplete;
  if (is_over && each.holders == 0 && each.waiters == 0) events_.erase(event);
}

EventFault DeviceQueue::check(EventHandle event) const {
  const std::lock_guard lock(mutex_);
  return check_held(event);
}

EventHandle DeviceQueue::create_user_event(const Related& by) {
  const std::lock_guard lock(mutex_);
  return add_event(true, by);
}

EventFault DeviceQueue::set_status(EventHandle event, std::int32_t status, const Related& by) {
  const std::lock_guard lock(mutex_);
  if (const EventFault fault = check_held(event); fault != EventFault::kNone) return fault;
  Event& found = events_[event];
  if (!found.is_user) return EventFault::kNoUser;
  if (found.status <= kComplete) return EventFault::kTwice;
  end(found, status, {});
  set_.emplace_back(by.item, event);
  remember(event, by);
  return EventFault::kNone;
}

EventFault DeviceQueue::retain(EventHandle event) {
  const std::lock_guard lock(mutex_);
  if (const EventFault fault = check_held(event); fault != EventFault::kNone) return fault;
  ++events_[event].holders;
  return EventFault::kNone;
}

EventFault DeviceQueue::release(EventHandle event, const Related& by) {
  const std::lock_guard lock(mutex_);
  if (const EventFault fault = check_held(event); fault != EventFault::kNone) return fault;
  const auto found = events_.find(event);
  --found->second.holders;
  drop_if_over(found);
  remember(event, by);
  return EventFault::kNone;
}

EventFault DeviceQueue::capture(EventHandle event, std::byte* times) {
  const std::lock_guard lock(mutex_);
  if (const EventFault fault = check_held(event); fault != EventFault::kNone) return fault;
  Event& found = events_[event];
  if (found.status <= kComplete)
    write_times(times, found.times);
  else if (!found.is_user && found.captures.size() < kMostCaptures)
    found.captures.push_back(times);
  if (found.is_user) return EventFault::kNoCommand;
  return std::exchange(found.captured, true) ? EventFault::kCaptured : EventFault::kNone;
}

DeviceQueue::Taken DeviceQueue::take(const std::function<bool()>& goes_on) {
  constexpr std::uint32_t kBetweenLooks = 1 << 16;
  struct Ended {};
  Taken taken;
  {
    const std::lock_guard lock(mutex_);
    taken.commands = std::exchange(taken_, {});
  }
  std::uint32_t done = 0;
  const auto look = [&] {
    if (goes_on && ++done % kBetweenLooks == 0 && !goes_on()) throw Ended();
  };
  taken.order.resize(taken.commands.size());
  std::iota(taken.order.begin(), taken.order.end(), 0u);
  try {
    // A work-item's are there as it went: one thread runs it.
    std::ranges::sort(taken.order, [&](std::uint32_t a, std::uint32_t b) {
      look();
      const WorkItem& first = taken.commands[a].item;
      const WorkItem& second = taken.commands[b].item;
      return first < second || (!(second < first) && a < b);
    });
  } catch (const Ended&) {
    taken.order.clear();
  }
  return taken;
}

std::uint64_t DeviceQueue::used_bytes() const {
  const std::lock_guard lock(mutex_);
  return used_bytes_;
}

void DeviceQueue::started(const Command& command) {
  const std::lock_guard lock(mutex_);
  if (Queue* const queue = find(command.queue)) queue->used_bytes -= command.bytes();
  used_bytes_ -= command.held_bytes();
  for (const EventHandle each : command.waits) {
    const auto found = events_.find(each);
    --found->second.waiters;
    drop_if_over(found);
  }
}

std::int32_t DeviceQueue::status(EventHandle event) const {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(event);
  return found != events_.end() ? found->second.status
                                : static_cast<std::int32_t>(EnqueueError::kInvalidWaitList);
}

void DeviceQueue::finish(EventHandle event, std::int32_t status, Times times) {
  const std::lock_guard lock(mutex_);
  const auto found = events_.find(event);
  if (found == events_.end()) return;
  end(found->second, status, times);
  ended_.push_back(event);
  drop_if_over(found);
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
