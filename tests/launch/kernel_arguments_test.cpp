// Arguments of launches: what stays bound, what the command line replaces, swaps, and names of buffers after them.
#include "launch/runner/kernel_arguments.h"

#include <fmt/format.h>

#include "tests/launch/declared.h"

namespace transpire::test {
namespace {

struct Binding : Declared {
  explicit Binding(const std::string& launches, const std::string& declared = "")
      : Declared(declared), plan(plan_with(declared + launches)) {}

  const LaunchStep& launch(std::size_t index) const {
    return std::get<LaunchStep>(plan.steps[index]);
  }
  std::string bind(std::size_t index) {
    const Status done = arguments.bind(launch(index));
    return done ? "ok" : errors_of(done);
  }
  unsigned first_of(const char* name) const { return elements<unsigned>(view(name)->bytes)[0]; }

  LaunchPlan plan;
  KnownQueues queues;
  std::vector<std::string> begun;
  std::function<void(const std::string&)> begins = [this](const std::string& part) {
    begun.push_back(part);
  };
  KernelArguments arguments{plan, module_of_declared(), queues, buffers, limit, begins};
};

TEST_CASE("arguments stay bound for further launches, and new ones replace them") {
  Binding run(
      "kernel writer\nglobal 1\narg y = uint:fill:1:4\nlaunch\nlaunch\narg y = "
      "uint:fill:2:4\nlaunch\n");
  CHECK(run.arguments.kernel() == nullptr);
  REQUIRE(run.bind(0) == "ok");
  const BoundBufferPointer first = run.arguments.bound()[0].buffer;
  CHECK(run.arguments.kernel()->name == "writer");
  REQUIRE(run.bind(1) == "ok");
  CHECK(run.arguments.bound()[0].buffer == first);
  REQUIRE(run.bind(2) == "ok");
  CHECK(run.first_of("y") == 2);
  CHECK(run.first_of("0") == 2);
  CHECK(run.begun == std::vector<std::string>(2, "setting up argument 'y'"));
}

TEST_CASE("all wrong and missing arguments are told, at their statements") {
  Binding run("kernel two\nglobal 1\narg a = 3\nlaunch\n");
  CHECK(run.bind(0).find("argument 'a': a buffer is expected") != std::string::npos);
  CHECK(run.bind(0).find("--> test.launch:4") != std::string::npos);
  CHECK(run.bind(0).find("argument 1 of kernel 'two' is missing") != std::string::npos);
  Binding twice("kernel writer\nglobal 1\narg y = uint:zero:1\narg 0 = uint:zero:1\nlaunch\n");
  CHECK(twice.bind(0).find("argument 'y' is given twice") != std::string::npos);
  Binding misnamed("kernel writer\nglobal 1\narg x = uint:zero:1\nlaunch\n");
  CHECK(misnamed.bind(0).find("is missing") == std::string::npos);
}

TEST_CASE("arguments of the command line replace those of each launch of the kernel") {
  Binding run("kernel two\nglobal 1\narg a = uint:fill:1:1\narg b = uint:fill:2:1\nlaunch\n");
  run.plan.overriding = {*parse_argument("b", "uint:fill:9:1")};
  REQUIRE(run.bind(0) == "ok");
  CHECK(run.first_of("a") == 1);
  CHECK(run.first_of("b") == 9);
  Binding alone("kernel writer\nglobal 1\nlaunch\n");
  alone.plan.overriding = {*parse_argument("y", "uint:fill:9:1")};
  REQUIRE(alone.bind(0) == "ok");
  CHECK(alone.first_of("y") == 9);
}

TEST_CASE("an argument does not take the name of declared memory, but may be it") {
  const std::string declared = "buffer y = uint:fill:5:1\n";
  Binding other("kernel writer\nglobal 1\narg y = uint:zero:1\nlaunch\n", declared);
  CHECK(other.bind(0).find("there is already one of that name") != std::string::npos);
  Binding same("kernel writer\nglobal 1\narg y = buffer y\nlaunch\n", declared);
  REQUIRE(same.bind(0) == "ok");
  CHECK(same.arguments.bound()[0].buffer == same.buffers.find("y"));
}

TEST_CASE("pointers to shared memory need some") {
  Binding run("kernel writer\nglobal 1\narg y = shared 0x200000000000\nlaunch\n");
  CHECK(run.bind(0).find("is a pointer to shared memory, and there is none") != std::string::npos);
}

TEST_CASE("swaps change the launch at once, and the names when these are kept") {
  Binding run(
      "kernel two\nglobal 1\narg a = uint:fill:1:1\narg b = uint:fill:2:1\nrepeat 3 swap a b\n"
      "launch\n");
  REQUIRE(run.bind(0) == "ok");
  Launch launch(module_of_declared(), "two");
  for (const BoundArgument& each : run.arguments.bound()) launch.arguments.push_back(each.argument);
  const BoundBufferPointer a = run.arguments.bound()[0].buffer;
  REQUIRE(run.arguments.swap(run.launch(0), launch).ok());
  CHECK(run.arguments.bound()[1].buffer == a);
  CHECK(launch.arguments[1].memory->bytes().data() == a->memory.bytes().data());
  CHECK(run.first_of("a") == 1);
  run.arguments.keep_names();
  CHECK(run.first_of("a") == 2);
  CHECK(run.first_of("1") == 1);
}

}  // namespace
}  // namespace transpire::test
