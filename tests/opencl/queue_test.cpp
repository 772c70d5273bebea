// Command-queues: creation, queries, markers, barriers, native kernels.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/opencl/support.h"

namespace transpire::test {
namespace {

cl_int creation_error(cl_context context, cl_device_id device,
                      const cl_queue_properties* properties) {
  return error_of([&](cl_int* error) {
    return clCreateCommandQueueWithProperties(context, device, properties, error);
  });
}

void do_nothing(void*) {}

}  // namespace

TEST_CASE("queue: bad arguments of creation") {
  const Setup setup;
  CHECK(creation_error(nullptr, setup.device, nullptr) == CL_INVALID_CONTEXT);
  CHECK(creation_error(setup.context, nullptr, nullptr) == CL_INVALID_DEVICE);
  using List = std::vector<cl_queue_properties>;
  const auto error = [&](const List& list) {
    return creation_error(setup.context, setup.device, list.data());
  };
  CHECK(error({CL_QUEUE_PROPERTIES, 1u << 20, 0}) == CL_INVALID_VALUE);
  CHECK(error({0x7777, 1, 0}) == CL_INVALID_VALUE);
  CHECK(error({CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0}) == CL_INVALID_VALUE);
  CHECK(error({CL_QUEUE_SIZE, 1024, 0}) == CL_INVALID_VALUE);
  CHECK(error({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0}) == CL_INVALID_VALUE);
  CHECK(error({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT, 0}) == CL_INVALID_VALUE);
  CHECK(error({CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, 64, CL_QUEUE_SIZE, 64, 0}) ==
        CL_INVALID_VALUE);
  CHECK(error({CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, cl_queue_properties{1} << 32, 0}) ==
        CL_INVALID_VALUE);
  CHECK(error_of([&](cl_int* e) {
          return clCreateCommandQueue(setup.context, setup.device, 1u << 20, e);
        }) == CL_INVALID_VALUE);
  CHECK(error_of([&](cl_int* e) { return clCreateCommandQueue(nullptr, setup.device, 0, e); }) ==
        CL_INVALID_CONTEXT);
}

TEST_CASE("queue: queries") {
  const Setup setup;
  const cl_command_queue queue = setup.any_order;
  CHECK(info<cl_context>(clGetCommandQueueInfo, queue, CL_QUEUE_CONTEXT) == setup.context);
  CHECK(info<cl_device_id>(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE) == setup.device);
  CHECK(info<cl_command_queue_properties>(clGetCommandQueueInfo, queue, CL_QUEUE_PROPERTIES) ==
        (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
  CHECK(info<cl_command_queue>(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE_DEFAULT) == nullptr);
  cl_queue_properties list[3] = {9, 9, 9};
  std::size_t size = 0;
  CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list, &size) ==
        CL_SUCCESS);
  CHECK((size == sizeof list && list[0] == CL_QUEUE_PROPERTIES && list[2] == 0));
  CHECK(clRetainCommandQueue(queue) == CL_SUCCESS);
  CHECK(info<cl_uint>(clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT) == 2);
  CHECK(clReleaseCommandQueue(queue) == CL_SUCCESS);
  CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof size, &size, nullptr) ==
        CL_INVALID_COMMAND_QUEUE);
  CHECK(clGetCommandQueueInfo(queue, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, 1, list, nullptr) == CL_INVALID_VALUE);
}

TEST_CASE("queue: one of an array of no properties, and one without an array") {
  const Setup setup;
  const cl_queue_properties none[] = {0};
  const auto array_bytes = [](cl_command_queue queue) {
    std::size_t size = 99;
    clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 0, nullptr, &size);
    clReleaseCommandQueue(queue);
    return size;
  };
  CHECK(array_bytes(clCreateCommandQueueWithProperties(setup.context, setup.device, none,
                                                       nullptr)) == sizeof none);
  CHECK(array_bytes(clCreateCommandQueueWithProperties(setup.context, setup.device, nullptr,
                                                       nullptr)) == 0);
  CHECK(array_bytes(clCreateCommandQueue(setup.context, setup.device, 0, nullptr)) == 0);
}

TEST_CASE("queue: what it cannot do") {
  const Setup setup;
  cl_command_queue_properties old = 0;
  CHECK(clSetCommandQueueProperty(setup.queue, CL_QUEUE_PROFILING_ENABLE, CL_FALSE, &old) ==
        CL_INVALID_OPERATION);
  CHECK(clSetCommandQueueProperty(setup.queue, 1u << 20, CL_TRUE, &old) == CL_INVALID_VALUE);
  CHECK(clSetDefaultDeviceCommandQueue(setup.context, setup.device, setup.queue) ==
        CL_INVALID_COMMAND_QUEUE);
  CHECK(clSetDefaultDeviceCommandQueue(setup.context, nullptr, setup.queue) == CL_INVALID_DEVICE);
}

TEST_CASE("queue: markers and barriers refuse bad wait lists") {
  const Setup setup;
  CHECK(refuses_bad_waits(
      setup, [&](auto... waits) { return clEnqueueMarkerWithWaitList(setup.queue, waits...); }));
  CHECK(refuses_bad_waits(
      setup, [&](auto... waits) { return clEnqueueBarrierWithWaitList(setup.queue, waits...); }));
  CHECK(clEnqueueMarker(setup.queue, nullptr) == CL_INVALID_VALUE);
  CHECK(clEnqueueWaitForEvents(setup.queue, 0, &setup.foreign_event) == CL_INVALID_VALUE);
  CHECK(clEnqueueWaitForEvents(setup.queue, 1, nullptr) == CL_INVALID_VALUE);
  const cl_event null_event = nullptr;
  CHECK(clEnqueueWaitForEvents(setup.queue, 1, &null_event) == CL_INVALID_EVENT);
  CHECK(clEnqueueWaitForEvents(setup.queue, 1, &setup.foreign_event) == CL_INVALID_CONTEXT);
}

