// Launches of kernels that clspv compiled, through the library: watched runs, regions, limits.
#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "tests/runtime/support.h"
#include "tests/shorthand/clspv.h"
#include "transpire/watch.hpp"

namespace transpire::test {
namespace {

constexpr std::string_view kPrint =
    R"(%taken = OpAtomicIAdd %uint (at %printed[0]) %uint_1 %uint_0 %uint_2
store %printed[(OpIAdd %uint %taken %uint_1)] %uint_0
store %printed[(OpIAdd %uint %taken %uint_2)] %i
)";

/// kernel void add(global uint *out) { out[i & mask] += i + 1; printf("%u;", i); }, i: the global id. `print`: kPrint, or nothing.
std::string adding(std::uint32_t mask = 255, std::string_view print = kPrint) {
  return shorthand::clspv_set() + shorthand::kClspvGroupSize +
         fmt::format(R"(OpSource OpenCL_C 120
buffer uint out printed
%Pushed = block %v3uint 0
%pushed = OpVariable %_ptr_PushConstant_Pushed PushConstant
shader add
%here = load %GlobalInvocationId[0]
%i = OpIAdd %uint %here (load %pushed[0 0])
%at = at %out[(OpBitwiseAnd %uint %i %uint_{})]
%old = load %at
OpStore %at (OpIAdd %uint %old (OpIAdd %uint %i %uint_1))
{}OpFunctionEnd
%k = OpExtInst %void %set Kernel %add (OpString "add") %uint_1 %uint_0 (OpString "")
%out_is = OpExtInst %void %set ArgumentStorageBuffer %k %uint_0 %uint_0 %uint_0
%text = OpExtInst %void %set PrintfInfo %uint_0 (OpString "%u;") %uint_4
%buffer = OpExtInst %void %set PrintfBufferStorageBuffer %uint_0 %uint_1 %uint_256
%sizes = OpExtInst %void %set SpecConstantWorkgroupSize %uint_0 %uint_1 %uint_2
%region = OpExtInst %void %set PushConstantRegionOffset %uint_0 %uint_12
)",
                     mask, print);
}

std::string replaced(std::string text,
                     std::initializer_list<std::pair<std::string_view, std::string_view>> changes) {
  for (const auto& [from, to] : changes) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  }
  return text;
}

/// Counts accesses.
class Counter : public Watch {
 public:
  int accesses = 0;
  Answer access(const WatchAccess&) override {
    ++accesses;
    return Answer::kStop;
  }
};

TEST_CASE("a watched run of one region goes back to its beginning") {
  const Device device = make_device();
  const Buffer out = make_buffer(64, "out");
  Launch launch = make_launch(load(adding()), "add", 4, 2, out);
  Counter counter;
  launch.watch = &counter;
  auto watched = WatchedRun::create(device, launch);
  REQUIRE(watched);
  const auto finish = [&] {
    while (watched->go_on()) {
    }
    REQUIRE(watched->result() != nullptr);
    REQUIRE(*watched->result());
    CHECK((*watched->result())->printf_output == "0;1;2;3;");
    CHECK((*watched->result())->work_items == 4);
    CHECK(out.as<std::uint32_t>()[3] == 4);
  };
  finish();
  CHECK(counter.accesses == 4 * 5);
  CHECK(watched->go_to(5));
  finish();
}

TEST_CASE("a watched run is refused as its launch is") {
  Launch launch = make_launch(load(adding()), "add", 4, 2, make_buffer(64));
  launch.arguments.clear();
  Counter counter;
  launch.watch = &counter;
  auto watched = WatchedRun::create(make_device(), launch);
  REQUIRE(watched);
  CHECK_FALSE(watched->go_on());
  REQUIRE(watched->result() != nullptr);
  CHECK(error_of(*watched->result()) == "TSP-C0003: expected 1 argument of kernel 'add', found 0");
}

