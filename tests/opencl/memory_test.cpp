// Buffers and sub-buffers: queries, bytes, life. Bad arguments: refusals_objects_test.cpp.
#include <algorithm>
#include <condition_variable>
#include <thread>

#include "tests/opencl/support.h"
#include "tests/patience.h"

namespace transpire::test::memory_tests {
namespace {

struct Order {
  std::vector<int>* list;
  int number;
};

void CL_CALLBACK note(cl_mem, void* data) {
  const auto& order = *static_cast<Order*>(data);
  order.list->push_back(order.number);
}

template <class T>
T memory_info(cl_mem memory, cl_mem_info name) {
  return info<T>(clGetMemObjectInfo, memory, name);
}

TEST_CASE_FIXTURE(Setup, "memory: queries of buffers") {
  std::array<char, 1024> host{};
  const cl_mem_flags flags = CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY;
  const Memory buffer = this->buffer(host.size(), flags, host.data());
  CHECK(memory_info<cl_mem_object_type>(buffer, CL_MEM_TYPE) == CL_MEM_OBJECT_BUFFER);
  CHECK(memory_info<cl_mem_flags>(buffer, CL_MEM_FLAGS) == flags);
  CHECK(memory_info<std::size_t>(buffer, CL_MEM_SIZE) == host.size());
  CHECK(memory_info<void*>(buffer, CL_MEM_HOST_PTR) == host.data());
  CHECK(memory_info<cl_context>(buffer, CL_MEM_CONTEXT) == context);
  CHECK(memory_info<cl_mem>(buffer, CL_MEM_ASSOCIATED_MEMOBJECT) == nullptr);
  CHECK(memory_info<cl_bool>(buffer, CL_MEM_USES_SVM_POINTER) == CL_FALSE);
  CHECK(clRetainMemObject(buffer) == CL_SUCCESS);
  CHECK(memory_info<cl_uint>(buffer, CL_MEM_REFERENCE_COUNT) == 2);
  CHECK(clReleaseMemObject(buffer) == CL_SUCCESS);
}

TEST_CASE_FIXTURE(Setup, "memory: properties are given back as they came") {
  const cl_mem_properties none[] = {0};
  const auto properties = [&](const cl_mem_properties* list) {
    const Memory buffer = clCreateBufferWithProperties(context, list, 0, 64, nullptr, nullptr);
    return list_info<cl_mem_properties>(clGetMemObjectInfo, buffer, CL_MEM_PROPERTIES);
  };
  CHECK(properties(none) == std::vector<cl_mem_properties>{0});
  CHECK(properties(nullptr).empty());
}

TEST_CASE_FIXTURE(Setup, "memory: host pointers are copied or used") {
  int host[4] = {1, 2, 3, 4};
  const Memory copied = buffer(sizeof host, CL_MEM_COPY_HOST_PTR, host);
  const Memory used = buffer(sizeof host, CL_MEM_USE_HOST_PTR, host);
  host[0] = 100;
  CHECK(read<int>(copied, 1)[0] == 1);
  CHECK(read<int>(used, 1)[0] == 100);
}

TEST_CASE_FIXTURE(Setup, "memory: sub-buffers have no more access than their buffer") {
  for (const auto& [parent, flags] : {std::pair{CL_MEM_READ_ONLY, CL_MEM_READ_ONLY},
                                      {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY},
                                      {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS}}) {
    const Memory buffer = this->buffer(1024, static_cast<cl_mem_flags>(parent));
    CHECK(sub_buffer(buffer, 512, 512, static_cast<cl_mem_flags>(flags)) != nullptr);
  }
}

TEST_CASE_FIXTURE(Setup, "memory: sub-buffers share bytes, inherit flags, keep the parent") {
  alignas(128) char host[1024] = {};
  constexpr cl_mem_flags kFlags = CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY | CL_MEM_HOST_READ_ONLY;
  Memory buffer = this->buffer(sizeof host, kFlags, host);
  const Memory sub = sub_buffer(buffer, 256, 128);
  CHECK(memory_info<cl_mem_flags>(sub, CL_MEM_FLAGS) == kFlags);
  CHECK(memory_info<cl_mem>(sub, CL_MEM_ASSOCIATED_MEMOBJECT) == buffer);
  CHECK(memory_info<std::size_t>(sub, CL_MEM_OFFSET) == 256);
  CHECK(memory_info<std::size_t>(sub, CL_MEM_SIZE) == 128);
  CHECK(memory_info<void*>(sub, CL_MEM_HOST_PTR) == host + 256);
  buffer.drop();
  host[256] = 42;
  CHECK(read<char>(sub, 1)[0] == 42);
}

TEST_CASE_FIXTURE(
    Setup, "memory: destructor callbacks, last first, after the commands and the sub-buffers") {
  std::vector<int> list;
  Order orders[] = {{&list, 1}, {&list, 2}, {&list, 3}};
  Memory buffer = this->buffer(1024), sub = sub_buffer(buffer, 0, 128);
  clSetMemObjectDestructorCallback(buffer, note, &orders[0]);
  clSetMemObjectDestructorCallback(buffer, note, &orders[1]);
  clSetMemObjectDestructorCallback(sub, note, &orders[2]);
  const char zero = 0;
  issue(clEnqueueFillBuffer, queue, sub, &zero, 1, 0, 128);
  buffer.drop();
  sub.drop();
  CHECK(list.empty());
  clFinish(queue);
  CHECK(list == std::vector<int>{3, 2, 1});
}

TEST_CASE_FIXTURE(Setup, "memory: released handles are refused") {
  Memory buffer = this->buffer(1024);
  const cl_mem handle = buffer;
  const Memory sub = sub_buffer(buffer, 0, 128);
  buffer.drop();  // lives on, for the sub-buffer
  CHECK(clRetainMemObject(handle) == CL_INVALID_MEM_OBJECT);
}

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
  const cl_mem buffer =
      clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof ends->host, ends->host.data(), nullptr);
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

}  // namespace
}  // namespace transpire::test::memory_tests
