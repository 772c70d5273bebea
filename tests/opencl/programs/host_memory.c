/* Buffers in the host's own memory, read-only and write-only, and a global offset: 3 launches. */
#include "tests/opencl/programs/host.h"

int main(void) {
  open_device();
  const cl_program program = program_of(
      "kernel void saxpy(global float* y, global const float* x, float a) {\n"
      "  size_t i = get_global_id(0);\n"
      "  y[i] = a * x[i] + get_global_size(0);\n"
      "}\n"
      "kernel void add(global float* y) { y[get_global_id(0)] += 0.1f; }\n",
      "");
  float x[1000], y[1000];
  for (int i = 0; i < 1000; ++i) x[i] = (float)i / 3, y[i] = -1;
  const cl_mem bx = buffer_of(CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, sizeof x, x);
  const cl_mem by = buffer_of(CL_MEM_USE_HOST_PTR, sizeof y, y);
  const cl_mem out = buffer_of(CL_MEM_WRITE_ONLY, sizeof y, NULL);
  const cl_kernel saxpy = kernel_of(program, "saxpy"), add = kernel_of(program, "add");
  const float a = 1.5f;
  set_buffer(saxpy, 0, by);
  set_buffer(saxpy, 1, bx);
  CHECK(clSetKernelArg(saxpy, 2, sizeof a, &a));
  const size_t offset = 100, global = 900;
  CHECK(clEnqueueNDRangeKernel(queue, saxpy, 1, &offset, &global, NULL, 0, NULL, NULL));
  set_buffer(add, 0, by);
  launch(add, 1000, 8);
  set_buffer(saxpy, 0, out);
  launch(saxpy, 1000, 0);
  float found[1000];
  read_back(by, sizeof found, found);
  EXPECT(found[99] == -1 + 0.1f && found[999] == 1.5f * x[999] + 900 + 0.1f);
  read_back(out, sizeof found, found);
  EXPECT(found[3] == 1.5f * x[3] + 1000);
  return 0;
}
