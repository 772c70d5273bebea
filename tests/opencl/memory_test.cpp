// Buffers and sub-buffers: flags, sizes, queries, life.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/opencl/support.h"
#include "tests/patience.h"

namespace transpire::test {
namespace {

cl_mem make(cl_context context, cl_mem_flags flags = 0, std::size_t size = 1024,
            void* host = nullptr) {
  return clCreateBuffer(context, flags, size, host, nullptr);
}

struct Order {
  std::vector<int>* list;
  int number;
};

void CL_CALLBACK note(cl_mem, void* data) {
  const auto& order = *static_cast<Order*>(data);
  order.list->push_back(order.number);
}

}  // namespace

TEST_CASE("memory: bad arguments of buffers") {
  const Setup setup;
  char host[64] = {};
  const auto error = [&](cl_context context, cl_mem_flags flags, std::size_t size, void* pointer) {
    return error_of([&](cl_int* e) { return clCreateBuffer(context, flags, size, pointer, e); });
  };
  CHECK(error(nullptr, 0, 64, nullptr) == CL_INVALID_CONTEXT);
  for (const cl_mem_flags flags :
       {cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY},
        cl_mem_flags{CL_MEM_READ_WRITE | CL_MEM_READ_ONLY},
        cl_mem_flags{CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY},
        cl_mem_flags{CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS},
        cl_mem_flags{CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR},
        cl_mem_flags{CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR}, cl_mem_flags{1} << 40})
    CHECK(error(setup.context, flags, 64, host) == CL_INVALID_VALUE);
  CHECK(error(setup.context, 0, 0, nullptr) == CL_INVALID_BUFFER_SIZE);
  CHECK(error(setup.context, 0, SIZE_MAX, nullptr) == CL_INVALID_BUFFER_SIZE);
  CHECK(error(setup.context, 0, 64, host) == CL_INVALID_HOST_PTR);
  CHECK(error(setup.context, CL_MEM_ALLOC_HOST_PTR, 64, host) == CL_INVALID_HOST_PTR);
  CHECK(error(setup.context, CL_MEM_USE_HOST_PTR, 64, nullptr) == CL_INVALID_HOST_PTR);
  CHECK(error(setup.context, CL_MEM_COPY_HOST_PTR, 64, nullptr) == CL_INVALID_HOST_PTR);
  const cl_mem_properties unknown[] = {0x7777, 1, 0};
  CHECK(error_of([&](cl_int* e) {
          return clCreateBufferWithProperties(setup.context, unknown, 0, 64, nullptr, e);
        }) == CL_INVALID_PROPERTY);
}

TEST_CASE("memory: queries of buffers") {
  const Setup setup;
  char host[1024];
  std::memset(host, 7, sizeof host);
  const cl_mem_flags flags = CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY;
  const cl_mem buffer = make(setup.context, flags, sizeof host, host);
  CHECK(info<cl_mem_object_type>(clGetMemObjectInfo, buffer, CL_MEM_TYPE) == CL_MEM_OBJECT_BUFFER);
  CHECK(info<cl_mem_flags>(clGetMemObjectInfo, buffer, CL_MEM_FLAGS) == flags);
  CHECK(info<std::size_t>(clGetMemObjectInfo, buffer, CL_MEM_SIZE) == sizeof host);
  CHECK(info<void*>(clGetMemObjectInfo, buffer, CL_MEM_HOST_PTR) == host);
  CHECK(info<cl_context>(clGetMemObjectInfo, buffer, CL_MEM_CONTEXT) == setup.context);
  CHECK(info<cl_mem>(clGetMemObjectInfo, buffer, CL_MEM_ASSOCIATED_MEMOBJECT) == nullptr);
  CHECK(info<cl_bool>(clGetMemObjectInfo, buffer, CL_MEM_USES_SVM_POINTER) == CL_FALSE);
  CHECK(clRetainMemObject(buffer) == CL_SUCCESS);
  CHECK(info<cl_uint>(clGetMemObjectInfo, buffer, CL_MEM_REFERENCE_COUNT) == 2);
  CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
  CHECK(clGetMemObjectInfo(buffer, 0, 0, nullptr, nullptr) == CL_INVALID_VALUE);
  CHECK(clGetMemObjectInfo(buffer, CL_MEM_SIZE, 1, host, nullptr) == CL_INVALID_VALUE);
  clReleaseMemObject(buffer);
}

TEST_CASE("memory: properties are given back as they came") {
  const Setup setup;
  const cl_mem_properties none[] = {0};
  const auto bytes = [&](const cl_mem_properties* properties) {
    std::size_t size = 99;
    const cl_mem buffer =
        clCreateBufferWithProperties(setup.context, properties, 0, 64, nullptr, nullptr);
    CHECK(clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, 0, nullptr, &size) == CL_SUCCESS);
    clReleaseMemObject(buffer);
    return size;
  };
  CHECK(bytes(none) == sizeof none);
  CHECK(bytes(nullptr) == 0);
}

