// Binaries of programs: what they are, and whose.
#include <algorithm>

#include "tests/opencl/host.h"

namespace transpire::test {
namespace {

/// A context of the machine and of a part of it, with a queue for each.
struct TwoDevices {
  Host host;
  cl_device_id devices[2] = {host.device, nullptr};
  cl_context context = nullptr;
  cl_command_queue queues[2] = {};

  TwoDevices() {
    const cl_device_partition_property one[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
    REQUIRE(clCreateSubDevices(host.device, one, 1, &devices[1], nullptr) == CL_SUCCESS);
    context = clCreateContext(nullptr, 2, devices, nullptr, nullptr, nullptr);
    for (int i = 0; i < 2; ++i)
      queues[i] = clCreateCommandQueueWithProperties(context, devices[i], nullptr, nullptr);
  }
  ~TwoDevices() {
    for (cl_command_queue queue : queues) clReleaseCommandQueue(queue);
    clReleaseContext(context);
    clReleaseDevice(devices[1]);
  }
  using Bytes = std::vector<unsigned char>;
  Bytes binary_of(const std::string& source, bool object = false) const {
    cl_program program = host.source(source);
    REQUIRE((object ? compile(program) : host.build(program)) == CL_SUCCESS);
    Bytes bytes = host.binary(program);
    clReleaseProgram(program);
    return bytes;
  }
  cl_program from(const Bytes& first, const Bytes& second, cl_int (*status)[2] = nullptr) const {
    const std::size_t sizes[] = {first.size(), second.size()};
    const unsigned char* bytes[] = {first.data(), second.data()};
    return clCreateProgramWithBinary(context, 2, devices, sizes, bytes,
                                     status == nullptr ? nullptr : *status, nullptr);
  }
  cl_int error_of_kernel(cl_program program, const char* name) const {
    cl_int code = 0;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    if (kernel != nullptr) clReleaseKernel(kernel);
    return code;
  }
  /// What the kernel stores on a device; or the error of its launch.
  cl_int run(cl_program program, const char* name, int device) const {
    cl_int result = 0;
    cl_mem buffer = clCreateBuffer(context, 0, sizeof result, nullptr, nullptr);
    cl_kernel kernel = clCreateKernel(program, name, nullptr);
    REQUIRE(kernel != nullptr);
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    const std::size_t one = 1;
    const cl_int code = clEnqueueNDRangeKernel(queues[device], kernel, 1, nullptr, &one, nullptr, 0,
                                               nullptr, nullptr);
    clEnqueueReadBuffer(queues[device], buffer, CL_TRUE, 0, sizeof result, &result, 0, nullptr,
                        nullptr);
    clReleaseKernel(kernel);
    clReleaseMemObject(buffer);
    return code == CL_SUCCESS ? result : code;
  }
};

}  // namespace

TEST_CASE("binaries: an executable is SPIR-V") {
  Host host;
  cl_program program = host.built("kernel void k(global int *a) { a[0] = 42; }");
  std::vector<unsigned char> binary = host.binary(program);
  REQUIRE(binary.size() > 20);
  CHECK(binary[0] == 0x03);
  cl_int code = 0;
  cl_program again = host.from_binary(binary, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(host.build_info<cl_program_binary_type>(again, CL_PROGRAM_BINARY_TYPE) ==
        CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  // It was built before; it may be again.
  CHECK(host.build_info<cl_build_status>(again, CL_PROGRAM_BUILD_STATUS) == CL_BUILD_NONE);
  cl_kernel unbuilt = host.kernel(again, "k");
  CHECK(host.first_int(unbuilt) == 42);
  CHECK(host.build_info<cl_build_status>(again, CL_PROGRAM_BUILD_STATUS) == CL_BUILD_SUCCESS);
  clReleaseKernel(unbuilt);
  REQUIRE(host.build(again) == CL_SUCCESS);
  CHECK(compile(again) == CL_INVALID_OPERATION);
  cl_kernel kernel = host.kernel(again, "k");
  CHECK(host.first_int(kernel) == 42);
  CHECK(program_text(again, CL_PROGRAM_KERNEL_NAMES) == "k");
  CHECK(program_text(again, CL_PROGRAM_SOURCE).empty());

  binary.resize(binary.size() / 2);
  cl_int status = 0;
  const unsigned char* pointer = binary.data();
  std::size_t size = binary.size();
  CHECK(clCreateProgramWithBinary(host.context, 1, &host.device, &size, &pointer, &status, &code) ==
        nullptr);
  CHECK(code == CL_INVALID_BINARY);
  CHECK(status == CL_INVALID_BINARY);
  CHECK(!host.notes.empty());
  size = 0;
  CHECK(clCreateProgramWithBinary(host.context, 1, &host.device, &size, &pointer, &status, &code) ==
        nullptr);
  CHECK(code == CL_INVALID_VALUE);
  CHECK(status == CL_INVALID_VALUE);
  CHECK(clCreateProgramWithBinary(host.context, 0, nullptr, &size, &pointer, &status, &code) ==
        nullptr);
  CHECK(code == CL_INVALID_VALUE);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseProgram(again);
}

TEST_CASE("binaries: each device runs its own") {
  TwoDevices two;
  const auto one = two.binary_of("kernel void k(global int *a) { a[0] = 1; }");
  const auto other = two.binary_of(
      "kernel void k(global int *a) { a[0] = 2; }"
      "kernel void only(global int *a) { a[0] = 3; }");
  cl_program program = two.from(one, other);
  REQUIRE(program != nullptr);
  for (int round = 0; round < 2; ++round) {  // not built, then built
    CHECK(program_text(program, CL_PROGRAM_KERNEL_NAMES) == "k");
    std::size_t count = 0;
    CHECK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, nullptr) ==
          CL_SUCCESS);
    CHECK(count == 1);
    cl_uint made = 0;
    CHECK(clCreateKernelsInProgram(program, 0, nullptr, &made) == CL_SUCCESS);
    CHECK(made == 1);
    CHECK(two.run(program, "k", 0) == 1);
    CHECK(two.run(program, "k", 1) == 2);
    CHECK(two.error_of_kernel(program, "only") == CL_INVALID_KERNEL_DEFINITION);
    CHECK(two.error_of_kernel(program, "neither") == CL_INVALID_KERNEL_NAME);
    REQUIRE(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  }
  std::size_t sizes[2] = {};
  REQUIRE(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, nullptr) ==
          CL_SUCCESS);
  REQUIRE((sizes[0] == one.size() && sizes[1] == other.size()));
  TwoDevices::Bytes back[2] = {TwoDevices::Bytes(sizes[0]), TwoDevices::Bytes(sizes[1])};
  unsigned char* places[] = {back[0].data(), back[1].data()};
  CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof places, places, nullptr) ==
        CL_SUCCESS);
  CHECK((back[0] == one && back[1] == other));
  clReleaseProgram(program);
}

