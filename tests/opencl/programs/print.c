/* printf with quotes, line ends and bytes that are no text, over two lines a work-item: 1 launch. */
#include "tests/opencl/programs/host.h"

int main(void) {
  open_device();
  const cl_program program = program_of(
      "kernel void say(int n) {\n"
      "  printf(\"item %d of \\\"%s\\\" # 100%%\\n\\tand \\x01\\\\ %4.2f\\n\", "
      "(int)get_global_id(0), \"say\", 1.5f * n);\n"
      "  if (get_global_id(0) == 2) printf(\"no end\");\n"
      "}\n",
      "");
  const cl_kernel say = kernel_of(program, "say");
  const cl_int n = 3;
  CHECK(clSetKernelArg(say, 0, sizeof n, &n));
  launch(say, 3, 0);
  CHECK(clFinish(queue));
  return 0;
}
