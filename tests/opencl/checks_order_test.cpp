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

TEST_CASE_FIXTURE(Unordered, "the host orders through commands that wait for it") {
  const cl_event go = user_event();
  const auto complete = [&] { return clSetUserEventStatus(go, CL_COMPLETE); };
  SUBCASE("a barrier that waits for a user event") {
    queued(clEnqueueBarrierWithWaitList(any_order, 1, &go, nullptr));
    start(any_order, "number", {out});
    const cl_event first = start(queue, "number", {out});
    REQUIRE(clWaitForEvents(1, &first) == CL_SUCCESS);
    REQUIRE(complete() == CL_SUCCESS);
    CHECK(finished() == "");
  }
  SUBCASE("only the first status that a user event gets") {
    const cl_event first = start(queue, "number", {out});
    start(second, "number", {out}, {go});
    REQUIRE(complete() == CL_SUCCESS);
    REQUIRE(clWaitForEvents(1, &first) == CL_SUCCESS);
    CHECK(complete() == CL_INVALID_OPERATION);
    CHECK(finished() == kRace);
  }
}

TEST_CASE_FIXTURE(Unordered, "what a native kernel calls is behind what it waited for") {
  SUBCASE("a user event") {
    const cl_event go = user_event();
    start(second, "number", {out}, {go});
    REQUIRE(clFlush(second) == CL_SUCCESS);
    start(queue, "number", {out});
    enqueue_call(queue, [=] { clSetUserEventStatus(go, CL_COMPLETE); });
  }
  SUBCASE("a command that it enqueues") {
    start(queue, "number", {out});
    enqueue_call(queue, [&] { start(second, "number", {out}); });
    REQUIRE(clFinish(queue) == CL_SUCCESS);
  }
  CHECK(finished() == "");
}

TEST_CASE_FIXTURE(Unordered, "a race is told once for each program") {
  const auto race = [&] {
    start(queue, "number", {out});
    start(second, "number", {out});
    return finished();
  };
  CHECK(race() == kRace);
  CHECK(race() == "");
  const Program first = std::exchange(program, built(kKernels));
  CHECK(race() == kRace);
}

TEST_CASE_FIXTURE(Unordered, "queues and buffers that are gone") {
  SUBCASE("another queue in the place of one") {
    Queue gone = make_queue(context);
    const cl_command_queue place = gone;
    start(gone, "number", {out});
    Unordered::settle(gone);
    events.clear();
    gone.drop();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until its last command lets go
    std::vector<Queue> made;
    do made.emplace_back(make_queue(context));
    while (made.back() != place && made.size() < 32);
    const cl_event later = start(made.back(), "number", {buffer()});
    start(second, "number", {out}, {later});
    CHECK(finished() == kRace);
  }
  SUBCASE("one of two buffers of the same host memory") {
    const cl_mem kept = buffer(CL_MEM_USE_HOST_PTR, numbers.data());
    settled("number", {kept});
    buffer(CL_MEM_USE_HOST_PTR, numbers.data());
    this->made.pop_back();
    start(second, "number", {kept});
    CHECK(finished() == kRace);
  }
}

