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

TEST_CASE_FIXTURE(Setup, "svm: allocation") {
  const cl_svm_mem_flags fine = CL_MEM_SVM_FINE_GRAIN_BUFFER;
  for (const cl_svm_mem_flags flags :
       {cl_svm_mem_flags{0}, cl_svm_mem_flags{CL_MEM_READ_ONLY}, fine, fine | CL_MEM_SVM_ATOMICS}) {
    auto* const pointer = static_cast<char*>(clSVMAlloc(context, flags, 100, 0));
    REQUIRE(pointer != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(pointer) % 128 == 0);
    pointer[99] = 1;
    clSVMFree(context, pointer);
  }
  for (const cl_uint alignment : {1u, 2u, 64u, 128u}) {
    void* const pointer = clSVMAlloc(context, 0, 8, alignment);
    CHECK(pointer != nullptr);
    clSVMFree(context, pointer);
  }
  clSVMFree(context, nullptr);
  clSVMFree(nullptr, nullptr);
}

TEST_CASE_FIXTURE(SharedMemory, "svm: copy, fill, map") {
  const int pattern = 0x01020304;
  char host[16];
  CHECK(issue(clEnqueueSVMMemFill, queue, memory, &pattern, 4, 512) == CL_SUCCESS);
  CHECK(copy(memory + 512, memory, 512, CL_FALSE) == CL_SUCCESS);
  CHECK(issue(clEnqueueSVMMap, queue, CL_TRUE, CL_MAP_READ, memory, 1024) == CL_SUCCESS);
  CHECK(std::memcmp(memory + 1020, &pattern, 4) == 0);
  CHECK(issue(clEnqueueSVMUnmap, queue, memory) == CL_SUCCESS);
  CHECK(copy(host, memory, sizeof host) == CL_SUCCESS);
  CHECK(std::memcmp(host, &pattern, 4) == 0);
  CHECK(copy(memory, memory + 10, 10) == CL_SUCCESS);  // they lie side by side
}

TEST_CASE_FIXTURE(SharedMemory, "svm: migration") {
  const void* inside[] = {memory + 8};
  const std::size_t fits = 16, too_long = 1017;
  const auto migrate = [&](const std::size_t* size) {
    return issue(clEnqueueSVMMigrateMem, queue, 1, inside, size, 0);
  };
  CHECK(migrate(nullptr) == CL_SUCCESS);
  CHECK(migrate(&fits) == CL_SUCCESS);
  CHECK(migrate(&too_long) == CL_INVALID_VALUE);
}

TEST_CASE_FIXTURE(Setup, "svm: freeing through a queue") {
  void* pointers[] = {clSVMAlloc(context, 0, 64, 0), clSVMAlloc(context, 0, 64, 0)};
  struct Call {
    cl_command_queue queue = nullptr;
    cl_uint count = 0;
    void* first = nullptr;
  } call;
  const auto callback = [](cl_command_queue queue, cl_uint count, void* list[], void* data) {
    *static_cast<Call*>(data) = {queue, count, list[0]};
  };
  void* const first = pointers[0];
  CHECK(issue(clEnqueueSVMFree, this->queue, 2, pointers, callback, &call) == CL_SUCCESS);
  CHECK(issue(clEnqueueSVMFree, this->queue, 2, pointers, nullptr, nullptr) == CL_SUCCESS);
  pointers[0] = pointers[1] = nullptr;  // the list was copied
  CHECK(clFinish(this->queue) == CL_SUCCESS);
  CHECK((call.queue == this->queue && call.count == 2 && call.first == first));
}

TEST_CASE_FIXTURE(SharedMemory, "svm: a buffer over an allocation") {
  CHECK(error_of([&](cl_int* e) {
          return clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 1025, memory, e);
        }) == CL_INVALID_BUFFER_SIZE);
  const Memory buffer = this->buffer(1024, CL_MEM_USE_HOST_PTR, memory);
  CHECK(info<cl_bool>(clGetMemObjectInfo, buffer, CL_MEM_USES_SVM_POINTER) == CL_TRUE);
  memory[5] = 55;
  CHECK(read<char>(buffer, 6)[5] == 55);
}

}  // namespace
}  // namespace transpire::test::svm_tests
