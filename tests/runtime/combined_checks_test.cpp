// What a check finds, and how often, does not depend on which others look on.
#include <fmt/format.h>

#include <map>

#include "tests/runtime/support.h"
#include "transpire/setting_table.hpp"

namespace transpire::test {
namespace {

/// Of 40 work-items 39 want the value of another one than the first does, and all behind the 15th ask for that of a work-item
/// that no sub-group of 16 has.
constexpr std::string_view kGroupOperands = R"(OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability Groups
OpCapability SubgroupDispatch
OpCapability GroupNonUniform
OpCapability GroupNonUniformShuffle
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %test "test" %id
OpExecutionMode %test SubgroupSize 16
OpDecorate %id BuiltIn LocalInvocationId
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%v3ulong = OpTypeVector %ulong 3
%g_uint = OpTypePointer CrossWorkgroup %uint
%in_v3 = OpTypePointer Input %v3ulong
%type = OpTypeFunction %void %g_uint
%uint_1 = OpConstant %uint 1
%uint_2 = OpConstant %uint 2
%uint_3 = OpConstant %uint 3
%id = OpVariable %in_v3 Input
%test = OpFunction %void None %type
%out = OpFunctionParameter %g_uint
%entry = OpLabel
%ids = OpLoad %v3ulong %id Aligned 32
%l = OpCompositeExtract %ulong %ids 0
%n = OpUConvert %uint %l
%from_group = OpGroupBroadcast %uint %uint_2 %n %n
%next = OpIAdd %uint %n %uint_1
%from_next = OpGroupNonUniformShuffle %uint %uint_3 %n %next
%sum = OpIAdd %uint %from_group %from_next
%at = OpInBoundsPtrAccessChain %g_uint %out %l
OpStore %at %sum Aligned 4
OpReturn
OpFunctionEnd
)";

using FindingCounts = std::map<std::string, std::uint64_t, std::less<>>;

FindingCounts finding_counts(const Module& module, const std::vector<const Setting*>& checks) {
  Launch launch = make_launch(module, "test", 40, 40, {Argument::buffer(make_buffer(160))});
  for (const Setting* check : checks) check->set(launch, 1);
  Result<LaunchResult> result = make_device().run(launch);
  REQUIRE(result.ok());
  FindingCounts found;
  for (const Finding& finding : result->findings) found[finding.diagnostic.rule] += finding.count;
  return found;
}

}  // namespace

TEST_CASE("findings of group operands are counted once, whatever else is looked for") {
  const Module module = load(kGroupOperands);
  std::vector<const Setting*> checks;
  for (const Setting& setting : kSettings)
    if (setting.kind == SettingKind::kCheck) checks.push_back(&setting);
  for (std::size_t which = 0; which < std::size_t{1} << checks.size(); ++which) {
    std::vector<const Setting*> chosen;
    std::string names;
    for (std::size_t i = 0; i < checks.size(); ++i) {
      if ((which >> i & 1) == 0) continue;
      chosen.push_back(checks[i]);
      names += fmt::format("{},", checks[i]->word);
    }
    INFO("--check=", names);
    const bool is_looked_for = names.find("sync,") != names.npos;
    CHECK(finding_counts(module, chosen) ==
          (is_looked_for ? FindingCounts{{"TSP-R0045", 39}, {"TSP-R0047", 25}} : FindingCounts{}));
  }
}

}  // namespace transpire::test
