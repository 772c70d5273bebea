// Whole kernels from OpenCL C: groups, barriers, local and private memory, limits. Kernels whose work-items do not need each
// other flow through batches: what the work-items see of their groups, and what is found about them, is as if each group had
// its own batches. Without a compiler on the machine these tests pass without running.
#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <thread>

#include "runtime/state.h"
#include "tests/patience.h"
#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

constexpr std::string_view kGroupKernels = R"(
kernel void sum(global const int* in, global int* out, local int* scratch) {
  size_t l = get_local_id(0), n = get_local_size(0);
  scratch[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t width = n; width > 1;) {
    size_t half_width = (width + 1) / 2;
    if (l + half_width < width) scratch[l] += scratch[l + half_width];
    barrier(CLK_LOCAL_MEM_FENCE);
    width = half_width;
  }
  if (l == 0) out[get_group_id(0)] = scratch[0];
}

kernel void reverse(global int* data) {
  local int tile[512];
  size_t l = get_local_id(0);
  tile[l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = tile[get_local_size(0) - 1 - l];
}

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

kernel void look(global int* out) {
  *out = target[1] + 100 * target[2];
}

kernel void places(global ulong* out) {
  size_t i = get_global_linear_id();
  out[i * 4] = get_local_linear_id();
  out[i * 4 + 1] = get_group_id(0) + 100 * get_group_id(1) + 10000 * get_group_id(2);
  out[i * 4 + 2] = get_local_size(0) + 100 * get_local_size(1) + 10000 * get_local_size(2);
  out[i * 4 + 3] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2);
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
  while (i == at) out[0] = i;
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

Buffer numbers(std::uint64_t count) {
  const Buffer buffer = make_buffer(count * 4);
  const std::span<int> values = buffer.as<int>();
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<int>(i * 2654435761u >> 8);
  return buffer;
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

}  // namespace

TEST_CASE("groups of all sizes meet at barriers") {
  on_all_devices([](const Device& device) {
    for (std::uint64_t local : {1u, 2u, 7u, 16u, 32u, 64u, 100u, 128u, 256u, 1000u}) {
      CAPTURE(local);
      const std::uint64_t groups = 5, items = groups * local;
      const Buffer in = numbers(items), out = make_buffer(groups * 4);
      run_clean(device, launch_of("sum", items, local, in, out, Argument::local(local * 4)));
      for (std::uint64_t g = 0; g < groups; ++g) {
        const std::span<int> part = in.as<int>().subspan(g * local, local);
        unsigned expected = 0;
        for (int value : part) expected += static_cast<unsigned>(value);
        CHECK(out.as<unsigned>()[g] == expected);
      }
    }
  });
}

TEST_CASE("the last group may be smaller") {
  on_all_devices([](const Device& device) {
    for (std::uint64_t items : {5u, 64u, 300u, 515u}) {
      const Buffer data = numbers(items), before = numbers(items);
      run_clean(device, launch_of("reverse", items, 200, data));
      for (std::uint64_t i = 0; i < items; ++i) {
        const std::uint64_t first = i / 200 * 200, last = std::min(first + 200, items) - 1;
        REQUIRE(data.as<int>()[i] == before.as<int>()[first + last - i]);
      }
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

TEST_CASE("work-items know their places in three dimensions") {
  on_all_devices([](const Device& device) {
    for (const std::array<std::uint64_t, 3>& local :
         {std::array<std::uint64_t, 3>{2, 3, 2}, {7, 5, 1}, {64, 1, 1}, {1, 1, 1}, {5, 4, 3}}) {
      const std::array<std::uint64_t, 3> global{14, 10, 6};
      const Buffer out = make_buffer(14 * 10 * 6 * 4 * 8);
      Launch launch = launch_of("places", 0, 0, out);
      launch.geometry = {3, global, local, {1, 2, 3}};
      run_clean(device, launch);
      const std::span<std::uint64_t> found = out.as<std::uint64_t>();
      std::array<std::uint64_t, 3> id{};
      std::size_t at = 0;
      for (id[2] = 0; id[2] < global[2]; ++id[2])
        for (id[1] = 0; id[1] < global[1]; ++id[1])
          for (id[0] = 0; id[0] < global[0]; ++id[0], at += 4) {
            std::array<std::uint64_t, 3> group, inside, size;
            for (std::size_t d = 0; d < 3; ++d) {
              group[d] = id[d] / local[d];
              inside[d] = id[d] % local[d];
              size[d] = std::min(local[d], global[d] - group[d] * local[d]);
            }
            REQUIRE(found[at] == (inside[2] * size[1] + inside[1]) * size[0] + inside[0]);
            REQUIRE(found[at + 1] == group[0] + 100 * group[1] + 10000 * group[2]);
            REQUIRE(found[at + 2] == size[0] + 100 * size[1] + 10000 * size[2]);
            REQUIRE(found[at + 3] == id[0] + 1 + 100 * (id[1] + 2) + 10000 * (id[2] + 3));
          }
    }
  });
}

TEST_CASE("work-items that return before a barrier are reported, alike on every device") {
  std::string expected;
  on_all_devices([&](const Device& device) {
    const Buffer out = make_buffer(300 * 4);
    const LaunchResult result = run(device, launch_of("early", 300, 100, out, 250));
    CHECK(result.end == LaunchResult::End::kCompleted);
    for (std::size_t i = 0; i < 300; ++i) REQUIRE(out.as<int>()[i] == (i < 250 ? 2 : 0));
    REQUIRE(rules_of(result) == Rules{"TSP-R0040"});
    const Finding& finding = result.findings[0];
    CHECK(finding.count == 50);
    CHECK(finding.global_id[0] == 200);
    const std::string text = format(finding.diagnostic);
    if (expected.empty()) expected = text;
    CHECK(text == expected);
  });
  if (expected.empty()) return;
  CHECK(
      expected.find("  = group: 50 work-items, the first local (0,0,0), wait at the barrier of") !=
      std::string::npos);
  CHECK(expected.find("  = group: 50 work-items, the first local (50,0,0), have ended\n") !=
        std::string::npos);
}

TEST_CASE("work-items that pass a barrier more often than others are reported and end") {
  on_all_devices([](const Device& device) {
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

TEST_CASE("program-scope pointers mean the same in every launch and kernel") {
  on_all_devices([](const Device& device) {
    const Buffer out = make_buffer(4);
    const Launch follow = launch_of("follow", 1, 0, out);
    for (int expected : {3, 2, 12}) {
      run_clean(device, follow);
      CHECK(out.as<int>()[0] == expected);
    }
    run_clean(device, launch_of("look", 1, 0, out));
    CHECK(out.as<int>()[0] == 22 + 100 * 13);
  });
}

TEST_CASE("an endless loop ends at the step limit and says where it was") {
  on_all_devices([](const Device& device) {
    Launch launch = launch_of("spin", 200, 100, make_buffer(8));
    launch.limits.max_steps = 10'000;
    const LaunchResult result = run(device, launch);
    CHECK(result.end == LaunchResult::End::kStepLimit);
    REQUIRE(rules_of(result) == Rules{"TSP-L0001"});
    CHECK(result.findings[0].global_id[0] == 3);
    CHECK(result.findings[0].diagnostic.source.line != 0);
  });
}

TEST_CASE("an endless loop ends at the time limit or when it is cancelled") {
  on_all_devices([](const Device& device) {
    Launch launch = launch_of("spin", 200, 100, make_buffer(8));
    CHECK(within_growing_limits(0.0625, [&](double seconds) {
      launch.limits.timeout_seconds = seconds;
      const LaunchResult late = run(device, launch);
      CHECK(late.end == LaunchResult::End::kTimeLimit);
      REQUIRE(rules_of(late) == Rules{"TSP-L0002"});
      if (late.findings[0].diagnostic.source.line == 0) return false;  // no worker had begun
      CHECK(late.findings[0].diagnostic.message ==
            fmt::format("kernel 'spin' ran longer than {} s", seconds));
      CHECK(late.findings[0].count > 0);
      return true;
    }));
    launch.limits.timeout_seconds = 0;
    launch.progress = [](std::uint64_t, std::uint64_t) { return false; };
    const LaunchResult cancelled = run(device, launch);
    CHECK(cancelled.end == LaunchResult::End::kCancelled);
    REQUIRE(rules_of(cancelled) == Rules{"TSP-L0008"});
    CHECK(!cancelled.findings[0].is_error());
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

TEST_CASE("printf comes in the order of work-groups, rounds and work-items") {
  on_all_devices([](const Device& device) {
    const LaunchResult result = run_clean(device, launch_of("say", 6, 3));
    CHECK(result.printf_output == "0 1 2 [0] [1] [2] 3 4 5 [3] [4] [5] ");
    std::string expected;
    for (int group = 0; group < 2; ++group) {
      for (int i = 0; i < 150; ++i) expected += std::to_string(group * 150 + i) + " ";
      for (int i = 0; i < 150; ++i) expected += "[" + std::to_string(group * 150 + i) + "] ";
    }
    CHECK(run_clean(device, launch_of("say", 300, 150)).printf_output == expected);
  });
}

TEST_CASE("what does not fit into the printf buffer is dropped, with a warning") {
  // All of the first group and ten calls of the second, each with its text and 32 bytes.
  std::string expected;
  for (int i = 0; i < 150; ++i) expected += std::to_string(i) + " ";
  for (int i = 0; i < 150; ++i) expected += "[" + std::to_string(i) + "] ";
  for (int i = 150; i < 160; ++i) expected += std::to_string(i) + " ";
  on_all_devices([&](const Device& device) {
    Launch launch = launch_of("say", 300, 150);
    launch.limits.max_printf_bytes = expected.size() + 310 * 32;
    const LaunchResult result = run(device, launch);
    CHECK(result.end == LaunchResult::End::kCompleted);
    CHECK(result.printf_output == expected);
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

TEST_CASE("work-items of flowing batches know their places") {
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
  });
}

TEST_CASE("work-items of flowing batches part and meet") {
  with_all_groups([](const auto& run_launch, std::uint64_t local, std::uint64_t items) {
    const Buffer out = make_buffer(items * 4);
    CHECK(run_launch(launch_of("divergent", items, local, out)).findings.empty());
    std::uint64_t wrong = 0;
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

}  // namespace transpire::test
