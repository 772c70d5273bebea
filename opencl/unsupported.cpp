// Pipes: optional in OpenCL 3.0, and not there. Arguments are checked as far as they can be without such an object; then
// the answer is CL_INVALID_OPERATION.
#include "opencl/api.h"
#include "opencl/memory.h"

using namespace transpire::opencl;

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                                cl_uint max_packets, const cl_pipe_properties* properties,
                                cl_int* errcode_ret) {
  return guarded_create<cl_mem>(errcode_ret, [&]() -> cl_mem {
    check_object(context, CL_INVALID_CONTEXT);
    check((flags & ~cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS}) == 0,
          CL_INVALID_VALUE);
    check(properties == nullptr || *properties == 0, CL_INVALID_VALUE);
    check(packet_size != 0 && max_packets != 0, CL_INVALID_PIPE_SIZE);
    throw ApiError{CL_INVALID_OPERATION};
  });
}

/// No memory object is a pipe.
cl_int CL_API_CALL clGetPipeInfo(cl_mem, cl_pipe_info, size_t, void*, size_t*) {
  return CL_INVALID_MEM_OBJECT;
}
