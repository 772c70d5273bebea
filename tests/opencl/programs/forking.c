/* Three processes that launch the same kernel five times each: 15 launches. */
#include <sys/wait.h>
#include <unistd.h>

#include "tests/opencl/programs/host.h"

int main(void) {
  pid_t children[3];
  for (int c = 0; c < 3; ++c) {
    children[c] = fork();
    if (children[c] != 0) continue;
    open_device();
    const cl_program program =
        program_of("kernel void fill(global int* y, int v) { y[get_global_id(0)] = v; }\n", "");
    const cl_kernel fill = kernel_of(program, "fill");
    const cl_mem y = buffer_of(CL_MEM_READ_WRITE, 400, NULL);
    set_buffer(fill, 0, y);
    for (cl_int i = 0; i < 5; ++i) {
      const cl_int value = 100 * c + i;
      CHECK(clSetKernelArg(fill, 1, sizeof value, &value));
      launch(fill, 100, 0);
    }
    CHECK(clFinish(queue));
    return 0;
  }
  int failed = 0;
  for (int c = 0; c < 3; ++c) {
    int status = 0;
    waitpid(children[c], &status, 0);
    failed |= status;
  }
  return failed != 0;
}
