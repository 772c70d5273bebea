// What a launch's kernels enqueue: what is told of it, where limits end it, and what it shares with the launch.
#include <algorithm>
#include <thread>

#include "tests/patience.h"
#include "tests/runtime/observed.h"

namespace transpire::test {
namespace {

constexpr std::string_view kEnqueueing = R"(
#define NOW CLK_ENQUEUE_FLAGS_NO_WAIT
#define Q get_default_queue()
kernel void family(global int* out) {
  const size_t plane[] = {4, 6}, group[] = {2, 3}, begin[] = {1, 2};
  clk_event_t user = create_user_event(), never = create_user_event(), marker;
  if (get_global_id(0) == 1) {
    enqueue_kernel(Q, NOW, ndrange_2D(begin, plane, group), ^{
      if (get_global_linear_id() == 0)
        enqueue_kernel(Q, NOW, ndrange_1D(2), ^{ out[get_global_id(0)] = 1; });
    });
    enqueue_kernel(Q, NOW, ndrange_1D(1), 1, &user, 0, ^{ out[2] = 1; });
    enqueue_marker(Q, 1, &user, &marker);
    enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ volatile int a[1u << 29]; a[out[5]] = 1; out[3] = a[out[6]]; });
    enqueue_kernel(Q, NOW, ndrange_1D(1), 1, &never, 0, ^{ out[4] = 1; });
    enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ out[1000] = 1; });
    set_user_event_status(user, -7);
  }
}
kernel void many(global int* out, int n) {
  for (int i = 0; i < n; ++i) out[0] = enqueue_kernel(Q, NOW, ndrange_1D(100, 50), ^{ atomic_inc(out + 1); });
}
void deeper(global int* out, int n) {
  enqueue_kernel(Q, NOW, ndrange_1D(1), ^{
    ++out[0];
    if (n > 1) deeper(out, n - 1);
  });
}
kernel void deep(global int* out, int n) { deeper(out, n); }
void deeper_marked(global int* out, int n) {
  clk_event_t all;
  enqueue_marker(Q, 0, 0, &all);
  enqueue_kernel(Q, NOW, ndrange_1D(1), 1, &all, 0, ^{
    ++out[0];
    if (n > 1) deeper_marked(out, n - 1);
  });
}
kernel void deep_marked(global int* out, int n) { deeper_marked(out, n); }
kernel void spin(global int* out) {
  enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ out[0] = 1; });
  enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ while ((*(volatile global uint*)(out + 1) += 2) != 1) {} });
  enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ out[2] = 1; });
}
kernel void wrong(global int* out) {
  enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ out[1000] = 1; out[1001] = 1; });
  enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ out[1002] = 1; out[1003] = 1; });
  enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ out[0] = 1; });
}
kernel void third(global float* out, float x) {
  enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ out[0] = x / 3.0f; });
}
kernel void walk(global long* first, global long* out) {
  enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ out[0] = *(global long*)*first; });
}
kernel void queues(queue_t q, queue_t other, global int* out) {
  out[0] = enqueue_kernel(q, NOW, ndrange_1D(1), ^{ out[4] += 1; });
  out[1] = enqueue_kernel(other, NOW, ndrange_1D(1), ^{ out[5] += 1; });
  out[2] = enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ out[6] += 1; });
  enqueue_kernel(q, NOW, ndrange_1D(1), ^{
    out[3] = enqueue_kernel(other, NOW, ndrange_1D(1), ^{ out[5] += 1; });
  });
}
kernel void alike(global int* out, int n) {
  for (int i = 0; i < n; ++i) enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ out[1000 + i] = 1; });
}
kernel void events(global int* out) {
  clk_event_t first = create_user_event(), second = create_user_event();
  enqueue_kernel(Q, NOW, ndrange_1D(1), 1, &first, 0, ^{ out[out[0]++ + 1] = 1; });
  enqueue_kernel(Q, NOW, ndrange_1D(1), 1, &second, 0, ^{ out[out[0]++ + 1] = 2; });
  enqueue_kernel(Q, NOW, ndrange_1D(512, 64), ^{
    const int i = get_global_id(0);
    volatile int busy = 0;
    for (int k = 0; k < (i < 64 ? 20000 : 1); ++k) busy += k;
    if (i == 0) set_user_event_status(first, CL_COMPLETE);
    if (i == 511) set_user_event_status(second, CL_COMPLETE);
  });
}
kernel void packed(global int* out) {
  int own = 3;
  struct __attribute__((packed)) { char c; int* p; } s = {1, &own};
  enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ out[0] = s.c; });
}
kernel void waits(global ulong* list, uint n) {
  local clk_event_t event;
  if (get_local_id(0) == 0) event = create_user_event();
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < n; i += 64) list[i] = i == n - 1 ? 0 : *(local ulong*)&event;
  barrier(CLK_GLOBAL_MEM_FENCE);
  enqueue_kernel(Q, NOW, ndrange_1D(1), n, (clk_event_t*)list, 0, ^{ list[0] = 1; });
}
kernel void talk(int n) {
  for (int i = 0; i < n; ++i) enqueue_kernel(Q, NOW, ndrange_1D(1), ^{ printf("0123456789"); });
}
)";

