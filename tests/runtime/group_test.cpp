// Whole kernels from OpenCL C: groups, barriers, local and private memory, limits. Without a
// compiler on the machine these tests pass without running.
#include <atomic>
#include <chrono>
#include <numeric>
#include <optional>
#include <thread>

#include "tests/patience.h"
#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

constexpr std::string_view kKernels = R"(
typedef struct { int scale; uchar bias; short table[3]; } Settings;
typedef struct { global int* target; int addend; } Link;

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

kernel void settings(global int* out, Settings s) {
  size_t i = get_global_id(0);
  out[i] = s.scale * (int)i + s.bias + s.table[i % 3];
}

kernel void histogram(global const int* in, global int* out, int n) {
  int counts[8];
  for (int i = 0; i < 8; ++i) counts[i] = 0;
  int me = get_global_id(0);
  for (int i = 0; i < n; ++i) counts[(in[i] + me) & 7] += i;
  for (int i = 0; i < 8; ++i) out[me * 8 + i] = counts[i];
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
    while (*flag == 0) out[1] += 1;
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
)";

/// The kernels above; null without a compiler.
const Module* kernels() {
  static const std::optional<Module> module = compile("group_test.cl", kKernels);
  return module ? &*module : nullptr;
}

Launch make_launch(const std::string& kernel, std::uint64_t global, std::uint64_t local,
                   std::vector<Argument> arguments) {
  return test::make_launch(*kernels(), kernel, global, local, std::move(arguments));
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
  if (kernels() == nullptr) return;
  for (const std::string& isa : supported_isas())
    for (unsigned threads : {1u, 3u}) {
      CAPTURE(isa);
      CAPTURE(threads);
      body(make_device(threads, isa));
    }
}

}  // namespace

TEST_CASE("groups of all sizes meet at barriers") {
  on_all_devices([](const Device& device) {
    for (std::uint64_t local : {1u, 2u, 7u, 16u, 32u, 64u, 100u, 128u, 256u, 1000u}) {
      CAPTURE(local);
      const std::uint64_t groups = 5, items = groups * local;
      const Buffer in = numbers(items), out = make_buffer(groups * 4);
      run_clean(device, make_launch("sum", items, local,
                                    {Argument::buffer(in), Argument::buffer(out),
                                     Argument::local(local * 4)}));
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
      run_clean(device, make_launch("reverse", items, 200, {Argument::buffer(data)}));
      for (std::uint64_t i = 0; i < items; ++i) {
        const std::uint64_t first = i / 200 * 200, last = std::min(first + 200, items) - 1;
        REQUIRE(data.as<int>()[i] == before.as<int>()[first + last - i]);
      }
    }
  });
}

TEST_CASE("structs are passed by value") {
  struct Settings {
    int scale;
    unsigned char bias;
    short table[3];
  };
  on_all_devices([](const Device& device) {
    for (std::uint64_t local : {3u, 75u}) {
      const Buffer out = make_buffer(300 * 4);
      const Settings settings{7, 200, {-1, 1000, 3}};
      run_clean(device, make_launch("settings", 300, local,
                                    {Argument::buffer(out), Argument::value(settings)}));
      for (int i = 0; i < 300; ++i)
        REQUIRE(out.as<int>()[static_cast<std::size_t>(i)] == 7 * i + 200 + settings.table[i % 3]);
    }
  });
}

TEST_CASE("private arrays belong to their work-item") {
  on_all_devices([](const Device& device) {
    for (std::uint64_t local : {8u, 100u}) {
      const Buffer in = numbers(50), out = make_buffer(200 * 8 * 4);
      run_clean(device,
                make_launch("histogram", 200, local,
                            {Argument::buffer(in), Argument::buffer(out), Argument::value(50)}));
      for (int me = 0; me < 200; ++me) {
        int counts[8] = {};
        for (int i = 0; i < 50; ++i)
          counts[(in.as<int>()[static_cast<std::size_t>(i)] + me) & 7] += i;
        for (int i = 0; i < 8; ++i)
          REQUIRE(out.as<int>()[static_cast<std::size_t>(me * 8 + i)] == counts[i]);
      }
    }
  });
}

TEST_CASE("what is undefined is the same for every device") {
  if (kernels() == nullptr) return;
  std::vector<int> expected;
  on_all_devices([&](const Device& device) {
    const Buffer out = make_buffer(2000 * 4);
    run(device, make_launch("undefined", 2000, 8, {Argument::buffer(out), Argument::value(5)}));
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
      Launch launch = make_launch("places", 0, 0, {Argument::buffer(out)});
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
    const LaunchResult result =
        run(device, make_launch("early", 300, 100, {Argument::buffer(out), Argument::value(250)}));
    CHECK(result.end == LaunchResult::End::kCompleted);
    for (std::size_t i = 0; i < 300; ++i) REQUIRE(out.as<int>()[i] == (i < 250 ? 2 : 0));
    REQUIRE(result.findings.size() == 1);
    const Finding& finding = result.findings[0];
    CHECK(finding.diagnostic.rule == "TSP-R0040");
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
      const LaunchResult result =
          run(device, make_launch("uneven", items, local, {Argument::buffer(out)}));
      CHECK(result.end == LaunchResult::End::kCompleted);
      for (std::size_t i = 0; i < items; ++i) REQUIRE(out.as<int>()[i] == 1);
      REQUIRE(result.findings.size() == 1);
      CHECK(result.findings[0].diagnostic.rule == "TSP-R0040");
      CHECK(result.findings[0].global_id[0] == 1);
    }
  });
}

