/* Loads and builds the SPIR-V that argv[1] names, and launches its kernel `test` with a buffer, without a callback of the
   context. With argv[2], a specialisation constant of 64 bits. Prints which call failed; ends well all the same. */
#include "tests/opencl/programs/host.h"

static int failed(const char* call, cl_int code) {
  if (code != CL_SUCCESS) printf("%s: %d\n", call, code);
  return code != CL_SUCCESS;
}

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
  if (failed("clCreateProgramWithIL", code)) return 0;
  if (argc > 2) {
    const cl_ulong value = strtoull(argv[2], NULL, 0);
    CHECK(clSetProgramSpecializationConstant(program, 0, sizeof value, &value));
  }
  if (failed("clBuildProgram", clBuildProgram(program, 1, &device, "", NULL, NULL))) return 0;
  const cl_kernel test = kernel_of(program, "test");
  const cl_mem out = buffer_of(CL_MEM_READ_WRITE, 4, NULL);
  set_buffer(test, 0, out);
  launch(test, 1, 0);
  cl_uint found = 0;
  read_back(out, 4, &found);
  printf("found %u\n", found);
  return 0;
}
