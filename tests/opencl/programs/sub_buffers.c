/* Sub-buffers of one buffer, and the buffer itself, in one launch; then a lone sub-buffer: 2 launches. */
#include "tests/opencl/programs/host.h"

static cl_mem part(cl_mem whole, cl_mem_flags flags, size_t origin, size_t size) {
  const cl_buffer_region region = {origin, size};
  cl_int code;
  const cl_mem buffer =
      clCreateSubBuffer(whole, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  CHECK(code);
  return buffer;
}

int main(void) {
  open_device();
  const cl_program program = program_of(
      "kernel void shift(global int* to, global const int* from, global int* whole) {\n"
      "  int i = get_global_id(0);\n"
      "  to[i] = from[i] + 1;\n"
      "  if (i == 0) whole[0] = 77;\n"
      "}\n",
      "");
  int data[1024];
  for (int i = 0; i < 1024; ++i) data[i] = i;
  const cl_mem whole = buffer_of(CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof data, data);
  const cl_mem from = part(whole, CL_MEM_READ_ONLY, 1024, 1024), to = part(whole, 0, 2048, 1024);
  const cl_kernel shift = kernel_of(program, "shift");
  set_buffer(shift, 0, to);
  set_buffer(shift, 1, from);
  set_buffer(shift, 2, whole);
  launch(shift, 256, 0);
  set_buffer(shift, 2, part(whole, 0, 0, 128));
  launch(shift, 16, 0);
  read_back(whole, sizeof data, data);
  EXPECT(data[0] == 77 && data[512] == 257 && data[767] == 512 && data[768] == 768);
  return 0;
}
