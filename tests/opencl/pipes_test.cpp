// Pipes: what they tell of themselves, and how they live. Bad arguments: refusals_pipes_test.cpp.
#include <doctest/doctest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "tests/opencl/host.h"
#include "tests/opencl/support.h"

namespace transpire::test {
namespace {

cl_mem make_pipe(cl_context context, cl_uint packet_bytes, cl_uint max_packets,
                 cl_mem_flags flags = 0) {
  cl_int code = 0;
  const cl_mem pipe = clCreatePipe(context, flags, packet_bytes, max_packets, nullptr, &code);
  REQUIRE(code == CL_SUCCESS);
  return pipe;
}

}  // namespace

TEST_CASE("pipes: what the device says") {
  const cl_device_id device = the_device();
  CHECK(info<cl_bool>(clGetDeviceInfo, device, CL_DEVICE_PIPE_SUPPORT) == CL_TRUE);
  CHECK(info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_MAX_PIPE_ARGS) >= 16);
  CHECK(info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS) >= 1);
  CHECK(info<cl_uint>(clGetDeviceInfo, device, CL_DEVICE_PIPE_MAX_PACKET_SIZE) >= 1024);
  std::size_t size = 0;
  REQUIRE(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, 0, nullptr, &size) == CL_SUCCESS);
  std::vector<cl_name_version> features(size / sizeof(cl_name_version));
  REQUIRE(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, size, features.data(), nullptr) ==
          CL_SUCCESS);
  CHECK(std::count_if(features.begin(), features.end(), [](const cl_name_version& feature) {
          return feature.name == std::string("__opencl_c_pipes");
        }) == 1);
}

TEST_CASE("pipes: what one says of itself") {
  const Setup setup;
  for (const cl_mem_flags flags :
       {cl_mem_flags{0}, cl_mem_flags{CL_MEM_READ_WRITE}, cl_mem_flags{CL_MEM_HOST_NO_ACCESS},
        cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS}}) {
    CAPTURE(flags);
    const cl_mem pipe = make_pipe(setup.context, 12, 100, flags);
    CHECK(info<cl_uint>(clGetPipeInfo, pipe, CL_PIPE_PACKET_SIZE) == 12);
    CHECK(info<cl_uint>(clGetPipeInfo, pipe, CL_PIPE_MAX_PACKETS) == 100);
    std::size_t size = 77;
    CHECK(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, nullptr, &size) == CL_SUCCESS);
    CHECK(size == 0);
    const auto tells = [&](cl_mem_info name, auto value) {
      return info<decltype(value)>(clGetMemObjectInfo, pipe, name) == value;
    };
    CHECK(tells(CL_MEM_TYPE, cl_mem_object_type{CL_MEM_OBJECT_PIPE}));
    CHECK(tells(CL_MEM_FLAGS, flags));
    CHECK(tells(CL_MEM_SIZE, std::size_t{1200}));
    CHECK(tells(CL_MEM_HOST_PTR, static_cast<void*>(nullptr)));
    CHECK(tells(CL_MEM_MAP_COUNT, cl_uint{0}));
    CHECK(tells(CL_MEM_REFERENCE_COUNT, cl_uint{1}));
    CHECK(tells(CL_MEM_CONTEXT, setup.context));
    CHECK(tells(CL_MEM_ASSOCIATED_MEMOBJECT, static_cast<cl_mem>(nullptr)));
    CHECK(tells(CL_MEM_OFFSET, std::size_t{0}));
    CHECK(tells(CL_MEM_USES_SVM_POINTER, cl_bool{CL_FALSE}));
    CHECK(clReleaseMemObject(pipe) == CL_SUCCESS);
  }
}

TEST_CASE("pipes: references and callbacks") {
  const Setup setup;
  const cl_mem pipe = make_pipe(setup.context, 4, 4);
  std::vector<int> calls;
  struct Call {
    std::vector<int>* calls;
    int number;
  };
  Call first{&calls, 1}, second{&calls, 2};
  const auto note = [](cl_mem, void* data) {
    const auto* const call = static_cast<const Call*>(data);
    call->calls->push_back(call->number);
  };
  REQUIRE(clSetMemObjectDestructorCallback(pipe, note, &first) == CL_SUCCESS);
  REQUIRE(clSetMemObjectDestructorCallback(pipe, note, &second) == CL_SUCCESS);
  CHECK(clRetainMemObject(pipe) == CL_SUCCESS);
  CHECK(info<cl_uint>(clGetMemObjectInfo, pipe, CL_MEM_REFERENCE_COUNT) == 2);
  CHECK(clReleaseMemObject(pipe) == CL_SUCCESS);
  CHECK(calls.empty());
  CHECK(clReleaseMemObject(pipe) == CL_SUCCESS);
  CHECK((calls == std::vector<int>{2, 1}));
}

TEST_CASE("pipes: may be migrated") {
  const Setup setup;
  const cl_mem pipe = make_pipe(setup.context, 4, 4);
  CHECK(clEnqueueMigrateMemObjects(setup.queue, 1, &pipe, CL_MIGRATE_MEM_OBJECT_HOST, 0, nullptr,
                                   nullptr) == CL_SUCCESS);
  CHECK(clFinish(setup.queue) == CL_SUCCESS);
  clReleaseMemObject(pipe);
}

TEST_CASE("pipes: the largest packet, and as much as there is memory") {
  const Setup setup;
  const auto most = info<cl_uint>(clGetDeviceInfo, setup.device, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
  clReleaseMemObject(make_pipe(setup.context, most, 1));
  for (const cl_uint packets : {0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    CAPTURE(packets);
    CHECK(error_of([&](cl_int* error) {
            return clCreatePipe(setup.context, 0, most, packets, nullptr, error);
          }) == CL_MEM_OBJECT_ALLOCATION_FAILURE);
  }
}

}  // namespace transpire::test
