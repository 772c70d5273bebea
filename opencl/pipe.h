// Bounds of pipes that clGetDeviceInfo returns and clCreatePipe checks. transpire/launch_rules.hpp
// has the maximum number of pipe arguments.
#pragma once

#include <CL/cl.h>

namespace transpire::opencl {

inline constexpr cl_uint kMaxPipePacketBytes = cl_uint{64} << 10;
/// Maximum number of reservations that a work-item may have open.
inline constexpr cl_uint kMaxPipeReservations = 16;

}  // namespace transpire::opencl
