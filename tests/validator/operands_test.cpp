// Single instructions with good and bad operands, and the rule that `strict` names for each.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validator/assemble_text.h"
#include "validator/validate.h"

namespace transpire::validator {
namespace {

struct Case {
  std::string_view instruction;  ///< of the kernel below
  std::string_view rule;         ///< of the only error; empty: it is valid
  std::string_view version = "1.3";
};

constexpr std::string_view kDevice =
    R"({"extensions": ["cl_khr_fp16", "cl_khr_depth_images", "cl_khr_subgroups", "cl_khr_subgroup_ballot",
        "cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_extended_types",
        "cl_khr_subgroup_non_uniform_arithmetic", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative",
        "cl_khr_subgroup_clustered_reduce", "cl_khr_subgroup_rotate", "SPV_KHR_subgroup_rotate"]})";

constexpr std::string_view kModule = R"(OpCapability Addresses
OpCapability Kernel
OpCapability Groups
OpCapability ImageBasic
OpCapability Vector16
OpCapability GroupNonUniformVote
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
OpCapability GroupNonUniformClustered
OpCapability GroupNonUniformRotateKHR
OpExtension "SPV_KHR_subgroup_rotate"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %test "test"
OpDecorate %spec4 SpecId 7
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%bool = OpTypeBool
%v2uint = OpTypeVector %uint 2
%v3uint = OpTypeVector %uint 3
%v4uint = OpTypeVector %uint 4
%v8uint = OpTypeVector %uint 8
%v2float = OpTypeVector %float 2
%v4float = OpTypeVector %float 4
%v8float = OpTypeVector %float 8
%v4bool = OpTypeVector %bool 4
%uint_0 = OpConstant %uint 0
%uint_1 = OpConstant %uint 1
%device = OpConstant %uint 1
%group = OpConstant %uint 2
%sub = OpConstant %uint 3
%uint_4 = OpConstant %uint 4
%uint_5 = OpConstant %uint 5
%none = OpConstantNull %uint
%spec4 = OpSpecConstant %uint 4
%two = OpConstantNull %v2uint
%three = OpConstantNull %v3uint
%four = OpConstantNull %v4uint
%eight = OpConstantNull %v8uint
%fours = OpConstantNull %v4float
%yes = OpConstantTrue %bool
%void = OpTypeVoid
%colour = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%depth = OpTypeImage %void 2D 1 0 0 0 Unknown ReadOnly
%type = OpTypeFunction %void %colour %depth %uint
%test = OpFunction %void None %type
%image = OpFunctionParameter %colour
%depths = OpFunctionParameter %depth
%x = OpFunctionParameter %uint
%entry = OpLabel
{}
OpReturn
OpFunctionEnd
)";

