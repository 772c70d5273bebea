// Loops that wait: for sub-groups, for groups, for work-items, and for ever. Without a compiler on the machine these tests pass
// without running.
#include <atomic>
#include <set>
#include <thread>

#include "tests/runtime/observed.h"

namespace transpire::test {
namespace {

constexpr std::string_view kProgressKernels = R"(
kernel void chain(volatile global uint* flags, uint last) {
  uint i = get_group_id(0), after = 0;
  if (get_local_id(0) != 0) return;
  while (i != last && (after = atomic_or(&flags[i + 1], 0)) == 0) {}
  atomic_xchg(&flags[i], after + 1);
}

kernel void items(volatile global uint* flags, uint last) {
  uint i = get_global_id(0);
  while (i != last && flags[i + 1] == 0) {}
  flags[i] = 1;
}

kernel void mutual(volatile global uint* flags, uint last) {
  uint i = get_group_id(0);
  if (get_local_id(0) != 0) return;
  while (atomic_or(&flags[(i + 1) % last], 0) == 0) {}
  atomic_xchg(&flags[i], 1);
}

kernel void own_flag(volatile global uint* flags, uint last) {
  while (atomic_or(&flags[get_global_id(0)], 0) == last) {}
}

kernel void divides(volatile global uint* numbers, uint last) {
  uint sum = 1;
  for (uint i = 1; i < last; ++i)
    if (numbers[0] / i + (1u << (i & 7)) != 0) sum += numbers[1] >> (i % 33);
  numbers[0] = sum;
}

kernel void late(volatile global uint* flags, uint last) {
  uint sum = 1;
  for (uint i = 1; i < last; ++i) sum = sum / 3 ^ i;
  atomic_xchg(&flags[1], sum | 1);
}

kernel void tallies(volatile global uint* flags, uint last) {
  uint i = get_group_id(0);
  while (atomic_or(&flags[i], 0) != last)
    if (i != 0) ++flags[8];
}

kernel void divides_and_waits(volatile global uint* flags, uint last) {
  uint i = get_group_id(0);
  if (get_local_id(0) != 0) return;
  if (i == 0) flags[0] = last / flags[last + 1];
  while (i != last && atomic_or(&flags[i + 1], 0) == 0) {}
  atomic_xchg(&flags[i], 1);
}

kernel void behind_barrier(volatile global uint* flags, uint last) {
  uint i = get_group_id(0);
  if (get_local_id(0) == 0)
    while (i != last && atomic_or(&flags[i + 1], 0) == 0) {}
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == get_local_size(0) - 1) atomic_xchg(&flags[i], 1);
}

kernel void passes_time(volatile global uint* flags, uint last) {
  uint rounds = 0, pause = 1;
  while (atomic_or(&flags[get_group_id(0)], 0) == 0) {
    for (volatile uint i = 0; i < pause; ++i) {}
    if (pause < last) pause *= 2;
    ++rounds;
  }
  flags[0] = rounds;
}
)";

/// Each sub-group takes its lock and tries the other one's; as long as both do that at the same time they get nowhere.
constexpr std::string_view kLocks = "#include \"" TRANSPIRE_PROGRAMS "/progress/try_locks.cl\"\n";

const Module* progress_kernels() {
  static const std::optional<Module> module = compile("progress_test.cl", kProgressKernels);
  return module ? &*module : nullptr;
}

LaunchResult run_chain(const Device& device, const std::string& kernel, std::uint64_t groups,
                       std::uint64_t local, std::uint32_t last, const Buffer& flags,
                       void (*set)(Launch&) = nullptr) {
  Launch launch =
      test::make_launch(*progress_kernels(), kernel, groups * local, local, flags, last);
  if (set != nullptr) set(launch);
  return test::run(device, launch);
}

std::vector<std::uint32_t> flags_of(const Buffer& buffer) {
  const auto all = buffer.as<std::uint32_t>();
  return {all.begin(), all.end()};
}

TEST_CASE("groups wait for later ones, with any part of a batch and any number of threads") {
  if (progress_kernels() == nullptr) return;
  for (const unsigned threads : {1u, 2u, 5u})
    for (const std::uint64_t local : {1, 5, 64, 300})
      for (const std::string kernel : {"chain", "behind_barrier"}) {
        CAPTURE(threads);
        CAPTURE(local);
        CAPTURE(kernel);
        const std::uint32_t groups =
            local < 5 ? 70 : 20;  // more than a batch has, and than there are threads
        const Buffer flags = make_buffer((groups + 1) * 4, "flags");
        const LaunchResult result =
            run_chain(make_device(threads), kernel, groups, local, groups - 1, flags);
        CHECK(result.end == LaunchResult::End::kCompleted);
        CHECK(result.findings.empty());
        const auto seen = flags_of(flags);
        for (std::uint32_t i = 0; i < groups; ++i)
          CHECK(seen[i] == (kernel == "chain" ? groups - i : 1));
      }
}

