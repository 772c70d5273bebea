/* Kernels that enqueue others: 2 launches on the default queue, the second of which goes beyond its buffer. With an
 * argument, a third one that takes its queue as an argument. */
#include "tests/opencl/programs/host.h"

static cl_command_queue queue_on_device(cl_command_queue_properties bits) {
  const cl_queue_properties list[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | bits, 0};
  cl_int code;
  const cl_command_queue made = clCreateCommandQueueWithProperties(context, device, list, &code);
  CHECK(code);
  return made;
}

int main(int argc, char** argv) {
  (void)argv;
  open_device();
  const cl_command_queue first = queue_on_device(CL_QUEUE_ON_DEVICE_DEFAULT);
  const cl_program program = program_of(
      "kernel void halves(global int* y, int n) {\n"
      "  y[get_global_id(0)] = n;\n"
      "  if (get_global_id(0) != 0 || n < 2) return;\n"
      "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n / 2), ^{\n"
      "    printf(\"%d of %d\\n\", (int)get_global_id(0), n / 2);\n"
      "    halves(y, n / 2);\n"
      "  });\n"
      "}\n"
      "kernel void to(queue_t q, global int* y) {\n"
      "  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8), ^{ y[get_global_id(0)] += 1; "
      "});\n"
      "}\n",
      "-cl-std=CL3.0");
  cl_int found[8], n = 4;
  const cl_kernel halves = kernel_of(program, "halves");
  const cl_mem y = buffer_of(CL_MEM_READ_WRITE, sizeof found, NULL);
  set_buffer(halves, 0, y);
  CHECK(clSetKernelArg(halves, 1, sizeof n, &n));
  launch(halves, 4, 0);
  n = 20;
  CHECK(clSetKernelArg(halves, 1, sizeof n, &n));
  launch(halves, 1, 0);
  if (argc > 1) {
    const cl_command_queue second = queue_on_device(0);
    const cl_kernel to = kernel_of(program, "to");
    CHECK(clSetKernelArg(to, 0, sizeof second, &second));
    set_buffer(to, 1, y);
    launch(to, 1, 0);
    CHECK(clReleaseCommandQueue(second));
  }
  read_back(y, sizeof found, found);
  EXPECT(found[0] == (argc > 1) + 1 && found[1] == (argc > 1) + 2 && found[4] == (argc > 1) + 5);
  EXPECT(found[5] == (argc > 1) + 10 && found[7] == (argc > 1) + 10);
  CHECK(clReleaseCommandQueue(first));
  return 0;
}