TEST_CASE("binaries: devices may differ in what they have, and in a kernel's parameters") {
  TwoDevices two;
  const auto one = two.binary_of("kernel void k(global int *a) { a[0] = 1; }");
  const auto other = two.binary_of("kernel void k(global int *a, int b) { a[0] = b; }");
  const auto object = two.binary_of("kernel void k(global int *a) { a[0] = 4; }", true);
  cl_program program = two.from(one, other);
  CHECK(two.error_of_kernel(program, "k") == CL_INVALID_KERNEL_DEFINITION);
  CHECK(program_text(program, CL_PROGRAM_KERNEL_NAMES).empty());
  clReleaseProgram(program);

  program = two.from(one, object);
  CHECK(two.run(program, "k", 0) == 1);
  CHECK(two.run(program, "k", 1) == CL_INVALID_PROGRAM_EXECUTABLE);
  REQUIRE(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  CHECK(two.run(program, "k", 1) == 4);
  clReleaseProgram(program);

  cl_int status[2] = {9, 9};
  CHECK(two.from({1, 2, 3, 4}, {1, 2, 3, 4}, &status) == nullptr);
  CHECK((status[0] == CL_INVALID_BINARY && status[1] == CL_INVALID_BINARY));
  CHECK(two.from(one, {1, 2, 3, 4}, &status) == nullptr);
  CHECK((status[0] == CL_SUCCESS && status[1] == CL_INVALID_BINARY));
}

TEST_CASE("binaries: linking takes each device's own") {
  TwoDevices two;
  const auto one = two.binary_of("int f() { return 1; }", true);
  const auto other = two.binary_of("int f() { return 2; }", true);
  const auto user = two.binary_of("int f(); kernel void k(global int *a) { a[0] = f(); }", true);
  cl_program inputs[] = {two.from(one, other), two.from(user, user)};
  cl_int code = 0;
  cl_program linked =
      clLinkProgram(two.context, 0, nullptr, "", 2, inputs, nullptr, nullptr, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(two.run(linked, "k", 0) == 1);
  CHECK(two.run(linked, "k", 1) == 2);
  cl_program of_one =
      clLinkProgram(two.context, 1, &two.devices[1], "", 2, inputs, nullptr, nullptr, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(two.run(of_one, "k", 1) == 2);
  for (cl_program program : {linked, of_one, inputs[0], inputs[1]}) clReleaseProgram(program);
}

}  // namespace transpire::test
