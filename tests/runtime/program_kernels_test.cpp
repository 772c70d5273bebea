// Initializer and finalizer kernels, and program-scope variables of launches side by side: shared memory comes first in a launch's
// address space, and moves the variables behind it.
#include <atomic>
#include <cstdint>
#include <thread>

#include "runtime/state.h"
#include "tests/patience.h"
#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

/// Initializer `begin` counts its runs in a program-scope variable, `wild` goes wrong there as well when it is
/// specialised to; `look` adds the variable to every element; finalizer `end` says goodbye.
constexpr std::string_view kProgram = R"(
OpExecutionMode %begin Initializer
OpExecutionMode %end Finalizer
OpName %counter "counter"
OpDecorate %rounds SpecId 1
OpDecorate %wild SpecId 2
%rounds = OpSpecConstant %uint 1
%wild = OpSpecConstantFalse %bool
%text = OpTypeArray %uchar %ulong_4
%bye = OpConstantComposite %text %uchar_98 %uchar_121 %uchar_101 %uchar_0
%goodbye = OpVariable %_ptr_UniformConstant_text UniformConstant %bye
%counter = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_0

kernel begin()
%loop = OpLabel
%i = OpPhi %uint %uint_0 %entry_of_begin %next %loop
%next = OpIAdd %uint %i %uint_1
%old = load %counter
%new = OpIAdd %uint %old %uint_1
store %counter %new
%more = OpULessThan %bool %next %rounds
OpBranchConditional %more %loop %after
%after = OpLabel
OpBranchConditional %wild %beyond %fine
%beyond = OpLabel
store %counter[%ulong_9] %uint_1
%fine = OpLabel

kernel look(%_ptr_CrossWorkgroup_uint out)
%seen = load %counter
%last = load %out
%sum = OpIAdd %uint %last %seen
store %out %sum

kernel end()
%first = OpBitcast %_ptr_UniformConstant_uchar %goodbye
%said = OpExtInst %uint %std printf %first
)";

/// kernel store(): stores to a variable of the program, of one MiB, which comes back from the system where the last one was.
constexpr std::string_view kStores = R"(
OpName %kept "kept"
%array = OpTypeArray %uint %uint_262144
%zeros = OpConstantNull %array
%kept = OpVariable %_ptr_CrossWorkgroup_array CrossWorkgroup %zeros
kernel store()
%first = OpInBoundsAccessChain %_ptr_CrossWorkgroup_uint %kept %uint_0
store %first %uint_1
)";

Module specialised(std::uint32_t spec_id, std::uint64_t bits) {
  LoadOptions options;
  options.specialisation = {{spec_id, bits}};
  return load(kProgram, options);
}

Launch look(const Module& module, const Buffer& out) {
  Launch launch(module, "look");
  launch.arguments = args_of(out);
  return launch;
}

std::uint32_t first_of(const Buffer& buffer) { return buffer.as<std::uint32_t>()[0]; }

TEST_CASE("initializers run once for a module and device, finalizers when the caller is done") {
  const Module module = load(kProgram);
  CHECK(module.kernel("begin")->is_initializer);
  CHECK(module.kernel("end")->is_finalizer);
  CHECK_FALSE(module.kernel("look")->is_initializer);
  const Device device = make_device();
  const Buffer out = make_buffer(4);
  for (const std::uint32_t sum : {1u, 2u, 3u}) {
    REQUIRE(device.run(look(module, out)).ok());
    CHECK(first_of(out) == sum);
  }
  const auto finished = device.finish(look(module, out));
  REQUIRE(finished.ok());
  CHECK(finished->printf_output == "bye");
  // All is as it was before the first launch.
  const auto again = device.finish(look(module, out));
  REQUIRE(again.ok());
  CHECK(again->printf_output.empty());
  REQUIRE(device.run(look(module, out)).ok());
  CHECK(first_of(out) == 4);
  const Device other = make_device(2);
  REQUIRE(other.run(look(module, out)).ok());
  CHECK(first_of(out) == 5);
}

TEST_CASE("what an initializer does wrong is told by the first launch that is not refused") {
  for (const int refusals : {0, 2}) {
    CAPTURE(refusals);
    const Module module = specialised(2, 1);
    const Device device = make_device();
    const Buffer out = make_buffer(4);
    Launch refused = look(module, out);
    refused.arguments = {};
    for (int i = 0; i < refusals; ++i)
      CHECK(error_of(device.run(refused)).starts_with("TSP-C0003"));
    const LaunchResult told = run(device, look(module, out));
    REQUIRE(rules_of(told) == Rules{"TSP-R0021"});
    CHECK(told.findings[0].allocation == "counter");
    CHECK(told.findings[0].diagnostic.notes.back() == "in the initializer 'begin'");
    CHECK(first_of(out) == 1);
    CHECK(run(device, look(module, out)).findings.empty());
    CHECK(first_of(out) == 2);
  }
}

