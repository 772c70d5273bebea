/* Two queues that run at once, one of them out of order, and events between them: 21 launches. */
#include "tests/opencl/programs/host.h"

int main(void) {
  open_device();
  cl_int code;
  const cl_command_queue other =
      clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
  CHECK(code);
  const cl_program program = program_of(
      "kernel void square(global uint* x) { size_t i = get_global_id(0); x[i] = x[i] * x[i] + 1; "
      "}\n"
      "kernel void join(global uint* a, global const uint* b) {\n"
      "  size_t i = get_global_id(0); a[i] ^= b[i]; }\n",
      "");
  cl_uint data[4096];
  for (cl_uint i = 0; i < 4096; ++i) data[i] = i;
  const cl_mem a = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof data, data);
  cl_mem b[10];
  const cl_kernel square = kernel_of(program, "square"), join = kernel_of(program, "join");
  const size_t global = 4096;
  cl_event done[10];
  for (int i = 0; i < 10; ++i) {
    b[i] = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof data, data);
    set_buffer(square, 0, b[i]);
    CHECK(clEnqueueNDRangeKernel(other, square, 1, NULL, &global, NULL, 0, NULL, &done[i]));
    set_buffer(square, 0, a);
    launch(square, global, 64);
  }
  CHECK(clFlush(other));
  set_buffer(join, 0, a);
  set_buffer(join, 1, b[9]);
  CHECK(clEnqueueNDRangeKernel(queue, join, 1, NULL, &global, NULL, 10, done, NULL));
  cl_uint expected = 3;
  for (int i = 0; i < 10; ++i) expected = expected * expected + 1;
  read_back(a, sizeof data, data);
  EXPECT(data[3] == (expected ^ 10u));
  return 0;
}