TEST_CASE(
    "queue: a marker without a wait list waits for all before it, a barrier holds all after") {
  const Setup setup;
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> done{0};
    std::atomic<bool> in_order{true};
    for (int i = 0; i < 8; ++i) clReleaseEvent(enqueue_call(setup.any_order, [&] { ++done; }));
    cl_event marker = nullptr;
    REQUIRE(clEnqueueMarker(setup.any_order, &marker) == CL_SUCCESS);
    REQUIRE(clEnqueueBarrier(setup.any_order) == CL_SUCCESS);
    for (int i = 0; i < 8; ++i)
      clReleaseEvent(enqueue_call(setup.any_order, [&] {
        if (done < 8) in_order = false;
        ++done;
      }));
    if (round % 2 == 0) clFlush(setup.any_order);
    CHECK(clWaitForEvents(1, &marker) == CL_SUCCESS);
    CHECK(done >= 8);
    clReleaseEvent(marker);
    CHECK(clFinish(setup.any_order) == CL_SUCCESS);
    CHECK((done == 16 && in_order));
  }
}

TEST_CASE("queue: a barrier with a wait list holds only what comes after it") {
  const Setup setup;
  const cl_event user = clCreateUserEvent(setup.context, nullptr);
  std::atomic<int> after{0};
  REQUIRE(clEnqueueWaitForEvents(setup.any_order, 1, &user) == CL_SUCCESS);
  const cl_event held = enqueue_call(setup.any_order, [&] { ++after; });
  clFlush(setup.any_order);
  CHECK(after == 0);
  clSetUserEventStatus(user, CL_COMPLETE);
  clWaitForEvents(1, &held);
  CHECK(after == 1);
  clReleaseEvent(held);
  clReleaseEvent(user);
}

TEST_CASE("queue: native kernels get pointers in place of buffers") {
  const Setup setup;
  const cl_mem buffer = clCreateBuffer(setup.context, 0, 64, nullptr, nullptr);
  struct Arguments {
    int value;
    cl_mem buffer;
    cl_mem none;
  } arguments{77, buffer, buffer};
  const auto kernel = [](void* given) {
    auto* arguments = static_cast<Arguments*>(given);
    auto* target = reinterpret_cast<int*>(arguments->buffer);
    *target = arguments->none == nullptr ? arguments->value : -1;
  };
  const cl_mem list[] = {buffer, nullptr};
  const void* locations[] = {&arguments.buffer, &arguments.none};
  REQUIRE(clEnqueueNativeKernel(setup.queue, kernel, &arguments, sizeof arguments, 2, list,
                                locations, 0, nullptr, nullptr) == CL_SUCCESS);
  arguments.value = 0;  // was copied
  int read = 0;
  CHECK(clEnqueueReadBuffer(setup.queue, buffer, CL_TRUE, 0, sizeof read, &read, 0, nullptr,
                            nullptr) == CL_SUCCESS);
  CHECK(read == 77);
  clReleaseMemObject(buffer);
}

TEST_CASE("queue: bad arguments of native kernels") {
  const Setup setup;
  int data[2] = {};
  const cl_mem list[] = {setup.foreign_buffer};
  const cl_mem own = clCreateBuffer(setup.context, 0, 64, nullptr, nullptr);
  const void* locations[] = {data};
  const void* outside[] = {data + 2};
  const auto enqueue = [&](void (*function)(void*), void* args, std::size_t size, cl_uint count,
                           const cl_mem* memory, const void** where) {
    return clEnqueueNativeKernel(setup.queue, function, args, size, count, memory, where, 0,
                                 nullptr, nullptr);
  };
  CHECK(enqueue(nullptr, nullptr, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(enqueue(do_nothing, nullptr, 4, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(enqueue(do_nothing, data, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(enqueue(do_nothing, nullptr, 0, 1, list, locations) == CL_INVALID_VALUE);
  CHECK(enqueue(do_nothing, data, 8, 1, nullptr, locations) == CL_INVALID_VALUE);
  CHECK(enqueue(do_nothing, data, 8, 1, list, nullptr) == CL_INVALID_VALUE);
  CHECK(enqueue(do_nothing, data, 8, 0, list, nullptr) == CL_INVALID_VALUE);
  CHECK(enqueue(do_nothing, data, 8, 1, list, locations) == CL_INVALID_CONTEXT);
  CHECK(enqueue(do_nothing, data, 8, 1, &own, outside) == CL_INVALID_VALUE);
  CHECK(clEnqueueNativeKernel(setup.queue, do_nothing, nullptr, 0, 0, nullptr, nullptr, 1, nullptr,
                              nullptr) == CL_INVALID_EVENT_WAIT_LIST);
  clReleaseMemObject(own);
}

TEST_CASE("queue: commands of a released queue still run") {
  const Setup setup;
  const cl_command_queue queue = make_queue(setup.context);
  int runs = 0;
  const cl_event first = enqueue_call(queue, [&] { ++runs; });
  const cl_event last = enqueue_call(queue, [&] { ++runs; });
  CHECK(clReleaseCommandQueue(queue) == CL_SUCCESS);
  CHECK(clWaitForEvents(1, &last) == CL_SUCCESS);
  CHECK(runs == 2);
  clReleaseEvent(first);
  clReleaseEvent(last);
}

}  // namespace transpire::test