/// Begins and ends, and stores, of which it counts those to a byte.
class LaunchLog final : public Watch {
 public:
  std::vector<std::string> lines;
  std::string ends_at;                   ///< answers kEnd to this line
  const std::byte* byte = nullptr;       ///< null: counts no stores
  const WatchedRun* run = nullptr;       ///< set with `byte`
  std::size_t stops_at = 0;              ///< stops at the store of that number
  std::vector<std::uint64_t> positions;  ///< of the stores to the byte

  Answer launch_begins(const WatchLaunch& launch) override {
    return add("{} begins: {} in {} groups of {}", launch.kernel, launch.global_size[0],
               launch.num_groups[0], launch.local_size[0]);
  }
  Answer launch_ends(const WatchLaunch& launch) override {
    return add("{} ends: {} in {} groups of {}", launch.kernel, launch.global_size[0],
               launch.num_groups[0], launch.local_size[0]);
  }
  Answer group_begins(const WatchGroup& group) override {
    return add("group {} begins", group.group_id[0]);
  }
  Answer group_ends(const WatchGroup& group) override {
    return add("group {} ends", group.group_id[0]);
  }
  Answer step(const WatchStep& step) override {
    if (step.place.name() != "OpStore") return Answer::kGoOn;
    const WatchItem last = step.items[step.items.size() - 1];
    return add("{} store, up to item {} of group {}", step.items.size(), last.global_id[0],
               last.group_id[0]);
  }
  Answer access(const WatchAccess& access) override {
    if (!access.writes()) return Answer::kGoOn;
    if (access.host == byte && byte != nullptr) {
      positions.push_back(run->position() - 1);
      if (positions.size() == stops_at) return Answer::kStop;
    }
    return add("item {} of group {} stores at {}", access.item.global_id[0],
               access.item.group_id[0], access.offset_bytes);
  }

 private:
  template <class... T>
  Answer add(fmt::format_string<T...> format, T&&... values) {
    lines.push_back(fmt::format(format, std::forward<T>(values)...));
    return lines.back() == ends_at ? Answer::kEnd : Answer::kGoOn;
  }
};

TEST_CASE("a watch sees one launch of several regions, which ends early or late") {
  const Device device = make_device();
  LaunchLog log;
  Launch launch = make_launch(load(adding(255, "")), "add", 3, 2, make_buffer(64));
  launch.geometry.global_offset[0] = 10;
  launch.watch = &log;
  const std::vector<std::string> all{
      "add begins: 3 in 2 groups of 2",
      "group 0 begins",
      "2 store, up to item 11 of group 0",
      "item 10 of group 0 stores at 40",
      "item 11 of group 0 stores at 44",
      "group 0 ends",
      "group 1 begins",
      "1 store, up to item 12 of group 1",
      "item 12 of group 1 stores at 48",
      "group 1 ends",
      "add ends: 3 in 2 groups of 2",
  };
  CHECK(test::run(device, launch).end == LaunchResult::End::kCompleted);
  CHECK(log.lines == all);
  log = {};
  log.ends_at = "group 0 ends";  // the first region's last event
  CHECK(test::run(device, launch).end == LaunchResult::End::kCancelled);
  CHECK(log.lines == std::vector(all.begin(), all.begin() + 6));
}

TEST_CASE("a watched run of two regions stops in the second, goes back to the first, and on") {
  const Device device = make_device();
  const Buffer out = make_buffer(16, "out");
  const std::span<std::uint32_t> values = out.as<std::uint32_t>();
  Launch launch = make_launch(load(adding(1)), "add", 3, 2, out);
  LaunchLog log;  // work-items 0 and 2 store to the first element
  launch.watch = &log;
  auto run = WatchedRun::create(device, launch);
  REQUIRE(run);
  log.byte = out.bytes().data();
  log.run = &*run;
  log.stops_at = 2;
  REQUIRE(run->go_on());
  CHECK(values[0] == 1);
  CHECK(values[1] == 2);
  REQUIRE(log.positions.size() == 2);
  const std::uint64_t first = log.positions[0], second = log.positions[1];
  REQUIRE(run->go_to(first));
  CHECK(values[0] == 0);
  CHECK(values[1] == 0);
  REQUIRE(run->go_to(second));
  CHECK(values[0] == 1);
  REQUIRE(run->go_to(first));
  log.positions.clear();
  REQUIRE(run->go_on());  // the second store again
  CHECK(log.positions == std::vector{first, second});
  CHECK_FALSE(run->go_on());
  REQUIRE(*run->result());
  CHECK((*run->result())->end == LaunchResult::End::kCompleted);
  CHECK((*run->result())->work_items == 3);
  CHECK((*run->result())->printf_output == "0;1;2;");
  CHECK(values[0] == 4);
}

