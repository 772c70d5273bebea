/* A kernel that writes behind its buffer in 4 launches, in the last 2 at one place more, and one that does so in 1. */
#include "tests/opencl/programs/host.h"

int main(void) {
  open_device();
  const cl_program program = program_of(
      "kernel void beyond(global int* y, int more) {\n"
      "  int i = get_global_id(0);\n"
      "  y[i] = i;\n"
      "  if (i < more) y[i + 100] = i;\n"
      "}\n"
      "kernel void once(global int* y) { y[get_global_id(0)] = 0; }\n",
      "");
  const cl_kernel beyond = kernel_of(program, "beyond");
  set_buffer(beyond, 0, buffer_of(CL_MEM_READ_WRITE, 40, NULL));
  for (int number = 0; number < 4; ++number) {
    const cl_int more = number < 2 ? 0 : 3;
    CHECK(clSetKernelArg(beyond, 1, sizeof more, &more));
    launch(beyond, 11 + (size_t)number, 1);
  }
  const cl_kernel once = kernel_of(program, "once");
  set_buffer(once, 0, buffer_of(CL_MEM_READ_WRITE, 40, NULL));
  launch(once, 12, 4);
  CHECK(clFinish(queue));
  return 0;
}
