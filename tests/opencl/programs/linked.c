/* Two sources, each with a header "put.h" of its own that stores behind the buffer, linked; the same from the binaries of
   that and of one of the sources. 4 launches. Exits with an error when a binary is not the same the second time. */
#include "tests/opencl/programs/host.h"

static const char* const kSources[] = {
    "#include \"put.h\"\n"
    "kernel void first(global int* y) { put(y); }\n",
    "#include \"put.h\"\n"
    "\n"
    "kernel void second(global int* y) { put(y); }\n",
};
static const char* const kHeaders[] = {
    "static void put(global int* y) { y[10] = 1; }\n",
    "static void put(global int* y) {\n  y[20] = 2;\n}\n",
};

static cl_program made_of(const char* text) {
  cl_int code;
  const cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
  CHECK(code);
  return program;
}

static cl_program linked(void) {
  const char* const name = "put.h";
  cl_program objects[2];
  cl_int code;
  for (int i = 0; i < 2; ++i) {
    const cl_program header = made_of(kHeaders[i]);
    objects[i] = made_of(kSources[i]);
    CHECK(clCompileProgram(objects[i], 0, NULL, "", 1, &header, (const char**)&name, NULL, NULL));
  }
  const cl_program whole = clLinkProgram(context, 0, NULL, "", 2, objects, NULL, NULL, &code);
  CHECK(code);
  return whole;
}

typedef struct {
  unsigned char bytes[1 << 16];
  size_t size;
} Binary;

static void read_binary(cl_program program, Binary* binary) {
  unsigned char* place = binary->bytes;
  CHECK(
      clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof binary->size, &binary->size, NULL));
  EXPECT(binary->size <= sizeof binary->bytes);
  CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof place, &place, NULL));
}

static cl_program program_of_binary(const Binary* binary) {
  const unsigned char* bytes = binary->bytes;
  cl_int code;
  const cl_program program =
      clCreateProgramWithBinary(context, 1, &device, &binary->size, &bytes, NULL, &code);
  CHECK(code);
  build(program, "");
  return program;
}

static void run(cl_program program, const char* name) {
  const cl_kernel kernel = kernel_of(program, name);
  set_buffer(kernel, 0, buffer_of(CL_MEM_READ_WRITE, 40, NULL));
  launch(kernel, 1, 1);
  CHECK(clFinish(queue));
}

int main(void) {
  static Binary once, twice, alone;
  open_device();
  const cl_program whole = linked();
  read_binary(whole, &once);
  read_binary(linked(), &twice);
  EXPECT(once.size == twice.size && memcmp(once.bytes, twice.bytes, once.size) == 0);
  const cl_program simple = program_of("kernel void third(global int* y) {\n  y[30] = 3;\n}\n", "");
  read_binary(simple, &alone);
  run(whole, "first");
  run(whole, "second");
  run(program_of_binary(&once), "second");
  run(program_of_binary(&alone), "third");
  return 0;
}