TEST_CASE(
    "findings of regions have the launch's ids and the kernel's names, and equal ones are one") {
  const Device device = make_device();
  const Module module = load(adding());
  const auto findings = [&](std::uint64_t bytes) {
    const auto result = device.run(make_launch(module, "add", 5, 2, make_buffer(bytes)));
    REQUIRE(result);
    return result->findings;
  };
  const std::vector<Finding> in_second = findings(16);  // the load and the store of work-item 4
  REQUIRE(in_second.size() == 2);
  CHECK(in_second[0].diagnostic.rule == "TSP-R0020");
  CHECK(in_second[1].diagnostic.rule == "TSP-R0021");
  for (const Finding& finding : in_second) {
    CHECK(finding.global_id == std::array<std::uint64_t, 3>{4, 0, 0});
    CHECK(finding.group_id == std::array<std::uint64_t, 3>{2, 0, 0});
    CHECK(finding.local_id == std::array<std::uint64_t, 3>{0, 0, 0});
    CHECK(finding.allocation == "arg0");
    CHECK(finding.count == 1);
  }
  const std::vector<Finding> in_both = findings(8);
  REQUIRE(in_both.size() == 2);
  for (const Finding& finding : in_both) {
    CHECK(finding.global_id == std::array<std::uint64_t, 3>{2, 0, 0});
    CHECK(finding.count == 3);
    CHECK(finding.diagnostic.notes.back() == "1 more region of the launch had it, 3 times in all");
  }
}

TEST_CASE("the limit of findings holds for all regions together") {
  const Device device = make_device();
  Launch launch = make_launch(load(adding()), "add", 5, 2, make_buffer(8));
  const auto end_at = [&](std::uint64_t most) {
    launch.limits.max_findings = most;
    const auto result = device.run(launch);
    REQUIRE(result);
    return std::pair(result->end, result->findings.size());
  };
  CHECK(end_at(3) == std::pair(LaunchResult::End::kCompleted, std::size_t{2}));
  CHECK(end_at(1) == std::pair(LaunchResult::End::kTooManyFindings, std::size_t{1}));
}

/// adding() that stores out of bounds at two places in groups of two, and at two others in smaller ones.
std::string adding_beyond() {
  return adding(255, R"(%smaller = OpISub %uint %uint_2 (OpCompositeExtract %uint %group_size 0)
%far = OpIMul %uint %uint_1000 %smaller
%here_if_smaller = OpIAdd %uint %i (OpISub %uint %uint_1000 %far)
%here_if_not = OpIAdd %uint %i %far
store %out[%here_if_smaller] %i
store %out[(OpIAdd %uint %here_if_smaller %uint_1)] %i
store %out[%here_if_not] %i
store %out[(OpIAdd %uint %here_if_not %uint_1)] %i
)");
}

TEST_CASE("the limit of findings cuts those of several regions between two of them") {
  const Device device = make_device();
  LaunchLog log;
  Launch launch = make_launch(load(adding_beyond()), "add", 3, 2, make_buffer(16));
  launch.geometry.dimensions = 2;
  launch.geometry.global_size[1] = 3;
  launch.geometry.local_size[1] = 2;
  launch.watch = &log;
  const auto check = [&](std::uint64_t most, LaunchResult::End end, std::size_t count,
                         std::uint64_t work_items) {
    log = {};
    launch.limits.max_findings = most;
    const LaunchResult result = test::run(device, launch);
    CHECK(result.end == end);
    CHECK(result.findings.size() == count);
    CHECK(result.work_items == work_items);
    CHECK(std::ranges::count(log.lines, "add begins: 3 in 2 groups of 2") == 1);
    CHECK(std::ranges::count(log.lines, "add ends: 3 in 2 groups of 2") == 1);
    CHECK(log.lines.back() == "add ends: 3 in 2 groups of 2");
  };
  check(0, LaunchResult::End::kCompleted, 4, 9);
  check(5, LaunchResult::End::kCompleted, 4, 9);
  // The third region of the four, (1, 2), is the first with small groups in x.
  check(4, LaunchResult::End::kTooManyFindings, 4, 8);
  check(3, LaunchResult::End::kTooManyFindings, 3, 8);
  check(2, LaunchResult::End::kTooManyFindings, 2, 4);
}