constexpr Case kCases[] = {
    // Ballots are vectors of four.
    {"%r = OpGroupNonUniformBallot %v4uint %sub %yes", ""},
    {"%r = OpGroupNonUniformBallot %v2uint %sub %yes", "UNI-24"},
    {"%r = OpGroupNonUniformBallot %v8uint %sub %yes", "UNI-24"},
    {"%r = OpGroupNonUniformBallot %uint %sub %yes", "UNI-24"},
    {"%r = OpGroupNonUniformBallot %v4float %sub %yes", "UNI-24"},
    {"%r = OpGroupNonUniformInverseBallot %bool %sub %four", ""},
    {"%r = OpGroupNonUniformInverseBallot %bool %sub %three", "UNI-24"},
    {"%r = OpGroupNonUniformBallotBitExtract %bool %sub %four %x", ""},
    {"%r = OpGroupNonUniformBallotBitExtract %bool %sub %two %x", "UNI-24"},
    {"%r = OpGroupNonUniformBallotBitCount %uint %sub Reduce %four", ""},
    {"%r = OpGroupNonUniformBallotBitCount %uint %sub Reduce %eight", "UNI-24"},
    {"%r = OpGroupNonUniformBallotFindLSB %uint %sub %four", ""},
    {"%r = OpGroupNonUniformBallotFindLSB %uint %sub %three", "UNI-24"},
    {"%r = OpGroupNonUniformBallotFindMSB %uint %sub %x", "UNI-24"},
    // The execution scope.
    {"%r = OpGroupNonUniformElect %bool %sub", ""},
    {"%r = OpGroupNonUniformElect %bool %group", "V0030"},
    {"%r = OpGroupNonUniformElect %bool %device", "ENV-X.3-06"},
    {"%r = OpGroupNonUniformAll %bool %group %yes", "V0030"},
    {"%r = OpGroupNonUniformAllEqual %bool %group %x", "V0030"},
    {"%r = OpGroupNonUniformShuffle %uint %group %x %x", "V0030"},
    {"%r = OpGroupNonUniformIAdd %uint %group Reduce %x", "V0030"},
    {"%r = OpGroupNonUniformBallot %v4uint %group %yes", "V0030"},
    {"%r = OpGroupNonUniformRotateKHR %uint %group %x %x", "V0030"},
    {"%r = OpGroupAll %bool %group %yes", ""},
    // Clusters.
    {"%r = OpGroupNonUniformIAdd %uint %sub ClusteredReduce %x %uint_4", ""},
    {"%r = OpGroupNonUniformIAdd %uint %sub ClusteredReduce %x %spec4", ""},
    {"%r = OpGroupNonUniformIAdd %uint %sub ClusteredReduce %x", "V0031"},
    {"%r = OpGroupNonUniformIAdd %uint %sub ClusteredReduce %x %x", "V0031"},
    {"%r = OpGroupNonUniformIAdd %uint %sub ClusteredReduce %x %uint_0", "V0031"},
    {"%r = OpGroupNonUniformIAdd %uint %sub ClusteredReduce %x %none", "V0031"},
    {"%r = OpGroupNonUniformFMax %v4float %sub ClusteredReduce %fours %uint_5", "V0031"},
    {"%r = OpGroupNonUniformLogicalAnd %bool %sub ClusteredReduce %yes %uint_1", ""},
    {"%r = OpGroupNonUniformLogicalAnd %bool %sub ClusteredReduce %yes", "V0031"},
    {"%r = OpGroupNonUniformBallotBitCount %uint %sub ClusteredReduce %four", "V0031"},
    {"%r = OpGroupIAdd %uint %sub ClusteredReduce %x", "V0031"},
    {"%r = OpGroupIAdd %uint %sub ExclusiveScan %x", ""},
    {"%r = OpGroupNonUniformRotateKHR %uint %sub %x %x", ""},
    {"%r = OpGroupNonUniformRotateKHR %uint %sub %x %x %uint_4", ""},
    {"%r = OpGroupNonUniformRotateKHR %uint %sub %x %x %uint_5", "V0031"},
    {"%r = OpGroupNonUniformRotateKHR %uint %sub %x %x %x", "V0031"},
    // The work-item that a broadcast reads from.
    {"%r = OpGroupNonUniformBroadcast %uint %sub %x %uint_5", ""},
    {"%r = OpGroupNonUniformBroadcast %uint %sub %x %x", "V0032"},
    {"%r = OpGroupNonUniformBroadcast %uint %sub %x %four", "UNI-24"},
    {"%r = OpGroupNonUniformShuffle %uint %sub %x %two", "UNI-24"},
    // Texels.
    {"%r = OpImageRead %v4float %image %two", ""},
    {"%r = OpImageRead %v4uint %image %two", ""},
    {"%r = OpImageRead %float %image %two", "V0028"},
    {"%r = OpImageRead %uint %image %two", "V0028"},
    {"%r = OpImageRead %v2float %image %two", "V0028"},
    {"%r = OpImageRead %v8float %image %two", "V0028"},
    {"%r = OpImageRead %float %depths %two", ""},
    {"%r = OpImageRead %v4float %depths %two", "V0028"},
    {"%r = OpImageRead %uint %depths %two", "V0028"},
};

struct ModuleCase {
  std::string_view what;
  std::string_view modes, declarations;
  std::string_view rule;
};

