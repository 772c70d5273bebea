// The queue of a launch: what it takes and gives in which order, and how its events live.
#include "vm/exec/device_queue.h"

#include <doctest/doctest.h>

#include <set>
#include <thread>
#include <vector>

#include "transpire/enqueue.hpp"

namespace transpire::test {
namespace {

using namespace vm::exec;
using vm::exec::DeviceQueue;  // not the one of the library

constexpr std::uint64_t kQueue = 7, kOther = 9;

/// Whatever is asked for can be launched.
class AnyCommand final : public CommandRules {
  EnqueueError judge(std::uint32_t, const NdRange&, std::span<const std::uint64_t>) const override {
    return EnqueueError::kNone;
  }
  std::uint32_t count_subgroups(std::uint32_t, const NdRange&) const override { return 1; }
};
const AnyCommand any_command;

DeviceQueue make_queue(std::uint64_t bytes = 1 << 20, std::uint64_t most = 1000) {
  return DeviceQueue({{kQueue, bytes}, {kOther, bytes}}, true, most, any_command);
}

Command command(std::uint64_t group = 0, std::uint64_t local = 0, std::uint32_t function = 1) {
  Command made;
  made.queue = kQueue;
  made.function = function;
  made.item.group_linear = group;
  made.item.local_linear = local;
  return made;
}

/// The enqueued commands, in their order.
std::vector<Command> take(DeviceQueue& queue) {
  DeviceQueue::Taken taken = queue.take();
  CHECK(taken.order.size() == taken.commands.size());
  std::vector<Command> commands;
  for (const std::uint32_t place : taken.order)
    commands.push_back(std::move(taken.commands[place]));
  return commands;
}

/// Enqueues it; the event that it got.
EventHandle event_of(DeviceQueue& queue, Command made = command()) {
  EventHandle event = 0;
  EnqueueLimit limit = EnqueueLimit::kCommands;
  CHECK(queue.enqueue(std::move(made), true, event, limit) == EnqueueError::kNone);
  CHECK(limit == EnqueueLimit::kNone);
  CHECK(event != 0);
  return event;
}

/// Enqueues a command, and checks that it gets no event and meets the expected limit.
EnqueueError result_of(DeviceQueue& queue, Command made,
                       EnqueueLimit expected = EnqueueLimit::kNone, bool wants_event = false) {
  EventHandle event = 0;
  // Every call writes it.
  EnqueueLimit limit =
      expected == EnqueueLimit::kNone ? EnqueueLimit::kCommands : EnqueueLimit::kNone;
  const EnqueueError error = queue.enqueue(std::move(made), wants_event, event, limit);
  CHECK(event == 0);
  CHECK(limit == expected);
  return error;
}

std::vector<std::uint32_t> functions_of(const std::vector<Command>& commands) {
  std::vector<std::uint32_t> functions;
  for (const Command& each : commands) functions.push_back(each.function);
  return functions;
}

TEST_CASE("what was done with an event is remembered, of the latest ones") {
  DeviceQueue queue = make_queue(1 << 20, 1000);
  const auto by = [](Relation relation, std::uint64_t item) {
    Related step;
    step.relation = relation;
    step.item.global_id[0] = item;
    return step;
  };
  const EventHandle event = queue.create_user_event(by(Relation::kEventMade, 1));
  REQUIRE(queue.history(event).size() == 1);
  CHECK(queue.awaited(event)->relation == Relation::kWaitsForUser);
  CHECK(queue.awaited(event)->item.global_id[0] == 1);
  REQUIRE(queue.retain(event) == EventFault::kNone);
  for (const std::uint64_t item : {2, 3})
    REQUIRE(queue.release(event, by(Relation::kEventReleased, item)) == EventFault::kNone);
  const std::vector<Related> steps = queue.history(event);
  REQUIRE(steps.size() == 2);
  CHECK(steps[1].relation == Relation::kEventReleased);
  CHECK(steps[1].item.global_id[0] == 3);
  for (std::size_t i = 0; i < DeviceQueue::kMostRemembered; ++i)
    queue.release(queue.create_user_event(by(Relation::kEventMade, 4)), {});
  CHECK(queue.history(event).empty());
}

TEST_CASE("device queue: the first queue is the default one, where there is one") {
  DeviceQueue queue = make_queue();
  CHECK(queue.default_queue() == kQueue);
  CHECK(queue.has(kQueue));
  CHECK(queue.has(kOther));
  CHECK_FALSE(queue.has(0));
  CHECK_FALSE(queue.has(8));
  CHECK(DeviceQueue({{kQueue, 64}}, false, 1, any_command).default_queue() == 0);
  CHECK(DeviceQueue({}, true, 1, any_command).default_queue() == 0);
  Command lost = command();
  lost.queue = 8;
  CHECK(result_of(queue, std::move(lost)) == EnqueueError::kInvalidQueue);
  CHECK(take(queue).empty());
}

TEST_CASE("device queue: commands come by work-item, of each as it enqueued them") {
  DeviceQueue queue = make_queue();
  for (const std::uint32_t place : {31u, 10u, 2u, 32u, 11u, 33u, 1u}) {
    Command made = command(place / 10, place % 10 < 4 ? 3 : 9, place);
    CHECK(result_of(queue, std::move(made)) == EnqueueError::kNone);
  }
  CHECK(functions_of(take(queue)) == std::vector<std::uint32_t>{2, 1, 10, 11, 31, 32, 33});
  CHECK(take(queue).empty());
}

TEST_CASE("device queue: what is in it takes room until it begins") {
  Command large = command();
  large.block.resize(100);
  large.local_sizes = {4};
  large.waits = {0, 0};
  CHECK(large.bytes() == 64 + 100 + 24);
  CHECK_FALSE(large.is_marker());
  DeviceQueue queue = make_queue(2 * large.bytes());
  large.waits = {queue.create_user_event({}), queue.create_user_event({})};
  CHECK(result_of(queue, large) == EnqueueError::kNone);
  CHECK(result_of(queue, large) == EnqueueError::kNone);
  CHECK(result_of(queue, command()) == EnqueueError::kQueueFull);
  Command elsewhere = large;
  elsewhere.queue = kOther;
  CHECK_FALSE(queue.has_room(kQueue, 1));
  CHECK(queue.has_room(kOther, 2 * large.bytes()));
  CHECK_FALSE(queue.has_room(kOther, 2 * large.bytes() + 1));
  CHECK_FALSE(queue.has_room(8, 0));
  CHECK(result_of(queue, elsewhere) == EnqueueError::kNone);
  const std::vector<Command> taken = take(queue);
  REQUIRE(taken.size() == 3);
  CHECK(result_of(queue, command()) == EnqueueError::kQueueFull);
  queue.started(taken[0]);
  CHECK(result_of(queue, large) == EnqueueError::kNone);
  CHECK(result_of(queue, command()) == EnqueueError::kQueueFull);
  DeviceQueue small = make_queue(63);
  CHECK(result_of(small, command()) == EnqueueError::kQueueFull);
}

TEST_CASE("device queue: commands take memory until the end, and what they hold until they begin") {
  Command holds = command();
  holds.block.resize(5000);
  constexpr std::uint64_t kEach = 100;
  const std::uint64_t empty = sizeof(Command) + kEach + command().held_bytes();
  const std::uint64_t full = sizeof(Command) + kEach + holds.held_bytes();
  CHECK(full == empty + 5000);
  DeviceQueue queue({{kQueue, 1 << 20}}, true, 1000, any_command, {empty + full, kEach});
  CHECK(queue.has_memory(empty + full));
  CHECK_FALSE(queue.has_memory(empty + full + 1));
  CHECK(result_of(queue, holds) == EnqueueError::kNone);
  CHECK(queue.used_bytes() == full);
  CHECK(result_of(queue, holds, EnqueueLimit::kMemory) == EnqueueError::kQueueFull);
  CHECK(queue.used_bytes() == full);
  CHECK(result_of(queue, command()) == EnqueueError::kNone);
  CHECK(result_of(queue, command(), EnqueueLimit::kMemory) == EnqueueError::kQueueFull);
  queue.started(take(queue)[0]);
  CHECK(queue.used_bytes() == empty + full - holds.held_bytes());
  CHECK(result_of(queue, command()) == EnqueueError::kNone);
}

TEST_CASE("device queue: who puts many in order may end that") {
  constexpr std::uint32_t kMany = 100'000;
  DeviceQueue queue({{kQueue, std::uint64_t{1} << 30}}, true, kMany, any_command);
  for (std::uint32_t i = 0; i < kMany; ++i)
    CHECK(result_of(queue, command((i * 7919) % kMany)) == EnqueueError::kNone);
  int asked = 0;
  const DeviceQueue::Taken taken = queue.take([&] { return ++asked < 3; });
  CHECK(asked == 3);
  CHECK(taken.order.empty());
  CHECK(queue.take().order.empty());
}

TEST_CASE("device queue: no more commands in all than the launch may enqueue") {
  DeviceQueue queue = make_queue(1 << 20, 2);
  CHECK(result_of(queue, command()) == EnqueueError::kNone);
  CHECK(result_of(queue, command(0, 0, 0)) == EnqueueError::kNone);  // a marker counts as well
  for (const Command& each : take(queue)) queue.started(each);
  CHECK(result_of(queue, command(), EnqueueLimit::kCommands, true) == EnqueueError::kQueueFull);
}

TEST_CASE("device queue: an event lives as long as it is held") {
  DeviceQueue queue = make_queue();
  for (const EventHandle event : {event_of(queue), queue.create_user_event({})}) {
    Command waits = command();
    waits.waits = {event};
    event_of(queue, waits);
    CHECK(queue.check(event) == EventFault::kNone);
    CHECK(queue.retain(event) == EventFault::kNone);
    CHECK(queue.release(event, {}) == EventFault::kNone);
    CHECK(queue.check(event) == EventFault::kNone);
    CHECK(queue.release(event, {}) == EventFault::kNone);
    CHECK(queue.check(event) == EventFault::kReleased);
    CHECK(queue.release(event, {}) == EventFault::kReleased);
    CHECK(queue.retain(event) == EventFault::kReleased);
    CHECK(queue.set_status(event, 0, {}) == EventFault::kReleased);
    std::byte times[16];
    CHECK(queue.capture(event, times) == EventFault::kReleased);
    // Its command ends all the same, and what waits for it is told.
    queue.finish(event, DeviceQueue::kComplete, {});
    CHECK(queue.status(event) == DeviceQueue::kComplete);
    CHECK(queue.take_ended() == std::vector<EventHandle>{event});
    queue.started(waits);
    CHECK(queue.status(event) < 0);  // there is none any more
    CHECK(queue.check(event) == EventFault::kReleased);
  }
}

TEST_CASE("device queue: what is over and released takes no room, what is not has a limit") {
  DeviceQueue queue = make_queue();
  EventHandle first = 0;
  for (std::uint32_t i = 0; i < kMaxDeviceEvents + 10; ++i) {
    const EventHandle event = queue.create_user_event({});
    if (i == 0) first = event;
    REQUIRE(event != 0);
    REQUIRE(queue.release(event, {}) == EventFault::kNone);
  }
  CHECK(queue.check(first) == EventFault::kReleased);
  for (std::uint32_t i = 0; i < kMaxDeviceEvents; ++i) REQUIRE(queue.create_user_event({}) != 0);
  CHECK(queue.create_user_event({}) == 0);
  EventHandle event = 0;
  EnqueueLimit limit = EnqueueLimit::kCommands;
  CHECK(queue.enqueue(command(), true, event, limit) == EnqueueError::kEventAllocation);
  CHECK(limit == EnqueueLimit::kNone);
  CHECK(result_of(queue, command()) == EnqueueError::kNone);
}

TEST_CASE("device queue: nothing waits for what has been forgotten") {
  DeviceQueue queue = make_queue();
  Command waits = command();
  waits.waits = {queue.create_user_event({})};
  CHECK(queue.release(waits.waits[0], {}) == EventFault::kNone);
  CHECK(result_of(queue, waits, EnqueueLimit::kNone, true) == EnqueueError::kInvalidWaitList);
  CHECK(take(queue).empty());
}

TEST_CASE("device queue: the status of a user event is set once") {
  DeviceQueue queue = make_queue();
  const EventHandle user = queue.create_user_event({}), failed = queue.create_user_event({});
  CHECK(queue.status(user) == DeviceQueue::kSubmitted);
  CHECK(queue.take_ended().empty());
  CHECK(queue.set_status(user, 0, {}) == EventFault::kNone);
  CHECK(queue.set_status(user, 0, {}) == EventFault::kTwice);
  CHECK(queue.set_status(failed, -3, {}) == EventFault::kNone);
  CHECK(queue.set_status(failed, 0, {}) == EventFault::kTwice);
  CHECK(queue.status(user) == 0);
  CHECK(queue.status(failed) == -3);
  CHECK(queue.take_ended() == std::vector<EventHandle>{user, failed});
  CHECK(queue.take_ended().empty());
  CHECK(queue.set_status(event_of(queue), 0, {}) == EventFault::kNoUser);
}

TEST_CASE("device queue: what is no event is none in any way") {
  DeviceQueue queue = make_queue(), earlier = make_queue();
  const EventHandle stale = event_of(earlier), own = event_of(queue);
  CHECK(stale != own);
  for (const EventHandle event : {EventHandle{0}, stale, own + 1, own - 1, ~EventHandle{0}}) {
    CAPTURE(event);
    CHECK(queue.check(event) == EventFault::kNull);
    CHECK(queue.retain(event) == EventFault::kNull);
    CHECK(queue.release(event, {}) == EventFault::kNull);
    CHECK(queue.set_status(event, 0, {}) == EventFault::kNull);
    std::byte times[16];
    CHECK(queue.capture(event, times) == EventFault::kNull);
    CHECK(queue.status(event) < 0);
    queue.finish(event, 0, {});
  }
  CHECK(queue.take_ended().empty());
}

TEST_CASE("device queue: times are written when an event has ended, or at once") {
  DeviceQueue queue = make_queue();
  const EventHandle event = event_of(queue);
  std::uint64_t first[2] = {1, 1}, second[2] = {1, 1}, late[2] = {1, 1};
  CHECK(queue.capture(event, reinterpret_cast<std::byte*>(first)) == EventFault::kNone);
  CHECK(queue.capture(event, reinterpret_cast<std::byte*>(second)) == EventFault::kCaptured);
  CHECK(first[0] == 1);
  queue.finish(event, DeviceQueue::kComplete, {30, 50});
  CHECK(queue.capture(event, reinterpret_cast<std::byte*>(late)) == EventFault::kCaptured);
  for (const std::uint64_t* times : {first, second, late}) {
    CHECK(times[0] == 30);
    CHECK(times[1] == 50);
  }
  // Where the same event is asked without end.
  const EventHandle asked = event_of(queue);
  std::vector<std::uint64_t> times(2 * (DeviceQueue::kMostCaptures + 1), 1);
  for (std::size_t i = 0; i < times.size(); i += 2)
    queue.capture(asked, reinterpret_cast<std::byte*>(&times[i]));
  queue.finish(asked, DeviceQueue::kComplete, {3, 5});
  CHECK(times[times.size() - 3] == 5);
  CHECK(times[times.size() - 2] == 1);
}

TEST_CASE("device queue: threads enqueue and make events at the same time") {
  constexpr std::uint32_t kThreads = 8, kEach = 500;
  DeviceQueue queue = make_queue(1 << 24, kThreads * kEach);
  std::vector<std::vector<EventHandle>> events(kThreads);
  std::vector<std::thread> threads;
  for (std::uint32_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (std::uint32_t i = 0; i < kEach; ++i) {
        EventHandle event = 0;
        EnqueueLimit limit = EnqueueLimit::kNone;
        // Work-items of one thread are whole: i says the order of two of each.
        queue.enqueue(command(i % 7, t * kEach + i / 2, i), true, event, limit);
        events[t].push_back(event);
        const EventHandle user = queue.create_user_event({});
        queue.set_status(user, 0, {});
        queue.release(user, {});
        events[t].push_back(user);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::set<EventHandle> all;
  for (const auto& list : events) all.insert(list.begin(), list.end());
  CHECK(all.size() == 2 * kThreads * kEach);
  CHECK(all.count(0) == 0);
  CHECK(queue.take_ended().size() == kThreads * kEach);
  const std::vector<Command> taken = take(queue);
  REQUIRE(taken.size() == kThreads * kEach);
  for (std::size_t i = 1; i < taken.size(); ++i) {
    const bool in_order = !(taken[i].item < taken[i - 1].item);
    CHECK(in_order);
  }
  CHECK(result_of(queue, command(), EnqueueLimit::kCommands) == EnqueueError::kQueueFull);
}

}  // namespace
}  // namespace transpire::test