TEST_CASE("a loop that only passes time in one that waits hides no deadlock") {
  if (progress_kernels() == nullptr) return;
  for (const std::uint32_t longest : {1u, 64u, 300u})
    for (const bool reference : {false, true}) {
      CAPTURE(longest);
      const Buffer flags = make_buffer(4 * 4, "flags");
      Launch launch =
          test::make_launch(*progress_kernels(), "passes_time", 3 * 64, 64, flags, longest);
      launch.reference = reference;
      launch.limits.timeout_seconds = 600;
      CHECK(test::run(make_device(), launch).end == LaunchResult::End::kNoProgress);
    }
}

TEST_CASE("who waits for what nobody stores is told, with the memory and the others") {
  if (progress_kernels() == nullptr) return;
  for (const unsigned threads : {1u, 3u})
    for (const std::uint64_t local : {1, 5, 64, 300}) {
      CAPTURE(threads);
      CAPTURE(local);
      constexpr std::uint32_t kGroups = 20;
      const Buffer flags = make_buffer((kGroups + 1) * 4, "flags");
      // The last group waits, too: for what is behind all flags.
      const LaunchResult result =
          run_chain(make_device(threads), "chain", kGroups, local, 1000, flags);
      CHECK(result.end == LaunchResult::End::kNoProgress);
      REQUIRE(result.findings.size() == 1);
      const Finding& finding = result.findings[0];
      CHECK(finding.diagnostic.rule == "TSP-R0048");
      CHECK(finding.diagnostic.source.line == 5);
      CHECK(finding.allocation == "flags");
      CHECK(finding.group_id[0] == 0);
      CHECK(finding.diagnostic.message ==
            "20 work-items wait for buffer 'flags' to change, and nothing will change it");
      CHECK(flags_of(flags) == std::vector<std::uint32_t>(kGroups + 1, 0));
    }
}

TEST_CASE("launches that wait for ever beside each other") {
  if (progress_kernels() == nullptr) return;
  const auto limited = [](Launch& launch) { launch.limits.timeout_seconds = 600; };
  const auto wait_on = [&](const Buffer& flags, LaunchResult::End& end) {
    return std::thread(
        [&] { end = run_chain(make_device(), "chain", 2, 64, 1000, flags, limited).end; });
  };
  LaunchResult::End one{}, other{};
  SUBCASE("each with memory of its own") {
    const Buffer first = make_buffer(3 * 4, "flags"), second = make_buffer(3 * 4, "flags");
    std::thread a = wait_on(first, one), b = wait_on(second, other);
    a.join();
    b.join();
    CHECK(one == LaunchResult::End::kNoProgress);
    CHECK(other == LaunchResult::End::kNoProgress);
  }
  SUBCASE("until one stores what the other one waits for") {
    const Buffer flags = make_buffer(3 * 4, "flags");
    std::atomic<bool> runs = false;
    Launch stores = test::make_launch(*progress_kernels(), "late", 1, 1, flags, 20'000'000u);
    stores.progress = [&](std::uint64_t, std::uint64_t) { return runs = true; };
    std::thread late([&] { other = test::run(make_device(), stores).end; });
    while (!runs) std::this_thread::yield();
    one = run_chain(make_device(), "chain", 1, 64, 1000, flags, limited).end;
    late.join();
    CHECK(one == LaunchResult::End::kCompleted);
    CHECK(other == LaunchResult::End::kCompleted);
  }
}

std::vector<std::string> loops_of(const Diagnostic& diagnostic) {
  std::vector<std::string> loops;
  for (const std::string& note : diagnostic.notes)
    if (const std::size_t at = note.find(" in the loop of "); at != note.npos)
      loops.push_back(note.substr(0, at) + note.substr(note.find(" for ")));
  return loops;
}

TEST_CASE("what each waits for is told, and no progress is offered that would not help") {
  if (progress_kernels() == nullptr) return;
  for (const unsigned threads : {1u, 3u}) {
    CAPTURE(threads);
    const Buffer flags = make_buffer(4 * 4, "flags");
    const LaunchResult result = run_chain(make_device(threads), "mutual", 2, 64, 2, flags);
    REQUIRE(result.findings.size() == 1);
    const Diagnostic& diagnostic = result.findings[0].diagnostic;
    CHECK(loops_of(diagnostic) ==
          std::vector<std::string>{"1 work-item, the first global (0,0,0), waits for 4 bytes of "
                                   "buffer 'flags' at offset 4, where 0 stands",
                                   "1 work-item, the first global (64,0,0), waits for 4 bytes of "
                                   "buffer 'flags' at offset 0, where 0 stands"});
    CHECK(diagnostic.help ==
          "some store behind their loops what others wait for: one of them has to store before it "
          "waits");
  }
}

