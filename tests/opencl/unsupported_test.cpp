// Pipes and objects of OpenGL: refused, after the checks of arguments.
#include <CL/cl_gl.h>
#include <doctest/doctest.h>

#include "tests/opencl/support.h"

namespace transpire::test {

TEST_CASE("unsupported: pipes") {
  const Setup setup;
  const auto create = [&](cl_mem_flags flags, cl_uint packet, cl_uint packets) {
    return error_of([&](cl_int* error) {
      return clCreatePipe(setup.context, flags, packet, packets, nullptr, error);
    });
  };
  CHECK(create(0, 4, 4) == CL_INVALID_OPERATION);
  CHECK(create(CL_MEM_READ_ONLY, 4, 4) == CL_INVALID_VALUE);
  CHECK(create(0, 0, 4) == CL_INVALID_PIPE_SIZE);
  CHECK(create(0, 4, 0) == CL_INVALID_PIPE_SIZE);
  cl_uint size = 0;
  CHECK(clGetPipeInfo(setup.foreign_buffer, CL_PIPE_PACKET_SIZE, sizeof size, &size, nullptr) ==
        CL_INVALID_MEM_OBJECT);
}

TEST_CASE("unsupported: what the loader exports for OpenGL refuses") {
  const Setup setup;
  CHECK(error_of([&](cl_int* error) { return clCreateFromGLBuffer(setup.context, 0, 1, error); }) ==
        CL_INVALID_OPERATION);
  CHECK(clEnqueueAcquireGLObjects(setup.queue, 0, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
}

}  // namespace transpire::test
