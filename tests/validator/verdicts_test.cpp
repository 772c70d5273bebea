// Modules and the errors that `strict` finds in them: graphs of structured control flow, single instructions with good and bad
// operands, execution modes and declarations.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "decoder/view/assemble_text.h"
#include "tests/shorthand/shorthand.h"
#include "validator/validate.h"

namespace transpire::test {
namespace {

using namespace validator;

constexpr std::string_view kDevice =
    R"({"extensions": ["cl_khr_fp16", "cl_khr_depth_images", "cl_khr_subgroups", "cl_khr_subgroup_ballot",
        "cl_khr_subgroup_non_uniform_vote", "cl_khr_subgroup_extended_types",
        "cl_khr_subgroup_non_uniform_arithmetic", "cl_khr_subgroup_shuffle", "cl_khr_subgroup_shuffle_relative",
        "cl_khr_subgroup_clustered_reduce", "cl_khr_subgroup_rotate", "SPV_KHR_subgroup_rotate"]})";

/// The errors of a text in the short form but those of one rule, each as "TSP-V0016 (its message)".
std::vector<std::string> errors_of(const std::string& text, std::string_view ignored) {
  const std::string whole = shorthand::declare(text);
  const auto assembled = assemble_text(whole, "module");
  if (!assembled) return {"it cannot be assembled: " + assembled.errors()[0].message};
  ValidateOptions options;
  options.strictness = Strictness::kStrict;
  options.environment = "opencl3.0";
  options.device = kDevice;
  options.second_opinion = false;
  const auto validation = validate_module({assembled->module}, options);
  if (!validation) return {"it cannot be validated"};
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : validation->diagnostics)
    if (diagnostic.severity == Severity::kError && diagnostic.rule != ignored)
      found.push_back(fmt::format("{} ({})", diagnostic.rule, diagnostic.message));
  return found;
}

/// Checks that a text breaks one rule once, or none where `rule` is empty.
void check(const std::string& text, std::string_view rule) {
  // SPIR-V 1.3 and later is no breach of what is asked here.
  const std::vector<std::string> found = errors_of(text, "TSP-ENV-2-03");
  CAPTURE(text);
  CAPTURE(rule);
  CAPTURE(fmt::format("found: {}", fmt::join(found, "; ")));
  CHECK(found.size() == (rule.empty() ? 0 : 1));
  if (!found.empty()) CHECK(found[0].starts_with(fmt::format("TSP-{} (", rule)));
}

// ---- Structured control flow -------------------------------------------------------------------

struct GraphCase {
  std::string_view what;
  /// A block for each line: its name, its merge instruction in brackets, and where it branches to:
  /// nothing (a return), "unreachable", a block, two (a condition) or a default and cases behind
  /// "switch".
  std::string_view graph;
  /// A part of the finding of V0016; empty: there is none.
  std::string_view finding;
};

