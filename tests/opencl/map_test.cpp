// Maps of buffers: pointers, counts, overlap. Bad arguments: refusals_commands_test.cpp.
#include "tests/opencl/support.h"

namespace transpire::test::map_tests {
namespace {

constexpr std::size_t kMapBytes = 1024;

struct Mapped : Setup {
  Memory memory = buffer(kMapBytes);

  cl_int error(cl_mem of, cl_map_flags flags, std::size_t offset, std::size_t size) const {
    return error_of([&](cl_int* e) {
      return clEnqueueMapBuffer(queue, of, CL_TRUE, flags, offset, size, 0, nullptr, nullptr, e);
    });
  }
  char* map(cl_mem of, cl_map_flags flags, std::size_t offset, std::size_t size) const {
    return static_cast<char*>(
        clEnqueueMapBuffer(queue, of, CL_TRUE, flags, offset, size, 0, nullptr, nullptr, nullptr));
  }
  cl_int unmap(cl_mem of, void* pointer) const {
    return issue(clEnqueueUnmapMemObject, queue, of, pointer);
  }
};

cl_uint map_count(cl_mem memory) {
  return info<cl_uint>(clGetMemObjectInfo, memory, CL_MEM_MAP_COUNT);
}

TEST_CASE("map: what the host writes is what the device reads") {
  const Mapped setup;
  char* const pointer = setup.map(setup.memory, CL_MAP_WRITE, 100, 50);
  REQUIRE(pointer != nullptr);
  CHECK(map_count(setup.memory) == 1);
  std::memset(pointer, 7, 50);
  CHECK(setup.unmap(setup.memory, pointer) == CL_SUCCESS);
  CHECK(map_count(setup.memory) == 0);
  const std::vector<char> read = setup.read<char>(setup.memory, 151);
  CHECK((read[99] == 0 && read[100] == 7 && read[149] == 7 && read[150] == 0));
}

TEST_CASE("map: of a used host pointer it is that pointer") {
  const Setup setup;
  char host[256] = {};
  const Memory buffer = setup.buffer(sizeof host, CL_MEM_USE_HOST_PTR, host);
  Event event;
  void* const pointer = clEnqueueMapBuffer(setup.queue, buffer, CL_FALSE, CL_MAP_READ, 16, 16, 0,
                                           nullptr, &event, nullptr);
  CHECK(pointer == host + 16);
  CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
  issue(clEnqueueUnmapMemObject, setup.queue, buffer, pointer);
}

TEST_CASE("map: access that the host may have") {
  const Mapped setup;
  for (const auto& [flags, map_flags] :
       {std::pair{CL_MEM_HOST_READ_ONLY, CL_MAP_READ}, {CL_MEM_HOST_WRITE_ONLY, CL_MAP_WRITE}}) {
    const Memory buffer = setup.buffer(64, static_cast<cl_mem_flags>(flags));
    CHECK(setup.error(buffer, static_cast<cl_map_flags>(map_flags), 0, 64) == CL_SUCCESS);
    clFinish(setup.queue);
  }
}

TEST_CASE("map: regions mapped for writing may not overlap") {
  const Mapped setup;
  const Memory sub = sub_buffer(setup.memory, 128, 128);
  char* const first = setup.map(setup.memory, CL_MAP_WRITE, 0, 200);
  CHECK(setup.error(setup.memory, CL_MAP_WRITE, 199, 10) == CL_INVALID_OPERATION);
  CHECK(setup.error(sub, CL_MAP_WRITE_INVALIDATE_REGION, 0, 8) == CL_INVALID_OPERATION);
  char* const second = setup.map(sub, CL_MAP_WRITE, 72, 56);
  char* const third = setup.map(setup.memory, CL_MAP_READ, 0, kMapBytes);
  CHECK(second == first + 200);
  CHECK((map_count(setup.memory) == 2 && map_count(sub) == 1));
  CHECK(setup.unmap(setup.memory, second) == CL_INVALID_VALUE);
  CHECK(setup.unmap(sub, second) == CL_SUCCESS);
  CHECK(setup.unmap(setup.memory, first) == CL_SUCCESS);
  CHECK(setup.unmap(setup.memory, third) == CL_SUCCESS);
  clFinish(setup.queue);
}

}  // namespace
}  // namespace transpire::test::map_tests