TEST_CASE("of those that wait in one loop for many addresses the first ones are told") {
  if (progress_kernels() == nullptr) return;
  for (const unsigned threads : {1u, 3u})
    for (const std::uint64_t local : {1, 50, 100}) {
      CAPTURE(threads);
      CAPTURE(local);
      const Buffer flags = make_buffer(100 * 4, "flags");
      const LaunchResult result =
          run_chain(make_device(threads), "own_flag", 100 / local, local, 0, flags);
      REQUIRE(result.findings.size() == 1);
      const Diagnostic& diagnostic = result.findings[0].diagnostic;
      CHECK(diagnostic.message ==
            "100 work-items wait for buffer 'flags' to change, and nothing will change it");
      const std::vector<std::string> loops = loops_of(diagnostic);
      REQUIRE(loops.size() == 5);
      CHECK(loops[3] ==
            "1 work-item, the first global (3,0,0), waits for 4 bytes of buffer 'flags' at offset "
            "12, where 0 stands");
      CHECK(loops[4] == "96 more wait for other bytes of buffer 'flags'");
      CHECK(std::ranges::count(diagnostic.notes,
                               "nothing else in the kernel stores to buffer 'flags'") == 1);
      CHECK(diagnostic.help == "let a work-item that does not wait store what the loop waits for");
    }
}

/// Which groups are told to have begun and not ended, and that what else is told is of the one that was named last.
class GroupsSeen final : public vm::Observer {
 public:
  std::set<std::uint64_t> open;
  std::size_t begun = 0, most_open = 0, gone_on = 0;
  bool is_right = true;

  void group_begins(const std::uint64_t id[3]) override {
    is_right &= open.insert(id[0]).second;
    last_ = id[0];
    ++begun;
    most_open = std::max(most_open, open.size());
  }
  void group_goes_on(const std::uint64_t id[3]) override {
    is_right &= open.contains(id[0]) && last_ != id[0];
    last_ = id[0];
    ++gone_on;
  }
  void group_ends(const std::uint64_t id[3]) override {
    is_right &= last_ == id[0] && open.erase(id[0]) == 1;
    last_.reset();
  }
  void instruction(const vm::exec::Batch& batch, const vm::Inst&) override { look(batch); }
  void access(const vm::exec::Batch& batch, const vm::ObservedAccess&) override { look(batch); }
  void waits(const vm::exec::Batch& batch, const vm::Inst&) override { look(batch); }
  void meets(const vm::exec::Batch& batch, const vm::Inst&) override { look(batch); }

 private:
  void look(const vm::exec::Batch& batch) { is_right &= last_ == batch.group_id[0]; }
  std::optional<std::uint64_t> last_;
};

TEST_CASE("groups wait for later ones in every order, and take turns where they are watched") {
  if (progress_kernels() == nullptr) return;
  for (const Schedule schedule :
       {Schedule::kLockstep, Schedule::kSerial, Schedule::kReverse, Schedule::kRandom})
    for (const std::string kernel : {"chain", "behind_barrier"})
      for (const std::string way : {"plain", "checked", "watched"}) {
        CAPTURE(static_cast<int>(schedule));
        CAPTURE(kernel);
        CAPTURE(way);
        const Buffer flags = make_buffer(9 * 4, "flags");
        Launch launch = test::make_launch(*progress_kernels(), kernel, 8 * 64, 64, flags, 7u);
        launch.schedule = schedule;
        launch.check_race = way == "checked";
        GroupsSeen seen;
        const LaunchResult result =
            way == "watched" ? watch(launch, seen) : test::run(make_device(2), launch);
        CHECK(result.end == LaunchResult::End::kCompleted);
        CHECK(result.findings.empty());
        CHECK(flags_of(flags)[0] == (kernel == "chain" ? 8 : 1));
        if (way != "watched") continue;
        CHECK(seen.is_right);
        CHECK(seen.open.empty());
        CHECK(seen.begun == 8);
        if (schedule == Schedule::kReverse) continue;  // each finds the next one's flag set
        CHECK(seen.most_open > 1);
        CHECK(seen.gone_on >= seen.most_open);
      }
}