constexpr ModuleCase kModuleCases[] = {
    {"LocalSize", "OpExecutionMode %test LocalSize 4 1 1", "", ""},
    {"LocalSize by ids", "OpExecutionModeId %test LocalSizeId %uint_4 %uint_1 %uint_1", "", ""},
    {"LocalSizeId in OpExecutionMode", "OpExecutionMode %test LocalSizeId %uint_4 %uint_1 %uint_1",
     "", "V0027"},
    {"LocalSizeHintId in OpExecutionMode",
     "OpExecutionMode %test LocalSizeHintId %uint_4 %uint_1 %uint_1", "", "V0027"},
    {"SubgroupsPerWorkgroupId in OpExecutionMode",
     "OpExecutionMode %test SubgroupsPerWorkgroupId %uint_4", "", "V0027"},
    {"LocalSize in OpExecutionModeId", "OpExecutionModeId %test LocalSize 4 1 1", "", "V0027"},
    {"ContractionOff in OpExecutionModeId", "OpExecutionModeId %test ContractionOff", "", "V0027"},
    {"a size of zero by id", "OpExecutionModeId %test LocalSizeId %uint_0 %uint_1 %uint_1", "",
     "UNI-49"},
    {"a global variable that is a constant", "", "%g = OpVariable %global CrossWorkgroup %uint_4",
     ""},
    {"a global variable that is undefined", "", "%g = OpVariable %global CrossWorkgroup %undef",
     "V0026"},
    {"a local variable that is undefined", "", "%g = OpVariable %local Workgroup %undef", "V0026"},
    {"an undefined part of a constant", "",
     "%part = OpConstantComposite %pair %undef %uint_4\n%g = OpVariable %pairs CrossWorkgroup "
     "%part",
     ""},
    {"a variable of nothing", "",
     "%nothing = OpTypePointer CrossWorkgroup %void\n%g = OpVariable %nothing CrossWorkgroup",
     "UNI-24"},
    {"a pointer to its own structure", "OpTypeForwardPointer %next CrossWorkgroup",
     "%node = OpTypeStruct %next\n%next = OpTypePointer CrossWorkgroup %node", ""},
    {"a pointer to an array of structures", "OpTypeForwardPointer %next CrossWorkgroup",
     "%node = OpTypeStruct %next\n%nodes = OpTypeArray %node %uint_4\n"
     "%next = OpTypePointer CrossWorkgroup %nodes",
     "V0029"},
    {"a pointer to integers", "OpTypeForwardPointer %next CrossWorkgroup",
     "%node = OpTypeStruct %next\n%real = OpTypeFloat 32\n%next = OpTypePointer CrossWorkgroup "
     "%real",
     "V0029"},
};

constexpr std::string_view kDeclarations = R"(OpCapability Addresses
OpCapability Kernel
OpCapability SubgroupDispatch
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %test "test"
{}
%uint = OpTypeInt 32 0
%uint_0 = OpConstant %uint 0
%uint_1 = OpConstant %uint 1
%uint_4 = OpConstant %uint 4
%undef = OpUndef %uint
%pair = OpTypeStruct %uint %uint
%global = OpTypePointer CrossWorkgroup %uint
%pairs = OpTypePointer CrossWorkgroup %pair
%local = OpTypePointer Workgroup %uint
%void = OpTypeVoid
%type = OpTypeFunction %void
{}
%test = OpFunction %void None %type
%entry = OpLabel
OpReturn
OpFunctionEnd
)";

/// The mistake of the verdict, or nothing.
std::optional<std::string> judge(const std::string& text, std::string_view rule) {
  const auto assembled = assemble_text(text, "operands");
  if (!assembled) return "it cannot be assembled: " + assembled.errors()[0].message;
  ValidateOptions options;
  options.strictness = Strictness::kStrict;
  options.environment = "opencl3.0";
  options.device = kDevice;
  options.second_opinion = false;
  const auto validation = validate_words(*assembled, {}, options);
  if (!validation) return "it cannot be validated";
  std::string found;
  for (const Diagnostic& diagnostic : validation->diagnostics)
    // SPIR-V 1.3 and later is no breach of what is asked here.
    if (diagnostic.severity == Severity::kError && diagnostic.rule != "TSP-ENV-2-03")
      found += fmt::format(" {} ({})", diagnostic.rule, diagnostic.message);
  const std::string wanted = rule.empty() ? "" : fmt::format(" TSP-{} (", rule);
  const bool is_one = found.find(" TSP-", 1) == std::string::npos;
  if (rule.empty() ? found.empty() : found.starts_with(wanted) && is_one) return {};
  return fmt::format("expected{}, found{}", rule.empty() ? " nothing" : wanted + "...)",
                     found.empty() ? " nothing" : found);
}

int run() {
  std::size_t wrong = 0;
  const auto look = [&](std::string_view what, const std::string& text, std::string_view rule) {
    if (const auto complaint = judge(text, rule)) {
      fmt::print("{}: {}\n", what, *complaint);
      ++wrong;
    }
  };
  for (const Case& test : kCases)
    look(test.instruction,
         fmt::format("; Version: {}\n", test.version) +
             fmt::format(fmt::runtime(kModule), test.instruction),
         test.rule);
  for (const ModuleCase& test : kModuleCases) {
    const bool is_mode = test.modes.starts_with("OpExecution");
    look(test.what,
         "; Version: 1.2\n" + fmt::format(fmt::runtime(kDeclarations), is_mode ? test.modes : "",
                                          fmt::format("{}{}{}", is_mode ? "" : test.modes,
                                                      is_mode ? "" : "\n", test.declarations)),
         test.rule);
  }
  fmt::print("{} modules, {} judged wrongly\n", std::size(kCases) + std::size(kModuleCases), wrong);
  return wrong != 0;
}

}  // namespace
}  // namespace transpire::validator

int main() { return transpire::validator::run(); }
