/* A kernel that writes behind its buffer, at argv[2] places more, and loads from a write-only one. Exits with argv[1]: 1 launch. */
#include "tests/opencl/programs/host.h"

int main(int argc, char** argv) {
  enum { kMost = 16384 };
  static char source[kMost];
  open_device();
  size_t length = (size_t)snprintf(source, kMost, "%s",
                                   "kernel void beyond(global int* y, global int* w) {\n"
                                   "  int i = get_global_id(0);\n"
                                   "  y[i] = i;\n");
  for (int more = argc > 2 ? atoi(argv[2]) : 0; more > 0 && length < kMost; --more)
    length += (size_t)snprintf(source + length, kMost - length, "  if (i == %d) y[%d] = 0;\n",
                               more % 12, more + 100);
  snprintf(source + length, kMost - length, "  if (i == 3) y[0] = w[0];\n}\n");
  const cl_program program = program_of(source, "");
  const cl_kernel beyond = kernel_of(program, "beyond");
  set_buffer(beyond, 0, buffer_of(CL_MEM_READ_WRITE, 40, NULL));
  set_buffer(beyond, 1, buffer_of(CL_MEM_WRITE_ONLY, 40, NULL));
  launch(beyond, 12, 4);
  CHECK(clFinish(queue));
  return argc > 1 ? atoi(argv[1]) : 0;
}
