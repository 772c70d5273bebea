// What TRANSPIRE_CL_CHECK finds of what the host does with memory. CMake runs each test case with the variables that it is
// about.
#include "tests/opencl/checked.h"

namespace transpire::test::checks_tests {
namespace {

constexpr const char* kUndefined = "TSP-R0101";

TEST_CASE("uninit") {
  Checked host;
  const cl_mem memory = host.buffer();
  SUBCASE("buffers that the host gave nothing are undefined") {
    CHECK(host.of_reading(memory) == kUndefined);
    CHECK(host.of_reading(host.buffer(CL_MEM_ALLOC_HOST_PTR)) == kUndefined);
    CHECK(host.of_reading(host.defined()) == "");
    CHECK(host.of_reading(host.buffer(CL_MEM_USE_HOST_PTR, host.numbers.data())) == "");
  }
  SUBCASE("writes define, each byte by itself") {
    host.write(memory, 0, kBytes - 1);
    CHECK(host.of_reading(memory) == kUndefined);
    host.write(memory, kBytes - 1, 1);
    CHECK(host.of_reading(memory) == "");
  }
  SUBCASE("what a kernel wrote is defined for the next") {
    host.launch("copy", {host.defined(), memory});
    CHECK(host.rules() == "");
    CHECK(host.of_reading(memory) == "");
  }
  SUBCASE("fills and rectangles define") {
    const cl_mem rows = host.buffer(), copied = host.buffer();
    const cl_uint pattern = 7;
    const std::size_t start[] = {0, 0, 0}, half[] = {16, 8, 1}, whole[] = {32, 8, 1};
    CHECK(issue(clEnqueueFillBuffer, host.queue, memory, &pattern, sizeof pattern, 0, kBytes) ==
          CL_SUCCESS);
    CHECK(host.of_reading(memory) == "");
    for (const std::size_t column : {0, 16}) {
      CHECK(host.of_reading(rows) == kUndefined);
      const std::size_t origin[] = {column, 0, 0};
      CHECK(issue(clEnqueueWriteBufferRect, host.queue, rows, CL_TRUE, origin, start, half, 32, 0,
                  16, 0, host.numbers.data()) == CL_SUCCESS);
    }
    CHECK(host.of_reading(rows) == "");
    CHECK(issue(clEnqueueCopyBufferRect, host.queue, rows, copied, start, start, whole, 32, 0, 32,
                0) == CL_SUCCESS);
    CHECK(host.of_reading(copied) == "");
  }
}

TEST_CASE("uninit of what commands share") {
  Checked host;
  const cl_mem memory = host.buffer();
  SUBCASE("copies are as defined as what they are of") {
    const cl_mem to = host.buffer();
    const auto copy = [&] {
      CHECK(issue(clEnqueueCopyBuffer, host.queue, memory, to, 0, 0, kBytes) == CL_SUCCESS);
    };
    host.write(to);
    copy();
    CHECK(host.of_reading(to) == kUndefined);
    host.write(memory);
    copy();
    CHECK(host.of_reading(to) == "");
  }
  SUBCASE("maps for writing define, maps for reading do not") {
    for (const cl_map_flags flags : {CL_MAP_READ, CL_MAP_WRITE}) {
      CHECK(host.of_reading(memory) == kUndefined);
      void* const mapped = clEnqueueMapBuffer(host.queue, memory, CL_TRUE, flags, 0, kBytes, 0,
                                              nullptr, nullptr, nullptr);
      issue(clEnqueueUnmapMemObject, host.queue, memory, mapped);
    }
    CHECK(host.of_reading(memory) == "");
  }
  SUBCASE("a part is defined with the whole, and the whole with its parts") {
    const cl_mem whole = host.buffer(CL_MEM_ALLOC_HOST_PTR);
    const cl_mem first = host.part(whole, 0, kBytes / 2), second = host.part(whole, 128, 128);
    host.write(first, 0, kBytes / 2);
    CHECK(host.of_reading(whole) == kUndefined);
    host.write(second, 0, kBytes / 2);
    CHECK(host.of_reading(whole) == "");
  }
  SUBCASE("contents that a migration gives up are undefined") {
    host.write(memory);
    CHECK(issue(clEnqueueMigrateMemObjects, host.queue, 1, &memory, 0) == CL_SUCCESS);
    CHECK(host.of_reading(memory) == "");
    CHECK(issue(clEnqueueMigrateMemObjects, host.queue, 1, &memory,
                CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) == CL_SUCCESS);
    CHECK(host.of_reading(memory) == kUndefined);
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

TEST_CASE("uninit of shared virtual memory that others write") {
  SharedChecked host;
  SUBCASE("what is read into it is defined") {
    CHECK(issue(clEnqueueReadBuffer, host.queue, host.defined(), CL_TRUE, 0, kBytes, host.shared) ==
          CL_SUCCESS);
    CHECK(host.of_reading_it() == "");
  }
  SUBCASE("what a buffer is made of is defined") {
    CHECK(host.of_reading(host.buffer(CL_MEM_USE_HOST_PTR, host.shared)) == "");
  }
  SUBCASE("native kernels may write all of it") {
    enqueue_call(host.queue, [] {});
    CHECK(host.of_reading_it() == "");
  }
}

TEST_CASE("uninit of buffers that images are made of") {
  Checked host;
  const cl_mem buffer = host.buffer();
  cl_image_desc shape{};
  shape.image_type = CL_MEM_OBJECT_IMAGE2D;
  shape.image_width = kItems;
  shape.image_height = 1;
  shape.mem_object = buffer;
  const cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  const Memory image = clCreateImage(host.context, 0, &format, &shape, nullptr, nullptr);
  REQUIRE(image != nullptr);
  REQUIRE(issue(clEnqueueMigrateMemObjects, host.queue, 1, &buffer,
                CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) == CL_SUCCESS);
  CHECK(host.of_reading(buffer) == kUndefined);
  const std::size_t origin[] = {0, 0, 0}, region[] = {kItems, 1, 1};
  SUBCASE("commands that write the image") {
    CHECK(issue(clEnqueueWriteImage, host.queue, image, CL_TRUE, origin, region, 0, 0,
                host.numbers.data()) == CL_SUCCESS);
  }
  SUBCASE("maps of the image for writing") {
    std::size_t pitch = 0;
    void* const mapped = clEnqueueMapImage(host.queue, image, CL_TRUE, CL_MAP_WRITE, origin, region,
                                           &pitch, nullptr, 0, nullptr, nullptr, nullptr);
    CHECK(issue(clEnqueueUnmapMemObject, host.queue, image, mapped) == CL_SUCCESS);
  }
  SUBCASE("kernels that write the image") { host.launch("texels", {image}); }
  CHECK(host.of_reading(buffer) == "");
}

TEST_CASE("race") {
  Unordered host;
  const cl_mem out = host.out;
  SUBCASE("kernels that nothing orders") {
    host.start(host.any_order, "number", {out});
    host.start(host.any_order, "number", {out});
    CHECK(host.finished() == "TSP-R0102");
  }
  SUBCASE("kernels of two queues") {
    host.start(host.queue, "number", {out});
    host.start(host.second, "copy", {out, host.buffer()});
    CHECK(host.finished() == "TSP-R0102");
  }
  SUBCASE("kernels that read the same") {
    host.start(host.any_order, "copy", {out, host.buffer()});
    host.start(host.any_order, "copy", {out, host.buffer()});
    CHECK(host.finished() == "");
  }
  SUBCASE("a wait list orders, also through other commands") {
    const cl_event first = host.start(host.any_order, "number", {out});
    Event marker;
    REQUIRE(clEnqueueMarkerWithWaitList(host.second, 1, &first, &marker) == CL_SUCCESS);
    host.start(host.any_order, "number", {out}, {marker});
    CHECK(host.finished() == "");
  }
}

TEST_CASE("race that commands and the host order") {
  Unordered host;
  const cl_mem out = host.out;
  SUBCASE("a barrier orders, and a marker all that waits for it") {
    host.start(host.any_order, "number", {out});
    REQUIRE(issue(clEnqueueBarrierWithWaitList, host.any_order) == CL_SUCCESS);
    host.start(host.any_order, "number", {out});
    Event marker;
    REQUIRE(clEnqueueMarkerWithWaitList(host.any_order, 0, nullptr, &marker) == CL_SUCCESS);
    host.start(host.second, "number", {out}, {marker});
  }
  SUBCASE("a queue in order orders") {
    host.start(host.queue, "number", {out});
    host.start(host.queue, "number", {out});
  }
  SUBCASE("a host that waits orders") {
    host.start(host.any_order, "number", {out});
    REQUIRE(clFinish(host.any_order) == CL_SUCCESS);
    const cl_event second = host.start(host.second, "number", {out});
    REQUIRE(clWaitForEvents(1, &second) == CL_SUCCESS);
    host.start(host.queue, "number", {out});
  }
  SUBCASE("a user event orders with what the host waited for") {
    const cl_event go = host.user_event();
    host.start(host.second, "number", {out}, {go});
    const cl_event first = host.start(host.queue, "number", {out});
    REQUIRE(clWaitForEvents(1, &first) == CL_SUCCESS);
    REQUIRE(clSetUserEventStatus(go, CL_COMPLETE) == CL_SUCCESS);
  }
  CHECK(host.finished() == "");
}

TEST_CASE("race of memory that is shared") {
  Unordered host;
  const cl_mem out = host.out;
  const auto read = [&](cl_bool blocking, const Waits& waits) {
    REQUIRE(clEnqueueReadBuffer(host.any_order, out, blocking, 0, kBytes, host.numbers.data(),
                                count_of(waits), data_of(waits), nullptr) == CL_SUCCESS);
  };
  SUBCASE("parts that overlap, and parts that do not") {
    const cl_mem first = host.part(out, 0, 128), second = host.part(out, 128, 128);
    host.start(host.any_order, "number", {first}, {}, 32);
    host.start(host.any_order, "number", {second}, {}, 32);
    CHECK(host.finished() == "");
    host.start(host.any_order, "number", {first}, {}, 32);
    host.start(host.any_order, "copy", {out, host.buffer()});
    CHECK(host.finished() == "TSP-R0102");
  }
  SUBCASE("buffers of the same host memory") {
    const auto same = [&] { return host.buffer(CL_MEM_USE_HOST_PTR, host.numbers.data()); };
    host.start(host.any_order, "number", {same()});
    host.start(host.any_order, "copy", {same(), host.buffer()});
    CHECK(host.finished() == "TSP-R0102");
  }
  SUBCASE("a transfer that does not wait") {
    read(CL_TRUE, {host.start(host.any_order, "number", {out})});
    CHECK(host.finished() == "");
    host.start(host.any_order, "number", {out});
    read(CL_FALSE, {});
    CHECK(host.finished() == "TSP-R0102");
  }
  SUBCASE("atomics of kernels that nothing orders") {
    host.start(host.any_order, "count", {out});
    host.start(host.any_order, "count", {out});
    CHECK(host.finished() == "TSP-R0103");
  }
}

TEST_CASE("race with the host") {
  Unordered host;
  const cl_mem out = host.out;
  const auto unmap = [&](void* mapped) { Unordered::unmap(host.queue, out, mapped); };
  SUBCASE("memory that is mapped for writing") {
    void* const mapped = host.map(host.queue, out, CL_MAP_WRITE);
    host.start(host.queue, "copy", {out, host.buffer()});
    CHECK(host.finished() == "TSP-R0104");
    unmap(mapped);
    host.start(host.queue, "number", {out});
    CHECK(host.finished() == "");
  }
  SUBCASE("memory that is mapped for reading") {
    void* const mapped = host.map(host.queue, out, CL_MAP_READ);
    host.start(host.queue, "copy", {out, host.buffer()});
    CHECK(host.finished() == "");
    host.start(host.queue, "number", {out});
    CHECK(host.finished() == "TSP-R0104");
    unmap(mapped);
  }
  SUBCASE("memory beside what is mapped") {
    void* const mapped = host.map(host.queue, out, CL_MAP_WRITE, 128, 128);
    host.start(host.queue, "number", {out}, {}, 32);
    CHECK(host.finished() == "");
    unmap(mapped);
  }
  SUBCASE("a kernel that was enqueued before the map") {
    host.start(host.queue, "number", {out});
    unmap(host.map(host.queue, out, CL_MAP_WRITE));
    CHECK(host.finished() == "");
  }
}

TEST_CASE("race in shared virtual memory") {
  Unordered host;
  auto* const list = static_cast<cl_ulong*>(clSVMAlloc(host.context, 0, 64, 0));
  auto* const number = static_cast<cl_uint*>(clSVMAlloc(host.context, 0, 64, 0));
  REQUIRE((list != nullptr && number != nullptr));
  *list = reinterpret_cast<std::uintptr_t>(number);
  *number = 0;
  const Kernel follow = host.kernel(host.program, "follow");
  set(follow, Shared{list});
  const auto run = [&] {
    REQUIRE(host.enqueue(follow, {1}) == CL_SUCCESS);
    return host.finished();
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
    REQUIRE(issue(clEnqueueSVMMap, host.queue, CL_TRUE, CL_MAP_READ, number, 64) == CL_SUCCESS);
    CHECK(run() == "TSP-R0104");
    REQUIRE(issue(clEnqueueSVMUnmap, host.queue, number) == CL_SUCCESS);
    CHECK(run() == "");
  }
  SUBCASE("one that was freed") {
    clSVMFree(host.context, number);
    CHECK(run().starts_with("TSP-R0002"));
  }
  clSVMFree(host.context, list);
  clSVMFree(host.context, number);
}

}  // namespace
}  // namespace transpire::test::checks_tests