TEST_CASE("memory: host pointers are copied or used") {
  const Setup setup;
  int host[4] = {1, 2, 3, 4};
  const cl_mem copied = make(setup.context, CL_MEM_COPY_HOST_PTR, sizeof host, host);
  const cl_mem used = make(setup.context, CL_MEM_USE_HOST_PTR, sizeof host, host);
  host[0] = 100;
  int read[2] = {};
  clEnqueueReadBuffer(setup.queue, copied, CL_TRUE, 0, 4, &read[0], 0, nullptr, nullptr);
  clEnqueueReadBuffer(setup.queue, used, CL_TRUE, 0, 4, &read[1], 0, nullptr, nullptr);
  CHECK((read[0] == 1 && read[1] == 100));
  clReleaseMemObject(copied);
  clReleaseMemObject(used);
}

TEST_CASE("memory: bad arguments of sub-buffers") {
  const Setup setup;
  const auto error = [&](cl_mem parent, cl_mem_flags flags, cl_buffer_region region,
                         cl_buffer_create_type type = CL_BUFFER_CREATE_TYPE_REGION) {
    return error_of([&](cl_int* e) { return clCreateSubBuffer(parent, flags, type, &region, e); });
  };
  const cl_mem buffer = make(setup.context);
  const cl_buffer_region half{512, 512};
  const cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, nullptr);
  CHECK(error(nullptr, 0, half) == CL_INVALID_MEM_OBJECT);
  CHECK(error(sub, 0, {0, 64}) == CL_INVALID_MEM_OBJECT);
  CHECK(error(buffer, CL_MEM_USE_HOST_PTR, half) == CL_INVALID_VALUE);
  CHECK(error(buffer, CL_MEM_COPY_HOST_PTR, half) == CL_INVALID_VALUE);
  CHECK(error(buffer, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, half) == CL_INVALID_VALUE);
  CHECK(error(buffer, 0, half, 0x7777) == CL_INVALID_VALUE);
  CHECK(error_of([&](cl_int* e) {
          return clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr, e);
        }) == CL_INVALID_VALUE);
  CHECK(error(buffer, 0, {0, 0}) == CL_INVALID_BUFFER_SIZE);
  CHECK(error(buffer, 0, {512, 513}) == CL_INVALID_VALUE);
  CHECK(error(buffer, 0, {SIZE_MAX, 2}) == CL_INVALID_VALUE);
  CHECK(error(buffer, 0, {64, 64}) == CL_MISALIGNED_SUB_BUFFER_OFFSET);
  clReleaseMemObject(sub);
  clReleaseMemObject(buffer);

  struct Case {
    cl_mem_flags parent, flags;
    cl_int error;
  };
  for (const Case& c : {Case{CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY, CL_INVALID_VALUE},
                        Case{CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_INVALID_VALUE},
                        Case{CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_INVALID_VALUE},
                        Case{CL_MEM_READ_ONLY, CL_MEM_READ_ONLY, CL_SUCCESS},
                        Case{CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_SUCCESS},
                        Case{CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE},
                        Case{CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_INVALID_VALUE},
                        Case{CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS, CL_SUCCESS},
                        Case{CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE}}) {
    const cl_mem parent = make(setup.context, c.parent);
    cl_int code = 1000;
    const cl_mem made =
        clCreateSubBuffer(parent, c.flags, CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
    CHECK(code == c.error);
    if (made != nullptr) clReleaseMemObject(made);
    clReleaseMemObject(parent);
  }
}

TEST_CASE("memory: sub-buffers share bytes, inherit flags, keep the parent") {
  const Setup setup;
  alignas(128) char host[1024] = {};
  const cl_mem buffer =
      make(setup.context, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY,
           sizeof host, host);
  const cl_buffer_region region{256, 128};
  const cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  CHECK(info<cl_mem_flags>(clGetMemObjectInfo, sub, CL_MEM_FLAGS) ==
        (CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY));
  CHECK(info<cl_mem>(clGetMemObjectInfo, sub, CL_MEM_ASSOCIATED_MEMOBJECT) == buffer);
  CHECK(info<std::size_t>(clGetMemObjectInfo, sub, CL_MEM_OFFSET) == 256);
  CHECK(info<std::size_t>(clGetMemObjectInfo, sub, CL_MEM_SIZE) == 128);
  CHECK(info<void*>(clGetMemObjectInfo, sub, CL_MEM_HOST_PTR) == host + 256);
  clReleaseMemObject(buffer);
  host[256] = 42;
  char read = 0;
  CHECK(clEnqueueReadBuffer(setup.queue, sub, CL_TRUE, 0, 1, &read, 0, nullptr, nullptr) ==
        CL_SUCCESS);
  CHECK(read == 42);
  clReleaseMemObject(sub);
}

