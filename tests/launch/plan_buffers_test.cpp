// The memory of a run: found by name and index, in views, and counted towards the limit of memory.
#include "launch/runner/plan_buffers.h"

#include <fmt/format.h>

#include "tests/launch/declared.h"

namespace transpire::test {
namespace {

BoundBufferPointer zeroed(const std::string& name, std::uint64_t bytes) {
  auto buffer = std::make_shared<BoundBuffer>();
  *buffer = {name, named("uint"), false, *Buffer::create(bytes, name)};
  return buffer;
}

ParameterInfo parameter(const char* name) {
  ParameterInfo info;
  info.name = name;
  return info;
}

TEST_CASE("each byte counts once towards the limit of memory") {
  Declared run("buffer a = uint:zero:100\nbuffer s = buffer a offset 4 size 8\n");
  CHECK(run.buffers.bytes_left() == kDeclarableBytes - 400);
  run.buffers.begin_kernel(2);
  run.buffers.set_argument(0, parameter("x"), run.buffers.find("a"));
  CHECK(run.buffers.bytes_left() == kDeclarableBytes - 400);
  run.buffers.set_argument(1, parameter("y"), zeroed("y", 24));
  CHECK(run.buffers.bytes_left() == kDeclarableBytes - 424);
  CHECK(run.buffers.allowance().max_bytes == kDeclarableBytes - 424);
  run.buffers.set_argument(1, parameter("z"), zeroed("z", 2 * kDeclarableBytes));
  CHECK(run.buffers.bytes_left() == 0);
}

TEST_CASE("a pipe counts with its capacity, once") {
  Declared run("buffer q = pipe uint 16 data:1,2,3\n");
  const std::uint64_t bytes = run.buffers.find("q")->pipe->size_bytes();
  CHECK(run.buffers.bytes_left() == kDeclarableBytes - bytes);
  run.buffers.begin_kernel(1);
  run.buffers.set_argument(0, parameter("p"), run.buffers.find("q"));
  CHECK(run.buffers.bytes_left() == kDeclarableBytes - bytes);
  CHECK(run.buffers.find("q.packets") == run.buffers.find("q")->count);
  CHECK(run.buffers.find("q.packet") == nullptr);
  REQUIRE(run.buffers.look_at_pipes().ok());
  const auto view = run.view("q[1..5]");
  REQUIRE_MESSAGE(view.ok(), errors_of(view));
  CHECK(view->asked == 5);
  CHECK(elements<unsigned>(view->bytes) == std::vector<unsigned>{2, 3});
}

TEST_CASE("arguments are found by name, and by index until the next kernel") {
  Declared run("buffer a = uint:zero:1\n");
  run.buffers.begin_kernel(2);
  run.buffers.set_argument(1, parameter("y"), zeroed("y", 4));
  CHECK(run.buffers.find("1") == run.buffers.find("y"));
  CHECK(run.buffers.find("0") == nullptr);
  CHECK(run.view("1")->name == "y");
  CHECK(run.buffers.is_declared("a"));
  CHECK_FALSE(run.buffers.is_declared("y"));
  CHECK(run.buffers.known().size() == 2);
  run.buffers.set_argument(1, parameter("y"), nullptr);
  CHECK(run.buffers.find("1") == nullptr);
  CHECK(run.buffers.find("y") != nullptr);
  run.buffers.begin_kernel(1);
  CHECK(run.buffers.find("0") == nullptr);
}

TEST_CASE("variables of the module are found by name, with the value that a plan gives them") {
  Declared run("");
  CHECK(elements<unsigned>(run.view("total")->bytes) == std::vector<unsigned>{7});
  Declared set("variable total = 9\n");
  CHECK(elements<unsigned>(set.view("total")->bytes) == std::vector<unsigned>{9});
  CHECK(set.buffers.bytes_left() == kDeclarableBytes - 4);
}

TEST_CASE("a view has the elements that a statement names") {
  Declared run("buffer a = uint:range:0:1:6\n");
  const auto all = run.view("a");
  CHECK(all->count == 6);
  CHECK(all->buffer == run.buffers.find("a"));
  const auto part = run.view("a[2..3]");
  CHECK(part->first == 2);
  CHECK(elements<unsigned>(part->bytes) == std::vector<unsigned>{2, 3});
  CHECK(run.view("a[4..]")->count == 2);
  CHECK(run.view("a", "uint4")->count == 1);
  CHECK(run.view("a[2]", "ulong")->bytes.size() == 8);
  CHECK(error_of(run.view("a[6]")) ==
        "TSP-C0026: 'a[6]' lies outside the buffer, which has 6 elements of uint");
  CHECK(errors_of(run.view("b")) ==
        "error[TSP-C0026]: there is no buffer 'b'\nhelp: the buffers are 'a' and 'total'\n");
}

TEST_CASE("a report has each buffer once, with all names") {
  Declared run("buffer a = uint:fill:5:1\n");
  run.buffers.begin_kernel(1);
  run.buffers.set_argument(0, parameter("x"), run.buffers.find("a"));
  const auto reports = run.buffers.reports({});
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].names == std::vector<std::string>{"a", "x"});
  CHECK(elements<unsigned>(reports[0].bytes) == std::vector<unsigned>{5});
}

TEST_CASE("shared memory begins at its base, or at the megabyte of the lowest address") {
#if defined(__SANITIZE_THREAD__)  // which lets programs have memory in few places
  constexpr std::uint64_t kAddress = 0x4000100000;
#else
  constexpr std::uint64_t kAddress = 0x200000100000;
#endif
  const LaunchPlan plan =
      plan_with(fmt::format("shared a at {:#x} = uint:fill:3:2\nkernel k\nglobal 1\n", kAddress));
  Declared run("");
  CHECK(run.buffers.make_shared({}, {}).ok());
  CHECK_FALSE(run.buffers.shared());
  REQUIRE(run.buffers.make_shared(plan.buffers, {}).ok());
  CHECK(run.buffers.shared()->address() == kAddress - 0x100000);
  CHECK(error_of(run.buffers.declare(plan.buffers[0])) == "ok");
  CHECK(run.buffers.find("a")->memory.bytes().data() == reinterpret_cast<std::byte*>(kAddress));
  CHECK(elements<unsigned>(run.view("a")->bytes) == std::vector<unsigned>{3, 3});
}

}  // namespace
}  // namespace transpire::test