TEST_CASE("an initializer that a limit ends keeps kernels from running, and is tried again") {
  const Module module = specialised(1, 1000);
  const Device device = make_device();
  const Buffer out = make_buffer(4);
  Launch launch = look(module, out);
  launch.limits.max_steps = 100;
  const LaunchResult stopped = run(device, launch);
  CHECK(stopped.end == LaunchResult::End::kStepLimit);
  CHECK(first_of(out) == 0);
  launch.limits.max_steps = 0;
  REQUIRE(device.run(launch).ok());
  CHECK(first_of(out) > 1000);
}

TEST_CASE("launches side by side wait for the initializers") {
  const Module module = specialised(1, 20000);
  const Device device = make_device();
  std::vector<Buffer> out;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) out.push_back(make_buffer(4));
  for (const Buffer& buffer : out)
    threads.emplace_back([&module, &device, &buffer] {
      if (!device.run(look(module, buffer)).ok()) buffer.as<std::uint32_t>()[0] = 1;
    });
  for (std::thread& thread : threads) thread.join();
  for (const Buffer& buffer : out) CHECK(first_of(buffer) == 20000);
}

TEST_CASE("a launch's accesses are no race with a later module's variable in the same place") {
  // Storage of a module that is done with would be the next one's, were it not kept for the first one's footprint.
  const Device device = make_device();
  std::vector<MemoryUse> uses;
  for (int i = 0; i < 8; ++i) {
    const Module module = load(kStores);
    Launch launch(module, "store");
    launch.check_race = launch.wants_memory_use = true;
    for (int twice = 0; twice < 2; ++twice) {
      const LaunchResult result = run(device, launch);
      REQUIRE(result.memory_uses.size() == 1);
      uses.push_back(result.memory_uses[0]);
    }
    REQUIRE(device.finish(launch).ok());
  }
  for (std::size_t later = 1; later < uses.size(); ++later)
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      const bool of_one_module = earlier / 2 == later / 2;
      CHECK(uses[later].races_with(uses[earlier]).size() == (of_one_module ? 1 : 0));
    }
}

Launch saxpy_of_16(const Module& module) {
  const Buffer y = make_buffer(64), x = make_buffer(64);
  return make_launch(module, "saxpy", 16, 0, y, x, 3.0f);
}

TEST_CASE("races between launches name both work-items, and what orders the two") {
  const Module module = load(kSaxpy);
  const Device device = make_device();
  Launch launch = saxpy_of_16(module);
  launch.check_race = launch.wants_memory_use = true;
  const auto first = device.run(launch), second = device.run(launch);
  REQUIRE(first.ok());
  REQUIRE(second.ok());
  REQUIRE(first->memory_uses.size() == 1);
  const std::string item = "global (0,0,0), group (0,0,0), local (0,0,0)";
  const auto is_told = [](const Finding& finding, std::string_view begin, std::string_view end) {
    return std::ranges::any_of(finding.diagnostic.notes, [&](const std::string& note) {
      return note.starts_with(begin) && note.ends_with(end);
    });
  };
  const std::vector<Finding> found = second->memory_uses[0].races_with(first->memory_uses[0]);
  REQUIRE(!found.empty());
  for (const Finding& each : found) {
    CHECK(each.diagnostic.rule == "TSP-R0102");
    CHECK(is_told(each, "work-item: ", item));
    CHECK(is_told(each, "races with: ", " in 'saxpy' by work-item " + item));
    CHECK(each.diagnostic.help.starts_with("the event of the one in the wait list of the other"));
  }
  const auto bytes = launch.arguments[0].memory->state()->data;
  const std::vector<Finding> beside =
      first->memory_uses[0].races_with({bytes, 64}, true, "clEnqueueWriteBuffer");
  REQUIRE(!beside.empty());
  CHECK(is_told(beside[0], "work-item: ", item));
  CHECK(beside[0].diagnostic.help == found[0].diagnostic.help);
}

TEST_CASE("sub-group sizes of a launch are checked") {
  const Module module = load(kSaxpy);
  const Device device = make_device();
  Launch launch = saxpy_of_16(module);
  for (const std::uint32_t size : {0u, 8u, 16u, 32u, 64u}) {
    launch.subgroup_size = size;
    CHECK(device.run(launch).ok());
  }
  for (const std::uint32_t size : {1u, 24u, 128u}) {
    launch.subgroup_size = size;
    CHECK(error_of(device.run(launch))
              .find("expected sub-groups of 8, 16, 32 or 64 work-items, found") !=
          std::string::npos);
  }
}