constexpr GraphCase kGraphs[] = {
    {"a selection", "a [select m]: b m\nb: m\nm:", ""},
    {"a selection without merge instruction", "a: b m\nb: m\nm:", ""},
    {"a selection that returns", "a [select m]: b m\nb:\nm:", ""},
    {"selections in each other", "a [select m]: b m\nb [select n]: c n\nc: n\nn: m\nm:", ""},
    {"a way out of two selections",
     "a [select m]: b m\nb [select n]: c n\nc: m n\nn: m\nm:", "out of the construct of '%b'"},
    {"a way past the merge block",
     "a: z y\nz [select m]: b m\nb: m y\nm: y\ny:", "out of the construct of '%z'"},
    {"merge blocks that cross",
     "a [select m]: b x\nx:\nb [select n]: c m\nc: m\nm: n\nn:", "within the construct of '%a'"},

    {"a loop", "e: a\na [loop m c]: b m\nb: c\nc: a\nm:", ""},
    {"a loop of one block", "e: a\na [loop m a]: a m\nm:", ""},
    {"a loop that is left at its end", "e: a\na [loop m c]: c\nc: a m\nm:", ""},
    {"a loop that is continued and left from a selection",
     "e: a\na [loop m c]: b m\nb [select s]: x s\nx: c m\ns: c\nc: a\nm:", ""},
    {"a loop in a loop",
     "e: a\na [loop m c]: b m\nb [loop n d]: x n\nx: d\nd: b\nn: c\nc: a\nm:", ""},
    {"a loop within a continue construct",
     "e: a\na [loop m c]: b m\nb: c\nc: d\nd [loop n x]: x n\nx: d\nn: a\nm:", ""},
    {"a loop without a merge instruction", "e: a\na: b m\nb: c a\nc: a\nm:", ""},
    {"two back edges", "e: a\na [loop m c]: b m\nb: c a\nc: a\nm:", "found 2"},
    {"no back edge", "e: a\na [loop m c]: c\nc: m\nm:", "one back edge"},
    {"a back edge from a block that is not reached", "e: a\na [loop m c]: b\nb: m\nc: a\nm:", ""},
    {"a back edge from elsewhere",
     "e: a\na [loop m c]: b m\nb: c d\nc: d\nd: a\nm:", "dominates '%d'"},
    {"a way around the back edge",
     "e: a\na [loop m c]: b m\nb: c\nc: d x\nd: a\nx:\nm:", "to pass '%d'"},
    {"a loop with a way to an unreachable instruction in its step",
     "e: a\na [loop m c]: b m\nb: c\nc: d x\nx: unreachable\nd: a\nm:", ""},
    {"a continue target that is not reached",
     "e: a\na [loop m c]: b m\nb: a\nc: a\nm:", "dominates '%b'"},
    {"a way out of two loops",
     "e: a\na [loop m c]: b m\nb [loop n d]: x n\nx: d m\nd: b\nn: c\nc: a\nm:",
     "out of the construct of '%b'"},
    {"the outer loop continued from the inner one",
     "e: a\na [loop m c]: b m\nb [loop n d]: x n\nx: d c\nd: b\nn: c\nc: a\nm:",
     "found '%c' in that of '%b'"},
    {"a loop continued from a selection that never merges",
     "e: a\na [loop m c]: b\nb [select s]: m c\ns:\nc: a\nm:", ""},
    {"a loop that only a selection breaks, and a loop around",
     "e: o\no [loop p q]: l p\nl [loop n c]: b\nb [select s]: n s\ns: c\nc: l\nn: q\nq: o\np:", ""},
    {"two loops that one branch breaks",
     "e: o\no [loop p q]: l\nl [loop n c]: b\nb [select s]: p s\ns: c n\nc: l\nn: q\nq: o\np:",
     "out of the construct of '%b'"},
    {"a selection that merges at the continue target",
     "e: l\nl [loop n c]: b n\nb [select c]: x c\nx: c\nc: l\nn:", "within the construct of '%l'"},
    {"a loop that merges behind the outer one",
     "e: a\na [loop m c]: b c\nb [loop n d]: x m\nx: d\nd: b\nc: a\nm: n\nn:",
     "within the construct of '%a'"},

    {"a switch", "a [select m]: switch d x y\nx: m\ny: m\nd: m\nm:", ""},
    {"a switch with its merge block as default", "a [select m]: switch m x y\nx: m\ny: m\nm:", ""},
    {"a switch left from a selection",
     "a [select m]: switch d x\nx [select s]: p s\np: m\ns: m\nd: m\nm:", ""},
    {"a case that goes on into the next", "a [select m]: switch d x y\nx: y\ny: m\nd: m\nm:", ""},
    {"a case that goes on through the default",
     "a [select m]: switch d x y\nx: d\nd: y\ny: m\nm:", ""},
    {"a case that goes on into one that is not the next",
     "a [select m]: switch d x y z\nx: z\ny: m\nz: m\nd: m\nm:", "'%x' just before '%z'"},
    {"a case that skips one through the default",
     "a [select m]: switch d x y z\nx: d\nd: z\ny: m\nz: m\nm:", "'%x' just before '%z'"},
    {"two ways from a case into the next",
     "a [select m]: switch d x y\nx: p y\np: y\ny: m\nd: m\nm:", ""},
    {"a case that begins with a loop of one block, and goes on into the next",
     "a [select m]: switch d x y\nx [loop s x]: x s\ns [select t]: y t\nt: m\ny: m\nd: m\nm:", ""},
    {"such a case that goes on into one that is not the next",
     "a [select m]: switch d x y z\nx [loop s x]: x s\ns: z\ny: m\nz: m\nd: m\nm:",
     "'%x' just before '%z'"},
    {"a case that breaks the loop around, and code behind it",
     "e: o\no [loop p q]: l p\nl [loop n c]: a\na [select m]: switch m n x\nx: m\nm: c\nc: l\nn: "
     "q\n"
     "q: o\np:",
     ""},
    {"cases that go on into each other",
     "a [select m]: switch d x y\nx: p q\np: y\nq: d\ny: m\nd: m\nm:", "from the case '%x'"},
    {"two cases that go on into one",
     "a [select m]: switch d x y z\nx: y\nz: y\ny: m\nd: m\nm:", "branches to '%y'"},
    {"cases that join before the merge block",
     "a [select m]: switch d x y\nx: j\ny: j\nj: m\nd: m\nm:", "out of the construct of '%a'"},
    {"a case that continues the loop around",
     "e: l\nl [loop n c]: a n\na [select m]: switch m x y\nx: c\ny: n\nm: c\nc: l\nn:", ""},
    {"a case that is the continue target",
     "e: l\nl [loop n c]: a n\na [select m]: switch m c x\nx: m\nm: c\nc: l\nn:", ""},
    {"a switch that never merges, in a loop, and code behind",
     "e: o\no [loop p q]: l p\nl [loop n c]: a\na [select m]: switch c x\nx: n\nc: l\nm: \nn: q\n"
     "q: o\np:",
     ""},
    {"a switch left from a loop within",
     "a [select m]: switch d x\nx: l\nl [loop n c]: b n\nb: c m\nc: l\nn: m\nd: m\nm:",
     "out of the construct of '%l'"},
};

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text)
    if (c != ' ')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  if (words.back().empty()) words.pop_back();
  return words;
}

