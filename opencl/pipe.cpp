// Pipes: memory objects that kernels read and write packets of, and the host cannot touch.
#include "opencl/pipe.h"

#include "opencl/device.h"
#include "opencl/entry_point.h"
#include "opencl/memory_object.h"

namespace transpire::opencl {
namespace {

cl_mem create_pipe(_cl_context& context, cl_mem_flags flags, cl_uint packet_bytes,
                   cl_uint max_packets) {
  check((flags & ~cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS}) == 0, CL_INVALID_VALUE);
  check(packet_bytes != 0 && packet_bytes <= kMaxPipePacketBytes, CL_INVALID_PIPE_SIZE);
  check(max_packets != 0, CL_INVALID_PIPE_SIZE);
  check(Pipe::bytes_needed(packet_bytes, max_packets) <= max_alloc_bytes(),
        CL_MEM_OBJECT_ALLOCATION_FAILURE);
  Result<Pipe> made = Pipe::create(packet_bytes, max_packets);
  check(made.ok(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  const cl_mem memory = new _cl_mem(context);
  memory->flags = flags;
  memory->pipe = std::move(*made);
  return memory;
}

void tell_pipe(const _cl_mem& memory, cl_pipe_info name, const Answer& answer) {
  switch (name) {
    case CL_PIPE_PACKET_SIZE:
      return answer.give<cl_uint>(memory.pipe->packet_bytes());
    case CL_PIPE_MAX_PACKETS:
      return answer.give<cl_uint>(memory.pipe->max_packets());
    case CL_PIPE_PROPERTIES:
      return answer.give_bytes(nullptr, 0);  // pipes have no properties
    default:
      throw ApiError{CL_INVALID_VALUE};
  }
}

}  // namespace
}  // namespace transpire::opencl

using namespace transpire::opencl;

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                                cl_uint max_packets, const cl_pipe_properties* properties,
                                cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&] {
    check_object(context, CL_INVALID_CONTEXT);
    check(properties == nullptr, CL_INVALID_VALUE);
    return create_pipe(*context, flags, packet_size, max_packets);
  });
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t size, void* value,
                                 size_t* size_ret) {
  return guarded([&] {
    check_object(pipe, CL_INVALID_MEM_OBJECT);
    check(pipe->is_pipe(), CL_INVALID_MEM_OBJECT);
    tell_pipe(*pipe, param_name, {size, value, size_ret});
  });
}
