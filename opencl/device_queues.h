// The device queues of a context. The host creates them, passes them to kernels and queries them.
// Only kernels enqueue to them (transpire/enqueue.hpp), and their commands are part of the launch.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "opencl/object.h"
#include "transpire/enqueue.hpp"

namespace transpire::opencl {

inline constexpr cl_uint kPreferredDeviceQueueBytes = DeviceQueue{}.size_bytes;
/// Maximum number of kernels and markers that a launch may enqueue, and of its events, over all queues.
inline constexpr cl_uint kMaxChildren = kMaxDeviceEvents;

/// The live device queues. Thread-safe.
class DeviceQueues {
 public:
  /// Registers a new queue of a device and returns it. If `as_default` and its device has a default
  /// queue, returns that one with one more reference of the application's. Throws
  /// CL_OUT_OF_RESOURCES if there are too many.
  cl_command_queue add(_cl_command_queue& queue, cl_uint size_bytes, bool as_default);
  /// Removes a queue that is about to be deleted.
  void remove(const _cl_command_queue& queue);

  /// Makes a registered queue the default one of its device.
  void set_default(const _cl_command_queue& queue);
  /// Null when there is none.
  cl_command_queue default_of(const _cl_device_id& device) const;

  /// The queues of one device.
  struct OfDevice {
    std::vector<Ref<_cl_command_queue>> queues;  ///< default queue first
    bool has_default = false;
  };
  OfDevice of(const _cl_device_id& device) const;

 private:
  struct Entry {
    _cl_command_queue* queue;
    bool is_default;
    bool is_of(const _cl_device_id& device) const;
  };

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
  std::uint32_t handles_ = 0;  ///< last handle given; no handle is reused
};

}  // namespace transpire::opencl
