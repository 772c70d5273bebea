// Which commands are before which, for who looks for races between them: TRANSPIRE_CL_CHECK is race.
#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "tests/opencl/checked.h"
#include "tests/patience.h"
#include "tests/sanitized.h"

namespace transpire::test {
namespace {

constexpr const char* kRace = "TSP-R0102";
constexpr const char* kMapped = "TSP-R0104";
constexpr const char* kGaveUp = "TSP-L0010";
/// Processor time, far more than it takes and far less than it took when each command looked at all before it.
constexpr double kLongSeconds = 100;
constexpr int kThousands = kSanitized ? 2000 : 8000;

void nothing(void*) {}

/// Four rows of texels that kernels of tests/opencl/checked.h write and read.
cl_mem image_of(Unordered& host, cl_channel_type type) {
  const cl_image_format format{CL_RGBA, type};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = kItems;
  desc.image_height = 4;
  cl_int code = 0;
  host.made.push_back(clCreateImage(host.context, 0, &format, &desc, nullptr, &code));
  REQUIRE(code == CL_SUCCESS);
  return host.made.back();
}

constexpr std::size_t kFirst[] = {0, 0, 0}, kSecond[] = {0, 1, 0}, kRow[] = {kItems, 1, 1};

/// With an image of whose first row a kernel has written all texels.
struct WithImage : Unordered {
  cl_mem image = image_of(*this, CL_UNSIGNED_INT32);
  WithImage() { write(); }
  void write() {
    start(queue, "texels", {image});
    settle(queue);
  }
  /// A command beside that kernel; and behind both, the kernel again.
  void expect(cl_int code, const char* found) {
    REQUIRE(code == CL_SUCCESS);
    CHECK(finished() == found);
    write();
  }
};

}  // namespace

TEST_CASE("the host orders through commands that wait for it") {
  Unordered host;
  const cl_mem out = host.buffer();
  const cl_event go = host.user_event();
  const auto complete = [&] { return clSetUserEventStatus(go, CL_COMPLETE); };
  SUBCASE("a barrier that waits for a user event") {
    REQUIRE(clEnqueueBarrierWithWaitList(host.any_order, 1, &go, nullptr) == CL_SUCCESS);
    host.start(host.any_order, "number", {out});
    const cl_event first = host.start(host.queue, "number", {out});
    REQUIRE(clWaitForEvents(1, &first) == CL_SUCCESS);
    REQUIRE(complete() == CL_SUCCESS);
    CHECK(host.finished() == "");
  }
  SUBCASE("only the first status that a user event gets") {
    const cl_event first = host.start(host.queue, "number", {out});
    host.start(host.second, "number", {out}, {go});
    REQUIRE(complete() == CL_SUCCESS);
    REQUIRE(clWaitForEvents(1, &first) == CL_SUCCESS);
    CHECK(complete() == CL_INVALID_OPERATION);
    CHECK(host.finished() == kRace);
  }
}

TEST_CASE("what a native kernel calls is behind what it waited for") {
  Unordered host;
  const cl_mem out = host.buffer();
  SUBCASE("a user event") {
    cl_event go = host.user_event();
    host.start(host.second, "number", {out}, {go});
    REQUIRE(clFlush(host.second) == CL_SUCCESS);
    host.start(host.queue, "number", {out});
    const auto complete = [](void* arguments) {
      clSetUserEventStatus(*static_cast<cl_event*>(arguments), CL_COMPLETE);
    };
    REQUIRE(clEnqueueNativeKernel(host.queue, complete, &go, sizeof go, 0, nullptr, nullptr, 0,
                                  nullptr, nullptr) == CL_SUCCESS);
    CHECK(host.finished() == "");
  }
  SUBCASE("a command that it enqueues") {
    struct Call {
      Unordered* host;
      cl_mem out;
    } call{&host, out};
    host.start(host.queue, "number", {out});
    const auto enqueue = [](void* arguments) {
      const Call& its = *static_cast<Call*>(arguments);
      its.host->start(its.host->second, "number", {its.out});
    };
    REQUIRE(clEnqueueNativeKernel(host.queue, enqueue, &call, sizeof call, 0, nullptr, nullptr, 0,
                                  nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clFinish(host.queue) == CL_SUCCESS);
    CHECK(host.finished() == "");
  }
}

TEST_CASE("a race is told once for each program") {
  Unordered host;
  const cl_mem out = host.buffer();
  const auto race = [&] {
    host.start(host.queue, "number", {out});
    host.start(host.second, "number", {out});
    return host.finished();
  };
  CHECK(race() == kRace);
  CHECK(race() == "");
  const cl_program first = std::exchange(host.program, host.built(kKernels));
  CHECK(race() == kRace);
  clReleaseProgram(first);
}

TEST_CASE("queues and buffers that are gone") {
  Unordered host;
  std::array<cl_uint, kItems> numbers{};
  const cl_mem out = host.buffer();
  SUBCASE("another queue in the place of one") {
    const cl_command_queue gone = host.make(0);
    host.start(gone, "number", {out});
    Unordered::settle(gone);
    for (const cl_event each : host.events) clReleaseEvent(each);
    host.events.clear();
    clReleaseCommandQueue(gone);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until its last command lets go
    std::vector<cl_command_queue> made;
    do made.push_back(host.make(0));
    while (made.back() != gone && made.size() < 32);
    const cl_event later = host.start(made.back(), "number", {host.buffer()});
    host.start(host.second, "number", {out}, {later});
    CHECK(host.finished() == kRace);
    for (const cl_command_queue each : made) clReleaseCommandQueue(each);
  }
  SUBCASE("one of two buffers of the same host memory") {
    const cl_mem kept = host.buffer(CL_MEM_USE_HOST_PTR, numbers.data());
    host.start(host.queue, "number", {kept});
    Unordered::settle(host.queue);
    clReleaseMemObject(host.buffer(CL_MEM_USE_HOST_PTR, numbers.data()));
    host.made.pop_back();
    host.start(host.second, "number", {kept});
    CHECK(host.finished() == kRace);
  }
}

TEST_CASE("transfers beside kernels") {
  Unordered host;
  std::array<cl_uint, kItems> numbers{};
  const cl_mem out = host.buffer(), other = host.buffer();
  const std::size_t start[] = {0, 0, 0}, row[] = {64, 1, 1}, column[] = {64, 2, 1};
  const auto queued = [](cl_int code) { REQUIRE(code == CL_SUCCESS); };
  const cl_mem written = host.part(out, 128, 128);  // rows 2 and 3 of 4
  const auto launch = [&] {
    host.start(host.queue, "number", {written}, {}, 32);
    Unordered::settle(host.queue);
  };
  launch();
  SUBCASE("rectangles that are read") {
    queued(clEnqueueReadBufferRect(host.second, out, CL_TRUE, start, start, column, 64, 0, 64, 0,
                                   numbers.data(), 0, nullptr, nullptr));
    CHECK(host.finished() == "");
    launch();
    const std::size_t last[] = {32, 3, 0}, part[] = {16, 1, 1};
    queued(clEnqueueReadBufferRect(host.second, out, CL_TRUE, last, start, part, 64, 0, 16, 0,
                                   numbers.data(), 0, nullptr, nullptr));
    CHECK(host.finished() == kRace);
  }
  SUBCASE("rectangles that are written, row by row") {
    const std::size_t narrow[] = {16, 1, 2};
    queued(clEnqueueWriteBufferRect(host.second, out, CL_TRUE, start, start, narrow, 16, 240, 16,
                                    16, numbers.data(), 0, nullptr, nullptr));
    CHECK(host.finished() == kRace);  // bytes 240 to 255
  }
  SUBCASE("between the rows is no race") {
    const std::size_t narrow[] = {16, 1, 2};
    queued(clEnqueueWriteBufferRect(host.second, host.part(out, 0, 128), CL_TRUE, start, start,
                                    narrow, 16, 112, 16, 16, numbers.data(), 0, nullptr, nullptr));
    CHECK(host.finished() == "");
  }
  SUBCASE("rectangles that are copied") {
    queued(clEnqueueCopyBufferRect(host.second, other, out, start, start, row, 64, 0, 64, 0, 0,
                                   nullptr, nullptr));
    CHECK(host.finished() == "");
    launch();
    const std::size_t third[] = {0, 2, 0};
    queued(clEnqueueCopyBufferRect(host.second, other, out, start, third, row, 64, 0, 64, 0, 0,
                                   nullptr, nullptr));
    CHECK(host.finished() == kRace);
  }
  SUBCASE("buffers of native kernels") {
    const void* place = nullptr;
    const void* const places[] = {&place};
    queued(clEnqueueNativeKernel(host.second, nothing, &place, sizeof place, 1, &other,
                                 const_cast<const void**>(places), 0, nullptr, nullptr));
    CHECK(host.finished() == "");
    launch();
    queued(clEnqueueNativeKernel(host.second, nothing, &place, sizeof place, 1, &out,
                                 const_cast<const void**>(places), 0, nullptr, nullptr));
    CHECK(host.finished() == kRace);
  }
}

TEST_CASE("texels that kernels write and read") {
  Unordered host;
  const cl_mem image = image_of(host, CL_UNSIGNED_INT32);
  host.start(host.queue, "texels", {image});
  Unordered::settle(host.queue);
  SUBCASE("that are the same") {
    host.start(host.second, "texels", {image});
    CHECK(host.finished() == kRace);
  }
  SUBCASE("of other rows") {
    host.start(host.second, "texels_below", {image});
    CHECK(host.finished() == "");
  }
  SUBCASE("of another image") {
    host.start(host.second, "texels", {image_of(host, CL_UNSIGNED_INT32)});
    CHECK(host.finished() == "");
  }
  SUBCASE("that are read without a sampler") {
    host.start(host.second, "pick", {image, host.buffer()});
    CHECK(host.finished() == kRace);
  }
  SUBCASE("that are read with a sampler") {
    host.start(host.second, "pick_near", {image, host.buffer()});
    CHECK(host.finished() == kRace);
  }
  SUBCASE("of which others are read") {
    host.start(host.second, "texels_below", {image});
    Unordered::settle(host.second);
    CHECK(host.finished() == "");
    host.start(host.queue, "texels_below", {image});
    Unordered::settle(host.queue);
    host.start(host.second, "pick_near", {image, host.buffer()});
    CHECK(host.finished() == "");
  }
  SUBCASE("that are read behind the writer") {
    host.start(host.second, "pick", {image, host.buffer()}, {host.events.back()});
    CHECK(host.finished() == "");
  }
}

TEST_CASE("texels that a sampler blends") {
  Unordered host;
  const cl_mem image = image_of(host, CL_UNORM_INT8);
  host.start(host.queue, "shade", {image});
  Unordered::settle(host.queue);
  SUBCASE("one of which is written") {
    host.start(host.second, "blend", {image, host.buffer()});
    CHECK(host.finished() == kRace);
  }
  SUBCASE("beside those that are written") {
    host.start(host.second, "blend_below", {image, host.buffer()});
    CHECK(host.finished() == "");
  }
}

TEST_CASE("transfers of images beside kernels") {
  WithImage host;
  std::array<cl_uint, kItems * 4> numbers{};
  SUBCASE("reads and writes") {
    host.expect(clEnqueueReadImage(host.second, host.image, CL_TRUE, kSecond, kRow, 0, 0,
                                   numbers.data(), 0, nullptr, nullptr),
                "");
    host.expect(clEnqueueReadImage(host.second, host.image, CL_TRUE, kFirst, kRow, 0, 0,
                                   numbers.data(), 0, nullptr, nullptr),
                kRace);
    host.expect(clEnqueueWriteImage(host.second, host.image, CL_TRUE, kSecond, kRow, 0, 0,
                                    numbers.data(), 0, nullptr, nullptr),
                "");
    host.expect(clEnqueueWriteImage(host.second, host.image, CL_TRUE, kFirst, kRow, 0, 0,
                                    numbers.data(), 0, nullptr, nullptr),
                kRace);
  }
  SUBCASE("fills") {
    const cl_uint4 color{};
    host.expect(
        clEnqueueFillImage(host.second, host.image, &color, kSecond, kRow, 0, nullptr, nullptr),
        "");
    host.expect(
        clEnqueueFillImage(host.second, host.image, &color, kFirst, kRow, 0, nullptr, nullptr),
        kRace);
  }
}

TEST_CASE("copies of images beside kernels") {
  WithImage host;
  const cl_mem other = image_of(host, CL_UNSIGNED_INT32), buffer = host.buffer();
  const std::size_t few[] = {kItems / 4, 1, 1};
  const auto copy = [&](cl_mem from, cl_mem to, const std::size_t* begin) {
    return clEnqueueCopyImage(host.second, from, to, begin, begin, kRow, 0, nullptr, nullptr);
  };
  SUBCASE("from one") {
    host.expect(copy(host.image, other, kSecond), "");
    host.expect(copy(host.image, other, kFirst), kRace);
  }
  SUBCASE("to one") {
    host.expect(copy(other, host.image, kSecond), "");
    host.expect(copy(other, host.image, kFirst), kRace);
  }
  SUBCASE("to and from buffers") {
    host.expect(clEnqueueCopyImageToBuffer(host.second, host.image, buffer, kFirst, few, 0, 0,
                                           nullptr, nullptr),
                kRace);
    host.expect(clEnqueueCopyBufferToImage(host.second, buffer, host.image, 0, kSecond, few, 0,
                                           nullptr, nullptr),
                "");
    host.expect(clEnqueueCopyBufferToImage(host.second, buffer, host.image, 0, kFirst, few, 0,
                                           nullptr, nullptr),
                kRace);
  }
}

TEST_CASE("maps of an image's rows beside kernels") {
  WithImage host;
  CHECK(host.finished() == "");
  std::size_t pitch = 0;
  void* const mapped = clEnqueueMapImage(host.second, host.image, CL_TRUE, CL_MAP_READ, kFirst,
                                         kRow, &pitch, nullptr, 0, nullptr, nullptr, nullptr);
  REQUIRE(mapped != nullptr);
  host.start(host.queue, "texels_below", {host.image});
  CHECK(host.finished() == "");
  host.start(host.queue, "texels", {host.image});
  CHECK(host.finished() == kMapped);
  REQUIRE(clEnqueueUnmapMemObject(host.second, host.image, mapped, 0, nullptr, nullptr) ==
          CL_SUCCESS);
  CHECK(host.finished() == "");
}

TEST_CASE("maps of parts of an image's rows") {
  WithImage host;
  CHECK(host.finished() == "");
  const std::size_t half[] = {kItems / 2, 2, 1}, right[] = {kItems / 2, 0, 0};
  const std::vector<cl_uint> numbers(kItems * 4);
  std::size_t pitch = 0;
  void* const mapped = clEnqueueMapImage(host.second, host.image, CL_TRUE, CL_MAP_READ, kFirst,
                                         half, &pitch, nullptr, 0, nullptr, nullptr, nullptr);
  REQUIRE(mapped != nullptr);
  const auto write = [&](const std::size_t* origin) {
    REQUIRE(clEnqueueWriteImage(host.second, host.image, CL_TRUE, origin, half, 0, 0,
                                numbers.data(), 0, nullptr, nullptr) == CL_SUCCESS);
  };
  SUBCASE("beside kernels") {
    host.start(host.queue, "texels_below", {host.image});
    CHECK(host.finished() == kMapped);
  }
  SUBCASE("beside transfers to the other parts") {
    write(right);
    CHECK(host.finished() == "");
    write(kFirst);
    CHECK(host.finished() == kMapped);
  }
  REQUIRE(clEnqueueUnmapMemObject(host.second, host.image, mapped, 0, nullptr, nullptr) ==
          CL_SUCCESS);
  write(kFirst);
  CHECK(host.finished() == "");
}

TEST_CASE("transfers beside each other and beside maps") {
  Unordered host;
  std::array<cl_uint, kItems> numbers{};
  const cl_mem out = host.buffer();
  const auto fill = [&](cl_command_queue on, std::size_t offset, std::size_t size) {
    const cl_uint zero = 0;
    REQUIRE(clEnqueueFillBuffer(on, out, &zero, sizeof zero, offset, size, 0, nullptr, nullptr) ==
            CL_SUCCESS);
  };
  const auto read = [&](std::size_t offset, std::size_t size) {
    REQUIRE(clEnqueueReadBuffer(host.second, out, CL_TRUE, offset, size, numbers.data(), 0, nullptr,
                                nullptr) == CL_SUCCESS);
  };
  SUBCASE("of two queues") {
    fill(host.queue, 0, 128);
    Unordered::settle(host.queue);
    read(128, 128);
    CHECK(host.finished() == "");
    fill(host.queue, 0, 128);
    Unordered::settle(host.queue);
    read(0, kBytes);
    CHECK(host.finished() == kRace);
  }
  SUBCASE("that both read") {
    REQUIRE(clEnqueueReadBuffer(host.queue, out, CL_FALSE, 0, kBytes, numbers.data(), 0, nullptr,
                                nullptr) == CL_SUCCESS);
    Unordered::settle(host.queue);
    read(0, kBytes);
    CHECK(host.finished() == "");
  }
  SUBCASE("of what the host has mapped") {
    cl_int code = 0;
    void* const mapped = clEnqueueMapBuffer(host.queue, out, CL_TRUE, CL_MAP_READ, 0, 128, 0,
                                            nullptr, nullptr, &code);
    REQUIRE(code == CL_SUCCESS);
    read(0, kBytes);
    fill(host.queue, 128, 128);
    CHECK(host.finished() == "");
    fill(host.queue, 64, 128);
    CHECK(host.finished() == kMapped);
    REQUIRE(clEnqueueUnmapMemObject(host.queue, out, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
    fill(host.queue, 64, 128);
    CHECK(host.finished() == "");
  }
}

TEST_CASE("commands on shared virtual memory") {
  Unordered host;
  auto* const shared = static_cast<cl_uint*>(clSVMAlloc(host.context, 0, kBytes, 0));
  auto* const other = static_cast<cl_uint*>(clSVMAlloc(host.context, 0, kBytes, 0));
  REQUIRE((shared != nullptr && other != nullptr));
  const std::size_t items = kItems;
  const cl_kernel number = host.kernel(host.program, "number");
  const cl_kernel count = host.kernel(host.program, "count_apart");
  const auto launch = [&](cl_command_queue on, cl_kernel kernel) {
    REQUIRE(clSetKernelArgSVMPointer(kernel, 0, shared) == CL_SUCCESS);
    REQUIRE(clEnqueueNDRangeKernel(on, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr) ==
            CL_SUCCESS);
  };
  const auto fill = [&](cl_uint* to) {
    const cl_uint zero = 0;
    REQUIRE(clEnqueueSVMMemFill(host.second, to, &zero, sizeof zero, kBytes, 0, nullptr, nullptr) ==
            CL_SUCCESS);
  };
  SUBCASE("fills") {
    launch(host.queue, number);
    Unordered::settle(host.queue);
    fill(other);
    CHECK(host.finished() == "");
    launch(host.queue, number);
    Unordered::settle(host.queue);
    fill(shared);
    CHECK(host.finished() == kRace);
  }
  SUBCASE("copies") {
    launch(host.queue, number);
    Unordered::settle(host.queue);
    REQUIRE(clEnqueueSVMMemcpy(host.second, CL_TRUE, other, shared, kBytes, 0, nullptr, nullptr) ==
            CL_SUCCESS);
    CHECK(host.finished() == kRace);
  }
  SUBCASE("kernels whose atomics are elsewhere") {
    for (const cl_command_queue on : {host.queue, host.second}) {
      const cl_mem counter = host.buffer();
      REQUIRE(clSetKernelArg(count, 1, sizeof counter, &counter) == CL_SUCCESS);
      launch(on, count);
    }
    CHECK(host.finished() == kRace);
  }
  SUBCASE("kernels that may order themselves by atomics that they share") {
    for (const cl_command_queue on : {host.queue, host.second}) {
      REQUIRE(clSetKernelArgSVMPointer(count, 1, other) == CL_SUCCESS);
      launch(on, count);
    }
    CHECK(host.finished() == "");
  }
  clReleaseKernel(number);
  clReleaseKernel(count);
  clSVMFree(host.context, shared);
  clSVMFree(host.context, other);
}

TEST_CASE("commands that are forgotten, for there are too many") {
  Unordered host;
  const auto start_many = [&](cl_command_queue on, int count) {
    for (int i = 0; i < count; ++i) host.start(on, "number", {host.buffer()});
    REQUIRE(clFlush(on) == CL_SUCCESS);
  };
  SUBCASE("and that nothing orders with a later one: it is told once") {
    start_many(host.any_order, 600);
    CHECK(host.finished() == kGaveUp);
    start_many(host.any_order, 600);
    CHECK(host.finished() == "");
  }
  SUBCASE("and that later ones are behind, by their queue") {
    start_many(host.queue, 600);
    CHECK(host.finished() == "");
  }
  SUBCASE("and that later ones are behind, by the host") {
    for (int i = 0; i < 4; ++i) {
      start_many(host.any_order, 300);
      REQUIRE(clFinish(host.any_order) == CL_SUCCESS);
    }
    CHECK(host.finished() == "");
  }
  SUBCASE("and that later ones of another queue are not behind") {
    start_many(host.queue, 600);
    Unordered::settle(host.queue);
    start_many(host.second, 1);
    CHECK(host.finished() == kGaveUp);
  }
  SUBCASE("and that later ones of another queue are behind, by a wait list") {
    start_many(host.queue, 600);
    host.start(host.second, "number", {host.buffer()}, {host.events.back()});
    CHECK(host.finished() == "");
  }
  SUBCASE("maps") {
    const cl_mem out = host.buffer();
    for (int i = 0; i < 600; ++i) {
      void* const mapped = clEnqueueMapBuffer(host.second, out, CL_TRUE, CL_MAP_READ, 0, kBytes, 0,
                                              nullptr, nullptr, nullptr);
      REQUIRE(clEnqueueUnmapMemObject(host.second, out, mapped, 0, nullptr, nullptr) == CL_SUCCESS);
    }
    CHECK(host.finished() == "");
    start_many(host.queue, 1);
    CHECK(host.finished() == "");  // the host has waited for all maps
    void* last = nullptr;
    for (int i = 0; i < 5000; ++i)
      last = clEnqueueMapBuffer(host.second, out, CL_FALSE, CL_MAP_READ, 0, kBytes, 0, nullptr,
                                nullptr, nullptr);
    REQUIRE(last != nullptr);
    REQUIRE(clFinish(host.second) == CL_SUCCESS);
    start_many(host.queue, 1);
    CHECK(host.finished() ==
          kGaveUp);  // maps that last: none of these commands is behind their end
    for (int i = 0; i < 5000; ++i)
      REQUIRE(clEnqueueUnmapMemObject(host.second, out, last, 0, nullptr, nullptr) == CL_SUCCESS);
    REQUIRE(clFinish(host.second) == CL_SUCCESS);
  }
}

TEST_CASE("thousands of commands that the host does not wait for") {
  Unordered host;
  const cl_mem out = host.buffer();
  const double start = processor_seconds();
  SUBCASE("by wait lists, all events kept") {
    for (int i = 0; i < kThousands; ++i) {
      const std::vector<cl_event> waits(host.events.end() - (i > 0 ? 1 : 0), host.events.end());
      host.start(host.any_order, "number", {out}, waits, 1);
      if (i % 100 == 99) REQUIRE(clFlush(host.any_order) == CL_SUCCESS);
    }
    CHECK(host.finished() == "");
  }
  SUBCASE("maps and the end of each") {
    for (int i = 0; i < kThousands; ++i) {
      void* const mapped = clEnqueueMapBuffer(host.any_order, out, CL_TRUE, CL_MAP_READ, 0, kBytes,
                                              0, nullptr, nullptr, nullptr);
      REQUIRE(clEnqueueUnmapMemObject(host.any_order, out, mapped, 0, nullptr, nullptr) ==
              CL_SUCCESS);
      REQUIRE(clFlush(host.any_order) == CL_SUCCESS);
    }
    CHECK(host.finished() == "");
  }
  CHECK(processor_seconds() - start < kLongSeconds);
}

}  // namespace transpire::test
