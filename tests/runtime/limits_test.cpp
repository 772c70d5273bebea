// Limits of time, steps and memory. Before the first instruction: reading, compiling, decoding, validating and lowering end with
// their rules. Within single instructions that take long: limits, and whoever cancels, end them midway.
#include <fmt/format.h>

#include "tests/patience.h"
#include "tests/runtime/support.h"
#include "transpire/transpire.h"
#include "transpire/validate.hpp"
#include "vm/exec/long_work.h"

namespace transpire::test {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double kSoon = 60;   ///< a bound on waits that would never end
constexpr double kNow = 1e-9;  ///< over before it begins

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

TEST_CASE("loading ends at its time limit, of words and of text, and so does validation") {
  const std::vector<std::byte> module = large_module(1000);
  LoadOptions options;
  CHECK(Module::load(module, options).ok());
  options.timeout_seconds = kNow;
  CHECK(error_of(Module::load(module, options)) ==
        "TSP-L0002: the time limit was reached while the module was read");
  CHECK(
      error_of(Module::load(std::as_bytes(std::span(kSaxpy)), options)).starts_with("TSP-L0002: "));
  options.timeout_seconds = 3600;
  CHECK(Module::load(module, options).ok());
  ValidateOptions validation;
  validation.timeout_seconds = kNow;
  CHECK(error_of(validate(module, validation)) ==
        "TSP-L0002: the time limit was reached while the module was validated");
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

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// kernel copy(global uchar* to, global uchar* from, ulong bytes, local uchar* near): each
/// work-item copies the bytes `times` times; or waits for as many asynchronous copies.
constexpr std::string_view kHead =
    "kernel copy(%_ptr_CrossWorkgroup_uchar to from, %ulong bytes, %_ptr_Workgroup_uchar near)\n";

Module copies(int times) {
  std::string text(kHead);
  for (int i = 0; i < times; ++i) text += "OpCopyMemorySized %to %from %bytes Aligned 1\n";
  return load(text + "OpReturn\nOpFunctionEnd\n");
}

/// Reads the same byte so often: a copy whose source does not move.
Module async_copies(bool waits) {
  std::string text = R"(
%event = OpTypeEvent
%nothing = OpConstantNull %event
kernel copy(%_ptr_CrossWorkgroup_uchar to from, %ulong bytes, %_ptr_Workgroup_uchar near)
%e = OpVariable %_ptr_Function_event Function
%made = OpGroupAsyncCopy %event %uint_2 %near %from %bytes %ulong_0 %nothing
)";
  if (waits) text += "OpStore %e %made\nOpGroupWaitEvents %uint_2 %uint_1 %e\n";
  return load(text + "OpReturn\nOpFunctionEnd\n");
}

Launch launch_of(const Module& module, std::uint64_t items, std::uint64_t buffer_bytes,
                 std::uint64_t bytes) {
  return make_launch(module, "copy", items, items, make_buffer(buffer_bytes),
                     make_buffer(buffer_bytes), bytes, Argument::local(16));
}

/// kernel copy(pipe, global uchar* memory): a work-group reserves the one packet, of `bytes`, and each of its work-items
/// reads it or writes it `times` times.
Module transfers(bool reads, std::uint64_t bytes, int times) {
  const std::string_view access = reads ? "ReadOnly" : "WriteOnly", verb = reads ? "Read" : "Write";
  std::string text = fmt::format(R"(
OpCapability Pipes Groups
%pipe = OpTypePipe {0}
%id = OpTypeReserveId
kernel copy(%pipe p, %_ptr_CrossWorkgroup_uchar memory)
%r = OpGroupReserve{2}PipePackets %id %uint_2 %p %uint_1 %uint_{1} %uint_1
)",
                                 access, bytes, verb);
  for (int i = 0; i < times; ++i)
    text += fmt::format("%t{} = OpReserved{}Pipe %uint %p %r %uint_0 %memory %uint_{} %uint_1\n", i,
                        verb, bytes);
  return load(text +
              fmt::format("OpGroupCommit{}Pipe %uint_2 %p %r %uint_{} %uint_1\n", verb, bytes) +
              "OpReturn\nOpFunctionEnd\n");
}

