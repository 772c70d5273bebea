// Handles that release themselves, and commands that run host code. Without doctest: for programs of any kind.
#pragma once

#include <CL/cl.h>

#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace transpire::test {

inline void release(cl_context handle) { clReleaseContext(handle); }
inline void release(cl_command_queue handle) { clReleaseCommandQueue(handle); }
inline void release(cl_device_id handle) { clReleaseDevice(handle); }
inline void release(cl_event handle) { clReleaseEvent(handle); }
inline void release(cl_kernel handle) { clReleaseKernel(handle); }
inline void release(cl_mem handle) { clReleaseMemObject(handle); }
inline void release(cl_program handle) { clReleaseProgram(handle); }
inline void release(cl_sampler handle) { clReleaseSampler(handle); }

/// A handle that is released with this object, or by drop(). In calls it stands for the handle, and its address for
/// the handle's.
template <class Handle>
class Owned {
 public:
  Owned() = default;
  Owned(Handle handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() { drop(); }

  void drop() {
    if (handle_ != nullptr) release(std::exchange(handle_, nullptr));
  }
  operator Handle() const { return handle_; }
  Handle* operator&() { return &handle_; }
  const Handle* operator&() const { return &handle_; }

 private:
  Handle handle_ = nullptr;
};
using Context = Owned<cl_context>;
using Queue = Owned<cl_command_queue>;
using Device = Owned<cl_device_id>;
using Event = Owned<cl_event>;
using Kernel = Owned<cl_kernel>;
using Memory = Owned<cl_mem>;
using Program = Owned<cl_program>;
using Sampler = Owned<cl_sampler>;

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

using Waits = std::vector<cl_event>;
inline cl_uint count_of(const Waits& waits) { return static_cast<cl_uint>(waits.size()); }
inline const cl_event* data_of(const Waits& waits) {
  return waits.empty() ? nullptr : waits.data();
}

/// Enqueues a native kernel that calls `function`.
inline Event enqueue_call(cl_command_queue queue, std::function<void()> function,
                          const Waits& waits = {}) {
  // Never destroyed: a command that an error ends does not call its function, others may at exit.
  static std::mutex mutex;
  static auto& functions = *new std::deque<std::function<void()>>();
  std::function<void()>* called = nullptr;
  {
    const std::lock_guard lock(mutex);
    called = &functions.emplace_back(std::move(function));
  }
  const auto call = [](void* arguments) { (**static_cast<std::function<void()>**>(arguments))(); };
  Event event;
  clEnqueueNativeKernel(queue, call, &called, sizeof called, 0, nullptr, nullptr, count_of(waits),
                        data_of(waits), &event);
  return event;
}

}  // namespace transpire::test
