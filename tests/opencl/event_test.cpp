// Events: user events, callbacks, waiting, profiling, and the graphs of commands they make.
#include <doctest/doctest.h>

#include <chrono>
#include <random>
#include <thread>

#include "tests/opencl/support.h"
#include "tests/patience.h"

namespace transpire::test {
namespace {

/// What a callback was called with.
struct Seen {
  std::atomic<int> calls{0};
  std::atomic<cl_int> status{1000};
  std::atomic<bool> event_was_valid{false};
};

void CL_CALLBACK note(cl_event event, cl_int status, void* data) {
  auto& seen = *static_cast<Seen*>(data);
  seen.status = status;
  seen.event_was_valid = info<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT) != 0;
  ++seen.calls;
}

void wait_until(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!condition() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(condition());
}

}  // namespace

TEST_CASE("event: user events end once") {
  const Setup setup;
  CHECK(error_of([](cl_int* e) { return clCreateUserEvent(nullptr, e); }) == CL_INVALID_CONTEXT);
  const cl_event user = clCreateUserEvent(setup.context, nullptr);
  CHECK(status_of(user) == CL_SUBMITTED);
  CHECK(clSetUserEventStatus(user, CL_SUBMITTED) == CL_INVALID_VALUE);
  CHECK(clSetUserEventStatus(nullptr, CL_COMPLETE) == CL_INVALID_EVENT);
  CHECK(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
  CHECK(clSetUserEventStatus(user, -5) == CL_INVALID_OPERATION);
  CHECK(status_of(user) == CL_COMPLETE);
  CHECK(clWaitForEvents(1, &user) == CL_SUCCESS);
  const cl_event command = enqueue_call(setup.queue, [] {});
  CHECK(clSetUserEventStatus(command, CL_COMPLETE) == CL_INVALID_EVENT);
  clReleaseEvent(command);
  clReleaseEvent(user);
}

TEST_CASE("event: queries") {
  const Setup setup;
  const cl_event event = enqueue_call(setup.queue, [] {});
  CHECK(info<cl_command_queue>(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE) == setup.queue);
  CHECK(info<cl_context>(clGetEventInfo, event, CL_EVENT_CONTEXT) == setup.context);
  CHECK(info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE) ==
        CL_COMMAND_NATIVE_KERNEL);
  CHECK(clRetainEvent(event) == CL_SUCCESS);
  CHECK(info<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT) == 2);
  CHECK(clReleaseEvent(event) == CL_SUCCESS);
  CHECK(clGetEventInfo(event, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  char small = 0;
  CHECK(clGetEventInfo(event, CL_EVENT_CONTEXT, 1, &small, nullptr) == CL_INVALID_VALUE);
  clFinish(setup.queue);
  clReleaseEvent(event);
}

TEST_CASE("event: bad arguments of waiting") {
  const Setup setup;
  const cl_event mixed[] = {clCreateUserEvent(setup.context, nullptr), setup.foreign_event};
  const cl_event missing[] = {mixed[0], nullptr};
  CHECK(clWaitForEvents(0, mixed) == CL_INVALID_VALUE);
  CHECK(clWaitForEvents(1, nullptr) == CL_INVALID_VALUE);
  CHECK(clWaitForEvents(2, mixed) == CL_INVALID_CONTEXT);
  CHECK(clWaitForEvents(2, missing) == CL_INVALID_EVENT);
  clReleaseEvent(mixed[0]);
}

TEST_CASE("event: nothing runs before a flush; asking for the status flushes") {
  const Setup setup;
  std::atomic<int> runs{0};
  const cl_event event = enqueue_call(setup.queue, [&] { ++runs; });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(runs == 0);
  wait_until([&] { return status_of(event) == CL_COMPLETE; });
  CHECK(runs == 1);
  clReleaseEvent(event);
}

TEST_CASE("event: profiling times rise") {
  const Setup setup;
  const cl_event event = enqueue_call(setup.queue, [] {});
  cl_ulong time = 0;
  const auto query = [&](cl_event of, cl_profiling_info name) {
    return clGetEventProfilingInfo(of, name, sizeof time, &time, nullptr);
  };
  CHECK(query(event, CL_PROFILING_COMMAND_END) == CL_PROFILING_INFO_NOT_AVAILABLE);
  clFinish(setup.queue);
  cl_ulong before = 1;
  for (cl_profiling_info name = CL_PROFILING_COMMAND_QUEUED; name <= CL_PROFILING_COMMAND_COMPLETE;
       ++name) {
    CHECK(query(event, name) == CL_SUCCESS);
    CHECK(time >= before);
    before = time;
  }
  CHECK(query(event, 0) == CL_INVALID_VALUE);
  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 1, &time, nullptr) ==
        CL_INVALID_VALUE);
  clReleaseEvent(event);

  const cl_event user = clCreateUserEvent(setup.context, nullptr);
  clSetUserEventStatus(user, CL_COMPLETE);
  CHECK(query(user, CL_PROFILING_COMMAND_END) == CL_PROFILING_INFO_NOT_AVAILABLE);
  clReleaseEvent(user);
  const cl_command_queue plain = make_queue(setup.context);
  const cl_event unprofiled = enqueue_call(plain, [] {});
  clFinish(plain);
  CHECK(query(unprofiled, CL_PROFILING_COMMAND_END) == CL_PROFILING_INFO_NOT_AVAILABLE);
  clReleaseEvent(unprofiled);
  clReleaseCommandQueue(plain);
}

