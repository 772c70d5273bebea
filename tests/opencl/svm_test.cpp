// Shared virtual memory: allocation, its commands, buffers on top of it. Bad arguments: refusals_commands_test.cpp.
#include "tests/opencl/support.h"

namespace transpire::test::svm_tests {
namespace {

struct SharedMemory : Setup {
  char* memory = static_cast<char*>(clSVMAlloc(context, CL_MEM_READ_WRITE, 1024, 0));
  ~SharedMemory() { clSVMFree(context, memory); }

  cl_int copy(void* to, const void* from, std::size_t size, cl_bool blocking = CL_TRUE) const {
    return issue(clEnqueueSVMMemcpy, queue, blocking, to, from, size);
  }
};

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

TEST_CASE("svm: copy, fill, map") {
  const SharedMemory setup;
  char* const memory = setup.memory;
  const int pattern = 0x01020304;
  char host[16];
  CHECK(issue(clEnqueueSVMMemFill, setup.queue, memory, &pattern, 4, 512) == CL_SUCCESS);
  CHECK(setup.copy(memory + 512, memory, 512, CL_FALSE) == CL_SUCCESS);
  CHECK(issue(clEnqueueSVMMap, setup.queue, CL_TRUE, CL_MAP_READ, memory, 1024) == CL_SUCCESS);
  CHECK(std::memcmp(memory + 1020, &pattern, 4) == 0);
  CHECK(issue(clEnqueueSVMUnmap, setup.queue, memory) == CL_SUCCESS);
  CHECK(setup.copy(host, memory, sizeof host) == CL_SUCCESS);
  CHECK(std::memcmp(host, &pattern, 4) == 0);
  CHECK(setup.copy(memory, memory + 10, 10) == CL_SUCCESS);  // they lie side by side
}

TEST_CASE("svm: migration") {
  const SharedMemory setup;
  const void* inside[] = {setup.memory + 8};
  const std::size_t fits = 16, too_long = 1017;
  const auto migrate = [&](const std::size_t* size) {
    return issue(clEnqueueSVMMigrateMem, setup.queue, 1, inside, size, 0);
  };
  CHECK(migrate(nullptr) == CL_SUCCESS);
  CHECK(migrate(&fits) == CL_SUCCESS);
  CHECK(migrate(&too_long) == CL_INVALID_VALUE);
}

TEST_CASE("svm: freeing through a queue") {
  const Setup setup;
  void* pointers[] = {clSVMAlloc(setup.context, 0, 64, 0), clSVMAlloc(setup.context, 0, 64, 0)};
  struct Call {
    cl_command_queue queue = nullptr;
    cl_uint count = 0;
    void* first = nullptr;
  } call;
  const auto callback = [](cl_command_queue queue, cl_uint count, void* list[], void* data) {
    *static_cast<Call*>(data) = {queue, count, list[0]};
  };
  void* const first = pointers[0];
  CHECK(issue(clEnqueueSVMFree, setup.queue, 2, pointers, callback, &call) == CL_SUCCESS);
  CHECK(issue(clEnqueueSVMFree, setup.queue, 2, pointers, nullptr, nullptr) == CL_SUCCESS);
  pointers[0] = pointers[1] = nullptr;  // the list was copied
  CHECK(clFinish(setup.queue) == CL_SUCCESS);
  CHECK((call.queue == setup.queue && call.count == 2 && call.first == first));
}

TEST_CASE("svm: a buffer over an allocation") {
  const SharedMemory setup;
  CHECK(error_of([&](cl_int* e) {
          return clCreateBuffer(setup.context, CL_MEM_USE_HOST_PTR, 1025, setup.memory, e);
        }) == CL_INVALID_BUFFER_SIZE);
  const Memory buffer = setup.buffer(1024, CL_MEM_USE_HOST_PTR, setup.memory);
  CHECK(info<cl_bool>(clGetMemObjectInfo, buffer, CL_MEM_USES_SVM_POINTER) == CL_TRUE);
  setup.memory[5] = 55;
  CHECK(setup.read<char>(buffer, 6)[5] == 55);
}

}  // namespace
}  // namespace transpire::test::svm_tests
