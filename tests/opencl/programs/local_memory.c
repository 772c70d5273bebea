/* A sum in local memory, given and declared, in two dimensions: 1 launch. */
#include "tests/opencl/programs/host.h"

int main(void) {
  open_device();
  const cl_program program = program_of(
      "kernel void sum(global const uint* in, global uint* out, local uint* part, uint n) {\n"
      "  local uint rows[4];\n"
      "  uint x = get_local_id(0), y = get_local_id(1);\n"
      "  part[y * 16 + x] = in[get_global_id(1) * get_global_size(0) + get_global_id(0)];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (x == 0) { rows[y] = 0; for (uint i = 0; i < n; ++i) rows[y] += part[y * 16 + i]; }\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  if (x == 0 && y == 0)\n"
      "    out[get_group_id(1) * get_num_groups(0) + get_group_id(0)] = rows[0] + rows[1] + "
      "rows[2] + rows[3];\n"
      "}\n",
      "");
  cl_uint in[64 * 16], out[4 * 4];
  for (cl_uint i = 0; i < 64 * 16; ++i) in[i] = i;
  const cl_mem bin = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof in, in);
  const cl_mem bout = buffer_of(CL_MEM_READ_WRITE, sizeof out, NULL);
  const cl_kernel sum = kernel_of(program, "sum");
  const cl_uint n = 16;
  set_buffer(sum, 0, bin);
  set_buffer(sum, 1, bout);
  CHECK(clSetKernelArg(sum, 2, 64 * sizeof(cl_uint), NULL));
  CHECK(clSetKernelArg(sum, 3, sizeof n, &n));
  const size_t global[2] = {64, 16}, local[2] = {16, 4};
  CHECK(clEnqueueNDRangeKernel(queue, sum, 2, NULL, global, local, 0, NULL, NULL));
  read_back(bout, sizeof out, out);
  cl_uint total = 0;
  for (int i = 0; i < 16; ++i) total += out[i];
  EXPECT(total == 1023 * 512);
  return 0;
}
