/* A launch whose work-items want more private memory than there is: 1 launch, refused. */
#include "tests/opencl/programs/host.h"

int main(void) {
  open_device();
  const cl_program program = program_of(
      "kernel void large(global int* y, int n) {\n"
      "  volatile char room[1000000000];\n"
      "  room[n] = 1;\n"
      "  y[0] = room[n];\n"
      "}\n",
      "");
  const cl_kernel large = kernel_of(program, "large");
  const cl_int n = 5;
  const size_t global = 64;
  set_buffer(large, 0, buffer_of(CL_MEM_READ_WRITE, 4, NULL));
  CHECK(clSetKernelArg(large, 1, sizeof n, &n));
  cl_event event;
  CHECK(clEnqueueNDRangeKernel(queue, large, 1, NULL, &global, NULL, 0, NULL, &event));
  clFinish(queue);
  cl_int status = 0;
  CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  EXPECT(status < 0);
  return 0;
}