TEST_CASE("event: callbacks come once each, with the status they are for") {
  const Setup setup;
  Seen submitted, running, complete, late;
  const cl_event user = clCreateUserEvent(setup.context, nullptr);
  const cl_event event = enqueue_call(setup.queue, [] {}, {user});
  CHECK(clSetEventCallback(event, CL_SUBMITTED, note, &submitted) == CL_SUCCESS);
  CHECK(clSetEventCallback(event, CL_RUNNING, note, &running) == CL_SUCCESS);
  CHECK(clSetEventCallback(event, CL_COMPLETE, note, &complete) == CL_SUCCESS);
  wait_until([&] { return submitted.calls == 1; });
  CHECK((running.calls == 0 && complete.calls == 0));
  clSetUserEventStatus(user, CL_COMPLETE);
  wait_until([&] { return complete.calls == 1; });
  CHECK(clSetEventCallback(event, CL_RUNNING, note, &late) == CL_SUCCESS);
  CHECK((submitted.calls == 1 && running.calls == 1 && late.calls == 1));
  CHECK((submitted.status == CL_SUBMITTED && running.status == CL_RUNNING &&
         complete.status == CL_COMPLETE && late.status == CL_RUNNING));
  clReleaseEvent(event);
  clReleaseEvent(user);
}

TEST_CASE("event: bad arguments of callbacks") {
  const Setup setup;
  Seen seen;
  const cl_event user = clCreateUserEvent(setup.context, nullptr);
  CHECK(clSetEventCallback(nullptr, CL_COMPLETE, note, &seen) == CL_INVALID_EVENT);
  CHECK(clSetEventCallback(user, CL_COMPLETE, nullptr, &seen) == CL_INVALID_VALUE);
  CHECK(clSetEventCallback(user, CL_QUEUED, note, &seen) == CL_INVALID_VALUE);
  CHECK(clSetEventCallback(user, -1, note, &seen) == CL_INVALID_VALUE);
  clReleaseEvent(user);
}

TEST_CASE("event: a callback's event is valid though the application released it") {
  const Setup setup;
  Seen seen;
  const cl_event event = enqueue_call(setup.queue, [] {});
  clSetEventCallback(event, CL_COMPLETE, note, &seen);
  clReleaseEvent(event);
  wait_until([&] { return seen.calls == 1; });
  CHECK(seen.event_was_valid);
}