TEST_CASE_FIXTURE(Unordered, "transfers beside kernels") {
  const cl_mem other = buffer();
  cl_uint* const numbers = this->numbers.data();
  const std::size_t start[] = {0, 0, 0}, row[] = {64, 1, 1}, column[] = {64, 2, 1};
  const std::size_t narrow[] = {16, 1, 2};
  const cl_mem written = this->part(out, 128, 128);  // rows 2 and 3 of 4
  const auto launch = [&] { settled("number", {written}, 32); };
  launch();
  SUBCASE("rectangles that are read") {
    queued(issue(clEnqueueReadBufferRect, second, out, CL_TRUE, start, start, column, 64, 0, 64, 0,
                 numbers));
    CHECK(finished() == "");
    launch();
    const std::size_t last[] = {32, 3, 0}, part[] = {16, 1, 1};
    queued(issue(clEnqueueReadBufferRect, second, out, CL_TRUE, last, start, part, 64, 0, 16, 0,
                 numbers));
    CHECK(finished() == kRace);
  }
  SUBCASE("rectangles that are written, row by row") {
    queued(issue(clEnqueueWriteBufferRect, second, out, CL_TRUE, start, start, narrow, 16, 240, 16,
                 16, numbers));
    CHECK(finished() == kRace);  // bytes 240 to 255
  }
  SUBCASE("between the rows is no race") {
    queued(issue(clEnqueueWriteBufferRect, second, this->part(out, 0, 128), CL_TRUE, start, start,
                 narrow, 16, 112, 16, 16, numbers));
    CHECK(finished() == "");
  }
  SUBCASE("rectangles that are copied") {
    const std::size_t third[] = {0, 2, 0};
    const auto copy_to = [&](const std::size_t* origin) {
      queued(issue(clEnqueueCopyBufferRect, second, other, out, start, origin, row, 64, 0, 64, 0));
    };
    copy_to(start);
    CHECK(finished() == "");
    launch();
    copy_to(third);
    CHECK(finished() == kRace);
  }
  SUBCASE("buffers of native kernels") {
    const void *place = nullptr, *places[] = {&place};
    const auto call_with = [&](cl_mem memory) {
      queued(
          issue(clEnqueueNativeKernel, second, nothing, &place, sizeof place, 1, &memory, places));
    };
    call_with(other);
    CHECK(finished() == "");
    launch();
    call_with(out);
    CHECK(finished() == kRace);
  }
}

TEST_CASE_FIXTURE(WithImage, "texels that kernels write and read") {
  const auto beside = [&](const char* name, std::vector<cl_mem> arguments,
                          const Waits& waits = {}) {
    start(second, name, arguments, waits);
    return finished();
  };
  settled("texels", {image});
  SUBCASE("that are the same") { CHECK(beside("texels", {image}) == kRace); }
  SUBCASE("of other rows") { CHECK(beside("texels_below", {image}) == ""); }
  SUBCASE("of another image") { CHECK(beside("texels", {image_of(CL_UNSIGNED_INT32)}) == ""); }
  SUBCASE("that are read without a sampler") { CHECK(beside("pick", {image, buffer()}) == kRace); }
  SUBCASE("that are read with a sampler") {
    CHECK(beside("pick_near", {image, buffer()}) == kRace);
  }
  SUBCASE("of which others are read") {
    start(second, "texels_below", {image});
    Unordered::settle(second);
    CHECK(finished() == "");
    settled("texels_below", {image});
    CHECK(beside("pick_near", {image, buffer()}) == "");
  }
  SUBCASE("that are read behind the writer") {
    CHECK(beside("pick", {image, buffer()}, {events.back()}) == "");
  }
}

TEST_CASE_FIXTURE(WithImage, "texels that a sampler blends") {
  const cl_mem image = image_of(CL_UNORM_INT8);
  for (const auto& [name, rule] : {std::pair{"blend_below", ""}, {"blend", kRace}}) {
    INFO(std::string(name));  // beside the row that is written, and of it
    settled("shade", {image});
    start(second, name, {image, buffer()});
    CHECK(finished() == rule);
  }
}

TEST_CASE_FIXTURE(WithImage, "transfers of images beside kernels") {
  const cl_mem other = image_of(CL_UNSIGNED_INT32);
  const cl_command_queue q = second;
  const auto copy = [&](cl_mem from, cl_mem to, const std::size_t* origin) {
    return issue(clEnqueueCopyImage, q, from, to, origin, origin, kRow);
  };
  SUBCASE("reads and writes") {
    expect_race_in_first([&](const std::size_t* origin) {
      return issue(clEnqueueReadImage, q, image, CL_TRUE, origin, kRow, 0, 0, numbers.data());
    });
    expect_race_in_first([&](const std::size_t* origin) { return write_image(origin, kRow); });
  }
  SUBCASE("fills") {
    const cl_uint4 color{};
    expect_race_in_first([&](const std::size_t* origin) {
      return issue(clEnqueueFillImage, q, image, &color, origin, kRow);
    });
  }
  SUBCASE("copies from one") {
    expect_race_in_first([&](const std::size_t* origin) { return copy(image, other, origin); });
  }
  SUBCASE("copies to one") {
    expect_race_in_first([&](const std::size_t* origin) { return copy(other, image, origin); });
  }
  SUBCASE("copies to and from buffers") {
    const std::size_t few[] = {kItems / 4, 1, 1};
    CHECK(beside([&] {
            return issue(clEnqueueCopyImageToBuffer, q, image, out, kFirst, few, 0);
          }) == kRace);
    expect_race_in_first([&](const std::size_t* origin) {
      return issue(clEnqueueCopyBufferToImage, q, out, image, 0, origin, few);
    });
  }
}

