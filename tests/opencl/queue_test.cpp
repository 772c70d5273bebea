// Command-queues: queries, markers, barriers, native kernels. Bad arguments: refusals_*_test.cpp.
#include <sys/wait.h>
#include <unistd.h>

#include "tests/opencl/support.h"

namespace transpire::test::queue_tests {

TEST_CASE("queue: queries") {
  const Setup setup;
  const auto tell = [&]<class T>(cl_command_queue_info name, T) {
    return info<T>(clGetCommandQueueInfo, setup.any_order, name);
  };
  constexpr cl_command_queue_properties kBits =
      CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  CHECK(tell(CL_QUEUE_CONTEXT, cl_context{}) == setup.context);
  CHECK(tell(CL_QUEUE_DEVICE, cl_device_id{}) == setup.device);
  CHECK(tell(CL_QUEUE_PROPERTIES, kBits) == kBits);
  CHECK(tell(CL_QUEUE_DEVICE_DEFAULT, cl_command_queue{}) == nullptr);
  CHECK(list_info<cl_queue_properties>(clGetCommandQueueInfo, setup.any_order,
                                       CL_QUEUE_PROPERTIES_ARRAY) ==
        std::vector<cl_queue_properties>{CL_QUEUE_PROPERTIES, kBits, 0});
  CHECK(clRetainCommandQueue(setup.any_order) == CL_SUCCESS);
  CHECK(tell(CL_QUEUE_REFERENCE_COUNT, cl_uint{}) == 2);
  CHECK(clReleaseCommandQueue(setup.any_order) == CL_SUCCESS);
}

TEST_CASE("queue: one of an array of no properties, and one without an array") {
  const Setup setup;
  const cl_queue_properties none[] = {0};
  const auto array_of = [](const Queue& queue) {
    return list_info<cl_queue_properties>(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES_ARRAY);
  };
  const auto made = [&](const cl_queue_properties* list) {
    return clCreateCommandQueueWithProperties(setup.context, setup.device, list, nullptr);
  };
  CHECK(array_of(made(none)) == std::vector<cl_queue_properties>{0});
  CHECK(array_of(made(nullptr)).empty());
  CHECK(array_of(clCreateCommandQueue(setup.context, setup.device, 0, nullptr)).empty());
}

TEST_CASE("queue: a marker without wait list waits for all before, a barrier holds all after") {
  const Setup setup;
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> done{0};
    std::atomic<bool> in_order{true};
    for (int i = 0; i < 8; ++i) enqueue_call(setup.any_order, [&] { ++done; });
    Event marker;
    REQUIRE(clEnqueueMarker(setup.any_order, &marker) == CL_SUCCESS);
    REQUIRE(clEnqueueBarrier(setup.any_order) == CL_SUCCESS);
    for (int i = 0; i < 8; ++i)
      enqueue_call(setup.any_order, [&] {
        if (done < 8) in_order = false;
        ++done;
      });
    if (round % 2 == 0) clFlush(setup.any_order);
    CHECK(clWaitForEvents(1, &marker) == CL_SUCCESS);
    CHECK(done >= 8);
    CHECK(clFinish(setup.any_order) == CL_SUCCESS);
    CHECK((done == 16 && in_order));
  }
}

TEST_CASE("queue: a barrier with a wait list holds only what comes after it") {
  const Setup setup;
  const Event user = setup.user_event();
  std::atomic<int> after{0};
  REQUIRE(clEnqueueWaitForEvents(setup.any_order, 1, &user) == CL_SUCCESS);
  const Event held = enqueue_call(setup.any_order, [&] { ++after; });
  clFlush(setup.any_order);
  CHECK(after == 0);
  clSetUserEventStatus(user, CL_COMPLETE);
  clWaitForEvents(1, &held);
  CHECK(after == 1);
}

TEST_CASE("queue: native kernels get pointers in place of buffers") {
  const Setup setup;
  const Memory buffer = setup.buffer(64);
  struct Arguments {
    int value;
    cl_mem buffer, none;
  } arguments{77, buffer, buffer};
  const auto kernel = [](void* given) {
    auto* arguments = static_cast<Arguments*>(given);
    auto* target = reinterpret_cast<int*>(arguments->buffer);
    *target = arguments->none == nullptr ? arguments->value : -1;
  };
  const cl_mem list[] = {buffer, nullptr};
  const void* locations[] = {&arguments.buffer, &arguments.none};
  REQUIRE(issue(clEnqueueNativeKernel, setup.queue, kernel, &arguments, sizeof arguments, 2, list,
                locations) == CL_SUCCESS);
  arguments.value = 0;  // was copied
  CHECK(setup.read<int>(buffer, 1)[0] == 77);
}

TEST_CASE("queue: commands of a released queue still run") {
  const Setup setup;
  Queue queue = make_queue(setup.context);
  int runs = 0;
  enqueue_call(queue, [&] { ++runs; });
  const Event last = enqueue_call(queue, [&] { ++runs; });
  queue.drop();
  CHECK(clWaitForEvents(1, &last) == CL_SUCCESS);
  CHECK(runs == 2);
}

#if !defined( \
    __SANITIZE_THREAD__)  // ThreadSanitizer allows no threads in the child of a process that has some
TEST_CASE(
    "queue: a child of fork runs flushed commands that nobody waits for, in threads of its own") {
  const Setup setup;
  const auto runs = [&] {
    const Queue queue = clCreateCommandQueue(setup.context, setup.device, 0, nullptr);
    std::atomic<bool> done{false};
    enqueue_call(queue, [&] { done = true; });
    if (clFlush(queue) != CL_SUCCESS) return false;
    while (!done) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return clFinish(queue) == CL_SUCCESS;
  };
  CHECK(runs());
  const pid_t child = fork();
  if (child == 0) {
    alarm(100);  // ends a child that waits for ever
    _exit(runs() ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}
#endif

}  // namespace transpire::test::queue_tests
