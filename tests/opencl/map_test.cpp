// Maps of buffers: pointers, counts, overlap, bad arguments.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/opencl/support.h"

namespace transpire::test {
namespace {

constexpr std::size_t kBytes = 1024;

struct Mapped : Setup {
  cl_mem buffer = clCreateBuffer(context, 0, kBytes, nullptr, nullptr);
  ~Mapped() { clReleaseMemObject(buffer); }

  cl_int error(cl_mem memory, cl_map_flags flags, std::size_t offset, std::size_t size) const {
    return error_of([&](cl_int* e) {
      return clEnqueueMapBuffer(queue, memory, CL_TRUE, flags, offset, size, 0, nullptr, nullptr,
                                e);
    });
  }
  char* map(cl_mem memory, cl_map_flags flags, std::size_t offset, std::size_t size) const {
    return static_cast<char*>(clEnqueueMapBuffer(queue, memory, CL_TRUE, flags, offset, size, 0,
                                                 nullptr, nullptr, nullptr));
  }
  cl_int unmap(cl_mem memory, void* pointer) const {
    return clEnqueueUnmapMemObject(queue, memory, pointer, 0, nullptr, nullptr);
  }
};

cl_uint map_count(cl_mem memory) {
  return info<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT);
}

}  // namespace

TEST_CASE("map: what the host writes is what the device reads") {
  const Mapped setup;
  char* const pointer = setup.map(setup.buffer, CL_MAP_WRITE, 100, 50);
  REQUIRE(pointer != nullptr);
  CHECK(map_count(setup.buffer) == 1);
  std::memset(pointer, 7, 50);
  CHECK(setup.unmap(setup.buffer, pointer) == CL_SUCCESS);
  CHECK(map_count(setup.buffer) == 0);
  char read[52] = {};
  clEnqueueReadBuffer(setup.queue, setup.buffer, CL_TRUE, 99, 52, read, 0, nullptr, nullptr);
  CHECK((read[0] == 0 && read[1] == 7 && read[50] == 7 && read[51] == 0));
}

TEST_CASE("map: of a used host pointer it is that pointer") {
  const Setup setup;
  char host[256] = {};
  const cl_mem buffer =
      clCreateBuffer(setup.context, CL_MEM_USE_HOST_PTR, sizeof host, host, nullptr);
  cl_event event = nullptr;
  void* const pointer = clEnqueueMapBuffer(setup.queue, buffer, CL_FALSE, CL_MAP_READ, 16, 16, 0,
                                           nullptr, &event, nullptr);
  CHECK(pointer == host + 16);
  CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
  clEnqueueUnmapMemObject(setup.queue, buffer, pointer, 0, nullptr, nullptr);
  clReleaseEvent(event);
  clReleaseMemObject(buffer);
}

TEST_CASE("map: bad arguments") {
  const Mapped setup;
  CHECK(setup.error(nullptr, CL_MAP_READ, 0, 1) == CL_INVALID_MEM_OBJECT);
  CHECK(setup.error(setup.foreign_buffer, CL_MAP_READ, 0, 1) == CL_INVALID_CONTEXT);
  CHECK(setup.error(setup.buffer, 1u << 10, 0, 1) == CL_INVALID_VALUE);
  CHECK(setup.error(setup.buffer, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 1) ==
        CL_INVALID_VALUE);
  CHECK(setup.error(setup.buffer, CL_MAP_READ, 0, 0) == CL_INVALID_VALUE);
  CHECK(setup.error(setup.buffer, CL_MAP_READ, 1, kBytes) == CL_INVALID_VALUE);
  const auto map = [&](auto... waits) {
    cl_int code = 1000;
    clEnqueueMapBuffer(setup.queue, setup.buffer, CL_TRUE, CL_MAP_READ, 0, 1, waits..., &code);
    return code;
  };
  CHECK(refuses_bad_waits(setup, map));
  CHECK(tells_failed_waits(setup, map));
  CHECK(map_count(setup.buffer) == 0);
  char* const pointer = setup.map(setup.buffer, CL_MAP_READ, 0, 16);
  CHECK(setup.unmap(setup.buffer, pointer + 1) == CL_INVALID_VALUE);
  CHECK(setup.unmap(setup.foreign_buffer, pointer) == CL_INVALID_CONTEXT);
  CHECK(refuses_bad_waits(setup, [&](auto... waits) {
    return clEnqueueUnmapMemObject(setup.queue, setup.buffer, pointer, waits...);
  }));
  CHECK(setup.unmap(setup.buffer, pointer) == CL_SUCCESS);
  CHECK(setup.unmap(setup.buffer, pointer) == CL_INVALID_VALUE);
}

TEST_CASE("map: access of the host") {
  const Mapped setup;
  const auto error = [&](cl_mem_flags flags, cl_map_flags map_flags) {
    const cl_mem buffer = clCreateBuffer(setup.context, flags, 64, nullptr, nullptr);
    const cl_int code = setup.error(buffer, map_flags, 0, 64);
    clFinish(setup.queue);
    clReleaseMemObject(buffer);
    return code;
  };
  CHECK(error(CL_MEM_HOST_WRITE_ONLY, CL_MAP_READ) == CL_INVALID_OPERATION);
  CHECK(error(CL_MEM_HOST_NO_ACCESS, CL_MAP_READ) == CL_INVALID_OPERATION);
  CHECK(error(CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE) == CL_INVALID_OPERATION);
  CHECK(error(CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE_INVALIDATE_REGION) == CL_INVALID_OPERATION);
  CHECK(error(CL_MEM_HOST_READ_ONLY, CL_MAP_READ) == CL_SUCCESS);
  CHECK(error(CL_MEM_HOST_WRITE_ONLY, CL_MAP_WRITE) == CL_SUCCESS);
}

TEST_CASE("map: regions mapped for writing may not overlap") {
  const Mapped setup;
  const cl_buffer_region region{128, 128};
  const cl_mem sub =
      clCreateSubBuffer(setup.buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  char* const first = setup.map(setup.buffer, CL_MAP_WRITE, 0, 200);
  CHECK(setup.error(setup.buffer, CL_MAP_WRITE, 199, 10) == CL_INVALID_OPERATION);
  CHECK(setup.error(sub, CL_MAP_WRITE_INVALIDATE_REGION, 0, 8) == CL_INVALID_OPERATION);
  char* const second = setup.map(sub, CL_MAP_WRITE, 72, 56);
  char* const third = setup.map(setup.buffer, CL_MAP_READ, 0, kBytes);
  CHECK(second == first + 200);
  CHECK((map_count(setup.buffer) == 2 && map_count(sub) == 1));
  CHECK(setup.unmap(setup.buffer, second) == CL_INVALID_VALUE);
  CHECK(setup.unmap(sub, second) == CL_SUCCESS);
  CHECK(setup.unmap(setup.buffer, first) == CL_SUCCESS);
  CHECK(setup.unmap(setup.buffer, third) == CL_SUCCESS);
  clFinish(setup.queue);
  clReleaseMemObject(sub);
}

}  // namespace transpire::test