TEST_CASE("program-scope pointers mean the same in every launch and kernel") {
  on_all_devices([](const Device& device) {
    const Buffer out = make_buffer(4);
    const Launch follow = make_launch("follow", 1, 0, {Argument::buffer(out)});
    for (int expected : {3, 2, 12}) {
      run_clean(device, follow);
      CHECK(out.as<int>()[0] == expected);
    }
    run_clean(device, make_launch("look", 1, 0, {Argument::buffer(out)}));
    CHECK(out.as<int>()[0] == 22 + 100 * 13);
  });
}

TEST_CASE("an endless loop ends at the step limit and says where it was") {
  on_all_devices([](const Device& device) {
    Launch launch = make_launch("spin", 200, 100, {Argument::buffer(make_buffer(8))});
    launch.limits.max_steps = 10'000;
    const LaunchResult result = run(device, launch);
    CHECK(result.end == LaunchResult::End::kStepLimit);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].diagnostic.rule == "TSP-L0001");
    CHECK(result.findings[0].global_id[0] == 3);
    CHECK(result.findings[0].diagnostic.source.line != 0);
  });
}

TEST_CASE("an endless loop ends at the time limit or when it is cancelled") {
  on_all_devices([](const Device& device) {
    Launch launch = make_launch("spin", 200, 100, {Argument::buffer(make_buffer(8))});
    CHECK(within_growing_limits(0.0625, [&](double seconds) {
      launch.limits.timeout_seconds = seconds;
      const LaunchResult late = run(device, launch);
      CHECK(late.end == LaunchResult::End::kTimeLimit);
      REQUIRE(late.findings.size() == 1);
      CHECK(late.findings[0].diagnostic.rule == "TSP-L0002");
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
    REQUIRE(cancelled.findings.size() == 1);
    CHECK(cancelled.findings[0].diagnostic.rule == "TSP-L0008");
    CHECK(!cancelled.findings[0].is_error());
  });
}

TEST_CASE("a canceller ends launches that run, and those to come") {
  on_all_devices([](const Device& device) {
    Launch launch = make_launch("spin", 200, 100, {Argument::buffer(make_buffer(8))});
    CHECK(within_growing_limits(0.05, [&](double seconds) {
      launch.canceller = Canceller::create();
      std::thread later([seconds, canceller = *launch.canceller] {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        canceller.cancel();
      });
      const LaunchResult ended = run(device, launch);
      later.join();
      CHECK(ended.end == LaunchResult::End::kCancelled);
      REQUIRE(ended.findings.size() == 1);
      CHECK(ended.findings[0].diagnostic.rule == "TSP-L0008");
      return ended.findings[0].diagnostic.source.line != 0;  // else no worker had begun
    }));
    CHECK(launch.canceller->cancelled());
    CHECK(run(device, launch).end == LaunchResult::End::kCancelled);
    Launch fine = make_launch("say", 6, 3, {});
    fine.canceller = Canceller::create();
    CHECK(run(device, fine).end == LaunchResult::End::kCompleted);
    fine.canceller->cancel();
    CHECK(run(device, fine).printf_output.empty());
  });
}

TEST_CASE("printf comes in the order of work-groups, rounds and work-items") {
  on_all_devices([](const Device& device) {
    const LaunchResult result = run_clean(device, make_launch("say", 6, 3, {}));
    CHECK(result.printf_output == "0 1 2 [0] [1] [2] 3 4 5 [3] [4] [5] ");
    std::string expected;
    for (int group = 0; group < 2; ++group) {
      for (int i = 0; i < 150; ++i) expected += std::to_string(group * 150 + i) + " ";
      for (int i = 0; i < 150; ++i) expected += "[" + std::to_string(group * 150 + i) + "] ";
    }
    CHECK(run_clean(device, make_launch("say", 300, 150, {})).printf_output == expected);
  });
}

TEST_CASE("what does not fit into the printf buffer is dropped, with a warning") {
  // All of the first group and ten calls of the second, each with its text and 32 bytes.
  std::string expected;
  for (int i = 0; i < 150; ++i) expected += std::to_string(i) + " ";
  for (int i = 0; i < 150; ++i) expected += "[" + std::to_string(i) + "] ";
  for (int i = 150; i < 160; ++i) expected += std::to_string(i) + " ";
  on_all_devices([&](const Device& device) {
    Launch launch = make_launch("say", 300, 150, {});
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

TEST_CASE("one device serves several threads") {
  if (kernels() == nullptr) return;
  const Device device = make_device(2);
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        const Buffer data = numbers(600), before = numbers(600);
        const auto result = device.run(make_launch("reverse", 600, 200, {Argument::buffer(data)}));
        if (!result.ok() || data.as<int>()[0] != before.as<int>()[199]) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}

}  // namespace transpire::test