/// A launch with a pipe that has room for one packet, and has it where it is read.
Launch transfer_of(const Module& module, bool reads, std::uint64_t bytes) {
  const auto pipe = Pipe::create(static_cast<std::uint32_t>(bytes), 1, "p");
  REQUIRE(pipe);
  if (reads) REQUIRE(pipe->write(std::vector<std::byte>(bytes, std::byte{1})));
  return make_launch(module, "copy", 64, 64, *pipe, make_buffer(bytes));
}

struct Timed {
  LaunchResult result;
  double seconds = 0;
};

/// A slow machine may reach the limit while it lowers the kernel: then the launch has four times as long.
Timed timed(const Device& device, Launch launch) {
  for (;; launch.limits.timeout_seconds *= 4) {
    const Clock::time_point start = Clock::now();
    Result<LaunchResult> ran = device.run(launch);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (ran) return {std::move(ran).value(), seconds};
    const bool was_late = ran.errors()[0].rule == "TSP-L0002" &&
                          launch.limits.timeout_seconds < static_cast<double>(kPatience.count());
    if (!was_late) FAIL(format(ran.errors()[0]));
  }
}

bool ends_with(const LaunchResult& result, std::string_view rule) {
  return !result.findings.empty() && result.findings.back().diagnostic.rule == rule;
}

/// Far below what the instructions of a launch would take, which is minutes where a test compares with it.
constexpr double kSoonSeconds = 30;

TEST_CASE("the time limit ends a copy of gigabytes midway") {
  const Module module = copies(1000);
  on_each_path([&](const std::string& isa, bool reference) {
    const Device device = make_device(1, isa);
    Launch launch = launch_of(module, 64, 128 * kMiB, 128 * kMiB);
    launch.reference = reference;
    launch.limits.timeout_seconds = 0.2;
    const Timed ran = timed(device, launch);
    CHECK(ran.result.end == LaunchResult::End::kTimeLimit);
    CHECK(ends_with(ran.result, "TSP-L0002"));
    CHECK(ran.seconds < kSoonSeconds);
  });
}

TEST_CASE("who cancels is heard within a copy, and within milliseconds") {
  const Module module = copies(1000);
  on_each_path([&](const std::string& isa, bool reference) {
    const Device device = make_device(1, isa);
    Launch launch = launch_of(module, 64, 128 * kMiB, 128 * kMiB);
    launch.reference = reference;
    int calls = 0;
    double said = 0;
    launch.progress = [&](std::uint64_t, std::uint64_t) {
      if (++calls == 20) said = processor_seconds();
      return calls < 20;
    };
    const Timed ran = timed(device, launch);
    const double waited = processor_seconds() - said;
    CHECK(ran.result.end == LaunchResult::End::kCancelled);
    CHECK(waited < 1);  // some milliseconds; a single copy of one work-item takes tens of them
    CHECK(ran.seconds < kSoonSeconds);
  });
}

TEST_CASE("the step limit ends copies: they count by their bytes") {
  const Module once = copies(1);
  on_each_path([&](const std::string& isa, bool reference) {
    const Device device = make_device(1, isa);
    Launch launch = launch_of(once, 64, 64 * kMiB, 64 * kMiB);
    launch.reference = reference;
    launch.limits.max_steps = 1000;  // 4 MB
    const Timed ran = timed(device, launch);
    CHECK(ran.result.end == LaunchResult::End::kStepLimit);
    CHECK(ends_with(ran.result, "TSP-L0001"));
    CHECK(launch.arguments[0].memory->bytes()[0] == std::byte{0});
  });
}

