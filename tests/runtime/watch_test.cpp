// A watch is called for all events in their order, and ends launches. A watched run stops, goes on, and goes back.
#include "transpire/watch.hpp"

#include <fmt/format.h>

#include <cstring>

#include "tests/runtime/support.h"

namespace transpire::test {
namespace {

/// kernel k(global uint* a): a[i] = 2 * a[i] + i, in two stores with a barrier between them.
const std::string kTwoStores = R"(
kernel k(%_ptr_CrossWorkgroup_uint a)
%at = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %a %gid
%old = load %at
%twice = OpIAdd %uint %old %old
store %at %twice
OpControlBarrier %uint_2 %uint_2 %uint_528
%now = load %at
%i = OpUConvert %uint %gid
%sum = OpIAdd %uint %now %i
store %at %sum
)";

class EventLog : public Watch {
 public:
  std::vector<std::string> lines;
  Answer launch_begins(const WatchLaunch& launch) override {
    return add("launch {} of {} in groups of {}", launch.kernel, launch.global_size[0],
               launch.local_size[0]);
  }
  Answer launch_ends(const WatchLaunch&) override { return add("launch ends"); }
  Answer group_begins(const WatchGroup& group) override {
    return add("group {} begins", group.group_id[0]);
  }
  Answer group_ends(const WatchGroup& group) override {
    return add("group {} ends", group.group_id[0]);
  }
  Answer access(const WatchAccess& access) override {
    std::uint32_t bits = 0;
    access.read(std::as_writable_bytes(std::span(&bits, 1)));
    return add("{} {} of item {} in round {}: {} at {}, {} bytes, now {}", access.place.name(),
               access.writes() ? "stores" : "loads", access.item.global_id[0], access.round,
               access.allocation, access.offset_bytes, access.size_bytes, bits);
  }
  Answer waits(const WatchStep& step) override {
    return add("{} of {} wait", step.place.name(), step.items.size());
  }
  Answer meets(const WatchStep&) override { return add("meet"); }

 private:
  template <class... T>
  Answer add(fmt::format_string<T...> format, T&&... values) {
    lines.push_back(fmt::format(format, std::forward<T>(values)...));
    return Answer::kGoOn;
  }
};

struct TwoStores {
  Module module = load(kTwoStores);
  Buffer a = make_buffer(16, "a");
  Device device = make_device(4);
  Launch launch = make_launch(module, "k", 4, 2, a);
  std::span<std::uint32_t> values = a.as<std::uint32_t>();
  TwoStores() {
    for (std::uint32_t i = 0; i < 4; ++i) values[i] = 10 * (i + 1);
  }
};

TEST_CASE("a watch is told of a launch's events in their order") {
  TwoStores two;
  EventLog log;
  two.launch.watch = &log;
  const LaunchResult result = test::run(two.device, two.launch);
  CHECK(result.end == LaunchResult::End::kCompleted);
  CHECK(two.values[3] == 83);
  REQUIRE(log.lines.size() == 26);
  CHECK(log.lines[0] == "launch k of 4 in groups of 2");
  CHECK(log.lines[1] == "group 0 begins");
  CHECK(log.lines[2] == "OpLoad loads of item 0 in round 0: a at 0, 4 bytes, now 10");
  CHECK(log.lines[4] == "OpStore stores of item 0 in round 0: a at 0, 4 bytes, now 10");
  CHECK(log.lines[6] == "OpControlBarrier of 2 wait");
  CHECK(log.lines[7] == "meet");
  CHECK(log.lines[8] == "OpLoad loads of item 0 in round 1: a at 0, 4 bytes, now 20");
  CHECK(log.lines[12] == "group 0 ends");
  CHECK(log.lines[25] == "launch ends");
}

/// Counts the stores to a byte, and gives an answer at one of them.
class StoreCounter final : public Watch {
 public:
  StoreCounter(const std::byte* byte, std::uint64_t stops_at, Answer answer)
      : byte_(byte), stops_at_(stops_at), answer_(answer) {}
  std::vector<std::uint64_t> positions;  ///< numbers of the stores' events; zeros without `run`
  const WatchedRun* run = nullptr;
  Answer access(const WatchAccess& access) override {
    if (!access.writes() || access.host == nullptr || byte_ < access.host ||
        byte_ >= access.host + access.size_bytes)
      return Answer::kGoOn;
    positions.push_back(run == nullptr ? 0 : run->position() - 1);
    return positions.size() == stops_at_ ? answer_ : Answer::kGoOn;
  }