std::string block_text(std::string_view line) {
  const auto colon = line.find(':');
  std::string head(line.substr(0, colon)), text, merge;
  if (const auto bracket = head.find('['); bracket != head.npos) {
    const auto words = words_in(head.substr(bracket + 1, head.find(']') - bracket - 1));
    merge = words[0] == "loop" ? fmt::format("OpLoopMerge %{} %{} None\n", words[1], words[2])
                               : fmt::format("OpSelectionMerge %{} None\n", words[1]);
    head.resize(bracket);
  }
  text = fmt::format("%{} = OpLabel\n{}", words_in(head)[0], merge);
  const auto to = words_in(line.substr(colon + 1));
  if (to.empty()) return text + "OpReturn\n";
  if (to[0] == "unreachable") return text + "OpUnreachable\n";
  if (to.size() == 1) return text + fmt::format("OpBranch %{}\n", to[0]);
  if (to[0] != "switch")
    return text + fmt::format("OpBranchConditional %true %{} %{}\n", to[0], to[1]);
  text += fmt::format("OpSwitch %uint_1 %{}", to[1]);
  for (std::size_t n = 2; n < to.size(); ++n) text += fmt::format(" {} %{}", n, to[n]);
  return text + "\n";
}

std::string graph_text(std::string_view graph) {
  std::string names, blocks;
  while (!graph.empty()) {
    const auto end = graph.find('\n');
    const std::string block = words_in(graph.substr(0, graph.find_first_of(" [:")))[0];
    names += fmt::format("OpName %{} \"{}\"\n", block, block);
    blocks += block_text(graph.substr(0, end));
    graph.remove_prefix(end == graph.npos ? graph.size() : end + 1);
  }
  return fmt::format(
      "OpEntryPoint Kernel %test \"test\"\n{}%type = OpTypeFunction %void\n"
      "%test = OpFunction %void None %type\n{}OpFunctionEnd\n",
      names, blocks);
}

// ---- Operands ----------------------------------------------------------------------------------

struct OperandCase {
  std::string_view instruction;  ///< in the kernel below
  std::string_view rule;         ///< that it breaks; empty: it is valid
};

