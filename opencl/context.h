// A context: its devices, and the state that their commands share.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "opencl/command_races.h"
#include "opencl/device.h"
#include "opencl/device_queues.h"
#include "opencl/executor.h"
#include "opencl/object.h"

struct _cl_context final
    : transpire::opencl::Object<_cl_context, transpire::opencl::Kind::kContext> {
  using Notify = void(CL_CALLBACK*)(const char*, const void*, std::size_t, void*);

  _cl_context() = default;
  ~_cl_context();  ///< calls the destructor callbacks, last registered first

  std::vector<transpire::opencl::Ref<_cl_device_id>> devices;
  std::vector<cl_context_properties> properties;
  Notify notify = nullptr;
  void* notify_data = nullptr;
  transpire::opencl::Executor executor;
  transpire::opencl::DeviceQueues device_queues;
  std::unique_ptr<transpire::opencl::CommandRaces> order;  ///< null: no race check

  bool has(cl_device_id device) const;
  /// Calls the application's error callback.
  void report(const std::string& text) const;
  /// Also prints the text on standard error: the error code alone says little about a program or
  /// kernel that the VM refuses.
  void report_refusal(const std::string& text) const;
  /// Created at the first call. Throws ApiError.
  transpire::SharedMemory& shared_memory();
  /// Null if none was created yet.
  const transpire::SharedMemory* shared_memory_if_any();
  void add_destructor_callback(std::function<void()> callback);

 private:
  std::mutex mutex_;
  std::optional<transpire::SharedMemory> shared_memory_;
  std::vector<std::function<void()>> destructor_callbacks_;
};

namespace transpire::opencl {

// Note accesses of the command that the calling thread runs, for the race check; without it they do nothing.

inline void touch_to_read(const _cl_context& context, const TouchedBytes& bytes,
                          const char* function) {
  if (context.order != nullptr) context.order->touched(bytes, false, function);
}
inline void touch_to_write(const _cl_context& context, const TouchedBytes& bytes,
                           const char* function) {
  if (context.order != nullptr) context.order->touched(bytes, true, function);
}
inline void tell_mapped(const _cl_context& context, const TouchedBytes& bytes, bool for_writing) {
  if (context.order != nullptr) context.order->mapped(bytes, for_writing);
}
inline void tell_unmapped(const _cl_context& context, const void* pointer) {
  if (context.order != nullptr) context.order->unmapped(pointer);
}
inline void tell_freed(const _cl_context& context, std::span<const std::byte> bytes) {
  if (context.order != nullptr) context.order->freed(bytes);
}

}  // namespace transpire::opencl
