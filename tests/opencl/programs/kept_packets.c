/* A SPIR-V module with a pipe at program scope, named by argv[1]: 3 launches, which put packets in, take them out, and use
 * no pipe. */
#include "tests/opencl/programs/host.h"

int main(int argc, char** argv) {
  EXPECT(argc > 1);
  open_device();
  static char il[1 << 16];
  FILE* const file = fopen(argv[1], "rb");
  EXPECT(file != NULL);
  const size_t size = fread(il, 1, sizeof il, file);
  fclose(file);
  cl_int code;
  const cl_program program = clCreateProgramWithIL(context, il, size, &code);
  CHECK(code);
  build(program, "");
  const char* const names[] = {"put", "take", "plain"};
  const cl_int expected[] = {0, 5, 3};
  for (int i = 0; i < 3; ++i) {
    cl_int found[2] = {9, 9};
    const cl_mem y = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof found, found);
    const cl_kernel kernel = kernel_of(program, names[i]);
    set_buffer(kernel, 0, y);
    launch(kernel, 2, 0);
    read_back(y, sizeof found, found);
    EXPECT(found[0] == expected[i] && found[1] == expected[i]);
  }
  return 0;
}
