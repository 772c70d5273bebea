// Limits of time and memory before the first instruction: reading, compiling, decoding, validating
// and lowering end with their rules.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "tests/runtime/support.h"
#include "transpire/transpire.h"
#include "transpire/validate.hpp"

namespace transpire::test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double kSoon = 60;   ///< what it is a bound of would hang for good
constexpr double kNow = 1e-9;  ///< over before it begins

/// A pipe that somebody keeps open and nobody writes to.
class SilentPipe {
 public:
  SilentPipe() : path_(TemporaryFile(".spv", "").path()) {
    REQUIRE(mkfifo(path_.c_str(), 0600) == 0);
    writer_ = std::fopen(path_.c_str(), "r+");
    REQUIRE(writer_ != nullptr);
  }
  ~SilentPipe() {
    std::fclose(writer_);
    unlink(path_.c_str());
  }
  SilentPipe(const SilentPipe&) = delete;
  SilentPipe& operator=(const SilentPipe&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::FILE* writer_ = nullptr;
};

/// A module of so many constants that are the same.
std::vector<std::byte> large_module(std::uint32_t constants) {
  std::vector<std::uint32_t> words{0x07230203, 0x00010000, 0, constants + 8, 0};
  const auto add = [&words](std::initializer_list<std::uint32_t> all) {
    words.insert(words.end(), all);
  };
  add({2 << 16 | 17, 4});
  add({2 << 16 | 17, 6});
  add({3 << 16 | 14, 2, 2});
  add({4 << 16 | 21, 1, 32, 0});
  for (std::uint32_t i = 0; i < constants; ++i) add({4 << 16 | 43, 1, 2 + i, 7});
  const auto bytes = std::as_bytes(std::span(words));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

TEST_CASE("loading ends at its time limit") {
  const std::vector<std::byte> module = large_module(1000);
  LoadOptions options;
  CHECK(Module::load(module, options).ok());
  options.timeout_seconds = kNow;
  CHECK(error_of(Module::load(module, options)) ==
        "TSP-L0002: the time limit was reached while the module was read");
  options.timeout_seconds = 3600;
  CHECK(Module::load(module, options).ok());
}

TEST_CASE("assembly text counts as loading") {
  LoadOptions options;
  options.timeout_seconds = kNow;
  const auto module = Module::load(std::as_bytes(std::span(kSaxpy)), options);
  REQUIRE_FALSE(module.ok());
  CHECK(module.errors()[0].rule == "TSP-L0002");
}

TEST_CASE("a file that never comes ends at the time limit") {
  const SilentPipe pipe;
  LoadOptions options;
  options.timeout_seconds = 0.05;
  const Clock::time_point start = Clock::now();
  const auto module = Module::load_file(pipe.path(), options);
  REQUIRE_FALSE(module.ok());
  CHECK(module.errors()[0].rule == "TSP-L0002");
  CHECK(module.errors()[0].message ==
        "the time limit was reached while '" + pipe.path() + "' was read");
  ValidateOptions validation;
  validation.timeout_seconds = 0.05;
  const auto validated = validate_file(pipe.path(), validation);
  REQUIRE_FALSE(validated.ok());
  CHECK(validated.errors()[0].rule == "TSP-L0002");
  CHECK(seconds_since(start) < kSoon);
}

TEST_CASE("a file is no larger than its limit") {
  LoadOptions options;
  options.max_file_bytes = 100;
  const TemporaryFile file(".spvasm", std::string(101, ' '));
  CHECK(error_of(Module::load_file(file.path(), options)) ==
        "TSP-L0004: '" + file.path() + "' has more bytes than the limit of 100");
  CHECK(error_of(Module::load_file("/dev/zero", options)) ==
        "TSP-L0004: '/dev/zero' has more bytes than the limit of 100");
  options.max_file_bytes = 101;
  CHECK(error_of(Module::load_file(file.path(), options)).substr(0, 9) != "TSP-L0004");
}

TEST_CASE("a compiler that takes long is ended") {
  if (!can_compile_source()) return;
  const TemporaryFile file(".cl", "kernel void k(global int* a) { a[0] = 1; }");
  LoadOptions options;
  options.timeout_seconds = 0.002;
  const Clock::time_point start = Clock::now();
  CHECK(error_of(Module::load_file(file.path(), options)) ==
        "TSP-L0002: the time limit was reached while OpenCL C was compiled");
  CHECK(seconds_since(start) < kSoon);
}

TEST_CASE("validation ends at its time limit") {
  ValidateOptions options;
  options.timeout_seconds = kNow;
  const auto validation = validate(large_module(1000), options);
  REQUIRE_FALSE(validation.ok());
  CHECK(error_of(validation) ==
        "TSP-L0002: the time limit was reached while the module was validated");
}

TEST_CASE("a launch's time limit holds for lowering") {
  // Some hundred thousand additions that depend on each other.
  std::string text{kSaxpy};
  std::string additions;
  for (int i = 0; i < 50'000; ++i)
    additions +=
        fmt::format("%s{} = OpFAdd %float %{} %vx\n", i, i == 0 ? "vy" : fmt::format("s{}", i - 1));
  text.insert(text.find("               OpStore"), additions);
  const Module module = load(text);
  for (const std::string& isa : supported_isas()) {
    Launch launch = make_launch(module, "saxpy", 1, 1,
                                {Argument::buffer(make_buffer(64)),
                                 Argument::buffer(make_buffer(64)), Argument::value(1.0f)});
    launch.reference = true;  // nothing goes away
    launch.limits.timeout_seconds = 0.001;
    const Clock::time_point start = Clock::now();
    const auto result = make_device(1, isa).run(launch);
    CHECK(seconds_since(start) < kSoon);
    if (result)
      CHECK(result->end == LaunchResult::End::kTimeLimit);
    else
      CHECK(error_of(result) ==
            "TSP-L0002: the time limit was reached while the kernel was lowered");
  }
}

TEST_CASE("the C interface's options have the limits, and are good without them") {
  const std::vector<std::byte> bytes = large_module(1000);
  transpire_load_options options{};
  options.struct_size = sizeof options;
  options.timeout_milliseconds = 3'600'000;
  transpire_module* module = nullptr;
  CHECK(transpire_module_load(bytes.data(), bytes.size(), &options, &module, nullptr) ==
        TRANSPIRE_OK);
  transpire_module_release(module);
  options.max_file_bytes = 100;
  transpire_error* error = nullptr;
  CHECK(transpire_module_load_file("/dev/zero", &options, &module, &error) ==
        TRANSPIRE_OUT_OF_MEMORY);
  CHECK(std::string(transpire_error_text(error)).find("TSP-L0004") != std::string::npos);
  transpire_error_release(error);
  // A program that was compiled before they were there: what lies behind its options is no option.
  options.struct_size = offsetof(transpire_load_options, timeout_milliseconds);
  options.timeout_milliseconds = 0;
  CHECK(transpire_module_load(bytes.data(), bytes.size(), &options, &module, nullptr) ==
        TRANSPIRE_OK);
  transpire_module_release(module);
  options.struct_size -= 1;
  CHECK(transpire_module_load(bytes.data(), bytes.size(), &options, &module, nullptr) !=
        TRANSPIRE_OK);
}

}  // namespace transpire::test