TEST_CASE_FIXTURE(WithImage, "maps of an image's rows beside kernels and transfers") {
  const std::size_t half[] = {kItems / 2, 2, 1}, right[] = {kItems / 2, 0, 0};
  settled("texels", {image});
  CHECK(finished() == "");
  void* mapped = nullptr;
  SUBCASE("kernels") {
    mapped = map_image(kRow);
    start(queue, "texels_below", {image});
    CHECK(finished() == "");
    start(queue, "texels", {image});
    CHECK(finished() == kMapped);
  }
  SUBCASE("kernels, of parts of rows") {
    mapped = map_image(half);
    start(queue, "texels_below", {image});
    CHECK(finished() == kMapped);
  }
  SUBCASE("transfers to the other parts") {
    mapped = map_image(half);
    queued(write_image(right, half));
    CHECK(finished() == "");
    queued(write_image(kFirst, half));
    CHECK(finished() == kMapped);
  }
  Unordered::unmap(second, image, mapped);
  queued(write_image(kFirst, half));
  CHECK(finished() == "");
}

TEST_CASE_FIXTURE(Unordered, "transfers beside each other and beside maps") {
  const auto fill = [&](std::size_t offset, std::size_t size) {
    const cl_uint zero = 0;
    queued(issue(clEnqueueFillBuffer, queue, out, &zero, sizeof zero, offset, size));
  };
  const auto read = [&](cl_command_queue on, cl_bool blocking, std::size_t offset,
                        std::size_t size) {
    queued(issue(clEnqueueReadBuffer, on, out, blocking, offset, size, numbers.data()));
  };
  SUBCASE("of two queues") {
    fill(0, 128);
    Unordered::settle(queue);
    read(second, CL_TRUE, 128, 128);
    CHECK(finished() == "");
    fill(0, 128);
    Unordered::settle(queue);
    read(second, CL_TRUE, 0, kBytes);
    CHECK(finished() == kRace);
  }
  SUBCASE("that both read") {
    read(queue, CL_FALSE, 0, kBytes);
    Unordered::settle(queue);
    read(second, CL_TRUE, 0, kBytes);
    CHECK(finished() == "");
  }
  SUBCASE("of what the host has mapped") {
    void* const mapped = map(queue, out, CL_MAP_READ, 0, 128);
    read(second, CL_TRUE, 0, kBytes);
    fill(128, 128);
    CHECK(finished() == "");
    fill(64, 128);
    CHECK(finished() == kMapped);
    Unordered::unmap(queue, out, mapped);
    fill(64, 128);
    CHECK(finished() == "");
  }
}

