// Bounds of pipes that clGetDeviceInfo tells and clCreatePipe checks; how many a kernel takes is in
// transpire/launch_rules.hpp.
#pragma once

#include <CL/cl.h>

namespace transpire::opencl {

inline constexpr cl_uint kMaxPipePacketBytes = cl_uint{64} << 10;
/// That a work-item may have open at a time.
inline constexpr cl_uint kMaxPipeReservations = 16;

}  // namespace transpire::opencl