/// adding(), whose groups have an array in memory of that storage class: one element, or `more` than that in groups of less than two.
std::string adding_with_array(std::string_view storage_class, std::uint32_t more) {
  return replaced(
      adding(255, "store %array[%uint_0] %i\n"),
      {{"%Pushed = block", fmt::format(R"(%smaller = OpSpecConstantOp %uint ISub %uint_2 %size_x
%more = OpSpecConstantOp %uint IMul %smaller %uint_{0}
%length = OpSpecConstantOp %uint IAdd %more %uint_1
%Array = OpTypeArray %uint %length
%array = OpVariable %_ptr_{1}_Array {1}
%Pushed = block)",
                                       more, storage_class)}});
}

TEST_CASE("a limit of steps ends the launch in its second region") {
  const std::string text = adding(255, R"(%smaller = OpIEqual %bool %size_x %uint_1
OpBranch %head
%head = OpLabel
OpLoopMerge %done %next None
OpBranchConditional %smaller %next %done
%next = OpLabel
OpBranch %head
%done = OpLabel
)");
  Launch launch = make_launch(load(text), "add", 3, 2, make_buffer(16));
  launch.limits.max_steps = 1000;
  const LaunchResult result = test::run(make_device(), launch);
  CHECK(result.end == LaunchResult::End::kStepLimit);
  REQUIRE(rules_of(result) == Rules{"TSP-L0001"});
  CHECK(result.findings[0].global_id[0] == 2);
  CHECK(result.findings[0].group_id[0] == 1);
}