TEST_CASE("limits end transfers of packets of megabytes") {
  for (const bool reads : {false, true}) {
    const Module many = transfers(reads, 32 * kMiB, 1000), few = transfers(reads, kMiB, 8);
    on_each_path([&](const std::string& isa, bool reference) {
      const Device device = make_device(1, isa);
      const auto ran = [&](const Module& module, std::uint64_t bytes, double seconds,
                           std::uint64_t steps) {
        Launch launch = transfer_of(module, reads, bytes);
        launch.reference = reference;
        launch.limits.timeout_seconds = seconds;
        launch.limits.max_steps = steps;
        return timed(device, launch);
      };
      const Timed late = ran(many, 32 * kMiB, 0.1, 0);
      CHECK(late.result.end == LaunchResult::End::kTimeLimit);
      CHECK(ends_with(late.result, "TSP-L0002"));
      CHECK(late.seconds < kSoonSeconds);
      // Packets of 256 steps: none is begun; some are.
      for (const std::uint64_t steps : {200, 1000}) {
        const Timed counted = ran(few, kMiB, 0, steps);
        CHECK(counted.result.end == LaunchResult::End::kStepLimit);
        CHECK(ends_with(counted.result, "TSP-L0001"));
      }
      CHECK(ran(few, kMiB, 0, 10000).result.end == LaunchResult::End::kCompleted);
    });
  }
}

TEST_CASE("packets count by their bytes, as copies do") {
  for (const bool reads : {false, true}) {
    const auto instructions = [&](std::uint64_t bytes) {
      return run(make_device(), transfer_of(transfers(reads, bytes, 1), reads, bytes)).instructions;
    };
    CHECK(instructions(4096) == instructions(1));
    CHECK(instructions(4097) == instructions(1) + 64);
    CHECK(instructions(65536) == instructions(1) + 64 * 15);
  }
}

TEST_CASE("short copies are one step, and long ones one more for each 4,096 bytes") {
  using vm::exec::extra_steps;
  CHECK(extra_steps(0) == 0);
  CHECK(extra_steps(1) == 0);
  CHECK(extra_steps(4096) == 0);
  CHECK(extra_steps(4097) == 1);
  CHECK(extra_steps(8192) == 1);
  CHECK(extra_steps(8193) == 2);
  CHECK(extra_steps(~std::uint64_t{0}) == ~std::uint64_t{0} / 4096);
  const Module module = copies(1);
  const Device device = make_device();
  const auto instructions = [&](std::uint64_t bytes) {
    return run(device, launch_of(module, 64, kMiB, bytes)).instructions;
  };
  CHECK(instructions(4096) == instructions(1));
  CHECK(instructions(4097) == instructions(1) + 64);
  CHECK(instructions(65536) == instructions(1) + 64 * 15);
}

TEST_CASE("a copy that leads outside is found, however long, and is no matter of steps") {
  const Module module = copies(1);
  for (const std::uint64_t bytes : {std::uint64_t{17}, ~std::uint64_t{0}}) {
    Launch launch = launch_of(module, 1, 16, bytes);
    launch.limits.max_steps = 10;
    const LaunchResult result = run(make_device(), launch);
    CHECK(result.end == LaunchResult::End::kCompleted);
    CHECK(result.findings.size() == 2);
  }
}

TEST_CASE("copies in pieces overlap as they would in one") {
  constexpr std::uint64_t kBytes = 3 * vm::exec::kPieceBytes + 5;
  const Module module = copies(1);
  for (const std::uint64_t shift : {std::uint64_t{1}, vm::exec::kPieceBytes, kBytes - 1}) {
    for (const bool forward : {false, true}) {
      const Buffer buffer = make_buffer(2 * kBytes);
      for (std::uint64_t i = 0; i < 2 * kBytes; ++i)
        buffer.bytes()[i] = static_cast<std::byte>(i * 31 % 251);
      const std::uint64_t to = forward ? shift : 0, from = forward ? 0 : shift;
      run(make_device(), make_launch(module, "copy", 1, 1, Argument::buffer(buffer, to),
                                     Argument::buffer(buffer, from), kBytes, Argument::local(16)));
      bool same = true;
      for (std::uint64_t i = 0; i < kBytes; ++i)
        same = same && buffer.bytes()[to + i] == static_cast<std::byte>((from + i) * 31 % 251);
      CHECK(same);
    }
  }
}