TEST_CASE("groups that are watched are told to have ended where the launch ends early") {
  if (progress_kernels() == nullptr) return;
  // Where some of what waits stores, memory is another one each time, and the limit ends it.
  for (const std::string kernel : {"chain", "behind_barrier", "tallies"}) {
    CAPTURE(kernel);
    const Buffer flags = make_buffer(9 * 4, "flags");
    Launch launch = test::make_launch(*progress_kernels(), kernel, 3 * 64, 64, flags, 1000u);
    launch.limits.max_steps = 20'000;
    GroupsSeen seen;
    CHECK(watch(launch, seen).end ==
          (kernel == "tallies" ? LaunchResult::End::kStepLimit : LaunchResult::End::kNoProgress));
    CHECK(seen.is_right);
    CHECK(seen.open.empty());
    CHECK(seen.most_open > 1);
  }
}

TEST_CASE("groups that wait for others go on where there are as many findings as may be") {
  if (progress_kernels() == nullptr) return;
  for (const bool is_watched : {false, true})
    for (const unsigned threads : {1u, 3u}) {
      CAPTURE(is_watched);
      CAPTURE(threads);
      const Buffer flags = make_buffer(10 * 4, "flags");
      Launch launch =
          test::make_launch(*progress_kernels(), "divides_and_waits", 8 * 64, 64, flags, 7u);
      launch.limits.max_findings = 1;
      launch.check_ub = true;
      launch.check_race = is_watched;
      const LaunchResult result = test::run(make_device(threads), launch);
      REQUIRE(rules_of(result) == Rules{"TSP-R0060"});
      CHECK(flags_of(flags)[0] == 1);
    }
}

TEST_CASE("groups that are looked at wait for later ones whatever memory that may take") {
  if (progress_kernels() == nullptr) return;
  constexpr std::uint32_t kGroups = 24;
  bool was_too_little = false, was_enough = false;
  for (std::uint64_t bytes = 1024; bytes <= 16u << 20; bytes += bytes / 2) {
    CAPTURE(bytes);
    const Buffer flags = make_buffer((kGroups + 1) * 4, "flags");
    Launch launch = test::make_launch(*progress_kernels(), "behind_barrier", kGroups * 64, 64,
                                      flags, kGroups - 1);
    launch.check_race = true;
    launch.limits.max_check_bytes = bytes;
    const LaunchResult result = test::run(make_device(), launch);
    CHECK(result.end == LaunchResult::End::kCompleted);
    CHECK(flags_of(flags)[0] == 1);
    was_enough |= result.findings.empty();
    for (const Finding& finding : result.findings) {
      CHECK(finding.diagnostic.rule == "TSP-L0010");
      was_too_little = true;
    }
  }
  CHECK(was_too_little);
  CHECK(was_enough);
}

TEST_CASE("work-items of a sub-group wait for each other with fair progress only") {
  if (progress_kernels() == nullptr) return;
  const Buffer flags = make_buffer(101 * 4, "flags");
  const LaunchResult stuck = run_chain(make_device(), "items", 2, 50, 99, flags);
  CHECK(stuck.end == LaunchResult::End::kNoProgress);
  REQUIRE(stuck.findings.size() == 1);
  CHECK(stuck.findings[0].diagnostic.help.ends_with("'--progress=fair' lets each go on by itself"));
}

TEST_CASE("checks take no more room the longer a loop runs") {
  if (progress_kernels() == nullptr) return;
  const Buffer numbers = make_buffer(8, "numbers");
  for (const auto set : {+[](Launch& launch) { launch.check_uninit = true; },
                         +[](Launch& launch) { launch.check_ub = true; }})
    CHECK(run_chain(make_device(), "divides", 1, 1, 500'000, numbers, set).end ==
          LaunchResult::End::kCompleted);
}

TEST_CASE("a step limit between two turns is no divergence, whatever was split meanwhile") {
  const std::optional<Module> module = compile("locks.cl", kLocks);
  if (!module) return;
  const Device device = make_device();
  bool some_completed = false, some_limited = false;
  for (std::uint64_t steps = 15000; steps <= 25000; steps += steps < 19000 ? 500 : 100) {
    CAPTURE(steps);
    const Buffer locks = make_buffer(2 * 4, "locks"), done = make_buffer(4, "done");
    Launch launch = test::make_launch(*module, "both", 64, 64, locks, done);
    launch.subgroup_size = 32;
    launch.limits.max_steps = steps;
    const LaunchResult result = test::run(device, launch);
    const bool completed = result.end == LaunchResult::End::kCompleted;
    (completed ? some_completed : some_limited) = true;
    if (completed) {
      CHECK(result.findings.empty());
      CHECK(done.as<std::uint32_t>()[0] == 2);
      continue;
    }
    CHECK(result.end == LaunchResult::End::kStepLimit);
    REQUIRE(rules_of(result) == Rules{"TSP-L0001"});
  }
  CHECK(some_completed);
  CHECK(some_limited);
}

}  // namespace
}  // namespace transpire::test