TEST_CASE("memory: destructor callbacks, last first, after the commands and the sub-buffers") {
  const Setup setup;
  std::vector<int> list;
  Order orders[] = {{&list, 1}, {&list, 2}, {&list, 3}};
  const cl_mem buffer = make(setup.context);
  CHECK(clSetMemObjectDestructorCallback(nullptr, note, nullptr) == CL_INVALID_MEM_OBJECT);
  CHECK(clSetMemObjectDestructorCallback(buffer, nullptr, nullptr) == CL_INVALID_VALUE);
  clSetMemObjectDestructorCallback(buffer, note, &orders[0]);
  clSetMemObjectDestructorCallback(buffer, note, &orders[1]);
  const cl_buffer_region region{0, 128};
  const cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  clSetMemObjectDestructorCallback(sub, note, &orders[2]);
  const char zero = 0;
  clEnqueueFillBuffer(setup.queue, sub, &zero, 1, 0, 128, 0, nullptr, nullptr);
  clReleaseMemObject(buffer);
  clReleaseMemObject(sub);
  CHECK(list.empty());
  clFinish(setup.queue);
  CHECK(list == std::vector<int>{3, 2, 1});
}

TEST_CASE("memory: released handles are refused") {
  const Setup setup;
  const cl_mem buffer = make(setup.context);
  const cl_buffer_region region{0, 128};
  const cl_mem sub = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, nullptr);
  clReleaseMemObject(buffer);  // lives on, for the sub-buffer
  CHECK(clRetainMemObject(buffer) == CL_INVALID_MEM_OBJECT);
  CHECK(clRetainMemObject(nullptr) == CL_INVALID_MEM_OBJECT);
  CHECK(clReleaseMemObject(reinterpret_cast<cl_mem>(setup.queue)) == CL_INVALID_MEM_OBJECT);
  clReleaseMemObject(sub);
}

namespace {

/// What becomes of a buffer's command, of the buffer and of their context after the last handle is released.
struct Ends {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> list;
  cl_int status = 1;
  std::array<int, 256> host{};

  void add(const char* what) {
    const std::lock_guard lock(mutex);
    list.push_back(what);
    changed.notify_all();
  }
};

void CL_CALLBACK command_ends(cl_event, cl_int status, void* data) {
  auto& ends = *static_cast<Ends*>(data);
  ends.status = status;
  ends.add("command");
}
void CL_CALLBACK buffer_ends(cl_mem, void* data) { static_cast<Ends*>(data)->add("buffer"); }
void CL_CALLBACK context_ends(cl_context, void* data) { static_cast<Ends*>(data)->add("context"); }

/// The four handles of a command, released in one of 24 orders: one after the other, or by four threads.
/// How many of the calls succeed.
int release_in_order(unsigned order, bool at_once, Ends* ends) {
  const cl_context context = make_context();
  const cl_command_queue queue = make_queue(context);
  const cl_mem buffer = make(context, CL_MEM_USE_HOST_PTR, sizeof ends->host, ends->host.data());
  clSetContextDestructorCallback(context, context_ends, ends);
  clSetMemObjectDestructorCallback(buffer, buffer_ends, ends);
  const int value = 5;
  cl_event event = nullptr;
  clEnqueueFillBuffer(queue, buffer, &value, sizeof value, 0, sizeof ends->host, 0, nullptr,
                      &event);
  clSetEventCallback(event, CL_COMPLETE, command_ends, ends);
  std::vector<std::function<cl_int()>> releases = {
      [=] { return clReleaseContext(context); }, [=] { return clReleaseCommandQueue(queue); },
      [=] { return clReleaseMemObject(buffer); }, [=] { return clReleaseEvent(event); }};
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (unsigned left = 4; left != 0; --left) {
    const auto pick = releases.begin() + order % left;
    order /= left;
    threads.emplace_back([release = *pick, &good] { good += release() == CL_SUCCESS; });
    if (!at_once) threads.back().join(), threads.pop_back();
    releases.erase(pick);
  }
  for (std::thread& thread : threads) thread.join();
  return good;
}

}  // namespace

TEST_CASE("memory: objects are released in every order, by several threads") {
  static std::array<Ends, 48> all;  // a command that ends too late still finds its own
  for (unsigned i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    Ends& ends = all[i];
    CHECK(release_in_order(i / 2, i % 2 == 1, &ends) == 4);
    std::unique_lock lock(ends.mutex);
    ends.changed.wait_for(lock, kPatience, [&] { return ends.list.size() == 3; });
    REQUIRE(ends.list.size() == 3);
    CHECK(ends.list.back() == "context");
    CHECK(std::count(ends.list.begin(), ends.list.end(), "command") == 1);
    CHECK(std::count(ends.list.begin(), ends.list.end(), "buffer") == 1);
    CHECK(ends.status == CL_COMPLETE);
    CHECK(std::count(ends.host.begin(), ends.host.end(), 5) == 256);
  }
}

}  // namespace transpire::test