/// Modules of both ways to compile, on a device of one thread and one of four.
template <class Body>
void on_each_child_path(const Body& body) {
  for (const char* level : {"-O0", "-O2"}) {
    const std::optional<Module> module = compile_at(level, kEnqueueing);
    if (!module) return;
    for (const unsigned threads : {1u, 4u}) {
      CAPTURE(std::string(level));
      CAPTURE(threads);
      body(*module, make_device(threads));
    }
  }
}

bool is_noted(const Finding& finding, std::string_view what) {
  return std::ranges::any_of(finding.diagnostic.notes,
                             [&](const std::string& note) { return note.find(what) != note.npos; });
}

std::vector<ChildLaunch::End> ends_of(const LaunchResult& result) {
  std::vector<ChildLaunch::End> ends;
  for (const ChildLaunch& child : result.children) ends.push_back(child.end);
  return ends;
}

using End = ChildLaunch::End;
using Ends = std::vector<End>;
using Three = std::array<std::uint64_t, 3>;

void check_family(const LaunchResult& result) {
  REQUIRE(result.children.size() == 7);
  CHECK(result.child_count == 7);
  CHECK(ends_of(result) == Ends{End::kCompleted, End::kCancelled, End::kCancelled, End::kRefused,
                                End::kNeverRan, End::kCompleted, End::kCompleted});
  const ChildLaunch& first = result.children[0];
  CHECK(first.kernel == "__family_block_invoke_kernel");
  CHECK(first.parent == ChildLaunch::kLaunch);
  CHECK(first.enqueued_by == Three{1, 0, 0});
  CHECK(first.source.line == 8);
  CHECK(first.dimensions == 2);
  CHECK(first.global_size == Three{4, 6, 1});
  CHECK(first.local_size == Three{2, 3, 1});
  CHECK(first.global_offset == Three{1, 2, 0});
  CHECK(first.findings == 0);
  CHECK(result.children[2].kernel.empty());
  CHECK(result.children[2].source.line == 13);
  CHECK(result.children[3].findings == 1);
  CHECK(result.children[4].findings == 1);
  CHECK(result.children[5].findings == 1);
  const ChildLaunch& grandchild = result.children[6];
  CHECK(grandchild.parent == 0);
  CHECK(grandchild.enqueued_by == Three{1, 2, 0});
  CHECK(grandchild.source.line == 10);
  CHECK(grandchild.global_size == Three{2, 1, 1});
  CHECK(grandchild.local_size == Three{2, 1, 1});
  CHECK(grandchild.seconds >= 0);
  CHECK(result.child_seconds >= grandchild.seconds);
}

