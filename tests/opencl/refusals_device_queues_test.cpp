// Bad arguments of kernels that take queues. OpenCL 2.2 API, section 5.9.2; those of functions on queues are in
// refusals_objects_test.cpp, and no command takes a queue of the device (no_host_queues).
#include "tests/opencl/host.h"
#include "tests/opencl/refusals.h"

namespace transpire::test {

TEST_CASE("refusals: arguments that are queues") {
  const Host host;
  const Setup other;
  const cl_program program =
      host.built("kernel void k(queue_t q) { enqueue_marker(q, 0, 0, 0); }\n", "-cl-std=CL2.0");
  const cl_kernel kernel = host.kernel(program, "k");
  const cl_command_queue own = make_queue(host.context, kOnDevice),
                         wrong = bad<cl_command_queue>()[1], none = nullptr;
  REQUIRE(clSetKernelArg(kernel, 0, sizeof own, &own) == CL_SUCCESS);
  REFUSES(clSetKernelArg, CL_INVALID_ARG_SIZE, kernel, 0, 4, &own);
  REFUSES(clSetKernelArg, CL_INVALID_DEVICE_QUEUE, kernel, 0, sizeof none, &none);
  REFUSES(clSetKernelArg, CL_INVALID_DEVICE_QUEUE, kernel, 0, sizeof none, nullptr);
  REFUSES(clSetKernelArg, CL_INVALID_DEVICE_QUEUE, kernel, 0, sizeof wrong, &wrong);
  REFUSES(clSetKernelArg, CL_INVALID_DEVICE_QUEUE, kernel, 0, sizeof wrong, &host.queue);
  REFUSES(clSetKernelArg, CL_INVALID_DEVICE_QUEUE, kernel, 0, sizeof wrong, &other.on_device);
  REFUSES(clSetKernelArgSVMPointer, CL_INVALID_ARG_VALUE, kernel, 0, nullptr);
  clReleaseCommandQueue(own);
  const std::size_t one = 1;
  REFUSES(clEnqueueNDRangeKernel, CL_INVALID_KERNEL_ARGS, host.queue, kernel, 1, nullptr, &one,
          nullptr, 0, nullptr, nullptr);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

}  // namespace transpire::test
