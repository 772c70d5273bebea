/* Kernels that capture the times of what they enqueue: 3 launches, of one that does, one that does not, and one whose block
 * does. */
#include "tests/opencl/programs/host.h"

static const char* const kSource =
    "void ask(clk_event_t event, global ulong* y) {\n"
    "  capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, y);\n"
    "  release_event(event);\n"
    "}\n"
    "kernel void timed(global ulong* y, global int* kept) {\n"
    "  clk_event_t event;\n"
    "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &event, "
    "^{ y[3] = kept[0]; });\n"
    "  ask(event, y + 1);\n"
    "}\n"
    "kernel void plain(global ulong* y, global int* kept) {\n"
    "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ y[0] = "
    "kept[0] == 7; });\n"
    "}\n"
    "kernel void nested(global ulong* y, global int* kept) {\n"
    "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{\n"
    "    clk_event_t event;\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, "
    "&event, ^{ y[0] = kept[0]; });\n"
    "    ask(event, y + 1);\n"
    "  });\n"
    "}\n";

int main(void) {
  open_device();
  const cl_queue_properties list[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int code;
  clCreateCommandQueueWithProperties(context, device, list, &code);
  CHECK(code);
  const cl_program program = program_of(kSource, "-cl-std=CL3.0");
  cl_int kept[2] = {7, 7};
  const cl_mem k = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof kept, kept);
  for (int i = 0; i < 3; ++i) {
    const char* const names[] = {"timed", "plain", "nested"};
    const cl_kernel kernel = kernel_of(program, names[i]);
    cl_ulong found[4] = {0};
    const cl_mem y = buffer_of(CL_MEM_COPY_HOST_PTR, sizeof found, found);
    set_buffer(kernel, 0, y);
    set_buffer(kernel, 1, k);
    launch(kernel, 1, 0);
    read_back(y, sizeof found, found);
    EXPECT((found[1] != 0) == (i != 1) && found[1] <= found[2]);
  }
  return 0;
}