TEST_CASE("enqueue: what ran, by whom it was enqueued and how it ended is told") {
  on_each_child_path([](const Module& module, const Device& device) {
    const Buffer out = make_buffer(64, "out");
    const LaunchResult result = run(device, make_launch(module, "family", 2, 1, out));
    CHECK(result.end == LaunchResult::End::kCompleted);
    check_family(result);
    CHECK(result.child_status == -14);
    CHECK(std::ranges::equal(out.as<int>().subspan(0, 5), std::vector<int>{1, 1, 0, 0, 0}));
    REQUIRE(rules_of(result) == Rules{"TSP-R0096", "TSP-R0021", "TSP-R0095"});
    CHECK(is_noted(result.findings[0], "private memory"));
    CHECK(result.findings[0].diagnostic.source.line == 14);
    CHECK(is_noted(result.findings[1], "enqueued by work-item (1,0,0) of 'family' at "));
    CHECK(result.findings[2].diagnostic.source.line == 15);
    CHECK(result.findings[2].global_id == Three{1, 0, 0});
  });
}

TEST_CASE("enqueue: a chain may be as deep as the limit, and many share a program") {
  const std::optional<Module> module = compile_at("-O2", kEnqueueing);
  if (!module) return;
  const Buffer out = make_buffer(8, "out");
  const auto begin = std::chrono::steady_clock::now();
  const LaunchResult deep = run(make_device(), make_launch(*module, "deep", 1, 1, out, 20'000));
  CHECK(deep.findings.empty());
  CHECK(out.as<int>()[0] == 20'000);
  CHECK(deep.child_count == 20'000);
  CHECK(deep.children.size() == LaunchResult::kMostChildren);
  CHECK(deep.children.back().parent == LaunchResult::kMostChildren - 2);
  Launch marked = make_launch(*module, "deep_marked", 1, 1, out, 10'000);
  CHECK(run(make_device(), marked).findings.empty());
  CHECK(out.as<int>()[0] == 30'000);
  const LaunchResult wide = run(make_device(4), make_launch(*module, "many", 1, 1, out, 20'000));
  CHECK(wide.findings.empty());
  CHECK(out.as<int>()[1] == 2'000'000);
  CHECK(std::chrono::steady_clock::now() - begin < kPatience);
}

TEST_CASE("enqueue: time, steps, a callback and a canceller end what was enqueued") {
  on_each_child_path([](const Module& module, const Device& device) {
    const Buffer out = make_buffer(12, "out");
    /// False where the limit ended the launch before what it enqueued had begun to spin.
    const auto stopped = [&](const auto& set_limit, LaunchResult::End end, const char* rule) {
      Launch launch = make_launch(module, "spin", 1, 1, out);
      set_limit(launch);
      std::ranges::fill(out.as<int>(), 0);
      const LaunchResult result = run(device, launch);
      CHECK(result.end == end);
      if (out.as<int>()[0] == 0 || ends_of(result).size() != 3) return false;
      REQUIRE(rules_of(result) == std::vector<std::string>{rule});
      CHECK(is_noted(result.findings[0], "enqueued by work-item (0,0,0) of 'spin' at "));
      CHECK(ends_of(result) == Ends{End::kCompleted, End::kStopped, End::kStopped});
      CHECK(out.as<int>()[0] == 1);
      CHECK(out.as<int>()[2] == 0);
      return true;
    };
    CHECK(stopped([](Launch& l) { l.limits.max_steps = 1000; }, LaunchResult::End::kStepLimit,
                  "TSP-L0001"));
    CHECK(within_growing_limits(0.05, [&](double seconds) {
      return stopped([&](Launch& l) { l.limits.timeout_seconds = seconds; },
                     LaunchResult::End::kTimeLimit, "TSP-L0002");
    }));
    CHECK(within_growing_limits(0.05, [&](double seconds) {
      const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
      const auto goes_on = [end](std::uint64_t, std::uint64_t) {
        return std::chrono::steady_clock::now() < end;
      };
      return stopped([&](Launch& l) { l.progress = goes_on; }, LaunchResult::End::kCancelled,
                     "TSP-L0008");
    }));
    CHECK(within_growing_limits(0.05, [&](double seconds) {
      const Canceller canceller = Canceller::create();
      std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        canceller.cancel();
      });
      const bool begun = stopped([&](Launch& l) { l.canceller = canceller; },
                                 LaunchResult::End::kCancelled, "TSP-L0008");
      later.join();
      return begun;
    }));
  });
}

TEST_CASE("enqueue: a limit that ends a launch between two kernels is told of") {
  const std::optional<Module> module = compile_at("-O2", kEnqueueing);
  if (!module) return;
  const Buffer out = make_buffer(8, "out");
  Launch launch = make_launch(*module, "deep", 1, 1, out, 100'000);
  for (const double seconds : {0.05, 0.06, 0.07}) {
    launch.limits.timeout_seconds = seconds;
    const LaunchResult result = run(make_device(), launch);
    CHECK(result.end == LaunchResult::End::kTimeLimit);
    CHECK(rules_of(result) == Rules{"TSP-L0002"});
  }
  launch.limits.timeout_seconds = 0;
  launch.canceller = Canceller::create();
  std::thread later([canceller = *launch.canceller] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    canceller.cancel();
  });
  const LaunchResult cancelled = run(make_device(), launch);
  later.join();
  launch.canceller.reset();
  out.as<int>()[0] = 0;
  int calls = 0;
  launch.progress = [&calls](std::uint64_t, std::uint64_t) { return ++calls < 20; };
  const LaunchResult called_off = run(make_device(), launch);
  CHECK(out.as<int>()[0] < 100);
  for (const LaunchResult& ended : {cancelled, called_off}) {
    CHECK(ended.end == LaunchResult::End::kCancelled);
    CHECK(rules_of(ended) == Rules{"TSP-L0008"});
  }
  CHECK(called_off.child_status == 0);
}

TEST_CASE("enqueue: what waits counts towards the launch's memory") {
  constexpr std::string_view kMany = R"(
    kernel void many(global int* out, int count) {
      for (int i = 0; i < count; ++i)
        if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),
                           ^{ out[0] += 1; }) != 0)
          ++out[1];
    })";
  const std::optional<Module> module = compile_at("-O2", kMany);
  if (!module) return;
  constexpr int kCount = 20'000;
  for (const bool is_enough : {false, true}) {
    const Buffer out = make_buffer(8, "out");
    Launch launch = make_launch(*module, "many", 1, 1, out, kCount);
    launch.limits.max_memory_bytes = std::uint64_t{8} << (is_enough ? 26 : 20);
    const LaunchResult result = run(make_device(), launch);
    CHECK(result.end == LaunchResult::End::kCompleted);
    const auto [ran, refused] = std::pair(out.as<int>()[0], out.as<int>()[1]);
    CHECK(ran + refused == kCount);
    CHECK((refused == 0) == is_enough);
    CHECK(ran > 1000);
    REQUIRE(rules_of(result) == (is_enough ? Rules{} : Rules{"TSP-L0004"}));
    if (!is_enough) CHECK(result.findings[0].count == static_cast<std::uint64_t>(refused));
  }
}

TEST_CASE("enqueue: findings of all are counted together") {
  on_each_child_path([](const Module& module, const Device& device) {
    const Buffer out = make_buffer(12, "out");
    Launch launch = make_launch(module, "wrong", 1, 1, out);
    CHECK(rules_of(run(device, launch)).size() == 4);
    CHECK(out.as<int>()[0] == 1);
    out.as<int>()[0] = 0;
    launch.limits.max_findings = 3;
    const LaunchResult result = run(device, launch);
    CHECK(result.end == LaunchResult::End::kTooManyFindings);
    CHECK(rules_of(result).size() == 3);
    CHECK(out.as<int>()[0] == 0);
    launch.limits.max_findings = 0;
    CHECK(rules_of(run(device, launch)).size() == 4);
  });
}

TEST_CASE("enqueue: what many children are found to do is one finding") {
  on_each_child_path([](const Module& module, const Device& device) {
    const Buffer out = make_buffer(12, "out");
    Launch launch = make_launch(module, "alike", 1, 1, out, 200);
    launch.limits.max_findings = 100;
    const LaunchResult result = run(device, launch);
    CHECK(result.end == LaunchResult::End::kCompleted);
    REQUIRE(rules_of(result) == Rules{"TSP-R0021"});
    CHECK(result.findings[0].count == 200);
    CHECK(is_noted(result.findings[0], "199 more enqueued kernels had it, 200 times in all"));
    CHECK(result.children[199].findings == 1);
  });
}

TEST_CASE("enqueue: events that several work-items set have ended in the order of these") {
  on_each_child_path([](const Module& module, const Device& device) {
    const Buffer out = make_buffer(12, "out");
    run(device, make_launch(module, "events", 1, 1, out));
    CHECK(std::ranges::equal(out.as<int>(), std::vector<int>{2, 1, 2}));
  });
}

TEST_CASE("enqueue: pointers in packed structs are found") {
  on_each_child_path([](const Module& module, const Device& device) {
    const Buffer out = make_buffer(12, "out");
    const LaunchResult result = run(device, make_launch(module, "packed", 1, 1, out));
    CHECK(rules_of(result) == Rules{"TSP-R0094"});
    CHECK(out.as<int>()[0] == 1);
  });
}

TEST_CASE("enqueue: a long wait list is given up with the launch") {
  constexpr std::uint32_t kEvents = 8'000'000;
  const std::optional<Module> module = compile_at("-O2", kEnqueueing);
  if (!module) return;
  const Buffer list = make_buffer(kEvents * 8, "list");
  Launch launch = make_launch(*module, "waits", 64, 64, list, kEvents);
  launch.limits.timeout_seconds = 0.3;
  const auto begin = std::chrono::steady_clock::now();
  const LaunchResult result = run(make_device(), launch);
  CHECK(result.end == LaunchResult::End::kTimeLimit);
  CHECK(std::chrono::steady_clock::now() - begin < kPatience);
}

TEST_CASE("enqueue: text of all is bounded together") {
  on_each_child_path([](const Module& module, const Device& device) {
    Launch launch = make_launch(module, "talk", 1, 1, 5);
    CHECK(run(device, launch).printf_output.size() == 50);
    launch.limits.max_printf_bytes = 130;
    const LaunchResult result = run(device, launch);
    CHECK(result.printf_output.size() < 50);
    CHECK(!result.printf_output.empty());
    REQUIRE(!result.findings.empty());
    CHECK(rules_of(result).front() == "TSP-L0005");
  });
}

TEST_CASE("enqueue: results are recorded") {
  on_each_child_path([](const Module& module, const Device& device) {
    const Buffer out = make_buffer(4, "out");
    Launch launch = make_launch(module, "third", 1, 1, out, 2.0f);
    launch.results = ResultLog::create();
    CHECK(run(device, launch).findings.empty());
    CHECK(out.as<float>()[0] == 2.0f / 3.0f);
    const LegalRange range = launch.results->range(out, 0, FloatType::kFloat, Profile::kFull);
    CHECK(range.allows(2.0f / 3.0f));
    CHECK_FALSE(range.allows(2.0f / 3.0f * (1 - 0x1p-20)));
  });
}

TEST_CASE("enqueue: shared memory is where the launch has it") {
  on_each_child_path([](const Module& module, const Device& device) {
    const SharedMemory memory = SharedMemory::create().value();
    auto* value = static_cast<std::int64_t*>(memory.allocate(8));
    *value = 42;
    const Buffer first = make_buffer(8, "first"), out = make_buffer(8, "out");
    first.as<std::int64_t*>()[0] = value;
    Launch launch = make_launch(module, "walk", 1, 1, first, out);
    launch.shared = memory;
    CHECK(run(device, launch).findings.empty());
    CHECK(out.as<std::int64_t>()[0] == 42);
    // Where there is none, that pointer leads nowhere.
    launch.shared.reset();
    CHECK(run(device, launch).findings.size() == 1);
  });
}

TEST_CASE("enqueue: what a block captures is no pointer because pieces of it look like one") {
  // Behind a pointer, an event: they make an address of private memory with the tag that a module's first launch has, but
  // of no variable there. The event's handle is another one for each of 255 launches.
  const std::optional<Module> compiled = compile_at("-O2", R"(
kernel void k(global ulong* numbers, global int* out) {
  const queue_t q = get_default_queue();
  const ndrange_t one = ndrange_1D(1);
  clk_event_t first;
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 0, 0, &first, ^{ out[0] += 1; });
  enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &first, 0, ^{
    numbers[0] += 2;
    out[1] += is_valid_event(first);
    release_event(first);
  });
})");
  if (!compiled) return;
  const Device device = make_device();
  const Buffer numbers = make_buffer(8, "numbers"), out = make_buffer(8, "out");
  std::size_t findings = 0;
  for (int i = 0; i < 255; ++i) {
    const Module module = *Module::load(std::as_bytes(compiled->words()));
    const Launch launch = make_launch(module, "k", 1, 1, numbers, out);
    findings += run(device, launch).findings.size();
  }
  CHECK(findings == 0);
  CHECK((numbers.as<std::int64_t>()[0] == 510 && out.as<int>()[1] == 255));
}

