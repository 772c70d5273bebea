/* A kernel that divides by zero, which is a warning of --check=ub, and stores nothing wrong: 1 launch. */
#include "tests/opencl/programs/host.h"

int main(void) {
  open_device();
  const cl_program program = program_of(
      "kernel void divide(global int* y) {\n"
      "  int i = get_global_id(0);\n"
      "  y[i] = 12 / y[i];\n"
      "}\n",
      "");
  const cl_kernel divide = kernel_of(program, "divide");
  int divisors[4] = {1, 0, 3, 4};
  set_buffer(divide, 0,
             buffer_of(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof divisors, divisors));
  launch(divide, 4, 4);
  CHECK(clFinish(queue));
  return 0;
}
