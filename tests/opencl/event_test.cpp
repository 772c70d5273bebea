// Events: user events, callbacks, waiting, profiling, and the graphs of commands they make. Bad arguments:
// refusals_objects_test.cpp.
#include <random>
#include <thread>

#include "tests/opencl/support.h"
#include "tests/patience.h"

namespace transpire::test::event_tests {
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
  seen.event_was_valid = status_of(event) != 1000;  // the answer to no event
  ++seen.calls;
}

void wait_until(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!condition() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(condition());
}

TEST_CASE_FIXTURE(Setup, "event: user events end once") {
  const Event user = user_event();
  CHECK(status_of(user) == CL_SUBMITTED);
  CHECK(clSetUserEventStatus(user, CL_COMPLETE) == CL_SUCCESS);
  CHECK(clSetUserEventStatus(user, -5) == CL_INVALID_OPERATION);
  CHECK(status_of(user) == CL_COMPLETE);
  CHECK(clWaitForEvents(1, &user) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Setup, "event: queries") {
  const Event event = enqueue_call(queue, [] {});
  CHECK(info<cl_command_queue>(clGetEventInfo, event, CL_EVENT_COMMAND_QUEUE) == queue);
  CHECK(info<cl_context>(clGetEventInfo, event, CL_EVENT_CONTEXT) == context);
  CHECK(info<cl_command_type>(clGetEventInfo, event, CL_EVENT_COMMAND_TYPE) ==
        CL_COMMAND_NATIVE_KERNEL);
  CHECK(clRetainEvent(event) == CL_SUCCESS);
  CHECK(info<cl_uint>(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT) == 2);
  CHECK(clReleaseEvent(event) == CL_SUCCESS);
  clFinish(queue);
}

TEST_CASE_FIXTURE(Setup, "event: nothing runs before a flush; asking for the status flushes") {
  std::atomic<int> runs{0};
  const Event event = enqueue_call(queue, [&] { ++runs; });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(runs == 0);
  wait_until([&] { return status_of(event) == CL_COMPLETE; });
  CHECK(runs == 1);
}

TEST_CASE_FIXTURE(Setup, "event: profiling times rise") {
  const Event event = enqueue_call(queue, [] {});
  cl_ulong before = 1;
  CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof before, &before, nullptr) ==
        CL_PROFILING_INFO_NOT_AVAILABLE);
  clFinish(queue);
  for (cl_profiling_info name = CL_PROFILING_COMMAND_QUEUED; name <= CL_PROFILING_COMMAND_COMPLETE;
       ++name) {
    const auto time = info<cl_ulong>(clGetEventProfilingInfo, event, name);
    CHECK(time >= before);
    before = time;
  }
}

TEST_CASE_FIXTURE(Setup, "event: callbacks come once each, with the status they are for") {
  Seen submitted, running, complete, late;
  const Event user = user_event();
  const Event event = enqueue_call(queue, [] {}, {user});
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
}

TEST_CASE_FIXTURE(Setup, "event: a callback's event is valid though the application released it") {
  Seen seen;
  Event event = enqueue_call(queue, [] {});
  clSetEventCallback(event, CL_COMPLETE, note, &seen);
  event.drop();
  wait_until([&] { return seen.calls == 1; });
  CHECK(seen.event_was_valid);
}

TEST_CASE_FIXTURE(Setup, "event: an error ends those who wait for it, not those behind them") {
  const Event user = user_event();
  int runs = 0;
  Seen seen;
  const Event first = enqueue_call(queue, [&] { runs += 1; }, {user});
  const Event second = enqueue_call(any_order, [&] { runs += 10; }, {first});
  const Event behind = enqueue_call(queue, [&] { runs += 100; });
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
  const Event after = enqueue_call(queue, [&] { runs += 1000; }, {user});
  CHECK(clFinish(queue) == CL_SUCCESS);
  CHECK(runs == 100);
}

