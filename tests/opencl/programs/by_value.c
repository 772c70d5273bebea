/* A struct, a vector of three and small scalars by value, a null pointer: 1 launch. */
#include "tests/opencl/programs/host.h"

struct settings {
  cl_char first;
  cl_double factor;
  cl_short values[3];
};

int main(void) {
  open_device();
  const cl_program program = program_of(
      "typedef struct { char first; double factor; short values[3]; } settings;\n"
      "kernel void apply(global double* out, settings s, float3 v, uchar c, global int* nothing) "
      "{\n"
      "  out[0] = s.first + s.factor * s.values[2];\n"
      "  out[1] = v.x + v.y + v.z + c + (nothing == 0 ? 100 : 0);\n"
      "}\n",
      "");
  struct settings s;
  memset(&s, 0, sizeof s);
  s.first = -3;
  s.factor = 0.5;
  s.values[2] = 30;
  const cl_float3 v = {{1, 2, 4}};
  const cl_uchar c = 200;
  const cl_mem out = buffer_of(CL_MEM_READ_WRITE, 16, NULL);
  const cl_kernel apply = kernel_of(program, "apply");
  set_buffer(apply, 0, out);
  CHECK(clSetKernelArg(apply, 1, sizeof s, &s));
  CHECK(clSetKernelArg(apply, 2, sizeof v, &v));
  CHECK(clSetKernelArg(apply, 3, sizeof c, &c));
  CHECK(clSetKernelArg(apply, 4, sizeof(cl_mem), NULL));
  launch(apply, 1, 0);
  double found[2];
  read_back(out, sizeof found, found);
  EXPECT(found[0] == 12 && found[1] == 307);
  return 0;
}