constexpr std::string_view kOperandModule = R"(; Version: 1.3
OpCapability Groups ImageBasic GroupNonUniformVote GroupNonUniformBallot GroupNonUniformArithmetic GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative GroupNonUniformClustered GroupNonUniformRotateKHR
OpExtension "SPV_KHR_subgroup_rotate"
OpDecorate %spec4 SpecId 7
%device = OpConstant %uint 1
%group = OpConstant %uint 2
%sub = OpConstant %uint 3
%none = OpConstantNull %uint
%spec4 = OpSpecConstant %uint 4
%two = OpConstantNull %v2uint
%three = OpConstantNull %v3uint
%four = OpConstantNull %v4uint
%eight = OpConstantNull %v8uint
%fours = OpConstantNull %v4float
%yes = OpConstantTrue %bool
%colour = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
%depth = OpTypeImage %void 2D 1 0 0 0 Unknown ReadOnly
kernel test(%colour image, %depth depths, %uint x)
{}
)";

constexpr OperandCase kOperands[] = {
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

// ---- Execution modes and declarations ------------------------------------------------------------

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

constexpr std::string_view kDeclarations = R"(; Version: 1.2
OpCapability SubgroupDispatch
{}
%undef = OpUndef %uint
%pair = OpTypeStruct %uint %uint
%global = OpTypePointer CrossWorkgroup %uint
%pairs = OpTypePointer CrossWorkgroup %pair
%local = OpTypePointer Workgroup %uint
{}
kernel test()
)";

/// An atomic of floats in a module with the capability of another width.
constexpr std::string_view kFloatAtomic = R"(; Version: 1.3
OpCapability {}
OpExtension "SPV_EXT_shader_atomic_float_add"
OpExtension "SPV_EXT_shader_atomic_float16_add"
OpExtension "SPV_EXT_shader_atomic_float_min_max"
kernel test(%_ptr_CrossWorkgroup_float place, %float by)
%old = {} %float %place %uint_2 %uint_0 %by
)";

TEST_CASE("an atomic of floats needs the capability of their width") {
  const auto errors = [](std::string_view capability, std::string_view opcode) {
    return fmt::format(
        "{}", fmt::join(errors_of(fmt::format(fmt::runtime(kFloatAtomic), capability, opcode),
                                  "TSP-ENV-2-03"),
                        "; "));
  };
  CHECK(errors("AtomicFloat16AddEXT", "OpAtomicFAddEXT")
            .find("TSP-UNI-02 (expected the capability AtomicFloat32AddEXT for OpAtomicFAddEXT)") !=
        std::string::npos);
  CHECK(
      errors("AtomicFloat32AddEXT", "OpAtomicFMinEXT")
          .find(
              "TSP-UNI-02 (expected the capability AtomicFloat32MinMaxEXT for OpAtomicFMinEXT)") !=
      std::string::npos);
  CHECK(errors("AtomicFloat32AddEXT", "OpAtomicFAddEXT").find("UNI-02") == std::string::npos);
}

TEST_CASE("constructs of structured control flow are judged as the specification says") {
  for (const GraphCase& test : kGraphs) {
    CAPTURE(test.what);
    const std::vector<std::string> found = errors_of(graph_text(test.graph), "TSP-UNI-10");
    CAPTURE(fmt::format("found: {}", fmt::join(found, "; ")));
    CHECK(found.empty() == test.finding.empty());
    for (const std::string& error : found) CHECK(error.starts_with("TSP-V0016 ("));
    if (!found.empty()) CHECK(found[0].find(test.finding) != std::string::npos);
  }
}

TEST_CASE("each operand of an instruction breaks the rule that it should") {
  for (const OperandCase& test : kOperands)
    check(fmt::format(fmt::runtime(kOperandModule), test.instruction), test.rule);
}

TEST_CASE("execution modes and declarations break the rules that they should") {
  for (const ModuleCase& test : kModuleCases) {
    CAPTURE(test.what);
    check(fmt::format(fmt::runtime(kDeclarations), test.modes, test.declarations), test.rule);
  }
}

}  // namespace
}  // namespace transpire::test