TEST_CASE_FIXTURE(Unordered, "commands on shared virtual memory") {
  auto* const shared = static_cast<cl_uint*>(clSVMAlloc(context, 0, kBytes, 0));
  auto* const other = static_cast<cl_uint*>(clSVMAlloc(context, 0, kBytes, 0));
  REQUIRE((shared != nullptr && other != nullptr));
  const Kernel number = kernel(program, "number");
  const Kernel count = kernel(program, "count_apart");
  const auto launch_settled = [&] {
    set(number, Shared{shared});
    queued(enqueue(number, {kItems}));
    Unordered::settle(queue);
  };
  const auto count_twice = [&](auto counter) {
    for (const cl_command_queue on : {queue, cl_command_queue{second}}) {
      set(count, Shared{shared}, counter());
      queued(test::enqueue(on, count, {kItems}));
    }
    return finished();
  };
  const auto fill = [&](cl_uint* to) {
    const cl_uint zero = 0;
    queued(issue(clEnqueueSVMMemFill, second, to, &zero, sizeof zero, kBytes));
    return finished();
  };
  SUBCASE("fills") {
    launch_settled();
    CHECK(fill(other) == "");
    launch_settled();
    CHECK(fill(shared) == kRace);
  }
  SUBCASE("copies") {
    launch_settled();
    queued(issue(clEnqueueSVMMemcpy, second, CL_TRUE, other, shared, kBytes));
    CHECK(finished() == kRace);
  }
  SUBCASE("kernels whose atomics are elsewhere") {
    CHECK(count_twice([&] { return buffer(); }) == kRace);
  }
  SUBCASE("kernels that may order themselves by atomics that they share") {
    CHECK(count_twice([&] { return Shared{other}; }) == "");
  }
  clSVMFree(context, shared);
  clSVMFree(context, other);
}

TEST_CASE_FIXTURE(Unordered, "commands that are forgotten, for there are too many") {
  const auto start_many = [&](cl_command_queue on, int count) {
    for (int i = 0; i < count; ++i) start(on, "number", {buffer()});
    REQUIRE(clFlush(on) == CL_SUCCESS);
  };
  SUBCASE("and that nothing orders with a later one: it is told once") {
    start_many(any_order, 600);
    CHECK(finished() == kGaveUp);
    start_many(any_order, 600);
    CHECK(finished() == "");
  }
  SUBCASE("and that later ones are behind, by their queue") {
    start_many(queue, 600);
    CHECK(finished() == "");
  }
  SUBCASE("and that later ones are behind, by the host") {
    for (int i = 0; i < 4; ++i) {
      start_many(any_order, 300);
      REQUIRE(clFinish(any_order) == CL_SUCCESS);
    }
    CHECK(finished() == "");
  }
  SUBCASE("and that later ones of another queue are not behind") {
    start_many(queue, 600);
    Unordered::settle(queue);
    start_many(second, 1);
    CHECK(finished() == kGaveUp);
  }
  SUBCASE("and that later ones of another queue are behind, by a wait list") {
    start_many(queue, 600);
    start(second, "number", {buffer()}, {events.back()});
    CHECK(finished() == "");
  }
  SUBCASE("maps") {
    for (int i = 0; i < 600; ++i) Unordered::unmap(second, out, map(second, out, CL_MAP_READ));
    CHECK(finished() == "");
    start_many(queue, 1);
    CHECK(finished() == "");  // the host has waited for all maps
    void* last = nullptr;
    for (int i = 0; i < 5000; ++i)
      last = clEnqueueMapBuffer(second, out, CL_FALSE, CL_MAP_READ, 0, kBytes, 0, nullptr, nullptr,
                                nullptr);
    REQUIRE(last != nullptr);
    REQUIRE(clFinish(second) == CL_SUCCESS);
    start_many(queue, 1);
    CHECK(finished() == kGaveUp);  // these maps last: no command is behind their end
    for (int i = 0; i < 5000; ++i) Unordered::unmap(second, out, last);
    REQUIRE(clFinish(second) == CL_SUCCESS);
  }
}

TEST_CASE_FIXTURE(Unordered, "thousands of commands that the host does not wait for") {
  const double start = processor_seconds();
  SUBCASE("by wait lists, all events kept") {
    for (int i = 0; i < kThousands; ++i) {
      const Waits waits(events.end() - (i > 0 ? 1 : 0), events.end());
      this->start(any_order, "number", {out}, waits, 1);
      if (i % 100 == 99) REQUIRE(clFlush(any_order) == CL_SUCCESS);
    }
  }
  SUBCASE("maps and the end of each") {
    for (int i = 0; i < kThousands; ++i) {
      Unordered::unmap(any_order, out, map(any_order, out, CL_MAP_READ));
      REQUIRE(clFlush(any_order) == CL_SUCCESS);
    }
  }
  CHECK(finished() == "");
  CHECK(processor_seconds() - start < kLongSeconds);
}

}  // namespace
}  // namespace transpire::test::checks_order_tests
