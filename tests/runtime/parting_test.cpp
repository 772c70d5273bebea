// Groups and sub-groups that part: what is found is the same for every width of a batch, size of sub-groups, order of
// work-items and number of threads, for the unoptimised path as well; and says who is where, and why.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

constexpr std::string_view kBarriers = R"(
kernel void branch(global uint* out) {
  size_t l = get_local_id(0);
  if (l % 3 == 0) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = l;
}

kernel void trips(global uint* out) {
  size_t l = get_local_id(0);
  for (uint i = 0; i < l % 5; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] += i;
  }
}

kernel void arms(global uint* out) {
  size_t l = get_local_id(0);
  if (l & 1) {
    out[get_global_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  } else {
    out[get_global_id(0)] = 2;
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

kernel void early(global uint* out) {
  size_t l = get_local_id(0);
  if (l + 2 >= get_local_size(0)) return;
  out[get_global_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] += 1;
}

kernel void one_batch(global uint* out) {
  size_t l = get_local_id(0);
  if (l >= 64 && l < 70) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = l;
}

kernel void batches(global uint* out) {
  size_t l = get_local_id(0);
  if (l / 64 == 1) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = l;
}

kernel void rounds(global uint* out) {
  size_t l = get_local_id(0);
  for (uint i = 0; i < 4; ++i) {
    out[get_global_id(0)] += i;
    if (i == l / 64 % 4) barrier(CLK_LOCAL_MEM_FENCE);
  }
}

kernel void rounds_of_each(global uint* out) {
  size_t l = get_local_id(0);
  for (uint i = 0; i < 4; ++i) {
    out[get_global_id(0)] += i;
    if (i == l % 4) barrier(CLK_LOCAL_MEM_FENCE);
  }
}

kernel void nested(global uint* out) {
  size_t l = get_local_id(0);
  for (uint i = 0; i < 6; ++i)
    for (uint k = 0; k < (l / 64 + i) % 3; ++k) {
      out[get_global_id(0)] += i;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void one_group(global uint* out) {
  size_t l = get_local_id(0);
  if (get_group_id(0) == 1 && l > 0) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = l;
}

kernel void later(global uint* out) {
  size_t l = get_local_id(0);
  for (uint i = 0; i < 3; ++i) barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 1) return;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = l;
}

void wait(global uint* out) {
  out[get_global_id(0)] += 1;
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void calls(global uint* out) {
  size_t l = get_local_id(0);
  if (l < 70) {
    wait(out);
  } else {
    out[get_global_id(0)] = 7;
    wait(out);
  }
}

// 96 to 127 are behind the barrier of those before them, in the same batch.
kernel void left_behind(global uint* out) {
  size_t l = get_local_id(0);
  volatile global uint* done = out + get_group_id(0);
  if (l < 96)
    barrier(CLK_LOCAL_MEM_FENCE);
  else if (l < 128)
    atomic_inc(done);
  else
    while (atomic_add(done, 0) < 32);
}

// These meet.

kernel void same_rounds(global uint* out) {
  for (uint i = 0; i < 6; ++i) {
    if (i % 3 == get_group_id(0) % 3) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] += i;
  }
}

kernel void own_rounds_before(global uint* out) {
  for (uint i = 0; i < get_local_id(0) % 9; ++i) out[get_global_id(0)] += i;
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void own_rounds_within(global uint* out) {
  for (uint i = 0; i < 4; ++i) {
    for (uint k = 0; k < get_local_id(0) % 9; ++k) out[get_global_id(0)] += i;
    if (i & 1) barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// These do not: some come to the barrier more often.

kernel void more_rounds(global uint* out) {
  size_t l = get_local_id(0);
  for (uint i = 0; i < 5; ++i)
    for (uint k = 0; k < (l / 64 + i) % 3; ++k) {
      out[get_global_id(0)] += i;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel void one_more_round(global uint* out) {
  size_t l = get_local_id(0);
  for (uint i = 0; i < 4; ++i) {
    out[get_global_id(0)] += i;
    if (i == l % 4 || (i == 3 && l == 1)) barrier(CLK_LOCAL_MEM_FENCE);
  }
}
)";

constexpr std::string_view kInstructions = R"(
kernel void vote(global uint* out) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  if (l % 7 != 3)
    out[i] = work_group_any(l > 100);
}
kernel void broadcast(global uint* out) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  if (l % 7 != 3) out[i] = work_group_broadcast((uint)l, 5);
}
kernel void scan(global uint* out) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  if (l < 20) out[i] = work_group_scan_inclusive_add((uint)l);
}
kernel void reduce_in_rounds(global uint* out) {
  const size_t l = get_local_id(0);
  for (uint i = 0; i < get_local_size(0) / 50; out[get_global_id(0)] += ++i)
    if (i == l / 64 % 4) out[get_global_id(0)] = work_group_reduce_add((uint)l);
}
kernel void copy(global uint* out) {
  local uint tile[8];
  event_t copied = 0;
  if (get_local_id(0) != 32) copied = async_work_group_copy(tile, out, 8, 0);
}
kernel void wait(global uint* out) {
  local uint tile[8];
  event_t copied = async_work_group_copy(tile, out, 8, 0);
  if (get_local_id(0) != 32) wait_group_events(1, &copied);
}
kernel void sub_reduce(global uint* out) {
  const size_t i = get_global_id(0), l = get_local_id(0);
  uint sum = 0;
  if (l % 7 != 3)
    sum =
    sub_group_reduce_add((uint)l);
  out[i] = sum;
}
kernel void sub_barrier(global uint* out) {
  const size_t l = get_local_id(0);
  if (l % 7 != 3) sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = l;
}
kernel void sub_early(global uint* out) {
  const size_t l = get_local_id(0);
  out[get_global_id(0)] = l;
  if (l % 64 == 3)
    return;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] += l;
}
)";

/// A launch's findings as text.
std::string found(const Device& device, const Launch& launch) {
  const LaunchResult result = run(device, launch);
  CHECK(result.end == LaunchResult::End::kCompleted);
  std::string text;
  for (const Finding& finding : result.findings)
    text += fmt::format("{}: {} times\n", format(finding.diagnostic), finding.count);
  // The source's file has a name that nobody knows before.
  static const std::regex kFile("[^ ]*transpire-test-[^.]*[.]cl");
  return std::regex_replace(text, kFile, "k.cl");
}

struct Way {
  Schedule schedule;
  std::uint32_t seed;
  unsigned threads;
  bool reference = false;
};

constexpr Way kWays[] = {{Schedule::kLockstep, 0, 1},       {Schedule::kLockstep, 0, 3},
                         {Schedule::kLockstep, 0, 3, true}, {Schedule::kLockstep, 0, 1, true},
                         {Schedule::kSerial, 0, 1},         {Schedule::kReverse, 0, 2},
                         {Schedule::kRandom, 3, 1},         {Schedule::kRandom, 5, 2},
                         {Schedule::kRandom, 8, 1}};

/// Runs the kernel in every way with groups of `local` work-items, and gives what each of them finds. Sizes of sub-groups
/// take turns from way to way, and begin with another one for batches of the next width.
std::string found_always(const Module& module, const std::string& kernel, std::uint64_t local,
                         const std::vector<std::uint32_t>& subgroups) {
  const std::uint64_t groups = 300 / local + 1;
  const Buffer out = make_buffer(groups * local * 4, "out");
  Launch launch = make_launch(module, kernel, groups * local, local, out);
  std::optional<std::string> first;
  const std::vector<std::string> isas = isas_of_each_width();
  for (std::size_t i = 0; i < isas.size(); ++i)
    for (std::size_t w = 0; w < std::size(kWays); ++w) {
      const Way& way = kWays[w];
      launch.schedule = way.schedule;
      launch.seed = way.seed;
      launch.subgroup_size = subgroups[(i + w) % subgroups.size()];
      launch.reference = way.reference;
      std::ranges::fill(out.as<std::uint32_t>(), 0);
      const std::string now = found(make_device(way.threads, isas[i]), launch);
      if (!first) first = now;
      INFO(fmt::format("{} of {} on {}, {} threads, schedule {} {}, sub-groups of {}{}", kernel,
                       local, isas[i], way.threads, static_cast<int>(way.schedule), way.seed,
                       launch.subgroup_size, way.reference ? ", reference" : ""));
      CHECK(now == *first);
    }
  return *first;
}

constexpr std::uint64_t kLocalSizes[] = {1, 2, 3, 64, 65, 129, 300};

bool has(const std::string& text, std::string_view part) {
  if (text.find(part) != std::string::npos) return true;
  MESSAGE(text);
  return false;
}

TEST_CASE("groups that do not meet are found alike by every width of a batch") {
  const std::optional<Module> module = compile("divergence.cl", kBarriers);
  if (!module) return;
  // From which size of groups on they part; 0: never.
  const std::map<std::uint64_t, std::vector<const char*>> kernels = {
      {0,
       {"rounds", "rounds_of_each", "nested", "same_rounds", "own_rounds_before",
        "own_rounds_within"}},
      {2, {"branch", "trips", "arms", "one_more_round", "one_group", "later"}},
      {3, {"early"}},
      {65, {"one_batch", "batches", "more_rounds"}},
      {71, {"calls"}}};
  for (const auto& [parts_from, names] : kernels)
    for (const char* kernel : names)
      for (const std::uint64_t local : kLocalSizes) {
        const std::string text = found_always(*module, kernel, local, {8, 64});
        INFO(fmt::format("{} of {}: {}", kernel, local, text));
        const bool parts = parts_from != 0 && local >= parts_from;
        CHECK(text.empty() != parts);
        if (parts) CHECK(has(text, "TSP-R0040"));
      }
}

TEST_CASE("instructions of groups that a part executes are found alike by every width of a batch") {
  const std::optional<Module> module = compile("groups.cl", kInstructions);
  if (!module) return;
  for (const char* kernel : {"vote", "broadcast", "scan", "copy", "wait"})
    for (const std::uint64_t local : {33, 65, 200}) {
      const std::string text = found_always(*module, kernel, local, {8, 64});
      INFO(fmt::format("{} of {}: {}", kernel, local, text));
      CHECK(has(text, "TSP-R0040"));
      CHECK(has(text, "do not execute OpGroup"));
      CHECK(has(text, "their ways part at the branch of k.cl:"));
    }
  const std::string vote = found_always(*module, "vote", 200, {32});
  CHECK(has(vote, "171 work-items, the first local (0,0,0), wait at OpGroupAny of k.cl:5:14"));
  CHECK(has(vote, "29 work-items, the first local (3,0,0), have ended"));
  // Each comes there once, in a round of its own.
  CHECK(found_always(*module, "reduce_in_rounds", 200, {8, 64}).empty());
}

TEST_CASE("instructions of sub-groups that a part executes say who takes part") {
  const std::optional<Module> module = compile("groups.cl", kInstructions);
  if (!module) return;
  for (const std::uint32_t subgroup : {8, 16, 32, 64})
    for (const char* kernel : {"sub_reduce", "sub_barrier", "sub_early"})
      for (const std::uint64_t local : {7, 33, 65, 200}) {
        const std::string text = found_always(*module, kernel, local, {subgroup});
        INFO(fmt::format("{} of {}: {}", kernel, local, text));
        CHECK(has(text, "TSP-R0041"));
        CHECK(has(text, "their ways part at the branch of k.cl:"));
      }
  const std::string reduce = found_always(*module, "sub_reduce", 65, {16});
  CHECK(has(
      reduce,
      "sub-group: 14 work-items, the first local (0,0,0), take part in OpGroupIAdd of k.cl:35:5"));
  CHECK(has(reduce, "sub-group: 2 work-items, the first local (3,0,0), are on another path"));
  const std::string early = found_always(*module, "sub_early", 65, {8});
  CHECK(has(
      early,
      "sub-group: 7 work-items, the first local (0,0,0), take part in the barrier of k.cl:48:3"));
  CHECK(has(early, "sub-group: work-item local (3,0,0) is on another path"));
}

TEST_CASE("sub-groups that others of their batch left behind at a barrier go on") {
  const std::optional<Module> module = compile("divergence.cl", kBarriers);
  if (!module) return;
  for (const std::uint64_t local : {128, 129, 200}) {
    const std::string text = found_always(*module, "left_behind", local, {8, 32});
    INFO(fmt::format("{}: {}", local, text));
    CHECK(has(text, "group: 96 work-items, the first local (0,0,0), wait at the barrier of k.cl:"));
    CHECK(
        has(text, fmt::format("{} work-items, the first local (96,0,0), have ended", local - 96)));
  }
}

TEST_CASE("a group that parted has who waits where, in which call, and the branch") {
  const std::optional<Module> module = compile("divergence.cl", kBarriers);
  if (!module) return;
  const auto text = [&](const char* kernel) { return found_always(*module, kernel, 200, {32}); };
  const std::string arms = text("arms");
  CHECK(has(arms, "100 work-items, the first local (0,0,0), wait at the barrier of k.cl:23:5"));
  CHECK(has(arms, "100 work-items, the first local (1,0,0), wait at the barrier of k.cl:20:5"));
  CHECK(has(arms, "their ways part at the branch of k.cl:18:7"));
  const std::string early = text("early");
  CHECK(has(early, "198 work-items, the first local (0,0,0), wait at the barrier of k.cl:31:3"));
  CHECK(has(early, "2 work-items, the first local (198,0,0), have ended"));
  CHECK(has(early, "their ways part at the branch of k.cl:29:7"));
  const std::string rounds = text("more_rounds");
  for (const char* part :
       {"128 work-items, the first local (64,0,0), wait at the barrier of k.cl:141:7",
        "72 work-items, the first local (0,0,0), have ended",
        "their ways part at the branch of k.cl:139:"})
    CHECK(has(rounds, part));
  const std::string calls = text("calls");
  CHECK(has(calls,
            "70 work-items, the first local (0,0,0), wait at the barrier of k.cl:88:3, called at "
            "k.cl:94:5"));
  CHECK(has(calls, "their ways part at the branch of k.cl:93:7"));
  CHECK(has(text("trips"), "their ways part at the branch of k.cl:10:3"));
  CHECK(has(text("later"), "their ways part at the branch of k.cl:81:7"));
}

}  // namespace
}  // namespace transpire::test
