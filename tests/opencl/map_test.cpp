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

TEST_CASE_FIXTURE(Mapped, "map: what the host writes is what the device reads") {
  char* const pointer = map(memory, CL_MAP_WRITE, 100, 50);
  REQUIRE(pointer != nullptr);
  CHECK(map_count(memory) == 1);
  std::memset(pointer, 7, 50);
  CHECK(unmap(memory, pointer) == CL_SUCCESS);
  CHECK(map_count(memory) == 0);
  const std::vector<char> read = this->read<char>(memory, 151);
  CHECK((read[99] == 0 && read[100] == 7 && read[149] == 7 && read[150] == 0));
}

TEST_CASE_FIXTURE(Setup, "map: of a used host pointer it is that pointer") {
  char host[256] = {};
  const Memory buffer = this->buffer(sizeof host, CL_MEM_USE_HOST_PTR, host);
  Event event;
  void* const pointer =
      clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_READ, 16, 16, 0, nullptr, &event, nullptr);
  CHECK(pointer == host + 16);
  CHECK(clWaitForEvents(1, &event) == CL_SUCCESS);
  issue(clEnqueueUnmapMemObject, queue, buffer, pointer);
}

TEST_CASE_FIXTURE(Mapped, "map: access that the host may have") {
  for (const auto& [flags, map_flags] :
       {std::pair{CL_MEM_HOST_READ_ONLY, CL_MAP_READ}, {CL_MEM_HOST_WRITE_ONLY, CL_MAP_WRITE}}) {
    const Memory buffer = this->buffer(64, static_cast<cl_mem_flags>(flags));
    CHECK(error(buffer, static_cast<cl_map_flags>(map_flags), 0, 64) == CL_SUCCESS);
    clFinish(queue);
  }
}

TEST_CASE_FIXTURE(Mapped, "map: regions mapped for writing may not overlap") {
  const Memory sub = sub_buffer(memory, 128, 128);
  char* const first = map(memory, CL_MAP_WRITE, 0, 200);
  CHECK(error(memory, CL_MAP_WRITE, 199, 10) == CL_INVALID_OPERATION);
  CHECK(error(sub, CL_MAP_WRITE_INVALIDATE_REGION, 0, 8) == CL_INVALID_OPERATION);
  char* const second = map(sub, CL_MAP_WRITE, 72, 56);
  char* const third = map(memory, CL_MAP_READ, 0, kMapBytes);
  CHECK(second == first + 200);
  CHECK((map_count(memory) == 2 && map_count(sub) == 1));
  CHECK(unmap(memory, second) == CL_INVALID_VALUE);
  CHECK(unmap(sub, second) == CL_SUCCESS);
  CHECK(unmap(memory, first) == CL_SUCCESS);
  CHECK(unmap(memory, third) == CL_SUCCESS);
  clFinish(queue);
}

}  // namespace
}  // namespace transpire::test::map_tests
