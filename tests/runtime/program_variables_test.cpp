// Launches side by side that have a module's program-scope variables at different addresses: shared memory
// comes first in a launch's address space, and moves the variables behind it.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/patience.h"
#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

/// kernel follow(global uint* flags): sets flags[0], then adds 1 to what the variable `where` points to,
/// which is the variable `counter`, over and over until flags[1] is set; flags[2] is the last value that it found.
constexpr std::string_view kFollow = R"(
               OpCapability Addresses
               OpCapability Kernel
               OpMemoryModel Physical64 OpenCL
               OpEntryPoint Kernel %follow "follow"
               OpName %counter "counter"
               OpName %where "where"
       %void = OpTypeVoid
       %bool = OpTypeBool
       %uint = OpTypeInt 32 0
      %puint = OpTypePointer CrossWorkgroup %uint
     %ppuint = OpTypePointer CrossWorkgroup %puint
         %fn = OpTypeFunction %void %puint
       %zero = OpConstant %uint 0
        %one = OpConstant %uint 1
        %two = OpConstant %uint 2
    %counter = OpVariable %puint CrossWorkgroup %zero
      %where = OpVariable %ppuint CrossWorkgroup %counter
     %follow = OpFunction %void None %fn
      %flags = OpFunctionParameter %puint
      %entry = OpLabel
         %go = OpInBoundsPtrAccessChain %puint %flags %one
        %out = OpInBoundsPtrAccessChain %puint %flags %two
               OpAtomicStore %flags %one %zero %one
               OpBranch %loop
       %loop = OpLabel
      %place = OpLoad %puint %where Volatile|Aligned 8
        %old = OpAtomicIAdd %uint %place %one %zero %one
       %seen = OpAtomicLoad %uint %go %one %zero
      %again = OpIEqual %bool %seen %zero
               OpBranchConditional %again %loop %exit
       %exit = OpLabel
               OpStore %out %old Aligned 4
               OpReturn
               OpFunctionEnd
)";

/// The same kernel without a pointer in memory: it names the counter.
std::string without_pointer() {
  std::string text(kFollow);
  const std::string_view load = "OpLoad %puint %where Volatile|Aligned 8";
  text.replace(text.find(load), load.size(), "OpCopyObject %puint %counter");
  return text;
}

/// A launch of `follow` that the host may look at while it runs.
struct Follower {
  explicit Follower(const Module& module) : launch(module, "follow") {
    launch.arguments = {Argument::buffer(flags)};
  }
  std::atomic_ref<std::uint32_t> flag(std::size_t index) const {
    return std::atomic_ref(flags.as<std::uint32_t>()[index]);
  }
  /// Whether the launch ends without a finding.
  bool is_fine_on(const Device& device) const {
    const auto result = device.run(launch);
    return result.ok() && result->findings.empty() && result->end == LaunchResult::End::kCompleted;
  }
  /// Whether its kernel came to run; waits for it for some seconds.
  bool has_begun() const {
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (flag(0) == 0 && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return flag(0) != 0;
  }
  Buffer flags = make_buffer(12, "flags");
  Launch launch;
};

/// A follower that runs on a thread of its own.
class Running {
 public:
  Running(const Follower& follower, const Device& device)
      : follower_(follower),
        thread_([this, &device] { is_fine_ = follower_.is_fine_on(device); }) {}
  ~Running() {
    if (thread_.joinable()) is_fine_at_end();
  }
  /// Lets it end, and waits for that: whether there was no finding.
  bool is_fine_at_end() {
    follower_.flag(1) = 1;
    thread_.join();
    return is_fine_;
  }

 private:
  const Follower& follower_;
  std::atomic<bool> is_fine_ = false;
  std::thread thread_;
};

/// Launches from four threads, of which every second one has shared memory: how many were not fine.
int failures_side_by_side(const Module& module, const Device& device, int rounds) {
  const SharedMemory memory = SharedMemory::create().value();
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      Follower follower(module);
      follower.flag(1) = 1;
      if (i % 2 == 1) follower.launch.shared = memory;
      for (int round = 0; round < rounds; ++round)
        if (!follower.is_fine_on(device)) ++failures;
    });
  for (std::thread& thread : threads) thread.join();
  return failures;
}

}  // namespace

TEST_CASE("launches with and without shared memory find a module's variables side by side") {
  constexpr int kRounds = 500;
  for (const std::string& text : {std::string(kFollow), without_pointer()}) {
    const Module module = load(text);
    const Device device = make_device();
    const Buffer counter = device.program_variable(module, 0).value();
    CHECK(failures_side_by_side(module, device, kRounds) == 0);
    CHECK(counter.as<std::uint32_t>()[0] == 4 * kRounds);
  }
}

TEST_CASE("a launch that moves a module's variables waits for those that use them") {
  const Module module = load(kFollow);
  const Device device = make_device();
  const Follower first(module);
  Running running(first, device);
  CHECK(first.has_begun());

  Follower late(module);
  late.flag(1) = 1;
  late.launch.shared = SharedMemory::create().value();
  late.launch.limits.timeout_seconds = 1;  // behind lowering
  CHECK(error_of(device.run(late.launch)) ==
        "TSP-L0002: the time limit was reached while other launches used the module's variables");
  CHECK(late.flag(0).load() == 0);

  // One that finds the variables where they are does not wait, and the late one, which gave up, keeps nobody away.
  Follower beside(module);
  beside.flag(1) = 1;
  CHECK(beside.is_fine_on(device));

  late.launch.limits.timeout_seconds = 0;
  Running waiting(late, device);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(late.flag(0).load() == 0);
  CHECK(running.is_fine_at_end());
  CHECK(waiting.is_fine_at_end());
  CHECK(late.flag(2).load() > beside.flag(2).load());
  CHECK(late.flag(2).load() > first.flag(2).load());
}

TEST_CASE("without pointers in its variables a module's launches wait for nobody") {
  const Module module = load(without_pointer());
  const Device device = make_device();
  const Follower first(module);
  Running running(first, device);
  CHECK(first.has_begun());
  Follower beside(module);
  beside.flag(1) = 1;
  beside.launch.shared = SharedMemory::create().value();
  beside.launch.limits.timeout_seconds = kPatience.count();
  CHECK(beside.is_fine_on(device));
  CHECK(running.is_fine_at_end());
}

}  // namespace transpire::test
