// Whole kernels from OpenCL C: groups, barriers, local and private memory, limits. Kernels whose work-items do not need each
// other flow through batches: what the work-items see of their groups, and what is found about them, is as if each group had
// its own batches. Without a compiler on the machine these tests pass without running.
#include <fmt/format.h>

#include <thread>

#include "runtime/state.h"
#include "tests/patience.h"
#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

constexpr std::string_view kGroupKernels = R"(
kernel void undefined(global int* out, int at) {
  int values[8];
  local int shared_values[8];
  int me = get_global_id(0);
  out[me] = values[(at + me) & 7] + shared_values[(at + me) & 7];
  values[(at + me * 3) & 7] = me + 1;
  shared_values[(at + me * 3) & 7] = me + 1;
  out[me] += values[at & 7] > 1000000;
}

kernel void early(global int* out, int n) {
  if (get_global_id(0) >= n) return;
  out[get_global_id(0)] = 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] += 1;
}

kernel void spin(global int* out) {
  volatile global int* flag = out;
  if (get_global_id(0) == 3)
    while (*flag == 0) flag[1] += 1;
}

kernel void say() {
  size_t i = get_global_id(0);
  printf("%d ", (int)i);
  barrier(CLK_LOCAL_MEM_FENCE);
  printf("[%d] ", (int)i);
}

kernel void uneven(global int* out) {
  for (int i = 0; i < get_local_id(0) % 3; ++i) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}

global int target[4] = {1, 2, 3, 4};
global int* global chain = &target[2];

kernel void follow(global int* out) {
  *out = *chain;
  *chain += 10;
  chain = &target[1];
}

// Work-items of these do not need each other, except in `meets`, `shares` and `says`.

kernel void five_places(global uint* out) {
  size_t i = get_global_id(0);
  uint seen[5];
  seen[0] = get_local_id(0);
  seen[1] = get_group_id(0);
  seen[2] = get_local_size(0) + 10000 * get_num_groups(0);
  seen[3] = get_local_linear_id();
  seen[4] = get_local_id(1) + get_group_id(2);
  for (int k = 0; k < 5; ++k) out[i * 5 + k] = seen[(k + seen[0]) % 5];
}

kernel void divergent(global uint* out) {
  uint n = 0, l = get_local_id(0);
  for (uint k = l; k != 1 && k != 0; ++n) k = k % 2 == 0 ? k / 2 : 3 * k + 1;
  out[get_global_id(0)] = n * 1000 + get_group_id(0);
}

kernel void wrong(global uint* out, uint first, uint every) {
  size_t i = get_global_id(0);
  if (i >= first && (i - first) % every == 0) out[1 << 20] = 1;
  out[i] = 1;
}

kernel void endless(global uint* out, uint at) {
  uint i = get_global_id(0);
  while (i == at) *(volatile global uint*)out = i;
}

kernel void meets(global uint* out) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[get_global_id(0)] = 1;
}

uint first_of(local uint* shared) { return shared[0]; }

kernel void shares(global uint* out, local uint* shared) { out[get_global_id(0)] = first_of(shared); }

kernel void ignores(global uint* out, local uint* shared) { out[get_global_id(0)] = get_group_id(0); }

kernel void says(global uint* out) { printf("%u", out[get_global_id(0)]); }

kernel void alone(global uint* out) { out[get_global_id(0)] = 1; }
)";

/// The kernels above; null without a compiler.
const Module* group_kernels() {
  static const std::optional<Module> module = compile("group_test.cl", kGroupKernels);
  return module ? &*module : nullptr;
}

template <class... T>
Launch launch_of(const std::string& kernel, std::uint64_t global, std::uint64_t local,
                 const T&... arguments) {
  return make_launch(*group_kernels(), kernel, global, local, arguments...);
}

LaunchResult run_clean(const Device& device, const Launch& launch) {
  LaunchResult result = run(device, launch);
  CHECK(result.end == LaunchResult::End::kCompleted);
  if (!result.findings.empty()) FAIL_CHECK(format(result.findings[0].diagnostic));
  return result;
}

/// Runs `body` on every instruction set with one and with several threads.
template <class Body>
void on_all_devices(Body body) {
  if (group_kernels() == nullptr) return;
  for (const std::string& isa : supported_isas())
    for (unsigned threads : {1u, 3u}) {
      CAPTURE(isa);
      CAPTURE(threads);
      body(make_device(threads, isa));
    }
}

constexpr std::uint64_t kGroups = 23;

