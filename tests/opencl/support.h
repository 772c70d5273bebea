// What the tests of the OpenCL driver share: a context with queues, and commands that run host code.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace transpire::test {

inline cl_platform_id the_platform() {
  cl_platform_id platform = nullptr;
  clGetPlatformIDs(1, &platform, nullptr);
  return platform;
}

inline cl_device_id the_device() {
  cl_device_id device = nullptr;
  clGetDeviceIDs(the_platform(), CL_DEVICE_TYPE_ALL, 1, &device, nullptr);
  return device;
}

inline cl_context make_context() {
  const cl_device_id device = the_device();
  return clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
}

inline cl_command_queue make_queue(cl_context context, cl_command_queue_properties bits = 0) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, bits, 0};
  return clCreateCommandQueueWithProperties(context, the_device(), list, nullptr);
}

constexpr cl_command_queue_properties kOnDevice =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

/// A context, a queue in order, one out of order, both with profiling, one of the device; and a stranger to them.
struct Setup {
  cl_device_id device = the_device();
  cl_context context = make_context();
  cl_command_queue queue = make_queue(context, CL_QUEUE_PROFILING_ENABLE);
  cl_command_queue any_order =
      make_queue(context, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_command_queue on_device = make_queue(context, kOnDevice);
  cl_context other_context = make_context();
  cl_event foreign_event = clCreateUserEvent(other_context, nullptr);
  cl_mem foreign_buffer = clCreateBuffer(other_context, 0, 64, nullptr, nullptr);

  Setup() = default;
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;
  ~Setup() {
    clReleaseMemObject(foreign_buffer);
    clReleaseEvent(foreign_event);
    clReleaseContext(other_context);
    clReleaseCommandQueue(on_device);
    clReleaseCommandQueue(any_order);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
  }
};

/// Enqueues a native kernel that calls `function`; the event is the caller's.
inline cl_event enqueue_call(cl_command_queue queue, std::function<void()> function,
                             const std::vector<cl_event>& waits = {}) {
  // Never destroyed: a command that an error ends does not call its function, others may at exit.
  static std::mutex mutex;
  static auto& functions = *new std::deque<std::function<void()>>();
  std::function<void()>* called = nullptr;
  {
    const std::lock_guard lock(mutex);
    called = &functions.emplace_back(std::move(function));
  }
  const auto call = [](void* arguments) { (**static_cast<std::function<void()>**>(arguments))(); };
  cl_event event = nullptr;
  clEnqueueNativeKernel(queue, call, &called, sizeof called, 0, nullptr, nullptr,
                        static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                        &event);
  return event;
}

inline cl_int status_of(cl_event event) {
  cl_int status = 1000;
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  return status;
}

/// The answer to a clGet...Info call, of type T.
template <class T, class Function, class Handle, class Name>
T info(Function function, Handle handle, Name name) {
  T answer{};
  std::size_t size = 0;
  function(handle, name, sizeof answer, &answer, &size);
  return size == sizeof answer ? answer : T{};
}

/// The error of a call that creates something.
template <class Create>
cl_int error_of(Create create) {
  cl_int error = 1000;
  const auto made = create(&error);
  return made == nullptr ? error : CL_SUCCESS;
}

/// Wait lists that every clEnqueue... call must refuse, each with the error. `enqueue` takes the last
/// three arguments of such a call.
template <class Enqueue>
bool refuses_bad_waits(const Setup& setup, Enqueue enqueue) {
  const cl_event null_event = nullptr;
  const cl_event foreign = setup.foreign_event;
  cl_event event = nullptr;
  return enqueue(1, nullptr, &event) == CL_INVALID_EVENT_WAIT_LIST &&
         enqueue(0, &foreign, &event) == CL_INVALID_EVENT_WAIT_LIST &&
         enqueue(1, &null_event, &event) == CL_INVALID_EVENT_WAIT_LIST &&
         enqueue(1, &foreign, &event) == CL_INVALID_CONTEXT && event == nullptr;
}

/// The same for a blocking call whose wait list fails.
template <class Enqueue>
bool tells_failed_waits(const Setup& setup, Enqueue enqueue) {
  const cl_event failed = clCreateUserEvent(setup.context, nullptr);
  clSetUserEventStatus(failed, -7);
  const cl_int code = enqueue(1, &failed, nullptr);
  clReleaseEvent(failed);
  return code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

}  // namespace transpire::test
