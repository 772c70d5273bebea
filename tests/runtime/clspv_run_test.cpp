// Launches of kernels that clspv compiled, through the library: watched runs, regions, limits.
#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "tests/runtime/support.h"
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
  return fmt::format(R"(OpExtension "SPV_KHR_non_semantic_info"
%set = OpExtInstImport "NonSemantic.ClspvReflection.5"
OpSource OpenCL_C 120
OpDecorate %group_size BuiltIn WorkgroupSize
OpDecorate %size_x SpecId 0
OpDecorate %size_y SpecId 1
OpDecorate %size_z SpecId 2
%size_x = OpSpecConstant %uint 1
%size_y = OpSpecConstant %uint 1
%size_z = OpSpecConstant %uint 1
%group_size = OpSpecConstantComposite %v3uint %size_x %size_y %size_z
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

TEST_CASE("a watched run is refused: arguments that do not fit, several regions") {
  const Device device = make_device();
  const Buffer out = make_buffer(64, "out");
  const auto refusal = [&](Launch launch) {
    Counter counter;
    launch.watch = &counter;
    auto watched = WatchedRun::create(device, launch);
    REQUIRE(watched);
    CHECK_FALSE(watched->go_on());
    REQUIRE(watched->result() != nullptr);
    REQUIRE_FALSE(*watched->result());
    return watched->result()->errors()[0];
  };
  Launch launch = make_launch(load(adding()), "add", 4, 2, out);
  CHECK(refusal(make_launch(launch.module, "add", 5, 2, out)).message ==
        "the launch of kernel 'add' becomes 2 launches of its shader, and a watched run of several "
        "is not supported");
  launch.arguments.clear();
  CHECK(refusal(launch).message == "expected 1 argument of kernel 'add', found 0");
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

std::string replaced(std::string text,
                     std::initializer_list<std::pair<std::string_view, std::string_view>> changes) {
  for (const auto& [from, to] : changes) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  }
  return text;
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
