// Binaries of programs: what they are, and whose.
#include "tests/opencl/support.h"

namespace transpire::test::binaries_tests {
namespace {

using Bytes = std::vector<unsigned char>;

/// A context of the machine and of a part of it, with a queue for each.
struct TwoDevices {
  Host host;
  Parts parts{{1}};
  cl_device_id devices[2] = {host.device, parts.devices[0]};
  Context context = clCreateContext(nullptr, 2, devices, nullptr, nullptr, nullptr);
  Queue queues[2] = {clCreateCommandQueueWithProperties(context, devices[0], nullptr, nullptr),
                     clCreateCommandQueueWithProperties(context, devices[1], nullptr, nullptr)};

  Bytes binary_of(const std::string& source, bool object = false) const {
    const Program program = host.source(source);
    REQUIRE((object ? compile(program) : host.build(program)) == CL_SUCCESS);
    return host.binary(program);
  }
  Program from(const Bytes& first, const Bytes& second, cl_int (*status)[2] = nullptr) const {
    const std::size_t sizes[] = {first.size(), second.size()};
    const unsigned char* bytes[] = {first.data(), second.data()};
    return clCreateProgramWithBinary(context, 2, devices, sizes, bytes,
                                     status == nullptr ? nullptr : *status, nullptr);
  }
  cl_int error_of_kernel(cl_program program, const char* name) const {
    return error_of([&](cl_int* error) { return clCreateKernel(program, name, error); });
  }
  /// Runs the kernel `k` on a device: gives the number that it stores, or the error of its launch.
  cl_int run(cl_program program, int device) const {
    const Memory buffer = clCreateBuffer(context, 0, sizeof(cl_int), nullptr, nullptr);
    const Kernel kernel = host.kernel(program, "k");
    REQUIRE(set_argument(kernel, 0, buffer) == CL_SUCCESS);
    const cl_int code = enqueue(queues[device], kernel, {1});
    const cl_int result = read<cl_int>(queues[device], buffer, 1)[0];
    return code == CL_SUCCESS ? result : code;
  }
};

TEST_CASE_FIXTURE(Host, "binaries: an executable is SPIR-V") {
  Bytes binary = this->binary(built("kernel void k(global int *a) { a[0] = 42; }"));
  REQUIRE(binary.size() > 20);
  CHECK(binary[0] == 0x03);
  const Program again = from_binary(binary);
  const auto status_of_build = [&] {
    return build_info<cl_build_status>(again, CL_PROGRAM_BUILD_STATUS);
  };
  CHECK(binary_type(again) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
  // It was built before; it may be again.
  CHECK(status_of_build() == CL_BUILD_NONE);
  CHECK(first_int(again) == 42);
  CHECK(status_of_build() == CL_BUILD_SUCCESS);
  REQUIRE(build(again) == CL_SUCCESS);
  CHECK(compile(again) == CL_INVALID_OPERATION);
  CHECK(first_int(again) == 42);
  CHECK(text_info(clGetProgramInfo, again, CL_PROGRAM_KERNEL_NAMES) == "k");
  CHECK(text_info(clGetProgramInfo, again, CL_PROGRAM_SOURCE).empty());

  const unsigned char* pointer = binary.data();
  for (const auto& [bytes, error] :
       {std::pair{binary.size() / 2, CL_INVALID_BINARY}, {std::size_t{0}, CL_INVALID_VALUE}}) {
    const std::size_t size = bytes;
    cl_int status = 0;
    CHECK(error_of([&](cl_int* code) {
            return clCreateProgramWithBinary(context, 1, &device, &size, &pointer, &status, code);
          }) == error);
    CHECK(status == error);
  }
  CHECK(!notes.empty());
}

TEST_CASE_FIXTURE(TwoDevices, "binaries: each device runs its own") {
  const auto one = binary_of("kernel void k(global int *a) { a[0] = 1; }");
  const auto other = binary_of(
      "kernel void k(global int *a) { a[0] = 2; }"
      "kernel void only(global int *a) { a[0] = 3; }");
  Program program = from(one, other);
  REQUIRE(program != nullptr);
  for (int round = 0; round < 2; ++round) {  // not built, then built
    CHECK(text_info(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES) == "k");
    CHECK(info<std::size_t>(clGetProgramInfo, program, CL_PROGRAM_NUM_KERNELS) == 1);
    cl_uint made = 0;
    CHECK(clCreateKernelsInProgram(program, 0, nullptr, &made) == CL_SUCCESS);
    CHECK(made == 1);
    CHECK(run(program, 0) == 1);
    CHECK(run(program, 1) == 2);
    CHECK(error_of_kernel(program, "only") == CL_INVALID_KERNEL_DEFINITION);
    CHECK(error_of_kernel(program, "neither") == CL_INVALID_KERNEL_NAME);
    REQUIRE(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  }
  const auto sizes = list_info<std::size_t>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
  REQUIRE(sizes == std::vector<std::size_t>{one.size(), other.size()});
  Bytes back[2] = {Bytes(sizes[0]), Bytes(sizes[1])};
  unsigned char* places[] = {back[0].data(), back[1].data()};
  CHECK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof places, places, nullptr) ==
        CL_SUCCESS);
  CHECK((back[0] == one && back[1] == other));
}

TEST_CASE_FIXTURE(TwoDevices,
                  "binaries: devices may differ in what they have, and in a kernel's parameters") {
  const auto one = binary_of("kernel void k(global int *a) { a[0] = 1; }");
  const auto other = binary_of("kernel void k(global int *a, int b) { a[0] = b; }");
  const auto object = binary_of("kernel void k(global int *a) { a[0] = 4; }", true);
  Program program = from(one, other);
  CHECK(error_of_kernel(program, "k") == CL_INVALID_KERNEL_DEFINITION);
  CHECK(text_info(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES).empty());

  program = from(one, object);
  CHECK(run(program, 0) == 1);
  CHECK(run(program, 1) == CL_INVALID_PROGRAM_EXECUTABLE);
  REQUIRE(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr) == CL_SUCCESS);
  CHECK(run(program, 1) == 4);

  cl_int status[2] = {9, 9};
  CHECK(from({1, 2, 3, 4}, {1, 2, 3, 4}, &status) == nullptr);
  CHECK((status[0] == CL_INVALID_BINARY && status[1] == CL_INVALID_BINARY));
  CHECK(from(one, {1, 2, 3, 4}, &status) == nullptr);
  CHECK((status[0] == CL_SUCCESS && status[1] == CL_INVALID_BINARY));
}

TEST_CASE_FIXTURE(TwoDevices, "binaries: linking takes each device's own") {
  const auto one = binary_of("int f() { return 1; }", true);
  const auto other = binary_of("int f() { return 2; }", true);
  const auto user = binary_of("int f(); kernel void k(global int *a) { a[0] = f(); }", true);
  const Program inputs[] = {from(one, other), from(user, user)};
  cl_int code = 0;
  const Program linked =
      clLinkProgram(context, 0, nullptr, "", 2, &inputs[0], nullptr, nullptr, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(run(linked, 0) == 1);
  CHECK(run(linked, 1) == 2);
  const Program of_one =
      clLinkProgram(context, 1, &devices[1], "", 2, &inputs[0], nullptr, nullptr, &code);
  REQUIRE(code == CL_SUCCESS);
  CHECK(run(of_one, 1) == 2);
}

}  // namespace
}  // namespace transpire::test::binaries_tests
