// The module of a plan: each file is opened once and its module decoded once, also where constants get other values.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "launch/language/launch_plan.h"
#include "launch/runner/run_plan.h"
#include "runtime/state.h"
#include "tests/launch/support.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::test {
namespace {

namespace fs = std::filesystem;

/// A module of constants %n and %m, by the second of which an array is long.
const std::string kText = shorthand::declare(R"(
OpName %n "n"
OpName %m "m"
OpDecorate %n SpecId 3
OpDecorate %m SpecId 4
%n = OpSpecConstant %uint 5
%m = OpSpecConstant %uint 6
%array = OpTypeArray %uint %m
kernel k()
)");

/// A file, and how often it is opened; removed with the object.
class WatchedFile {
 public:
  WatchedFile(const std::string& name, const std::string& text)
      : path_(fs::temp_directory_path() / fmt::format("{}_{}", getpid(), name)) {
    std::ofstream(path_) << text;
    // Equal events in a row become one, so that closings have to stand between openings.
    REQUIRE(inotify_add_watch(notes_, path_.c_str(), IN_OPEN | IN_CLOSE_NOWRITE) >= 0);
  }
  ~WatchedFile() {
    close(notes_);
    fs::remove(path_);
  }
  WatchedFile(const WatchedFile&) = delete;
  WatchedFile& operator=(const WatchedFile&) = delete;

  std::string path() const { return path_.string(); }
  std::size_t times_opened() const {
    std::array<inotify_event, 64> events{};  // of one file, which have no name
    const ssize_t bytes = read(notes_, events.data(), sizeof events);
    const std::size_t count = bytes < 0 ? 0 : static_cast<std::size_t>(bytes) / sizeof events[0];
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(count),
                      [](const inotify_event& event) { return (event.mask & IN_OPEN) != 0; }));
  }

 private:
  fs::path path_;
  int notes_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
};

/// How many decodings make the plan's module.
std::uint32_t times_decoded(const Result<LaunchPlan>& plan) {
  REQUIRE_MESSAGE(plan.ok(), errors_of(plan));
  const Result<Module> module = load_module(*plan, plan->settings);
  REQUIRE_MESSAGE(module.ok(), errors_of(module));
  CHECK(module->specialisation().size() == plan->specialisation.size());
  return module->state()->module.times_decoded;
}

TEST_CASE("a file is opened once and its module decoded once, whatever values constants get") {
  struct Case {
    const char* values;
    std::uint32_t decodings;
  };
  for (const auto& [values, decodings] :
       {Case{"", 1}, Case{"spec n = 7\n", 1}, Case{"spec 3 = uint:7\n", 1},
        Case{"spec n = 7\nspec m = 6\n", 1}, Case{"spec m = 9\n", 2}}) {
    CAPTURE(std::string(values));
    const WatchedFile module("module.spvasm", kText);
    CHECK(times_decoded(parse_launch_text(
              fmt::format("module {}\n{}global 1\n", module.path(), values), "f.launch")) ==
          decodings);
    CHECK(module.times_opened() == 1);
    std::string lines = fmt::format("global 1\n{}", values);
    for (std::size_t at = 0; at < lines.size(); at = lines.find('\n', at) + 1)
      lines.insert(at, ";! ");
    const WatchedFile with_lines("lines.spvasm", lines + kText);
    CHECK(times_decoded(load_plan(with_lines.path())) == decodings);
    CHECK(with_lines.times_opened() == 1);
  }
}

TEST_CASE("files that are linked are opened once each") {
  const WatchedFile first("first.spvasm", kText);
  const WatchedFile second("second.spvasm",
                           "OpCapability Kernel\nOpCapability Addresses\nOpCapability Linkage\n"
                           "OpMemoryModel Physical64 OpenCL\n");
  CHECK(times_decoded(parse_launch_text(fmt::format("module {}\nmodule {}\nspec n = 7\nglobal 1\n",
                                                    first.path(), second.path()),
                                        "f.launch")) == 1);
  CHECK(first.times_opened() == 1);
  CHECK(second.times_opened() == 1);
}

}  // namespace
}  // namespace transpire::test
