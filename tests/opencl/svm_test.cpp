// Shared virtual memory: allocation, its commands, buffers on top of it.
#include <doctest/doctest.h>

#include <cstring>

#include "tests/opencl/support.h"

namespace transpire::test {
namespace {

struct Shared : Setup {
  char* memory = static_cast<char*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 1024, 0));
  ~Shared() { clSVMFree(context, memory); }
};

}  // namespace

TEST_CASE("svm: allocation") {
  const Setup setup;
  const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER;
  for (const cl_svm_mem_flags flags :
       {cl_svm_mem_flags{0}, cl_svm_mem_flags{CL_MEM_READ_ONLY}, fine, fine | CL_MEM_SVM_ATOMICS}) {
    auto* const pointer = static_cast<char*>(clSVMAlloc(setup.context, flags, 100, 0));
    REQUIRE(pointer != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(pointer) % 128 == 0);
    pointer[99] = 1;
    clSVMFree(setup.context, pointer);
  }
  for (const cl_uint alignment : {1u, 2u, 64u, 128u}) {
    void* const pointer = clSVMAlloc(setup.context, 0, 8, alignment);
    CHECK(pointer != nullptr);
    clSVMFree(setup.context, pointer);
  }
  clSVMFree(setup.context, nullptr);
  clSVMFree(nullptr, nullptr);
}

TEST_CASE("svm: allocations that are refused") {
  const Setup setup;
  CHECK(clSVMAlloc(nullptr, 0, 64, 0) == nullptr);
  CHECK(clSVMAlloc(setup.context, CL_MEM_SVM_ATOMICS, 64, 0) == nullptr);
  CHECK(clSVMAlloc(setup.context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0) == nullptr);
  CHECK(clSVMAlloc(setup.context, CL_MEM_USE_HOST_PTR, 64, 0) == nullptr);
  CHECK(clSVMAlloc(setup.context, 0, 0, 0) == nullptr);
  CHECK(clSVMAlloc(setup.context, 0, SIZE_MAX, 0) == nullptr);
  CHECK(clSVMAlloc(setup.context, 0, 64, 3) == nullptr);
  CHECK(clSVMAlloc(setup.context, 0, 64, 256) == nullptr);
}

TEST_CASE("svm: copy, fill, map") {
  const Shared setup;
  const int pattern = 0x01020304;
  CHECK(clEnqueueSVMMemFill(setup.queue, setup.memory, &pattern, 4, 512, 0, nullptr, nullptr) ==
        CL_SUCCESS);
  CHECK(clEnqueueSVMMemcpy(setup.queue, CL_FALSE, setup.memory + 512, setup.memory, 512, 0, nullptr,
                           nullptr) == CL_SUCCESS);
  CHECK(clEnqueueSVMMap(setup.queue, CL_TRUE, CL_MAP_READ, setup.memory, 1024, 0, nullptr,
                        nullptr) == CL_SUCCESS);
  CHECK(std::memcmp(setup.memory + 1020, &pattern, 4) == 0);
  CHECK(clEnqueueSVMUnmap(setup.queue, setup.memory, 0, nullptr, nullptr) == CL_SUCCESS);
  char host[16];
  CHECK(clEnqueueSVMMemcpy(setup.queue, CL_TRUE, host, setup.memory, sizeof host, 0, nullptr,
                           nullptr) == CL_SUCCESS);
  CHECK(std::memcmp(host, &pattern, 4) == 0);
}

