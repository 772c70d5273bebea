// Which commands are before which, for who looks for races between them: TRANSPIRE_CL_CHECK is race.
#include <thread>

#include "tests/opencl/checked.h"
#include "tests/patience.h"
#include "tests/sanitized.h"

namespace transpire::test::checks_order_tests {
namespace {

constexpr const char* kRace = "TSP-R0102";
constexpr const char* kMapped = "TSP-R0104";
constexpr const char* kGaveUp = "TSP-L0010";
/// Processor time, far more than it takes and far less than it took when each command looked at all before it.
constexpr double kLongSeconds = 100;
constexpr int kThousands = kSanitized ? 2000 : 8000;

void queued(cl_int code) { REQUIRE(code == CL_SUCCESS); }
void nothing(void*) {}

constexpr std::size_t kFirst[] = {0, 0, 0}, kSecond[] = {0, 1, 0}, kRow[] = {kItems, 1, 1};

/// With an image of four rows of texels that kernels of tests/opencl/checked.h write and read.
struct WithImage : Unordered {
  cl_mem image = image_of(CL_UNSIGNED_INT32);
  std::size_t pitch = 0;

  cl_mem image_of(cl_channel_type type) {
    const cl_image_format format{CL_RGBA, type};
    cl_image_desc desc{};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = kItems;
    desc.image_height = 4;
    made.push_back(clCreateImage(context, 0, &format, &desc, nullptr, nullptr));
    REQUIRE(made.back() != nullptr);
    return made.back();
  }
  /// Rules of the findings of a command beside a kernel that has written all texels of the first row.
  template <class Command>
  std::string beside(const Command& command) {
    settled("texels", {image});
    queued(command());
    return finished();
  }
  /// The command touches the second row, which is no race, and the first one.
  template <class Command>
  void expect_race_in_first(const Command& command) {
    CHECK(beside([&] { return command(kSecond); }) == "");
    CHECK(beside([&] { return command(kFirst); }) == kRace);
  }
  void* map_image(const std::size_t* region) {
    void* const mapped = clEnqueueMapImage(second, image, CL_TRUE, CL_MAP_READ, kFirst, region,
                                           &pitch, nullptr, 0, nullptr, nullptr, nullptr);
    REQUIRE(mapped != nullptr);
    return mapped;
  }
  cl_int write_image(const std::size_t* origin, const std::size_t* region) const {
    return issue(clEnqueueWriteImage, second, image, CL_TRUE, origin, region, 0, 0, numbers.data());
  }
};

TEST_CASE("the host orders through commands that wait for it") {
  Unordered host;
  const cl_mem out = host.out;
  const cl_event go = host.user_event();
  const auto complete = [&] { return clSetUserEventStatus(go, CL_COMPLETE); };
  SUBCASE("a barrier that waits for a user event") {
    queued(clEnqueueBarrierWithWaitList(host.any_order, 1, &go, nullptr));
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
  const cl_mem out = host.out;
  SUBCASE("a user event") {
    const cl_event go = host.user_event();
    host.start(host.second, "number", {out}, {go});
    REQUIRE(clFlush(host.second) == CL_SUCCESS);
    host.start(host.queue, "number", {out});
    enqueue_call(host.queue, [=] { clSetUserEventStatus(go, CL_COMPLETE); });
  }
  SUBCASE("a command that it enqueues") {
    host.start(host.queue, "number", {out});
    enqueue_call(host.queue, [&] { host.start(host.second, "number", {out}); });
    REQUIRE(clFinish(host.queue) == CL_SUCCESS);
  }
  CHECK(host.finished() == "");
}

TEST_CASE("a race is told once for each program") {
  Unordered host;
  const auto race = [&] {
    host.start(host.queue, "number", {host.out});
    host.start(host.second, "number", {host.out});
    return host.finished();
  };
  CHECK(race() == kRace);
  CHECK(race() == "");
  const Program first = std::exchange(host.program, host.built(kKernels));
  CHECK(race() == kRace);
}

TEST_CASE("queues and buffers that are gone") {
  Unordered host;
  SUBCASE("another queue in the place of one") {
    Queue gone = make_queue(host.context);
    const cl_command_queue place = gone;
    host.start(gone, "number", {host.out});
    Unordered::settle(gone);
    host.events.clear();
    gone.drop();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until its last command lets go
    std::vector<Queue> made;
    do made.emplace_back(make_queue(host.context));
    while (made.back() != place && made.size() < 32);
    const cl_event later = host.start(made.back(), "number", {host.buffer()});
    host.start(host.second, "number", {host.out}, {later});
    CHECK(host.finished() == kRace);
  }
  SUBCASE("one of two buffers of the same host memory") {
    const cl_mem kept = host.buffer(CL_MEM_USE_HOST_PTR, host.numbers.data());
    host.settled("number", {kept});
    host.buffer(CL_MEM_USE_HOST_PTR, host.numbers.data());
    host.made.pop_back();
    host.start(host.second, "number", {kept});
    CHECK(host.finished() == kRace);
  }
}

TEST_CASE("transfers beside kernels") {
  Unordered host;
  const cl_mem out = host.out, other = host.buffer();
  cl_uint* const numbers = host.numbers.data();
  const std::size_t start[] = {0, 0, 0}, row[] = {64, 1, 1}, column[] = {64, 2, 1};
  const std::size_t narrow[] = {16, 1, 2};
  const cl_mem written = host.part(out, 128, 128);  // rows 2 and 3 of 4
  const auto launch = [&] { host.settled("number", {written}, 32); };
  launch();
  SUBCASE("rectangles that are read") {
    queued(issue(clEnqueueReadBufferRect, host.second, out, CL_TRUE, start, start, column, 64, 0,
                 64, 0, numbers));
    CHECK(host.finished() == "");
    launch();
    const std::size_t last[] = {32, 3, 0}, part[] = {16, 1, 1};
    queued(issue(clEnqueueReadBufferRect, host.second, out, CL_TRUE, last, start, part, 64, 0, 16,
                 0, numbers));
    CHECK(host.finished() == kRace);
  }
  SUBCASE("rectangles that are written, row by row") {
    queued(issue(clEnqueueWriteBufferRect, host.second, out, CL_TRUE, start, start, narrow, 16, 240,
                 16, 16, numbers));
    CHECK(host.finished() == kRace);  // bytes 240 to 255
  }
  SUBCASE("between the rows is no race") {
    queued(issue(clEnqueueWriteBufferRect, host.second, host.part(out, 0, 128), CL_TRUE, start,
                 start, narrow, 16, 112, 16, 16, numbers));
    CHECK(host.finished() == "");
  }
  SUBCASE("rectangles that are copied") {
    const std::size_t third[] = {0, 2, 0};
    const auto copy_to = [&](const std::size_t* origin) {
      queued(issue(clEnqueueCopyBufferRect, host.second, other, out, start, origin, row, 64, 0, 64,
                   0));
    };
    copy_to(start);
    CHECK(host.finished() == "");
    launch();
    copy_to(third);
    CHECK(host.finished() == kRace);
  }
  SUBCASE("buffers of native kernels") {
    const void *place = nullptr, *places[] = {&place};
    const auto call_with = [&](cl_mem memory) {
      queued(issue(clEnqueueNativeKernel, host.second, nothing, &place, sizeof place, 1, &memory,
                   places));
    };
    call_with(other);
    CHECK(host.finished() == "");
    launch();
    call_with(out);
    CHECK(host.finished() == kRace);
  }
}

TEST_CASE("texels that kernels write and read") {
  WithImage host;
  const cl_mem image = host.image;
  const auto beside = [&](const char* name, std::vector<cl_mem> arguments,
                          const Waits& waits = {}) {
    host.start(host.second, name, arguments, waits);
    return host.finished();
  };
  host.settled("texels", {image});
  SUBCASE("that are the same") { CHECK(beside("texels", {image}) == kRace); }
  SUBCASE("of other rows") { CHECK(beside("texels_below", {image}) == ""); }
  SUBCASE("of another image") { CHECK(beside("texels", {host.image_of(CL_UNSIGNED_INT32)}) == ""); }
  SUBCASE("that are read without a sampler") {
    CHECK(beside("pick", {image, host.buffer()}) == kRace);
  }
  SUBCASE("that are read with a sampler") {
    CHECK(beside("pick_near", {image, host.buffer()}) == kRace);
  }
  SUBCASE("of which others are read") {
    host.start(host.second, "texels_below", {image});
    Unordered::settle(host.second);
    CHECK(host.finished() == "");
    host.settled("texels_below", {image});
    CHECK(beside("pick_near", {image, host.buffer()}) == "");
  }
  SUBCASE("that are read behind the writer") {
    CHECK(beside("pick", {image, host.buffer()}, {host.events.back()}) == "");
  }
}

TEST_CASE("texels that a sampler blends") {
  WithImage host;
  const cl_mem image = host.image_of(CL_UNORM_INT8);
  for (const auto& [name, rule] : {std::pair{"blend_below", ""}, {"blend", kRace}}) {
    INFO(std::string(name));  // beside the row that is written, and of it
    host.settled("shade", {image});
    host.start(host.second, name, {image, host.buffer()});
    CHECK(host.finished() == rule);
  }
}

TEST_CASE("transfers of images beside kernels") {
  WithImage host;
  const cl_mem image = host.image, other = host.image_of(CL_UNSIGNED_INT32);
  const cl_command_queue q = host.second;
  const auto copy = [&](cl_mem from, cl_mem to, const std::size_t* origin) {
    return issue(clEnqueueCopyImage, q, from, to, origin, origin, kRow);
  };
  SUBCASE("reads and writes") {
    host.expect_race_in_first([&](const std::size_t* origin) {
      return issue(clEnqueueReadImage, q, image, CL_TRUE, origin, kRow, 0, 0, host.numbers.data());
    });
    host.expect_race_in_first(
        [&](const std::size_t* origin) { return host.write_image(origin, kRow); });
  }
  SUBCASE("fills") {
    const cl_uint4 color{};
    host.expect_race_in_first([&](const std::size_t* origin) {
      return issue(clEnqueueFillImage, q, image, &color, origin, kRow);
    });
  }
  SUBCASE("copies from one") {
    host.expect_race_in_first(
        [&](const std::size_t* origin) { return copy(image, other, origin); });
  }
  SUBCASE("copies to one") {
    host.expect_race_in_first(
        [&](const std::size_t* origin) { return copy(other, image, origin); });
  }
  SUBCASE("copies to and from buffers") {
    const std::size_t few[] = {kItems / 4, 1, 1};
    CHECK(host.beside([&] {
      return issue(clEnqueueCopyImageToBuffer, q, image, host.out, kFirst, few, 0);
    }) == kRace);
    host.expect_race_in_first([&](const std::size_t* origin) {
      return issue(clEnqueueCopyBufferToImage, q, host.out, image, 0, origin, few);
    });
  }
}

TEST_CASE("maps of an image's rows beside kernels and transfers") {
  WithImage host;
  const std::size_t half[] = {kItems / 2, 2, 1}, right[] = {kItems / 2, 0, 0};
  host.settled("texels", {host.image});
  CHECK(host.finished() == "");
  void* mapped = nullptr;
  SUBCASE("kernels") {
    mapped = host.map_image(kRow);
    host.start(host.queue, "texels_below", {host.image});
    CHECK(host.finished() == "");
    host.start(host.queue, "texels", {host.image});
    CHECK(host.finished() == kMapped);
  }
  SUBCASE("kernels, of parts of rows") {
    mapped = host.map_image(half);
    host.start(host.queue, "texels_below", {host.image});
    CHECK(host.finished() == kMapped);
  }
  SUBCASE("transfers to the other parts") {
    mapped = host.map_image(half);
    queued(host.write_image(right, half));
    CHECK(host.finished() == "");
    queued(host.write_image(kFirst, half));
    CHECK(host.finished() == kMapped);
  }
  Unordered::unmap(host.second, host.image, mapped);
  queued(host.write_image(kFirst, half));
  CHECK(host.finished() == "");
}

TEST_CASE("transfers beside each other and beside maps") {
  Unordered host;
  const cl_mem out = host.out;
  const auto fill = [&](std::size_t offset, std::size_t size) {
    const cl_uint zero = 0;
    queued(issue(clEnqueueFillBuffer, host.queue, out, &zero, sizeof zero, offset, size));
  };
  const auto read = [&](cl_command_queue on, cl_bool blocking, std::size_t offset,
                        std::size_t size) {
    queued(issue(clEnqueueReadBuffer, on, out, blocking, offset, size, host.numbers.data()));
  };
  SUBCASE("of two queues") {
    fill(0, 128);
    Unordered::settle(host.queue);
    read(host.second, CL_TRUE, 128, 128);
    CHECK(host.finished() == "");
    fill(0, 128);
    Unordered::settle(host.queue);
    read(host.second, CL_TRUE, 0, kBytes);
    CHECK(host.finished() == kRace);
  }
  SUBCASE("that both read") {
    read(host.queue, CL_FALSE, 0, kBytes);
    Unordered::settle(host.queue);
    read(host.second, CL_TRUE, 0, kBytes);
    CHECK(host.finished() == "");
  }
  SUBCASE("of what the host has mapped") {
    void* const mapped = host.map(host.queue, out, CL_MAP_READ, 0, 128);
    read(host.second, CL_TRUE, 0, kBytes);
    fill(128, 128);
    CHECK(host.finished() == "");
    fill(64, 128);
    CHECK(host.finished() == kMapped);
    Unordered::unmap(host.queue, out, mapped);
    fill(64, 128);
    CHECK(host.finished() == "");
  }
}

TEST_CASE("commands on shared virtual memory") {
  Unordered host;
  auto* const shared = static_cast<cl_uint*>(clSVMAlloc(host.context, 0, kBytes, 0));
  auto* const other = static_cast<cl_uint*>(clSVMAlloc(host.context, 0, kBytes, 0));
  REQUIRE((shared != nullptr && other != nullptr));
  const Kernel number = host.kernel(host.program, "number");
  const Kernel count = host.kernel(host.program, "count_apart");
  const auto launch_settled = [&] {
    set(number, Shared{shared});
    queued(host.enqueue(number, {kItems}));
    Unordered::settle(host.queue);
  };
  const auto count_twice = [&](auto counter) {
    for (const cl_command_queue on : {host.queue, cl_command_queue{host.second}}) {
      set(count, Shared{shared}, counter());
      queued(enqueue(on, count, {kItems}));
    }
    return host.finished();
  };
  const auto fill = [&](cl_uint* to) {
    const cl_uint zero = 0;
    queued(issue(clEnqueueSVMMemFill, host.second, to, &zero, sizeof zero, kBytes));
    return host.finished();
  };
  SUBCASE("fills") {
    launch_settled();
    CHECK(fill(other) == "");
    launch_settled();
    CHECK(fill(shared) == kRace);
  }
  SUBCASE("copies") {
    launch_settled();
    queued(issue(clEnqueueSVMMemcpy, host.second, CL_TRUE, other, shared, kBytes));
    CHECK(host.finished() == kRace);
  }
  SUBCASE("kernels whose atomics are elsewhere") {
    CHECK(count_twice([&] { return host.buffer(); }) == kRace);
  }
  SUBCASE("kernels that may order themselves by atomics that they share") {
    CHECK(count_twice([&] { return Shared{other}; }) == "");
  }
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
    const cl_mem out = host.out;
    for (int i = 0; i < 600; ++i)
      Unordered::unmap(host.second, out, host.map(host.second, out, CL_MAP_READ));
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
    CHECK(host.finished() == kGaveUp);  // these maps last: no command is behind their end
    for (int i = 0; i < 5000; ++i) Unordered::unmap(host.second, out, last);
    REQUIRE(clFinish(host.second) == CL_SUCCESS);
  }
}

TEST_CASE("thousands of commands that the host does not wait for") {
  Unordered host;
  const double start = processor_seconds();
  SUBCASE("by wait lists, all events kept") {
    for (int i = 0; i < kThousands; ++i) {
      const Waits waits(host.events.end() - (i > 0 ? 1 : 0), host.events.end());
      host.start(host.any_order, "number", {host.out}, waits, 1);
      if (i % 100 == 99) REQUIRE(clFlush(host.any_order) == CL_SUCCESS);
    }
  }
  SUBCASE("maps and the end of each") {
    for (int i = 0; i < kThousands; ++i) {
      Unordered::unmap(host.any_order, host.out, host.map(host.any_order, host.out, CL_MAP_READ));
      REQUIRE(clFlush(host.any_order) == CL_SUCCESS);
    }
  }
  CHECK(host.finished() == "");
  CHECK(processor_seconds() - start < kLongSeconds);
}

}  // namespace
}  // namespace transpire::test::checks_order_tests
