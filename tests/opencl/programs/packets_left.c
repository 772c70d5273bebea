/* A pipe of pairs from one kernel to another, which leaves some of them for the next launch: 3 launches. */
#include "tests/opencl/programs/host.h"

int main(void) {
  open_device();
  const cl_program program = program_of(
      "kernel void put(write_only pipe int2 to, int by) {\n"
      "  int2 packet = (int2)(get_global_id(0), get_global_id(0) * by);\n"
      "  write_pipe(to, &packet);\n"
      "}\n"
      "kernel void take(read_only pipe int2 from, global int2* out) {\n"
      "  read_pipe(from, out + get_global_id(0));\n"
      "}\n",
      "-cl-std=CL3.0");
  const cl_kernel put = kernel_of(program, "put"), take = kernel_of(program, "take");
  cl_int code, by = 3;
  const cl_mem pipe = clCreatePipe(context, 0, sizeof(cl_int2), 20, NULL, &code);
  CHECK(code);
  const cl_mem out = buffer_of(CL_MEM_READ_WRITE, 12 * sizeof(cl_int2), NULL);
  set_buffer(put, 0, pipe);
  CHECK(clSetKernelArg(put, 1, sizeof by, &by));
  launch(put, 16, 8);
  set_buffer(take, 0, pipe);
  set_buffer(take, 1, out);
  launch(take, 12, 4);
  launch(take, 12, 4);
  cl_int2 found[12];
  read_back(out, sizeof found, found);
  EXPECT(found[0].y == 36 && found[3].x == 15 && found[4].y == 12 && found[11].y == 33);
  return 0;
}
