/* Program-scope variables that carry state from launch to launch: 4 launches. */
#include "tests/opencl/programs/host.h"

int main(void) {
  open_device();
  const cl_program program = program_of(
      "global int counter = 40;\n"
      "global float history[4];\n"
      "global int* global where = &counter;\n"
      "kernel void step(global int* out, int by) {\n"
      "  history[*where & 3] = *where;\n"
      "  *where += by;\n"
      "  *out = counter;\n"
      "}\n"
      "kernel void recall(global float* out) { out[get_global_id(0)] = history[get_global_id(0)]; "
      "}\n",
      "-cl-std=CL2.0");
  const cl_kernel step = kernel_of(program, "step"), recall = kernel_of(program, "recall");
  const cl_mem out = buffer_of(CL_MEM_READ_WRITE, 16, NULL);
  set_buffer(step, 0, out);
  for (cl_int by = 1; by <= 3; ++by) {
    CHECK(clSetKernelArg(step, 1, sizeof by, &by));
    launch(step, 1, 0);
  }
  int counter = 0;
  read_back(out, sizeof counter, &counter);
  EXPECT(counter == 46);
  set_buffer(recall, 0, out);
  launch(recall, 4, 0);
  float history[4];
  read_back(out, sizeof history, history);
  EXPECT(history[0] == 40 && history[1] == 41 && history[3] == 43);
  return 0;
}
