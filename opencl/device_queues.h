// The device queues of a context. The host makes them, hands them to kernels and asks about them; what is enqueued to them,
// kernels enqueue (transpire/enqueue.hpp), and it is part of the launch that does.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "opencl/object.h"
#include "transpire/enqueue.hpp"

namespace transpire::opencl {

inline constexpr cl_uint kPreferredDeviceQueueBytes = DeviceQueue{}.size_bytes;
/// Of a launch, whatever the queue; and kernels and markers that it may enqueue.
inline constexpr cl_uint kMaxChildren = kMaxDeviceEvents;

/// Knows those that live. Thread-safe.
class DeviceQueues {
 public:
  /// Makes a new queue one of the device, and gives it back. As the default one it is not taken where its device has one:
  /// gives that, with one more reference of the application's. Throws CL_OUT_OF_RESOURCES when there are too many.
  cl_command_queue add(_cl_command_queue& queue, cl_uint size_bytes, bool as_default);
  /// A queue that is about to be deleted.
  void remove(const _cl_command_queue& queue);

  /// Makes a queue of these the default one of its device.
  void set_default(const _cl_command_queue& queue);
  /// Null when there is none.
  cl_command_queue default_of(const _cl_device_id& device) const;

  /// Those of a device.
  struct OfDevice {
    std::vector<Ref<_cl_command_queue>> queues;  ///< the default one first
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
  std::uint32_t handles_ = 0;  ///< given so far; none is given twice
};

}  // namespace transpire::opencl