TEST_CASE("enqueue: queues that no launch can have") {
  const std::optional<Module> module = compile_at("-O2", kEnqueueing);
  if (!module) return;
  const Device device = make_device();
  const Buffer out = make_buffer(28, "out");
  Launch launch = make_launch(*module, "queues", 1, 1, Argument::queue(5), Argument::null(), out);
  const auto refused = [&](std::vector<DeviceQueue> queues) {
    launch.queues = std::move(queues);
    return error_of(device.run(launch));
  };
  const std::string sizes =
                        "TSP-C0003: expected 1 to 1073741824 bytes as the size of a queue, found ",
                    handles =
                        "TSP-C0003: expected 1 to 4294967295 as the handle of a queue, found ";
  CHECK(refused({{5, 0}}) == sizes + "0");
  CHECK(refused({{5, 1}, {6, DeviceQueue::kMaxBytes + 1}}) == sizes + "1073741825");
  CHECK(refused({{5, 1}, {0, 1}}) == handles + "0");
  CHECK(refused({{5, 1}, {std::uint64_t{1} << 32, 1}}) == handles + "4294967296");
  CHECK(refused({{5, 1}, {6, 1}, {5, 2}}) == "TSP-C0003: two queues have the handle 5");
  std::vector<DeviceQueue> many;
  while (many.size() <= kMaxDeviceQueues) many.push_back({many.size() + 1, 1000});
  CHECK(refused(many) == "TSP-C0003: expected at most 1024 queues, found 1025");
  many.pop_back();
  launch.queues = many;
  CHECK(run(device, launch).findings.empty());
  launch.arguments[1] = Argument::queue(2000);
  CHECK(error_of(device.run(launch)).find("a queue of the launch") != std::string::npos);
  launch.arguments[1] = Argument::value(5);
  CHECK(error_of(device.run(launch)).starts_with("TSP-C0003: "));
}

TEST_CASE("enqueue: what ends first leaves the rest unrun, and a second launch begins anew") {
  on_each_child_path([](const Module& module, const Device& device) {
    const Buffer out = make_buffer(8, "out");
    Launch launch = make_launch(module, "deep", 1, 1, out, 1000);
    launch.count_instructions = true;
    const LaunchResult once = run(device, launch), twice = run(device, launch);
    CHECK(once.instructions == twice.instructions);
    CHECK(once.instruction_counts == twice.instruction_counts);
    const auto enqueued = std::ranges::find(once.instruction_counts, "OpEnqueueKernel",
                                            &std::pair<std::string, std::uint64_t>::first);
    REQUIRE(enqueued != once.instruction_counts.end());
    CHECK(enqueued->second == 1000);
    CHECK(out.as<int>()[0] == 2000);
  });
}

}  // namespace
}  // namespace transpire::test