TEST_CASE("svm: bad arguments of commands") {
  const Shared setup;
  char* const p = setup.memory;
  const auto copy = [&](void* to, const void* from, std::size_t size) {
    return clEnqueueSVMMemcpy(setup.queue, CL_TRUE, to, from, size, 0, nullptr, nullptr);
  };
  CHECK(copy(nullptr, p, 1) == CL_INVALID_VALUE);
  CHECK(copy(p, nullptr, 1) == CL_INVALID_VALUE);
  CHECK(copy(p, p + 9, 10) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(p + 9, p, 10) == CL_MEM_COPY_OVERLAP);
  CHECK(copy(p, p + 10, 10) == CL_SUCCESS);
  const auto fill = [&](void* to, const void* pattern, std::size_t bytes, std::size_t size) {
    return clEnqueueSVMMemFill(setup.queue, to, pattern, bytes, size, 0, nullptr, nullptr);
  };
  CHECK(fill(nullptr, "abcd", 4, 4) == CL_INVALID_VALUE);
  CHECK(fill(p, nullptr, 4, 4) == CL_INVALID_VALUE);
  CHECK(fill(p, "abcd", 0, 4) == CL_INVALID_VALUE);
  CHECK(fill(p, "abcd", 3, 3) == CL_INVALID_VALUE);
  CHECK(fill(p + 2, "abcd", 4, 4) == CL_INVALID_VALUE);
  CHECK(fill(p, "abcd", 4, 6) == CL_INVALID_VALUE);
  const auto map = [&](cl_map_flags flags, void* pointer, std::size_t size) {
    return clEnqueueSVMMap(setup.queue, CL_TRUE, flags, pointer, size, 0, nullptr, nullptr);
  };
  CHECK(map(CL_MAP_READ, nullptr, 1) == CL_INVALID_VALUE);
  CHECK(map(CL_MAP_READ, p, 0) == CL_INVALID_VALUE);
  CHECK(map(1u << 10, p, 1) == CL_INVALID_VALUE);
  CHECK(clEnqueueSVMUnmap(setup.queue, nullptr, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  const auto waiting_copy = [&](auto... waits) {
    return clEnqueueSVMMemcpy(setup.queue, CL_TRUE, p, p + 64, 64, waits...);
  };
  CHECK(refuses_bad_waits(setup, waiting_copy));
  CHECK(tells_failed_waits(setup, waiting_copy));
  const auto waiting_map = [&](auto... waits) {
    return clEnqueueSVMMap(setup.queue, CL_TRUE, CL_MAP_READ, p, 64, waits...);
  };
  CHECK(refuses_bad_waits(setup, waiting_map));
  CHECK(tells_failed_waits(setup, waiting_map));
}

TEST_CASE("svm: migration") {
  const Shared setup;
  const void* inside[] = {setup.memory + 8};
  const void* outside[] = {&setup};
  const std::size_t fits[] = {16}, too_long[] = {1017};
  const auto migrate = [&](cl_uint count, const void** pointers, const std::size_t* sizes,
                           cl_mem_migration_flags flags = 0) {
    return clEnqueueSVMMigrateMem(setup.queue, count, pointers, sizes, flags, 0, nullptr, nullptr);
  };
  CHECK(migrate(1, inside, nullptr) == CL_SUCCESS);
  CHECK(migrate(1, inside, fits) == CL_SUCCESS);
  CHECK(migrate(1, inside, too_long) == CL_INVALID_VALUE);
  CHECK(migrate(1, outside, nullptr) == CL_INVALID_VALUE);
  CHECK(migrate(0, inside, nullptr) == CL_INVALID_VALUE);
  CHECK(migrate(1, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(migrate(1, inside, nullptr, 1u << 20) == CL_INVALID_VALUE);
}

TEST_CASE("svm: freeing through a queue") {
  const Setup setup;
  void* pointers[] = {clSVMAlloc(setup.context, 0, 64, 0), clSVMAlloc(setup.context, 0, 64, 0)};
  CHECK(clEnqueueSVMFree(setup.queue, 0, pointers, nullptr, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_VALUE);
  CHECK(clEnqueueSVMFree(setup.queue, 1, nullptr, nullptr, nullptr, 0, nullptr, nullptr) ==
        CL_INVALID_VALUE);
  struct Call {
    cl_command_queue queue = nullptr;
    cl_uint count = 0;
    void* first = nullptr;
  } call;
  const auto callback = [](cl_command_queue queue, cl_uint count, void* list[], void* data) {
    *static_cast<Call*>(data) = {queue, count, list[0]};
  };
  void* const first = pointers[0];
  CHECK(clEnqueueSVMFree(setup.queue, 2, pointers, callback, &call, 0, nullptr, nullptr) ==
        CL_SUCCESS);
  CHECK(clEnqueueSVMFree(setup.queue, 2, pointers, nullptr, nullptr, 0, nullptr, nullptr) ==
        CL_SUCCESS);
  pointers[0] = pointers[1] = nullptr;  // the list was copied
  CHECK(clFinish(setup.queue) == CL_SUCCESS);
  CHECK((call.queue == setup.queue && call.count == 2 && call.first == first));
}

TEST_CASE("svm: a buffer over an allocation") {
  const Shared setup;
  const auto create = [&](char* host, std::size_t size, cl_int* error) {
    return clCreateBuffer(setup.context, CL_MEM_USE_HOST_PTR, size, host, error);
  };
  CHECK(error_of([&](cl_int* e) { return create(setup.memory, 1025, e); }) ==
        CL_INVALID_BUFFER_SIZE);
  const cl_mem buffer = create(setup.memory, 1024, nullptr);
  CHECK(info<cl_bool>(clGetMemObjectInfo, buffer, CL_MEM_USES_SVM_POINTER) == CL_TRUE);
  setup.memory[5] = 55;
  char read = 0;
  clEnqueueReadBuffer(setup.queue, buffer, CL_TRUE, 5, 1, &read, 0, nullptr, nullptr);
  CHECK(read == 55);
  clReleaseMemObject(buffer);
}

}  // namespace transpire::test