TEST_CASE("asynchronous copies end by limits, where they are waited for and where the group ends") {
  for (const bool waits : {true, false}) {
    const Module module = async_copies(waits);
    for (const std::string& isa : isas_of_each_width()) {
      CAPTURE(waits);
      CAPTURE(isa);
      const Device device = make_device(1, isa);
      // As many elements as local memory has bytes, which takes far longer than the time limit.
      Launch launch = launch_of(module, 64, 8 * kMiB, 8 * kMiB - 1024);
      launch.arguments[3] = Argument::local(8 * kMiB - 1024);
      launch.lenient = true;  // a device has 64 KiB
      launch.limits.timeout_seconds = 0.02;
      const Timed ran = timed(device, launch);
      CHECK(ran.result.end == LaunchResult::End::kTimeLimit);
      CHECK(ran.seconds < kSoonSeconds);
      launch.limits.timeout_seconds = 0;
      launch.limits.max_steps = 100;
      const Timed counted = timed(device, launch);
      CHECK(counted.result.end == LaunchResult::End::kStepLimit);
      CHECK(ends_with(counted.result, "TSP-L0001"));
      launch.limits.max_steps = 1 << 20;
      CHECK(run(device, launch).end == LaunchResult::End::kCompleted);
    }
  }
}

TEST_CASE("code without a loop is cancelled as well") {
  std::string text(kHead);
  // Loads that cannot be known, in a chain: each takes all lanes through one place.
  text += "%v0 = OpLoad %uchar %from Volatile|Aligned 1\n";
  constexpr int kLoads = 25'000;
  for (int i = 1; i < kLoads; ++i) {
    text += fmt::format("%v{} = OpLoad %uchar %from Volatile|Aligned 1\n", i);
    if (i % 2 == 0) text += fmt::format("OpStore %to %v{} Volatile|Aligned 1\n", i);
  }
  const Module module = load(text + "OpReturn\nOpFunctionEnd\n");
  for (const std::string& isa : isas_of_each_width()) {  // lowering takes a second
    CAPTURE(isa);
    const Device device = make_device(1, isa);
    Launch launch = launch_of(module, 64, 16, 1);
    launch.limits.timeout_seconds = 60;  // lowering first
    run(device, launch);
    launch.progress = [](std::uint64_t, std::uint64_t) { return false; };
    const Timed ran = timed(device, launch);
    if (ran.seconds > 0.01) CHECK(ran.result.end == LaunchResult::End::kCancelled);
    CHECK(ran.seconds < kSoonSeconds);
  }
}

TEST_CASE("private memory of gigabytes is cleared in pieces") {
  const Module module = load(R"(
%array = OpTypeArray %uchar %ulong_8388608
kernel copy(%ulong i)
%v = OpVariable %_ptr_Function_array Function
%p = OpInBoundsAccessChain %_ptr_Function_uchar %v %i
OpStore %p %uchar_1 Volatile|Aligned 1
)");
  for (const std::string& isa : supported_isas()) {
    CAPTURE(isa);
    const Device device = make_device(1, isa);
    // A hundred batches of half a gigabyte or more.
    Launch launch = make_launch(module, "copy", 64 * 200, 64, std::uint64_t{5});
    launch.limits.timeout_seconds = 0.1;
    const Timed ran = timed(device, launch);
    CHECK(ran.result.end == LaunchResult::End::kTimeLimit);
    CHECK(ran.seconds < kSoonSeconds);
  }
}

}  // namespace
}  // namespace transpire::test