 private:
  const std::byte* byte_;
  const std::uint64_t stops_at_;
  const Answer answer_;
};

TEST_CASE(
    "a watch ends a launch, and nothing is executed after the instruction that it ended it at") {
  TwoStores two;
  StoreCounter counter(&two.a.bytes()[8], 1, Watch::Answer::kEnd);
  two.launch.watch = &counter;
  const LaunchResult result = test::run(two.device, two.launch);
  CHECK(result.end == LaunchResult::End::kCancelled);
  REQUIRE(result.findings.size() == 1);  // says where
  CHECK(result.findings[0].diagnostic.rule == "TSP-L0008");
  CHECK(two.values[0] == 20);  // the first group is through
  CHECK(two.values[1] == 41);
  CHECK(two.values[2] == 60);  // the store that was told of
}

TEST_CASE(
    "a run stops at the second store to a byte, goes back to the first, and on to the same end") {
  TwoStores two;
  StoreCounter counter(&two.a.bytes()[8], 2, Watch::Answer::kStop);
  two.launch.watch = &counter;
  auto run = WatchedRun::create(two.device, two.launch);
  REQUIRE(run);
  counter.run = &*run;
  REQUIRE(run->go_on());
  CHECK(run->result() == nullptr);
  CHECK(two.values[2] == 60);
  REQUIRE(counter.positions.size() == 2);

  REQUIRE(run->go_to(counter.positions[0]));
  CHECK(two.values[2] == 30);
  CHECK(run->position() == counter.positions[0]);
  CHECK(counter.positions.size() == 2);  // nothing was told on the way
  CHECK_FALSE(run->go_on());
  REQUIRE(counter.positions.size() == 4);
  CHECK(counter.positions[2] == counter.positions[0]);
  CHECK(counter.positions[3] == counter.positions[1]);
  CHECK(two.values[2] == 62);
  REQUIRE(run->result() != nullptr);
  CHECK((*run->result())->end == LaunchResult::End::kCompleted);

  CHECK_FALSE(run->go_to(1'000'000));  // there is no such event
  CHECK(two.values[2] == 62);
}

TEST_CASE("a run that is dropped ends its launch behind the instruction that it stands at") {
  TwoStores two;
  StoreCounter counter(&two.a.bytes()[8], 1, Watch::Answer::kStop);
  two.launch.watch = &counter;
  {
    auto run = WatchedRun::create(two.device, two.launch);
    REQUIRE(run);
    REQUIRE(run->go_on());
  }
  CHECK(two.values[3] == 80);  // the store was one instruction's of both work-items
}

TEST_CASE("where a watch ended the launch, a run ends again on its way to later events") {
  TwoStores two;
  StoreCounter counter(&two.a.bytes()[8], 1, Watch::Answer::kEnd);
  two.launch.watch = &counter;
  auto run = WatchedRun::create(two.device, two.launch);
  REQUIRE(run);
  CHECK_FALSE(run->go_on());
  CHECK_FALSE(run->go_to(1'000'000));
  CHECK(two.values[2] == 60);
  CHECK((*run->result())->end == LaunchResult::End::kCancelled);
}

TEST_CASE("a launch with progress that is held up leaves the device's threads to other launches") {
  TwoStores two;
  StoreCounter counter(&two.a.bytes()[8], 1, Watch::Answer::kStop);
  two.launch.watch = &counter;
  two.launch.progress = [](std::uint64_t, std::uint64_t) { return true; };
  auto run = WatchedRun::create(two.device, two.launch);
  REQUIRE(run);
  REQUIRE(run->go_on());
  TwoStores other;
  other.launch.progress = two.launch.progress;
  other.launch.limits.timeout_seconds = 60;
  CHECK(test::run(two.device, other.launch).end == LaunchResult::End::kCompleted);
  CHECK(other.values[3] == 83);
}

/// A pipe at program scope that the kernel does not use.
const std::string kUnusedPipe = R"(
OpCapability Pipes PipeStorage
%storage = OpTypePipeStorage
%pipe = OpConstantPipeStorage %storage 4 4 8
%held = OpVariable %_ptr_UniformConstant_storage UniformConstant %pipe
kernel k(%_ptr_CrossWorkgroup_uint a)
%at = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_uint %a %gid
OpStore %at %uint_1
)";

TEST_CASE("a run of a kernel beside a program-scope pipe that it does not use") {
  TwoStores two;
  two.launch.module = load(kUnusedPipe);
  EventLog log;
  two.launch.watch = &log;
  auto run = WatchedRun::create(two.device, two.launch);
  REQUIRE(run);
  CHECK_FALSE(run->go_on());
  CHECK(two.values[0] == 1);
  CHECK(run->go_to(2));
  CHECK(two.values[0] == 10);
}

TEST_CASE("a run needs a watch, and hands on what a launch is refused for") {
  TwoStores two;
  CHECK(error_of(WatchedRun::create(two.device, two.launch)).starts_with("TSP-C0040"));
  EventLog log;
  two.launch.watch = &log;
  two.launch.kernel = "other";
  auto run = WatchedRun::create(two.device, two.launch);
  REQUIRE(run);
  CHECK_FALSE(run->go_on());
  REQUIRE(run->result() != nullptr);
  CHECK_FALSE(run->result()->ok());
  CHECK(log.lines.empty());
}

}  // namespace
}  // namespace transpire::test