/// On both paths, in 23 groups of several sizes, too.
template <class Body>
void with_all_groups(Body body) {
  on_all_devices([&](const Device& device) {
    for (const bool reference : {false, true})
      for (std::uint64_t local : {3u, 33u, 65u, 100u, 129u, 250u}) {
        CAPTURE(reference);
        CAPTURE(local);
        const auto run_launch = [&](Launch launch) {
          launch.reference = reference;
          return run(device, launch);
        };
        body(run_launch, local, kGroups * local);
      }
  });
}

TEST_CASE("what is undefined is the same for every device") {
  if (group_kernels() == nullptr) return;
  std::vector<int> expected;
  on_all_devices([&](const Device& device) {
    const Buffer out = make_buffer(2000 * 4);
    run(device, launch_of("undefined", 2000, 8, out, 5));
    const std::vector<int> found(out.as<int>().begin(), out.as<int>().end());
    if (expected.empty()) expected = found;
    CHECK(found == expected);
  });
}

TEST_CASE("program-scope pointers mean the same in every launch") {
  on_all_devices([](const Device& device) {
    const Buffer out = make_buffer(4);
    for (int expected : {3, 2, 12}) {
      run_clean(device, launch_of("follow", 1, 0, out));
      CHECK(out.as<int>()[0] == expected);
    }
  });
}

TEST_CASE("work-items that return before a barrier, or pass it more often, are reported and end") {
  on_all_devices([](const Device& device) {
    const Buffer out = make_buffer(300 * 4);
    const LaunchResult result = run(device, launch_of("early", 300, 100, out, 250));
    CHECK(result.end == LaunchResult::End::kCompleted);
    for (std::size_t i = 0; i < 300; ++i) REQUIRE(out.as<int>()[i] == (i < 250 ? 2 : 0));
    REQUIRE(rules_of(result) == Rules{"TSP-R0040"});
    const Finding& finding = result.findings[0];
    CHECK(finding.count == 50);
    CHECK(finding.global_id[0] == 200);
    for (std::uint64_t local : {16u, 150u}) {
      const Buffer out = make_buffer(300 * 4);
      const std::uint64_t items = 300 / local * local;
      const LaunchResult result = run(device, launch_of("uneven", items, local, out));
      CHECK(result.end == LaunchResult::End::kCompleted);
      for (std::size_t i = 0; i < items; ++i) REQUIRE(out.as<int>()[i] == 1);
      REQUIRE(rules_of(result) == Rules{"TSP-R0040"});
      CHECK(result.findings[0].global_id[0] == 1);
    }
  });
}

TEST_CASE("a canceller ends launches that run, and those to come") {
  on_all_devices([](const Device& device) {
    Launch launch = launch_of("spin", 200, 100, make_buffer(8));
    CHECK(within_growing_limits(0.05, [&](double seconds) {
      launch.canceller = Canceller::create();
      std::thread later([seconds, canceller = *launch.canceller] {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        canceller.cancel();
      });
      const LaunchResult ended = run(device, launch);
      later.join();
      CHECK(ended.end == LaunchResult::End::kCancelled);
      REQUIRE(rules_of(ended) == Rules{"TSP-L0008"});
      return ended.findings[0].diagnostic.source.line != 0;  // else no worker had begun
    }));
    CHECK(launch.canceller->cancelled());
    CHECK(run(device, launch).end == LaunchResult::End::kCancelled);
    Launch fine = launch_of("say", 6, 3);
    fine.canceller = Canceller::create();
    CHECK(run(device, fine).end == LaunchResult::End::kCompleted);
    fine.canceller->cancel();
    CHECK(run(device, fine).printf_output.empty());
  });
}

TEST_CASE("printf comes by work-group, round and work-item; what does not fit is dropped") {
  std::vector<std::string> calls;
  for (int group = 0; group < 2; ++group)
    for (const char* form : {"{} ", "[{}] "})
      for (int i = 0; i < 150; ++i)
        calls.push_back(fmt::format(fmt::runtime(form), group * 150 + i));
  // All of the first group and ten calls of the second, each with its text and 32 bytes.
  const std::string first = fmt::format("{}", fmt::join(std::span(calls).first(310), ""));
  on_all_devices([&](const Device& device) {
    Launch launch = launch_of("say", 300, 150);
    CHECK(run_clean(device, launch).printf_output == fmt::format("{}", fmt::join(calls, "")));
    launch.limits.max_printf_bytes = first.size() + 310 * 32;
    const LaunchResult result = run(device, launch);
    CHECK(result.end == LaunchResult::End::kCompleted);
    CHECK(result.printf_output == first);
    REQUIRE(result.findings.size() == 1);
    CHECK_FALSE(result.findings[0].is_error());
    CHECK(format(result.findings[0].diagnostic) ==
          "warning[TSP-L0005]: the printf buffer of 11240 bytes is full: 290 calls were dropped\n"
          "  --> group_test.cl\nhelp: raise the limit, or print less\n");
  });
}

