// What TRANSPIRE_CL_CHECK finds of what the host does with memory. CMake runs each test case with the variables that it is
// about.
#include <algorithm>
#include <array>

#include "tests/opencl/checked.h"

namespace transpire::test {
namespace {

constexpr const char* kUndefined = "TSP-R0101";

}  // namespace

TEST_CASE("uninit") {
  Checked host;
  std::array<cl_uint, kItems> numbers{};
  const auto write = [&](cl_mem to, std::size_t offset, std::size_t size) {
    CHECK(clEnqueueWriteBuffer(host.queue, to, CL_TRUE, offset, size, numbers.data(), 0, nullptr,
                               nullptr) == CL_SUCCESS);
  };
  SUBCASE("buffers that the host gave nothing are undefined") {
    CHECK(host.of_reading(host.buffer()) == kUndefined);
    CHECK(host.of_reading(host.buffer(CL_MEM_ALLOC_HOST_PTR)) == kUndefined);
    CHECK(host.of_reading(host.buffer(CL_MEM_COPY_HOST_PTR, numbers.data())) == "");
    CHECK(host.of_reading(host.buffer(CL_MEM_USE_HOST_PTR, numbers.data())) == "");
  }
  SUBCASE("writes define, each byte by itself") {
    const cl_mem buffer = host.buffer();
    write(buffer, 0, kBytes - 1);
    CHECK(host.of_reading(buffer) == kUndefined);
    write(buffer, kBytes - 1, 1);
    CHECK(host.of_reading(buffer) == "");
  }
  SUBCASE("what a kernel wrote is defined for the next") {
    const cl_mem between = host.buffer();
    host.launch("copy", {host.buffer(CL_MEM_COPY_HOST_PTR, numbers.data()), between});
    CHECK(host.rules() == "");
    CHECK(host.of_reading(between) == "");
  }
  SUBCASE("fills and rectangles define") {
    const cl_mem filled = host.buffer(), rows = host.buffer();
    const cl_uint pattern = 7;
    CHECK(clEnqueueFillBuffer(host.queue, filled, &pattern, sizeof pattern, 0, kBytes, 0, nullptr,
                              nullptr) == CL_SUCCESS);
    CHECK(host.of_reading(filled) == "");
    for (const std::size_t column : {0, 16}) {
      CHECK(host.of_reading(rows) == kUndefined);
      const std::size_t origin[] = {column, 0, 0}, start[] = {0, 0, 0}, region[] = {16, 8, 1};
      CHECK(clEnqueueWriteBufferRect(host.queue, rows, CL_TRUE, origin, start, region, 32, 0, 16, 0,
                                     numbers.data(), 0, nullptr, nullptr) == CL_SUCCESS);
    }
    CHECK(host.of_reading(rows) == "");
    const cl_mem copied = host.buffer();
    const std::size_t start[] = {0, 0, 0}, region[] = {32, 8, 1};
    CHECK(clEnqueueCopyBufferRect(host.queue, rows, copied, start, start, region, 32, 0, 32, 0, 0,
                                  nullptr, nullptr) == CL_SUCCESS);
    CHECK(host.of_reading(copied) == "");
  }
}

TEST_CASE("uninit of what commands share") {
  Checked host;
  std::array<cl_uint, kItems> numbers{};
  const auto write = [&](cl_mem to, std::size_t offset, std::size_t size) {
    CHECK(clEnqueueWriteBuffer(host.queue, to, CL_TRUE, offset, size, numbers.data(), 0, nullptr,
                               nullptr) == CL_SUCCESS);
  };
  SUBCASE("copies are as defined as what they are of") {
    const cl_mem from = host.buffer(), to = host.buffer();
    const auto copy = [&] {
      CHECK(clEnqueueCopyBuffer(host.queue, from, to, 0, 0, kBytes, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    };
    write(to, 0, kBytes);
    copy();
    CHECK(host.of_reading(to) == kUndefined);
    write(from, 0, kBytes);
    copy();
    CHECK(host.of_reading(to) == "");
  }
  SUBCASE("maps for writing define, maps for reading do not") {
    const cl_mem buffer = host.buffer();
    for (const cl_map_flags flags : {CL_MAP_READ, CL_MAP_WRITE}) {
      CHECK(host.of_reading(buffer) == kUndefined);
      void* const mapped = clEnqueueMapBuffer(host.queue, buffer, CL_TRUE, flags, 0, kBytes, 0,
                                              nullptr, nullptr, nullptr);
      clEnqueueUnmapMemObject(host.queue, buffer, mapped, 0, nullptr, nullptr);
    }
    CHECK(host.of_reading(buffer) == "");
  }
  SUBCASE("a part is defined with the whole, and the whole with its parts") {
    const cl_mem buffer = host.buffer(CL_MEM_ALLOC_HOST_PTR);
    const cl_mem first = host.part(buffer, 0, kBytes / 2), second = host.part(buffer, 128, 128);
    write(first, 0, kBytes / 2);
    CHECK(host.of_reading(buffer) == kUndefined);
    write(second, 0, kBytes / 2);
    CHECK(host.of_reading(buffer) == "");
  }
  SUBCASE("contents that a migration gives up are undefined") {
    const cl_mem buffer = host.buffer();
    write(buffer, 0, kBytes);
    CHECK(clEnqueueMigrateMemObjects(host.queue, 1, &buffer, 0, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(host.of_reading(buffer) == "");
    CHECK(clEnqueueMigrateMemObjects(host.queue, 1, &buffer,
                                     CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, nullptr,
                                     nullptr) == CL_SUCCESS);
    CHECK(host.of_reading(buffer) == kUndefined);
  }
}

/// A coarse-grained allocation of shared virtual memory, and what is found when a kernel reads all of it.
struct SharedChecked : Checked {
  cl_uint* const numbers;
  explicit SharedChecked(cl_svm_mem_flags flags = CL_MEM_READ_WRITE)
      : numbers(static_cast<cl_uint*>(clSVMAlloc(context, flags, kBytes, 0))) {
    REQUIRE(numbers != nullptr);
  }
  ~SharedChecked() { clSVMFree(context, numbers); }
  /// One of the parameters of `copy`; the other is a buffer.
  std::string of_copying(cl_uint shared, cl_mem other) {
    const cl_kernel copy = kernel(program, "copy");
    REQUIRE(clSetKernelArgSVMPointer(copy, shared, numbers) == CL_SUCCESS);
    REQUIRE(clSetKernelArg(copy, 1 - shared, sizeof other, &other) == CL_SUCCESS);
    const std::size_t items = kItems;
    REQUIRE(clEnqueueNDRangeKernel(queue, copy, 1, nullptr, &items, nullptr, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    REQUIRE(clFinish(queue) == CL_SUCCESS);
    clReleaseKernel(copy);
    return rules();
  }
  std::string of_reading_it() { return of_copying(0, buffer()); }
  void map(cl_map_flags flags, std::size_t size) {
    REQUIRE(clEnqueueSVMMap(queue, CL_TRUE, flags, numbers, size, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    REQUIRE(clEnqueueSVMUnmap(queue, numbers, 0, nullptr, nullptr) == CL_SUCCESS);
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
    std::array<cl_uint, kItems> from{};
    CHECK(host.of_copying(1, host.buffer(CL_MEM_COPY_HOST_PTR, from.data())) == "");
    CHECK(host.of_reading_it() == "");
  }
  SUBCASE("fills define, and copies are as defined as what they are of") {
    SharedChecked from, to;
    const cl_uint pattern = 7;
    const auto fill = [&](const SharedChecked& in) {
      CHECK(clEnqueueSVMMemFill(from.queue, in.numbers, &pattern, sizeof pattern, kBytes, 0,
                                nullptr, nullptr) == CL_SUCCESS);
    };
    const auto copy = [&](cl_uint* target, const void* source) {
      CHECK(clEnqueueSVMMemcpy(to.queue, CL_TRUE, target, source, kBytes, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    };
    auto* const within = static_cast<cl_uint*>(clSVMAlloc(to.context, 0, kBytes, 0));
    fill(from);
    CHECK(from.of_reading_it() == "");
    copy(to.numbers, within);
    CHECK(to.of_reading_it() == kUndefined);
    const std::array<cl_uint, kItems> numbers{};
    copy(within, numbers.data());
    copy(to.numbers, within);
    CHECK(to.of_reading_it() == "");
    clSVMFree(to.context, within);
  }
}

TEST_CASE("uninit of shared virtual memory that others write") {
  SUBCASE("what is read into it, and what a buffer is made of, is defined") {
    SharedChecked read, used;
    const std::array<cl_uint, kItems> numbers{};
    cl_uint copied[kItems];
    std::ranges::copy(numbers, copied);
    CHECK(clEnqueueReadBuffer(read.queue, read.buffer(CL_MEM_COPY_HOST_PTR, copied), CL_TRUE, 0,
                              kBytes, read.numbers, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(read.of_reading_it() == "");
    CHECK(used.of_reading(used.buffer(CL_MEM_USE_HOST_PTR, used.numbers)) == "");
  }
  SUBCASE("native kernels may write all of it") {
    SharedChecked host;
    const auto nothing = [](void*) {};
    CHECK(clEnqueueNativeKernel(host.queue, nothing, nullptr, 0, 0, nullptr, nullptr, 0, nullptr,
                                nullptr) == CL_SUCCESS);
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
  cl_int code = 0;
  host.made.push_back(clCreateImage(host.context, 0, &format, &shape, nullptr, &code));
  REQUIRE(code == CL_SUCCESS);
  const cl_mem image = host.made.back();
  REQUIRE(clEnqueueMigrateMemObjects(host.queue, 1, &buffer,
                                     CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, nullptr,
                                     nullptr) == CL_SUCCESS);
  CHECK(host.of_reading(buffer) == kUndefined);
  const std::size_t origin[] = {0, 0, 0}, region[] = {kItems, 1, 1};
  SUBCASE("commands that write the image") {
    const std::array<cl_uint, kItems> numbers{};
    CHECK(clEnqueueWriteImage(host.queue, image, CL_TRUE, origin, region, 0, 0, numbers.data(), 0,
                              nullptr, nullptr) == CL_SUCCESS);
  }
  SUBCASE("maps of the image for writing") {
    std::size_t pitch = 0;
    void* const mapped = clEnqueueMapImage(host.queue, image, CL_TRUE, CL_MAP_WRITE, origin, region,
                                           &pitch, nullptr, 0, nullptr, nullptr, &code);
    CHECK(clEnqueueUnmapMemObject(host.queue, image, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
  }
  SUBCASE("kernels that write the image") { host.launch("texels", {image}); }
  CHECK(host.of_reading(buffer) == "");
}

TEST_CASE("race") {
  Unordered host;
  const cl_mem out = host.buffer();
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
    cl_event marker = nullptr;
    REQUIRE(clEnqueueMarkerWithWaitList(host.second, 1, &first, &marker) == CL_SUCCESS);
    host.events.push_back(marker);
    host.start(host.any_order, "number", {out}, {marker});
    CHECK(host.finished() == "");
  }
}

TEST_CASE("race that commands and the host order") {
  Unordered host;
  const cl_mem out = host.buffer();
  SUBCASE("a barrier orders, and a marker all that waits for it") {
    host.start(host.any_order, "number", {out});
    REQUIRE(clEnqueueBarrierWithWaitList(host.any_order, 0, nullptr, nullptr) == CL_SUCCESS);
    host.start(host.any_order, "number", {out});
    cl_event marker = nullptr;
    REQUIRE(clEnqueueMarkerWithWaitList(host.any_order, 0, nullptr, &marker) == CL_SUCCESS);
    host.events.push_back(marker);
    host.start(host.second, "number", {out}, {marker});
    CHECK(host.finished() == "");
  }
  SUBCASE("a queue in order orders") {
    host.start(host.queue, "number", {out});
    host.start(host.queue, "number", {out});
    CHECK(host.finished() == "");
  }
  SUBCASE("a host that waits orders") {
    host.start(host.any_order, "number", {out});
    REQUIRE(clFinish(host.any_order) == CL_SUCCESS);
    const cl_event second = host.start(host.second, "number", {out});
    REQUIRE(clWaitForEvents(1, &second) == CL_SUCCESS);
    host.start(host.queue, "number", {out});
    CHECK(host.finished() == "");
  }
  SUBCASE("a user event orders with what the host waited for") {
    cl_int code = 0;
    const cl_event go = clCreateUserEvent(host.context, &code);
    host.events.push_back(go);
    host.start(host.second, "number", {out}, {go});
    const cl_event first = host.start(host.queue, "number", {out});
    REQUIRE(clWaitForEvents(1, &first) == CL_SUCCESS);
    REQUIRE(clSetUserEventStatus(go, CL_COMPLETE) == CL_SUCCESS);
    CHECK(host.finished() == "");
  }
}

TEST_CASE("race of memory that is shared") {
  Unordered host;
  std::array<cl_uint, kItems> numbers{};
  const cl_mem out = host.buffer();
  SUBCASE("parts that overlap, and parts that do not") {
    const cl_mem first = host.part(out, 0, 128), second = host.part(out, 128, 128);
    host.start(host.any_order, "number", {first}, {}, 32);
    host.start(host.any_order, "number", {second}, {}, 32);
    CHECK(host.finished() == "");
    const cl_event last = host.start(host.any_order, "number", {first}, {}, 32);
    host.start(host.any_order, "copy", {out, host.buffer()});
    CHECK(host.finished() == "TSP-R0102");
    CHECK(last != nullptr);
  }
  SUBCASE("buffers of the same host memory") {
    host.start(host.any_order, "number", {host.buffer(CL_MEM_USE_HOST_PTR, numbers.data())});
    host.start(host.any_order, "copy",
               {host.buffer(CL_MEM_USE_HOST_PTR, numbers.data()), host.buffer()});
    CHECK(host.finished() == "TSP-R0102");
  }
  SUBCASE("a transfer that does not wait") {
    const cl_event done = host.start(host.any_order, "number", {out});
    REQUIRE(clEnqueueReadBuffer(host.any_order, out, CL_TRUE, 0, kBytes, numbers.data(), 1, &done,
                                nullptr) == CL_SUCCESS);
    CHECK(host.finished() == "");
    host.start(host.any_order, "number", {out});
    REQUIRE(clEnqueueReadBuffer(host.any_order, out, CL_FALSE, 0, kBytes, numbers.data(), 0,
                                nullptr, nullptr) == CL_SUCCESS);
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
  const cl_mem out = host.buffer();
  const auto map = [&](cl_map_flags flags, std::size_t offset, std::size_t size) {
    cl_int code = 0;
    void* const mapped = clEnqueueMapBuffer(host.queue, out, CL_TRUE, flags, offset, size, 0,
                                            nullptr, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    return mapped;
  };
  const auto unmap = [&](void* mapped) {
    REQUIRE(clEnqueueUnmapMemObject(host.queue, out, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
  };
  SUBCASE("memory that is mapped for writing") {
    void* const mapped = map(CL_MAP_WRITE, 0, kBytes);
    host.start(host.queue, "copy", {out, host.buffer()});
    CHECK(host.finished() == "TSP-R0104");
    unmap(mapped);
    host.start(host.queue, "number", {out});
    CHECK(host.finished() == "");
  }
  SUBCASE("memory that is mapped for reading") {
    void* const mapped = map(CL_MAP_READ, 0, kBytes);
    host.start(host.queue, "copy", {out, host.buffer()});
    CHECK(host.finished() == "");
    host.start(host.queue, "number", {out});
    CHECK(host.finished() == "TSP-R0104");
    unmap(mapped);
  }
  SUBCASE("memory beside what is mapped") {
    void* const mapped = map(CL_MAP_WRITE, 128, 128);
    host.start(host.queue, "number", {out}, {}, 32);
    CHECK(host.finished() == "");
    unmap(mapped);
  }
  SUBCASE("a kernel that was enqueued before the map") {
    host.start(host.queue, "number", {out});
    unmap(map(CL_MAP_WRITE, 0, kBytes));
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
  const cl_kernel follow = host.kernel(host.program, "follow");
  REQUIRE(clSetKernelArgSVMPointer(follow, 0, list) == CL_SUCCESS);
  const auto run = [&] {
    const std::size_t one = 1;
    REQUIRE(clEnqueueNDRangeKernel(host.queue, follow, 1, nullptr, &one, nullptr, 0, nullptr,
                                   nullptr) == CL_SUCCESS);
    return host.finished();
  };
  SUBCASE("an allocation that is named") {
    const void* const named[] = {number};
    REQUIRE(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof named, named) ==
            CL_SUCCESS);
    CHECK(run() == "");
  }
  SUBCASE("one that is not") {
    CHECK(run() == "TSP-R0105 TSP-R0105");  // it reads, and it writes
    CHECK(*number == 1);
  }
  SUBCASE("one that is mapped") {
    const void* const named[] = {number};
    REQUIRE(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof named, named) ==
            CL_SUCCESS);
    REQUIRE(clEnqueueSVMMap(host.queue, CL_TRUE, CL_MAP_READ, number, 64, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    CHECK(run() == "TSP-R0104");
    REQUIRE(clEnqueueSVMUnmap(host.queue, number, 0, nullptr, nullptr) == CL_SUCCESS);
    CHECK(run() == "");
  }
  SUBCASE("one that was freed") {
    clSVMFree(host.context, number);
    CHECK(run().starts_with("TSP-R0002"));
  }
  clReleaseKernel(follow);
  clSVMFree(host.context, list);
  clSVMFree(host.context, number);
}

}  // namespace transpire::test