TEST_CASE("settings that mean the same run the same program") {
  const Module module = load(kSaxpy);
  const Device device = make_device();
  Launch launch = saxpy_of_16(module);
  const auto programs = [&](std::uint32_t subgroup_size, bool observed, bool debug_info) {
    launch.subgroup_size = subgroup_size;
    launch.observed = observed;
    launch.debug_info = debug_info;
    REQUIRE(device.run(launch).ok());
    return module.state()->made().size();
  };
  CHECK(programs(0, false, false) == 1);
  CHECK(programs(32, false, false) == 1);
  CHECK(programs(0, false, true) == 1);
  CHECK(programs(16, false, true) == 2);
  CHECK(programs(0, true, false) == 3);
  CHECK(programs(32, true, true) == 4);
}

TEST_CASE("a kernel that says its sub-groups' size has one program, whatever the launch says") {
  std::string text = "OpCapability SubgroupDispatch\n" + std::string(kSaxpy);
  text.insert(text.find("OpSource"), "OpExecutionMode %saxpy SubgroupSize 8\n");
  const Module module = load(text);
  const Device device = make_device();
  Launch launch = saxpy_of_16(module);
  for (const std::uint32_t size : {0u, 16u, 64u}) {
    launch.subgroup_size = size;
    REQUIRE(device.run(launch).ok());
  }
  CHECK(module.state()->made().size() == 1);
}

TEST_CASE("instructions are counted by work-item") {
  const Module module = load(kSaxpy);
  const Device device = make_device(2);
  const Buffer y = make_buffer(4000), x = make_buffer(4000);
  Launch launch(module, "saxpy");
  launch.geometry.global_size = {1000, 1, 1};
  launch.arguments = args_of(y, x, 3.0f);
  auto plain = device.run(launch);
  REQUIRE(plain.ok());
  CHECK(plain->instruction_counts.empty());
  launch.count_instructions = true;
  const LaunchResult counted = run(device, launch);
  std::uint64_t stores = 0;
  for (const auto& [name, count] : counted.instruction_counts) {
    CHECK(count % 1000 == 0);
    if (name == "OpStore") stores = count;
  }
  CHECK(stores == 1000);
}

/// kernel follow(global uint* flags): sets flags[0], then adds 1 to what the variable `where` points to,
/// which is the variable `counter`, over and over until flags[1] is set; flags[2] is the last value that it found.
constexpr std::string_view kFollow = R"(
OpName %counter "counter"
OpName %where "where"
%counter = OpVariable %_ptr_CrossWorkgroup_uint CrossWorkgroup %uint_0
%where = OpVariable %_ptr_CrossWorkgroup__ptr_CrossWorkgroup_uint CrossWorkgroup %counter
kernel follow(%_ptr_CrossWorkgroup_uint flags)
%go = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %flags %uint_1
OpAtomicStore %flags %uint_1 %uint_0 %uint_1
%loop = OpLabel
%place = OpLoad %_ptr_CrossWorkgroup_uint %where Volatile|Aligned 8
%old = OpAtomicIAdd %uint %place %uint_1 %uint_0 %uint_1
%seen = OpAtomicLoad %uint %go %uint_1 %uint_0
%again = OpIEqual %bool %seen %uint_0
OpBranchConditional %again %loop %exit
%exit = OpLabel
store %flags[%uint_2] %old
)";

/// `kFollow` without a pointer in memory: the kernel names the counter itself.
std::string without_pointer() {
  std::string text(kFollow);
  const std::string_view load = "OpLoad %_ptr_CrossWorkgroup_uint %where Volatile|Aligned 8";
  text.replace(text.find(load), load.size(), "OpCopyObject %_ptr_CrossWorkgroup_uint %counter");
  return text;
}

/// A launch of `follow` that the host may look at while it runs.
struct Follower {
  explicit Follower(const Module& module) : launch(module, "follow") {
    launch.arguments = args_of(flags);
  }
  std::atomic_ref<std::uint32_t> flag(std::size_t index) const {
    return std::atomic_ref(flags.as<std::uint32_t>()[index]);
  }
  /// True if the launch ends without a finding.
  bool is_fine_on(const Device& device) const {
    const auto result = device.run(launch);
    return result.ok() && result->findings.empty() && result->end == LaunchResult::End::kCompleted;
  }
  /// Waits some seconds for the kernel to begin; true if it did.
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

}  // namespace
}  // namespace transpire::test