TEST_CASE("a region that cannot begin refuses the launch") {
  const Device device = make_device();
  const Buffer out = make_buffer(16, "out");
  const auto run_of = [&](std::string_view text) {
    std::ranges::fill(out.as<std::uint32_t>(), 0);
    return device.run(make_launch(load(text), "add", 3, 2, out));
  };
  // Lowering refuses the second region, so the first does not run either.
  const Result<LaunchResult> lowered = run_of(adding_with_array("Private", 400'000'000));
  REQUIRE_FALSE(lowered);
  CHECK(lowered.errors()[0].rule == "TSP-L0004");
  CHECK(out.as<std::uint32_t>()[0] == 0);
  // The second region has too much local memory.
  LaunchLog log;
  Launch launch = make_launch(load(adding_with_array("Workgroup", 100'000)), "add", 3, 2, out);
  launch.watch = &log;
  const Result<LaunchResult> bound = device.run(launch);
  REQUIRE_FALSE(bound);
  CHECK(bound.errors()[0].message.find("local memory") != std::string::npos);
  CHECK(bound.errors()[0].notes.back() == "1 of 2 regions of the launch had run");
  CHECK(log.lines.back() == "add ends: 3 in 2 groups of 2");
  CHECK(out.as<std::uint32_t>()[0] == 1);
}

TEST_CASE("work-items of two regions race") {
  const Device device = make_device();
  const auto findings = [&](std::uint32_t mask) {
    Launch launch = make_launch(load(adding(mask, "")), "add", 3, 2, make_buffer(16));
    launch.check_race = true;
    const auto result = device.run(launch);
    REQUIRE(result);
    CHECK(result->memory_uses.empty());
    return result->findings;
  };
  CHECK(findings(255).empty());
  const std::vector<Finding> races = findings(1);  // work-items 0 and 2 change one element
  REQUIRE_FALSE(races.empty());
  for (const Finding& race : races) {
    CHECK(race.diagnostic.rule == "TSP-R0100");
    CHECK(race.global_id == std::array<std::uint64_t, 3>{2, 0, 0});
    CHECK(race.diagnostic.message.find("of buffer 'arg0' races with a") != std::string::npos);
    CHECK(race.diagnostic.notes.back().find("by work-item global (0,0,0)") != std::string::npos);
  }
}

TEST_CASE("a buffer and an image with one set and binding are two arguments") {
  const std::string text = replaced(
      adding(255, ""),
      {{"%Pushed = block",
        "OpDecorate %image DescriptorSet 0\nOpDecorate %image Binding 0\n"
        "%seen = OpTypeImage %float 2D 0 0 0 1 Unknown\n"
        "%image = OpVariable %_ptr_UniformConstant_seen UniformConstant\n%Pushed = block"},
       {"%here =", "%looked = OpLoad %seen %image\n%here ="},
       {"\"add\") %uint_1", "\"add\") %uint_2"},
       {"%text =",
        "%i_is = OpExtInst %void %set ArgumentSampledImage %k %uint_1 %uint_0 %uint_0\n%text ="}});
  const Module module = load(text);
  const std::vector<ParameterInfo>& parameters = module.kernel("add")->parameters;
  CHECK(parameters[0].type.spelling == "global uint*");
  CHECK(parameters[1].image.has_value());
}

TEST_CASE("push constants take of the limit of memory") {
  Launch launch =
      make_launch(load(replaced(adding(255, ""), {{"%Pushed = block %v3uint 0",
                                                   "OpDecorate %triples ArrayStride 16\n"
                                                   "%triples = OpTypeArray %v3uint %uint_100000\n"
                                                   "%Pushed = block %v3uint 0 %triples 16"}})),
                  "add", 1, 1, make_buffer(16));
  launch.limits.max_memory_bytes = 1 << 20;
  CHECK(error_of(make_device().run(launch)).find("bytes for 'push constants'") !=
        std::string::npos);
}

/// adding(1), whose program-scope variables begin with the address of one of them. The kernel moves half of the address to out[2].
std::string relocating() {
  const std::string text = adding(1, R"(%half = load %printed[0]
store %out[2] %half
store %printed[0] %uint_0
)");
  return replaced(
             text,
             {{"%text = OpExtInst %void %set PrintfInfo %uint_0 (OpString \"%u;\") %uint_4\n", ""},
              {"PrintfBufferStorageBuffer %uint_0 %uint_1 %uint_256",
               "ProgramScopeVariablesStorageBuffer %uint_0 %uint_1 "
               "(OpString \"000000000000000007000000\")"}}) +
         "%address = OpExtInst %void %set ProgramScopeVariablePointerRelocation %uint_4 %uint_0 "
         "%uint_8\n";
}

TEST_CASE(
    "one launch writes the addresses of program-scope variables, and launches with others are "
    "refused") {
  const Device device = make_device();
  const Buffer out = make_buffer(16, "out");
  Launch launch = make_launch(load(relocating()), "add", 1, 1, out);
  REQUIRE(device.run(launch));
  CHECK(out.as<std::uint32_t>()[2] != 0);
  REQUIRE(device.run(launch));
  CHECK(out.as<std::uint32_t>()[2] == 0);
  launch.shared = SharedMemory::create().value();
  CHECK(error_of(device.run(launch))
            .starts_with("TSP-U0003: an earlier launch has written addresses"));
  launch.shared.reset();
  CHECK(device.run(launch));
}

TEST_CASE("progress counts the work-groups of all regions") {
  const Device device = make_device();
  Launch launch = make_launch(load(adding()), "add", 100'001, 2, make_buffer(1024));
  launch.limits.max_findings = 0;
  std::uint64_t before = 0;
  launch.progress = [&](std::uint64_t done, std::uint64_t total) {
    CHECK(total == 50'001);
    CHECK(done >= std::exchange(before, done));
    return true;
  };
  const auto result = device.run(launch);
  REQUIRE(result);
  CHECK(result->work_items == 100'001);
}

}  // namespace
}  // namespace transpire::test
