// A device: the machine, or a sub-device that has some of its threads.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "opencl/object.h"
#include "transpire/launch_rules.hpp"
#include "transpire/transpire.hpp"

struct _cl_device_id final
    : transpire::opencl::Object<_cl_device_id, transpire::opencl::Kind::kDevice> {
  explicit _cl_device_id(transpire::Device made) : device(std::move(made)) {}

  transpire::Device device;
  transpire::opencl::Ref<_cl_device_id> parent;         ///< sub-devices: the device that was
                                                        ///< partitioned
  std::vector<cl_device_partition_property> partition;  ///< properties that made it; empty for the
                                                        ///< machine
  bool is_root() const { return !parent; }
};

namespace transpire::opencl {

/// Bounds that clGetDeviceInfo returns and other calls check. Bounds of launches are in
/// transpire/launch_rules.hpp.
inline constexpr std::size_t kMaxParameterBytes = 4096;
inline constexpr std::size_t kMemBaseAlignBytes = 128;
/// Bytes of the largest buffer, and of global memory.
std::size_t max_alloc_bytes();
std::size_t global_memory_bytes();

/// Nanoseconds of the clock for profiling events, which device and host share.
cl_ulong now_ns();

}  // namespace transpire::opencl
