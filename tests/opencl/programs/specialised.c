/* A SPIR-V module with specialisation constants, named by argv[1]: 2 launches of 2 programs. */
#include "tests/opencl/programs/host.h"

int main(int argc, char** argv) {
  EXPECT(argc > 1);
  open_device();
  static char il[1 << 16];
  FILE* const file = fopen(argv[1], "rb");
  EXPECT(file != NULL);
  const size_t size = fread(il, 1, sizeof il, file);
  fclose(file);
  cl_uint found[2];
  for (cl_uint round = 0; round < 2; ++round) {
    cl_int code;
    const cl_program program = clCreateProgramWithIL(context, il, size, &code);
    CHECK(code);
    const cl_uint value = 30 + round;
    if (round == 1) CHECK(clSetProgramSpecializationConstant(program, 3, sizeof value, &value));
    build(program, "");
    const cl_mem out = buffer_of(CL_MEM_READ_WRITE, 4, NULL);
    const cl_kernel kernel = kernel_of(program, "f");
    set_buffer(kernel, 0, out);
    launch(kernel, 1, 0);
    read_back(out, 4, &found[round]);
  }
  EXPECT(found[0] == 1 && found[1] == 31);
  return 0;
}