TEST_CASE("event: an error ends those who wait for it, not those behind them") {
  const Setup setup;
  const cl_event user = clCreateUserEvent(setup.context, nullptr);
  int runs = 0;
  Seen seen;
  const cl_event first = enqueue_call(setup.queue, [&] { runs += 1; }, {user});
  const cl_event second = enqueue_call(setup.any_order, [&] { runs += 10; }, {first});
  const cl_event behind = enqueue_call(setup.queue, [&] { runs += 100; });
  clSetEventCallback(second, CL_RUNNING, note, &seen);
  clSetUserEventStatus(user, -42);
  CHECK(clWaitForEvents(1, &behind) == CL_SUCCESS);
  CHECK(clWaitForEvents(1, &first) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(clWaitForEvents(1, &second) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(status_of(user) == -42);
  CHECK(status_of(first) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(status_of(second) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  CHECK(runs == 100);
  wait_until([&] { return seen.calls == 1; });
  CHECK(seen.status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  const cl_event after = enqueue_call(setup.queue, [&] { runs += 1000; }, {user});
  CHECK(clFinish(setup.queue) == CL_SUCCESS);
  CHECK(runs == 100);
  for (const cl_event event : {first, second, behind, after, user}) clReleaseEvent(event);
}

TEST_CASE("event: a user event that nobody can end any more fails those who wait for it") {
  const Setup setup;
  const cl_event user = clCreateUserEvent(setup.context, nullptr);
  const cl_event event = enqueue_call(setup.queue, [] {}, {user});
  clReleaseEvent(user);
  CHECK(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  clReleaseEvent(event);
}

TEST_CASE("event: a callback does not keep a user event from being abandoned") {
  const Setup setup;
  const cl_event user = clCreateUserEvent(setup.context, nullptr);
  Seen seen;
  clSetEventCallback(user, CL_COMPLETE, note, &seen);
  cl_uint references = 0;
  CHECK(clGetEventInfo(user, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, nullptr) ==
        CL_SUCCESS);
  CHECK(references == 1);
  const cl_event event = enqueue_call(setup.queue, [] {}, {user});
  clReleaseEvent(user);
  CHECK(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  wait_until([&] { return seen.calls == 1; });
  CHECK(seen.status == CL_INVALID_EVENT);
  clReleaseEvent(event);
}

TEST_CASE("event: 20,000 markers that each wait for all before them") {
  const Setup setup;
  const cl_event user = clCreateUserEvent(setup.context, nullptr);
  std::atomic<int> runs{0};
  cl_event last = nullptr;
  for (int i = 0; i < 20000; ++i) {
    clReleaseEvent(enqueue_call(setup.any_order, [&] { ++runs; }, {user}));
    if (last != nullptr) clReleaseEvent(last);
    REQUIRE(clEnqueueMarker(setup.any_order, &last) == CL_SUCCESS);
  }
  clFlush(setup.any_order);
  CHECK(status_of(last) != CL_COMPLETE);
  clSetUserEventStatus(user, CL_COMPLETE);
  CHECK(clWaitForEvents(1, &last) == CL_SUCCESS);
  CHECK(runs == 20000);
  clReleaseEvent(last);
  clReleaseEvent(user);
}

TEST_CASE("event: random graphs over several queues keep their order") {
  const Setup setup;
  std::mt19937 random(1);
  for (int round = 0; round < 30; ++round) {
    const cl_command_queue queues[] = {setup.queue, setup.any_order, make_queue(setup.context)};
    constexpr int kCommands = 200;
    std::vector<std::atomic<bool>> done(kCommands);
    std::atomic<int> mistakes{0};
    std::vector<cl_event> events;
    int last_in_order[3] = {-1, -1, -1};
    for (int i = 0; i < kCommands; ++i) {
      const unsigned q = random() % 3;
      std::vector<int> before;
      std::vector<cl_event> waits;
      for (unsigned n = random() % 4; n != 0 && i != 0; --n) {
        before.push_back(static_cast<int>(random() % static_cast<unsigned>(i)));
        waits.push_back(events[static_cast<std::size_t>(before.back())]);
      }
      if (q != 1 && last_in_order[q] >= 0) before.push_back(last_in_order[q]);
      last_in_order[q] = i;
      events.push_back(enqueue_call(
          queues[q],
          [&done, &mistakes, before, i] {
            for (const int b : before)
              if (!done[static_cast<std::size_t>(b)]) ++mistakes;
            done[static_cast<std::size_t>(i)] = true;
          },
          waits));
      if (random() % 16 == 0) clFlush(queues[random() % 3]);
    }
    CHECK(clWaitForEvents(1, &events[random() % events.size()]) == CL_SUCCESS);
    CHECK(clWaitForEvents(kCommands, events.data()) == CL_SUCCESS);
    CHECK(mistakes == 0);
    for (const cl_event event : events) clReleaseEvent(event);
    clReleaseCommandQueue(queues[2]);
  }
}

TEST_CASE("event: chains of 100,000 commands run in time") {
  const Setup setup;
  for (const cl_command_queue queue : {setup.queue, setup.any_order}) {
    const cl_event user = clCreateUserEvent(setup.context, nullptr);
    cl_event last = user;
    int runs = 0;
    for (int i = 0; i < 100'000; ++i) {
      const cl_event next = enqueue_call(queue, [&] { ++runs; }, {last});
      if (last != user) clReleaseEvent(last);
      last = next;
    }
    clSetUserEventStatus(user, CL_COMPLETE);
    CHECK(clWaitForEvents(1, &last) == CL_SUCCESS);
    CHECK(runs == 100'000);
    clReleaseEvent(last);
    clReleaseEvent(user);
  }
}

TEST_CASE("event: who waits for a short command is not held up by a long one") {
  const Setup setup;
  std::atomic<bool> let_go{false};
  const auto linger = [&] {
    while (!let_go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  const cl_command_queue other = make_queue(setup.context);
  const cl_event long_ones[] = {enqueue_call(other, linger), enqueue_call(setup.any_order, linger)};
  const cl_event in_order = enqueue_call(setup.queue, [] {});
  const cl_event any_order = enqueue_call(setup.any_order, [] {});
  CHECK(clWaitForEvents(1, &any_order) == CL_SUCCESS);
  CHECK(clWaitForEvents(1, &in_order) == CL_SUCCESS);
  CHECK(clFinish(setup.queue) == CL_SUCCESS);
  let_go = true;
  CHECK(clWaitForEvents(2, long_ones) == CL_SUCCESS);
  for (const cl_event event : {long_ones[0], long_ones[1], in_order, any_order})
    clReleaseEvent(event);
  clReleaseCommandQueue(other);
}

TEST_CASE("event: waiting runs what other queues must do first, flushed or not") {
  const Setup setup;
  int steps = 0;
  const cl_command_queue other = make_queue(setup.context);
  const cl_event first = enqueue_call(other, [&] { steps = 1; });
  const cl_event second = enqueue_call(setup.queue, [&] { steps = steps * 10 + 2; }, {first});
  CHECK(clFinish(setup.queue) == CL_SUCCESS);
  CHECK(steps == 12);
  clReleaseEvent(first);
  clReleaseEvent(second);
  clReleaseCommandQueue(other);
}

TEST_CASE("event: a callback may enqueue and flush") {
  const Setup setup;
  struct Chain {
    cl_command_queue queue;
    std::atomic<int> left{100};
    static void CL_CALLBACK step(cl_event, cl_int, void* data) {
      auto& chain = *static_cast<Chain*>(data);
      if (--chain.left == 0) return;
      const cl_event next = enqueue_call(chain.queue, [] {});
      clSetEventCallback(next, CL_COMPLETE, step, data);
      clReleaseEvent(next);
    }
  } chain{setup.queue};
  const cl_event first = enqueue_call(setup.queue, [] {});
  clSetEventCallback(first, CL_COMPLETE, Chain::step, &chain);
  wait_until([&] { return chain.left == 0; });
  clReleaseEvent(first);
}

}  // namespace transpire::test
