/* Queues of the device, whose sizes and whose default one the results depend on: 4 launches, each of which fills two queues
 * and the default one, and a last one that keeps queues in memory. */
#include "tests/opencl/programs/host.h"

static cl_command_queue queue_on_device(cl_uint size, cl_command_queue_properties bits) {
  const cl_queue_properties list[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | bits,
      CL_QUEUE_SIZE, size, 0};
  cl_int code;
  const cl_command_queue made = clCreateCommandQueueWithProperties(context, device, list, &code);
  CHECK(code);
  return made;
}

static const char* const kSource =
    "void fill_one(queue_t q, global int* found) {\n"
    "  int rc = 0, taken = 0;\n"
    "  for (; taken < 20 && rc == 0; taken += rc == 0)\n"
    "    rc = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ found[2] += 1; });\n"
    "  found[0] = taken;\n"
    "  found[1] = rc;\n"
    "}\n"
    "kernel void fill(queue_t first, queue_t second, global int* y) {\n"
    "  fill_one(first, y);\n"
    "  fill_one(second, y + 3);\n"
    "  fill_one(get_default_queue(), y + 6);\n"
    "}\n"
    "kernel void keep(queue_t q, global queue_t* y) { y[0] = q; y[1] = get_default_queue(); }\n";

/* How many each of the three took, what the next one gave, and how many ran. */
static void fills(cl_kernel kernel, cl_mem y, cl_command_queue first, cl_command_queue second,
                  const cl_int expected[9]) {
  cl_int found[9] = {0};
  CHECK(clEnqueueWriteBuffer(queue, y, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
  CHECK(clSetKernelArg(kernel, 0, sizeof first, &first));
  CHECK(clSetKernelArg(kernel, 1, sizeof second, &second));
  set_buffer(kernel, 2, y);
  launch(kernel, 1, 0);
  read_back(y, sizeof found, found);
  for (int i = 0; i < 9; ++i)
    if (found[i] != expected[i]) die("the kernel's results", found[i]);
}

int main(void) {
  open_device();
  const cl_command_queue small = queue_on_device(100, 0), large = queue_on_device(1024, 0);
  const cl_program program = program_of(kSource, "-cl-std=CL3.0");
  const cl_kernel kernel = kernel_of(program, "fill"), keep = kernel_of(program, "keep");
  const cl_mem y = buffer_of(CL_MEM_READ_WRITE, 9 * sizeof(cl_int), NULL);
  fills(kernel, y, small, large, (const cl_int[]){1, -161, 1, 11, -161, 11, 0, -102, 0});
  CHECK(clSetDefaultDeviceCommandQueue(context, device, large));
  fills(kernel, y, small, large, (const cl_int[]){1, -161, 1, 11, -161, 11, 0, -161, 0});
  fills(kernel, y, large, large, (const cl_int[]){11, -161, 11, 0, -161, 0, 0, -161, 0});
  CHECK(clReleaseCommandQueue(large));
  const cl_command_queue usual = queue_on_device(64u << 20, CL_QUEUE_ON_DEVICE_DEFAULT);
  fills(kernel, y, small, usual, (const cl_int[]){1, -161, 1, 20, 0, 20, 20, 0, 20});
  CHECK(clSetKernelArg(keep, 0, sizeof small, &small));
  set_buffer(keep, 1, y);
  launch(keep, 1, 0);
  CHECK(clFinish(queue));
  CHECK(clReleaseCommandQueue(small));
  CHECK(clReleaseCommandQueue(usual));
  return 0;
}
