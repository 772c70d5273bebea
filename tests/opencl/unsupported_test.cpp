// Objects of OpenGL: refused.
#include <CL/cl_gl.h>
#include <doctest/doctest.h>

#include "tests/opencl/support.h"

namespace transpire::test {

TEST_CASE("unsupported: what the loader exports for OpenGL refuses") {
  const Setup setup;
  CHECK(error_of([&](cl_int* error) { return clCreateFromGLBuffer(setup.context, 0, 1, error); }) ==
        CL_INVALID_OPERATION);
  CHECK(clEnqueueAcquireGLObjects(setup.queue, 0, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_OPERATION);
}

}  // namespace transpire::test