TEST_CASE_FIXTURE(Setup,
                  "event: a user event that nobody can end any more fails those who wait for it") {
  Event user = user_event();
  const Event event = enqueue_call(queue, [] {}, {user});
  user.drop();
  CHECK(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

TEST_CASE_FIXTURE(Setup, "event: a callback does not keep a user event from being abandoned") {
  Event user = user_event();
  Seen seen;
  clSetEventCallback(user, CL_COMPLETE, note, &seen);
  CHECK(info<cl_uint>(clGetEventInfo, user, CL_EVENT_REFERENCE_COUNT) == 1);
  const Event event = enqueue_call(queue, [] {}, {user});
  user.drop();
  CHECK(clWaitForEvents(1, &event) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  wait_until([&] { return seen.calls == 1; });
  CHECK(seen.status == CL_INVALID_EVENT);
}

TEST_CASE_FIXTURE(Setup, "event: 20,000 markers that each wait for all before them") {
  const Event user = user_event();
  std::atomic<int> runs{0};
  Event last;
  for (int i = 0; i < 20000; ++i) {
    enqueue_call(any_order, [&] { ++runs; }, {user});
    last.drop();
    REQUIRE(clEnqueueMarker(any_order, &last) == CL_SUCCESS);
  }
  clFlush(any_order);
  CHECK(status_of(last) != CL_COMPLETE);
  clSetUserEventStatus(user, CL_COMPLETE);
  CHECK(clWaitForEvents(1, &last) == CL_SUCCESS);
  CHECK(runs == 20000);
}

TEST_CASE_FIXTURE(Setup, "event: random graphs over several queues keep their order") {
  std::mt19937 random(1);
  for (int round = 0; round < 30; ++round) {
    const Queue other = make_queue(context);
    const cl_command_queue queues[] = {queue, any_order, other};
    constexpr int kCommands = 200;
    std::vector<std::atomic<bool>> done(kCommands);
    std::atomic<int> mistakes{0};
    std::vector<Event> events;
    int last_in_order[3] = {-1, -1, -1};
    for (int i = 0; i < kCommands; ++i) {
      const unsigned q = random() % 3;
      std::vector<int> before;
      Waits waits;
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
    CHECK(clWaitForEvents(kCommands, &events[0]) == CL_SUCCESS);
    CHECK(mistakes == 0);
  }
}

TEST_CASE_FIXTURE(Setup, "event: chains of 100,000 commands run in time") {
  for (const cl_command_queue queue : {this->queue, any_order}) {
    const Event user = user_event();
    int runs = 0;
    Event last = enqueue_call(queue, [&] { ++runs; }, {user});
    for (int i = 1; i < 100'000; ++i) last = enqueue_call(queue, [&] { ++runs; }, {last});
    clSetUserEventStatus(user, CL_COMPLETE);
    CHECK(clWaitForEvents(1, &last) == CL_SUCCESS);
    CHECK(runs == 100'000);
  }
}

TEST_CASE_FIXTURE(Setup, "event: who waits for a short command is not held up by a long one") {
  std::atomic<bool> let_go{false};
  const auto linger = [&] {
    while (!let_go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  const Queue other = make_queue(context);
  const Event long_ones[] = {enqueue_call(other, linger), enqueue_call(this->any_order, linger)};
  const Event in_order = enqueue_call(queue, [] {});
  const Event any_order = enqueue_call(this->any_order, [] {});
  CHECK(clWaitForEvents(1, &any_order) == CL_SUCCESS);
  CHECK(clWaitForEvents(1, &in_order) == CL_SUCCESS);
  CHECK(clFinish(queue) == CL_SUCCESS);
  let_go = true;
  CHECK(clWaitForEvents(2, &long_ones[0]) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Setup, "event: waiting runs what other queues must do first, flushed or not") {
  int steps = 0;
  const Queue other = make_queue(context);
  const Event first = enqueue_call(other, [&] { steps = 1; });
  const Event second = enqueue_call(queue, [&] { steps = steps * 10 + 2; }, {first});
  CHECK(clFinish(queue) == CL_SUCCESS);
  CHECK(steps == 12);
}

TEST_CASE_FIXTURE(Setup, "event: a callback may enqueue and flush") {
  struct Chain {
    cl_command_queue queue;
    std::atomic<int> left{100};
    static void CL_CALLBACK step(cl_event, cl_int, void* data) {
      auto& chain = *static_cast<Chain*>(data);
      if (--chain.left == 0) return;
      const Event next = enqueue_call(chain.queue, [] {});
      clSetEventCallback(next, CL_COMPLETE, step, data);
    }
  } chain{this->queue};
  const Event first = enqueue_call(this->queue, [] {});
  clSetEventCallback(first, CL_COMPLETE, Chain::step, &chain);
  wait_until([&] { return chain.left == 0; });
}

}  // namespace
}  // namespace transpire::test::event_tests
