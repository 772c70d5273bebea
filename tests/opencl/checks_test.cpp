// What TRANSPIRE_CL_CHECK finds of what the host does with memory. CMake runs each test case with the variables that it is
// about.
#include "tests/opencl/checked.h"

namespace transpire::test::checks_tests {
namespace {

constexpr const char* kUndefined = "TSP-R0101";

TEST_CASE_FIXTURE(Checked, "uninit") {
  const cl_mem memory = buffer();
  SUBCASE("buffers that the host gave nothing are undefined") {
    CHECK(of_reading(memory) == kUndefined);
    CHECK(of_reading(buffer(CL_MEM_ALLOC_HOST_PTR)) == kUndefined);
    CHECK(of_reading(defined()) == "");
    CHECK(of_reading(buffer(CL_MEM_USE_HOST_PTR, numbers.data())) == "");
  }
  SUBCASE("writes define, each byte by itself") {
    write(memory, 0, kBytes - 1);
    CHECK(of_reading(memory) == kUndefined);
    write(memory, kBytes - 1, 1);
    CHECK(of_reading(memory) == "");
  }
  SUBCASE("what a kernel wrote is defined for the next") {
    launch("copy", {defined(), memory});
    CHECK(rules() == "");
    CHECK(of_reading(memory) == "");
  }
  SUBCASE("fills and rectangles define") {
    const cl_mem rows = buffer(), copied = buffer();
    const cl_uint pattern = 7;
    const std::size_t start[] = {0, 0, 0}, half[] = {16, 8, 1}, whole[] = {32, 8, 1};
    CHECK(issue(clEnqueueFillBuffer, queue, memory, &pattern, sizeof pattern, 0, kBytes) ==
          CL_SUCCESS);
    CHECK(of_reading(memory) == "");
    for (const std::size_t column : {0, 16}) {
      CHECK(of_reading(rows) == kUndefined);
      const std::size_t origin[] = {column, 0, 0};
      CHECK(issue(clEnqueueWriteBufferRect, queue, rows, CL_TRUE, origin, start, half, 32, 0, 16, 0,
                  numbers.data()) == CL_SUCCESS);
    }
    CHECK(of_reading(rows) == "");
    CHECK(issue(clEnqueueCopyBufferRect, queue, rows, copied, start, start, whole, 32, 0, 32, 0) ==
          CL_SUCCESS);
    CHECK(of_reading(copied) == "");
  }
}

TEST_CASE_FIXTURE(Checked, "uninit of what commands share") {
  const cl_mem memory = buffer();
  SUBCASE("copies are as defined as what they are of") {
    const cl_mem to = buffer();
    const auto copy = [&] {
      CHECK(issue(clEnqueueCopyBuffer, queue, memory, to, 0, 0, kBytes) == CL_SUCCESS);
    };
    write(to);
    copy();
    CHECK(of_reading(to) == kUndefined);
    write(memory);
    copy();
    CHECK(of_reading(to) == "");
  }
  SUBCASE("maps for writing define, maps for reading do not") {
    for (const cl_map_flags flags : {CL_MAP_READ, CL_MAP_WRITE}) {
      CHECK(of_reading(memory) == kUndefined);
      void* const mapped = clEnqueueMapBuffer(queue, memory, CL_TRUE, flags, 0, kBytes, 0, nullptr,
                                              nullptr, nullptr);
      issue(clEnqueueUnmapMemObject, queue, memory, mapped);
    }
    CHECK(of_reading(memory) == "");
  }
  SUBCASE("a part is defined with the whole, and the whole with its parts") {
    const cl_mem whole = buffer(CL_MEM_ALLOC_HOST_PTR);
    const cl_mem first = part(whole, 0, kBytes / 2), second = part(whole, 128, 128);
    write(first, 0, kBytes / 2);
    CHECK(of_reading(whole) == kUndefined);
    write(second, 0, kBytes / 2);
    CHECK(of_reading(whole) == "");
  }
  SUBCASE("contents that a migration gives up are undefined") {
    write(memory);
    CHECK(issue(clEnqueueMigrateMemObjects, queue, 1, &memory, 0) == CL_SUCCESS);
    CHECK(of_reading(memory) == "");
    CHECK(issue(clEnqueueMigrateMemObjects, queue, 1, &memory,
                CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) == CL_SUCCESS);
    CHECK(of_reading(memory) == kUndefined);
  }
}

/// A coarse-grained allocation of shared virtual memory, and what is found when a kernel reads all of it.
struct SharedChecked : Checked {
  cl_uint* const shared;
  explicit SharedChecked(cl_svm_mem_flags flags = CL_MEM_READ_WRITE)
      : shared(static_cast<cl_uint*>(clSVMAlloc(context, flags, kBytes, 0))) {
    REQUIRE(shared != nullptr);
  }
  ~SharedChecked() { clSVMFree(context, shared); }
  template <class From, class To>
  std::string of_copying(const From& from, const To& to) {
    const Kernel copy = kernel(program, "copy");
    set(copy, from, to);
    REQUIRE(enqueue(copy, {kItems}) == CL_SUCCESS);
    REQUIRE(clFinish(queue) == CL_SUCCESS);
    return rules();
  }
  std::string of_reading_it() { return of_copying(Shared{shared}, buffer()); }
  void map(cl_map_flags flags, std::size_t size) {
    REQUIRE(issue(clEnqueueSVMMap, queue, CL_TRUE, flags, shared, size) == CL_SUCCESS);
    REQUIRE(issue(clEnqueueSVMUnmap, queue, shared) == CL_SUCCESS);
  }
};

TEST_CASE("uninit of shared virtual memory") {
  SUBCASE("fine-grained memory is defined, for the host says nothing when it writes there") {
    SharedChecked fine(CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER);
    CHECK(fine.of_reading_it() == "");
  }
  SUBCASE("maps for writing define, maps for reading do not") {
    SharedChecked host;
    CHECK(host.of_reading_it() == kUndefined);
    host.map(CL_MAP_READ, kBytes);
    CHECK(host.of_reading_it() == kUndefined);
    host.map(CL_MAP_WRITE, kBytes - 1);
    CHECK(host.of_reading_it() == kUndefined);
    host.map(CL_MAP_WRITE, kBytes);
    CHECK(host.of_reading_it() == "");
  }
  SUBCASE("kernels that write define, each byte by itself") {
    SharedChecked host;
    CHECK(host.of_copying(host.defined(), Shared{host.shared}) == "");
    CHECK(host.of_reading_it() == "");
  }
  SUBCASE("fills define, and copies are as defined as what they are of") {
    SharedChecked from, to;
    const cl_uint pattern = 7;
    const auto copy = [&](cl_uint* target, const void* source) {
      CHECK(issue(clEnqueueSVMMemcpy, to.queue, CL_TRUE, target, source, kBytes) == CL_SUCCESS);
    };
    auto* const within = static_cast<cl_uint*>(clSVMAlloc(to.context, 0, kBytes, 0));
    CHECK(issue(clEnqueueSVMMemFill, from.queue, from.shared, &pattern, sizeof pattern, kBytes) ==
          CL_SUCCESS);
    CHECK(from.of_reading_it() == "");
    copy(to.shared, within);
    CHECK(to.of_reading_it() == kUndefined);
    copy(within, to.numbers.data());
    copy(to.shared, within);
    CHECK(to.of_reading_it() == "");
    clSVMFree(to.context, within);
  }
}

TEST_CASE_FIXTURE(SharedChecked, "uninit of shared virtual memory that others write") {
  SUBCASE("what is read into it is defined") {
    CHECK(issue(clEnqueueReadBuffer, queue, defined(), CL_TRUE, 0, kBytes, shared) == CL_SUCCESS);
    CHECK(of_reading_it() == "");
  }
  SUBCASE("what a buffer is made of is defined") {
    CHECK(of_reading(buffer(CL_MEM_USE_HOST_PTR, shared)) == "");
  }
  SUBCASE("native kernels may write all of it") {
    enqueue_call(queue, [] {});
    CHECK(of_reading_it() == "");
  }
}

TEST_CASE_FIXTURE(Checked, "uninit of buffers that images are made of") {
  const cl_mem buffer = this->buffer();
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = kItems;
  shape.image_height = 1;
  shape.mem_object = buffer;
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  const Memory image = clCreateImage(context, 0, &format, &shape, nullptr, nullptr);
  REQUIRE(image != nullptr);
  REQUIRE(issue(clEnqueueMigrateMemObjects, queue, 1, &buffer,
                CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) == CL_SUCCESS);
  CHECK(of_reading(buffer) == kUndefined);
  const std::size_t origin[] = {0, 0, 0}, region[] = {kItems, 1, 1};
  SUBCASE("commands that write the image") {
    CHECK(issue(clEnqueueWriteImage, queue, image, CL_TRUE, origin, region, 0, 0, numbers.data()) ==
          CL_SUCCESS);
  }
  SUBCASE("maps of the image for writing") {
    std::size_t pitch = 0;
    void* const mapped = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, origin, region,
                                           &pitch, nullptr, 0, nullptr, nullptr, nullptr);
    CHECK(issue(clEnqueueUnmapMemObject, queue, image, mapped) == CL_SUCCESS);
  }
  SUBCASE("kernels that write the image") { launch("texels", {image}); }
  CHECK(of_reading(buffer) == "");
}

TEST_CASE_FIXTURE(Unordered, "race") {
  SUBCASE("kernels that nothing orders") {
    start(any_order, "number", {out});
    start(any_order, "number", {out});
    CHECK(finished() == "TSP-R0102");
  }
  SUBCASE("kernels of two queues") {
    start(queue, "number", {out});
    start(second, "copy", {out, buffer()});
    CHECK(finished() == "TSP-R0102");
  }
  SUBCASE("kernels that read the same") {
    start(any_order, "copy", {out, buffer()});
    start(any_order, "copy", {out, buffer()});
    CHECK(finished() == "");
  }
  SUBCASE("a wait list orders, also through other commands") {
    const cl_event first = start(any_order, "number", {out});
    Event marker;
    REQUIRE(clEnqueueMarkerWithWaitList(second, 1, &first, &marker) == CL_SUCCESS);
    start(any_order, "number", {out}, {marker});
    CHECK(finished() == "");
  }
}

TEST_CASE_FIXTURE(Unordered, "race that commands and the host order") {
  SUBCASE("a barrier orders, and a marker all that waits for it") {
    start(any_order, "number", {out});
    REQUIRE(issue(clEnqueueBarrierWithWaitList, any_order) == CL_SUCCESS);
    start(any_order, "number", {out});
    Event marker;
    REQUIRE(clEnqueueMarkerWithWaitList(any_order, 0, nullptr, &marker) == CL_SUCCESS);
    start(this->second, "number", {out}, {marker});
  }
  SUBCASE("a queue in order orders") {
    start(queue, "number", {out});
    start(queue, "number", {out});
  }
  SUBCASE("a host that waits orders") {
    start(any_order, "number", {out});
    REQUIRE(clFinish(any_order) == CL_SUCCESS);
    const cl_event second = start(this->second, "number", {out});
    REQUIRE(clWaitForEvents(1, &second) == CL_SUCCESS);
    start(queue, "number", {out});
  }
  SUBCASE("a user event orders with what the host waited for") {
    const cl_event go = user_event();
    start(this->second, "number", {out}, {go});
    const cl_event first = start(queue, "number", {out});
    REQUIRE(clWaitForEvents(1, &first) == CL_SUCCESS);
    REQUIRE(clSetUserEventStatus(go, CL_COMPLETE) == CL_SUCCESS);
  }
  CHECK(finished() == "");
}

TEST_CASE_FIXTURE(Unordered, "race of memory that is shared") {
  const auto read = [&](cl_bool blocking, const Waits& waits) {
    REQUIRE(clEnqueueReadBuffer(any_order, out, blocking, 0, kBytes, numbers.data(),
                                count_of(waits), data_of(waits), nullptr) == CL_SUCCESS);
  };
  SUBCASE("parts that overlap, and parts that do not") {
    const cl_mem first = part(out, 0, 128), second = part(out, 128, 128);
    start(any_order, "number", {first}, {}, 32);
    start(any_order, "number", {second}, {}, 32);
    CHECK(finished() == "");
    start(any_order, "number", {first}, {}, 32);
    start(any_order, "copy", {out, buffer()});
    CHECK(finished() == "TSP-R0102");
  }
  SUBCASE("buffers of the same host memory") {
    const auto same = [&] { return buffer(CL_MEM_USE_HOST_PTR, numbers.data()); };
    start(any_order, "number", {same()});
    start(any_order, "copy", {same(), buffer()});
    CHECK(finished() == "TSP-R0102");
  }
  SUBCASE("a transfer that does not wait") {
    read(CL_TRUE, {start(any_order, "number", {out})});
    CHECK(finished() == "");
    start(any_order, "number", {out});
    read(CL_FALSE, {});
    CHECK(finished() == "TSP-R0102");
  }
  SUBCASE("atomics of kernels that nothing orders") {
    start(any_order, "count", {out});
    start(any_order, "count", {out});
    CHECK(finished() == "TSP-R0103");
  }
}

TEST_CASE_FIXTURE(Unordered, "race with the host") {
  const auto unmap = [&](void* mapped) { Unordered::unmap(queue, out, mapped); };
  SUBCASE("memory that is mapped for writing") {
    void* const mapped = map(queue, out, CL_MAP_WRITE);
    start(queue, "copy", {out, buffer()});
    CHECK(finished() == "TSP-R0104");
    unmap(mapped);
    start(queue, "number", {out});
    CHECK(finished() == "");
  }
  SUBCASE("memory that is mapped for reading") {
    void* const mapped = map(queue, out, CL_MAP_READ);
    start(queue, "copy", {out, buffer()});
    CHECK(finished() == "");
    start(queue, "number", {out});
    CHECK(finished() == "TSP-R0104");
    unmap(mapped);
  }
  SUBCASE("memory beside what is mapped") {
    void* const mapped = map(queue, out, CL_MAP_WRITE, 128, 128);
    start(queue, "number", {out}, {}, 32);
    CHECK(finished() == "");
    unmap(mapped);
  }
  SUBCASE("a kernel that was enqueued before the map") {
    start(queue, "number", {out});
    unmap(map(queue, out, CL_MAP_WRITE));
    CHECK(finished() == "");
  }
}

TEST_CASE_FIXTURE(Unordered, "race in shared virtual memory") {
  auto* const list = static_cast<cl_ulong*>(clSVMAlloc(context, 0, 64, 0));
  auto* const number = static_cast<cl_uint*>(clSVMAlloc(context, 0, 64, 0));
  REQUIRE((list != nullptr && number != nullptr));
  *list = reinterpret_cast<std::uintptr_t>(number);
  *number = 0;
  const Kernel follow = kernel(program, "follow");
  set(follow, Shared{list});
  const auto run = [&] {
    REQUIRE(enqueue(follow, {1}) == CL_SUCCESS);
    return finished();
  };
  const auto name_it = [&] {
    const void* const named[] = {number};
    REQUIRE(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof named, named) ==
            CL_SUCCESS);
  };
  SUBCASE("an allocation that is named") {
    name_it();
    CHECK(run() == "");
  }
  SUBCASE("one that is not") {
    CHECK(run() == "TSP-R0105 TSP-R0105");  // it reads, and it writes
    CHECK(*number == 1);
  }
  SUBCASE("one that is mapped") {
    name_it();
    REQUIRE(issue(clEnqueueSVMMap, queue, CL_TRUE, CL_MAP_READ, number, 64) == CL_SUCCESS);
    CHECK(run() == "TSP-R0104");
    REQUIRE(issue(clEnqueueSVMUnmap, queue, number) == CL_SUCCESS);
    CHECK(run() == "");
  }
  SUBCASE("one that was freed") {
    clSVMFree(context, number);
    CHECK(run().starts_with("TSP-R0002"));
  }
  clSVMFree(context, list);
  clSVMFree(context, number);
}

}  // namespace
}  // namespace transpire::test::checks_tests