TEST_CASE("each kernel of a module is asked whether its batches may flow") {
  if (group_kernels() == nullptr) return;
  const runtime::ModuleState& state = *group_kernels()->state();
  const auto use = [&](std::string_view kernel) { return state.uses[*state.find_kernel(kernel)]; };
  for (const std::string_view kernel :
       {"five_places", "divergent", "wrong", "endless", "ignores", "alone"})
    CHECK(use(kernel).may_flow());
  for (const std::string_view kernel : {"meets", "shares", "says"})
    CHECK_FALSE(use(kernel).may_flow());
  CHECK(use("alone").group_is_invisible());
  CHECK(use("says").group_is_invisible());
  for (const std::string_view kernel : {"five_places", "meets", "shares", "ignores"})
    CHECK_FALSE(use(kernel).group_is_invisible());
}

TEST_CASE("work-items of flowing batches know their places, part and meet") {
  with_all_groups([](const auto& run_launch, std::uint64_t local, std::uint64_t items) {
    const Buffer out = make_buffer(items * 20);
    CHECK(run_launch(launch_of("five_places", items, local, out)).findings.empty());
    const std::span<std::uint32_t> got = out.as<std::uint32_t>();
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < items; ++i) {
      const std::uint64_t l = i % local;
      const std::uint64_t seen[] = {l, i / local, local + 10000 * kGroups, l, 0};
      for (std::uint64_t k = 0; k < 5; ++k) wrong += got[i * 5 + k] != seen[(k + l) % 5];
    }
    CHECK(wrong == 0);
    CHECK(run_launch(launch_of("divergent", items, local, out)).findings.empty());
    for (std::uint64_t i = 0; i < items; ++i) {
      std::uint32_t n = 0;
      for (std::uint64_t k = i % local; k > 1; ++n) k = k % 2 == 0 ? k / 2 : 3 * k + 1;
      wrong += out.as<std::uint32_t>()[i] != n * 1000 + i / local;
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("findings in flowing batches name the work-item and its group") {
  with_all_groups([](const auto& run_launch, std::uint64_t local, std::uint64_t items) {
    const std::uint32_t first = static_cast<std::uint32_t>(items / 3), every = 7;
    const Buffer out = make_buffer(items * 4);
    const LaunchResult result = run_launch(launch_of("wrong", items, local, out, first, every));
    REQUIRE(result.findings.size() == 1);
    const Finding& finding = result.findings[0];
    CHECK(finding.count == (items - first + every - 1) / every);
    CHECK(finding.global_id[0] == first);
    CHECK(finding.group_id[0] == first / local);
    CHECK(finding.local_id[0] == first % local);
  });
}

TEST_CASE("a work-item of a flowing batch that does not end is named") {
  with_all_groups([](const auto& run_launch, std::uint64_t local, std::uint64_t items) {
    const std::uint32_t at = static_cast<std::uint32_t>(items / 2);
    const Buffer out = make_buffer(items * 4);
    Launch launch = launch_of("endless", items, local, out, at);
    launch.limits.max_steps = 10000;
    const LaunchResult result = run_launch(launch);
    CHECK(result.end == LaunchResult::End::kStepLimit);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].group_id[0] == at / local);
    CHECK(result.findings[0].local_id[0] == at % local);
    CHECK(result.findings[0].diagnostic.source.line != 0);
  });
}

TEST_CASE("progress counts the groups of flowing batches") {
  if (group_kernels() == nullptr) return;
  const Buffer out = make_buffer(1300 * 65 * 4);
  Launch launch = launch_of("wrong", 1300 * 65, 65, out, ~0u, 1u);
  std::uint64_t last = 0, total = 0;
  launch.progress = [&](std::uint64_t done, std::uint64_t all) {
    CHECK(done >= last);
    CHECK(done <= all);
    last = done;
    total = all;
    return true;
  };
  CHECK(run(make_device(2), launch).findings.empty());
  if (total != 0) CHECK(total == 1300);
}

}  // namespace
}  // namespace transpire::test
