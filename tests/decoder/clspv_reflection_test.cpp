// The reflection of clspv: what its instructions are read to, and which contradictions to the module are refused.
#include "decoder/clspv_reflection.h"

#include <doctest/doctest.h>

#include <cstddef>

#include "tests/decoder/support.h"
#include "tests/shorthand/clspv.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::test {
namespace {

/// A shader with resources of all kinds, of which it uses the buffer at set 0, binding 0.
std::string shader(const std::string& reflection, const std::string& revision = "5") {
  std::string constants;
  for (const int n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 24, 100, 112, 256})
    constants += "%c" + std::to_string(n) + " = OpConstant %uint " + std::to_string(n) + "\n";
  for (const std::string n : {"0", "1", "2", "3"})
    constants += "OpDecorate %n" + n + " SpecId " + n + "\n%n" + n + " = OpSpecConstant %uint 1\n";
  return shorthand::declare("OpCapability Image1D Sampled1D ImageBuffer SampledBuffer\n" +
                            shorthand::clspv_set(revision) + R"(%none = OpString ""
%s_foo = OpString "foo"
%s_bar = OpString "bar"
%s_x = OpString "x"
%s_int = OpString "int*"
%data = OpString "0100ffAB"
%odd = OpString "010"
%letters = OpString "0g"
%twelve = OpString "000000000000000000000000"
OpDecorate %real SpecId 9
%real = OpSpecConstant %float 1
%Closed = block %uint 0 %v2uint 8
%image_in = OpTypeImage %float 2D 0 0 0 1 Unknown
%image_out = OpTypeImage %float 2D 0 0 0 2 Unknown
%image_texels = OpTypeImage %float Buffer 0 0 0 1 Unknown
%sampler_type = OpTypeSampler
buffer uint buffer
resource StorageBuffer Closed closed
resource Uniform Closed uniform
resource UniformConstant image_in read
resource UniformConstant image_out written
resource UniformConstant image_texels texels
resource UniformConstant sampler_type sampler
)" + constants + R"(%local_array = OpTypeArray %uint %n3
%pushed = OpVariable %_ptr_PushConstant_Closed PushConstant
%tile = OpVariable %_ptr_Workgroup_local_array Workgroup
%private = OpVariable %_ptr_Private_uint Private
shader foo 4 1 1
store %buffer[0] %c1
OpFunctionEnd
)" + reflection);
}

/// A line of the set.
std::string line(const std::string& instruction) {
  return "%i" + std::to_string(std::hash<std::string>()(instruction) % 100000) +
         " = OpExtInst %void %set " + instruction + "\n";
}

const std::string kKernel = "%k = OpExtInst %void %set Kernel %foo %s_foo %c9 %c0 %none\n";
const std::string kUsed = line("ArgumentStorageBuffer %k %c0 %c0 %c0");
const std::string kInfo = "%info = OpExtInst %void %set ArgumentInfo %s_x\n";

/// The message of the refusal; empty for a module that decodes.
std::string refusal(const std::string& reflection, const std::string& revision = "5") {
  const Result<Module> module = decoded(assembled(shader(reflection, revision)));
  if (module) return {};
  CHECK(module.errors()[0].rule == "TSP-D0043");
  return module.errors()[0].message;
}

TEST_CASE("each kind of instruction is accepted where the module has what it names") {
  for (const char* const each : {
           "ArgumentStorageBuffer %k %c1 %c0 %c0 %info",
           "ArgumentUniform %k %c1 %c0 %c2 %info",
           "ArgumentPodStorageBuffer %k %c1 %c0 %c1 %c8 %c8 %info",
           "ArgumentPodUniform %k %c1 %c0 %c2 %c0 %c4 %info",
           "ArgumentPodPushConstant %k %c1 %c8 %c8 %info",
           "ArgumentSampledImage %k %c1 %c0 %c3 %info",
           "ArgumentStorageImage %k %c1 %c0 %c4 %info",
           "ArgumentSampler %k %c1 %c0 %c6 %info",
           "ArgumentWorkgroup %k %c1 %c3 %c4 %info",
           "SpecConstantWorkgroupSize %c0 %c1 %c2",
           "SpecConstantGlobalOffset %c0 %c1 %c2",
           "SpecConstantWorkDim %c3",
           "PushConstantGlobalOffset %c4 %c12",
           "PushConstantEnqueuedLocalSize %c0 %c16",
           "PushConstantGlobalSize %c0 %c12",
           "PushConstantRegionOffset %c0 %c12",
           "PushConstantNumWorkgroups %c0 %c12",
           "PushConstantRegionGroupOffset %c0 %c12",
           "ConstantDataStorageBuffer %c0 %c0 %data",
           "LiteralSampler %c0 %c6 %c20",
           "PropertyRequiredWorkgroupSize %k %c4 %c1 %c1",
           "SpecConstantSubgroupMaxSize %c3",
           "ArgumentPointerPushConstant %k %c1 %c8 %c8",
           "ArgumentPointerUniform %k %c1 %c0 %c2 %c8 %c8",
           "ProgramScopeVariablesStorageBuffer %c0 %c0 %data",
           "ArgumentUniformTexelBuffer %k %c1 %c0 %c5",
           "ConstantDataPointerPushConstant %c8 %c8 %data",
           "ProgramScopeVariablePointerPushConstant %c8 %c8 %data",
           "PrintfInfo %c0 %s_x %c4 %c8",
           "PrintfBufferStorageBuffer %c0 %c0 %c256",
           "PrintfBufferPointerPushConstant %c8 %c8 %c256",
       })
    CHECK_MESSAGE(refusal(kKernel + kUsed + kInfo + line(each)).empty(), each);
  CHECK(refusal(kKernel + kUsed + line("ArgumentSampledImage %k %c1 %c0 %c3") +
                line("ImageArgumentInfoChannelOrderPushConstant %k %c1 %c0 %c4"))
            .empty());
}

void check_refusal(const std::string& lines, std::string_view reason) {
  CHECK_MESSAGE(refusal(lines).find(reason) != std::string::npos,
                lines << refusal(lines) << "\nexpected: " << reason);
}

TEST_CASE("a reflection that contradicts its module is refused with the reason") {
  // Kernels.
  check_refusal("%k = OpExtInst %void %set Kernel %foo %s_bar\n",
                "is no GLCompute entry point of the name 'bar'");
  check_refusal("%k = OpExtInst %void %set Kernel %uint %s_foo\n", "expected a function, found %");
  check_refusal(kKernel + kUsed + line("Kernel %foo %s_foo %c1 %c0 %none"),
                "declared a second time");
  check_refusal(kKernel,
                "nothing says which value kernel 'foo' takes in '0.0', at set 0 and binding 0");
  check_refusal("%k = OpExtInst %void %set Kernel %foo %s_foo %c1 %c0 %none\n" +
                    line("ArgumentStorageBuffer %k %c1 %c0 %c0"),
                "expected a parameter below 1 of kernel 'foo', found 1");
  check_refusal("%k = OpExtInst %void %set Kernel %foo %s_foo %c256 %c0 %none\n" + kUsed,
                "expected at most 255 parameters");
  const struct {
    const char* instruction;
    const char* reason;
  } rows[] = {
      {"ArgumentStorageBuffer %k %c0 %c0 %c1", "parameter 0 of kernel 'foo' has two arguments"},
      {"ArgumentStorageBuffer %k %c1 %c0 %c9", "no storage buffer at set 0 and binding 9"},
      {"ArgumentStorageBuffer %k %c1 %c0 %c2", "no storage buffer at set 0 and binding 2"},
      {"ArgumentUniform %k %c1 %c0 %c1", "no uniform buffer at set 0 and binding 1"},
      {"ArgumentSampledImage %k %c1 %c0 %c4", "no sampled image at set 0 and binding 4"},
      {"ArgumentStorageImage %k %c1 %c0 %c3", "no storage image at set 0 and binding 3"},
      {"ArgumentStorageTexelBuffer %k %c1 %c0 %c3", "no texel buffer at set 0 and binding 3"},
      {"ArgumentSampler %k %c1 %c0 %c5", "no sampler at set 0 and binding 5"},
      {"LiteralSampler %c1 %c6 %c20", "no sampler at set 1 and binding 6"},
      {"ArgumentPodStorageBuffer %k %c1 %c0 %c1 %c12 %c8",
       "the storage buffer has 16 bytes, the value ends at 20"},
      {"ArgumentPodUniform %k %c1 %c0 %c2 %c16 %c4", "the value ends at 20"},
      {"ArgumentPodPushConstant %k %c1 %c9 %c8",
       "the block of push constants has 16 bytes, the value ends at 17"},
      {"ArgumentWorkgroup %k %c1 %c7 %c4", "no constant of 32 bits with SpecId 7"},
      {"ArgumentWorkgroup %k %c1 %c9 %c4", "no constant of 32 bits with SpecId 9"},
      {"ArgumentWorkgroup %k %c1 %c3 %c2", "elements of the local array have 4 bytes, found 2"},
      {"ArgumentWorkgroup %k %c1 %c2 %c0", "the elements have no bytes"},
      {"ArgumentWorkgroup %k %c1 %c3 %c8", "elements of the local array have 4 bytes, found 8"},
      {"SpecConstantWorkgroupSize %c0 %c1 %c5", "SpecId 5"},
      {"SpecConstantWorkgroupSize %c0 %c1 %c1", "SpecId 1 has its value from another instruction"},
      {"PushConstantGlobalOffset %c0 %c8", "expected 12 bytes, found 8"},
      {"PushConstantRegionOffset %c8 %c12", "the value ends at 20"},
      {"ConstantDataStorageBuffer %c0 %c0 %odd", "two hexadecimal digits"},
      {"ConstantDataStorageBuffer %c0 %c0 %letters", "two hexadecimal digits"},
      {"ConstantDataUniform %c0 %c2 %data", "the block has 16 bytes, the data have 4"},
      {"PropertyRequiredWorkgroupSize %k %c8 %c1 %c1",
       "the size is (8,1,1), LocalSize of 'foo' is (4,1,1)"},
      {"PropertyRequiredWorkgroupSize %k %c4 %c0 %c1", "a dimension is zero"},
      {"ImageArgumentInfoChannelOrderPushConstant %k %c0 %c0 %c4",
       "parameter 0 of kernel 'foo' is no image"},
      {"ArgumentStorageBuffer %info %c1 %c0 %c0", "expected a Kernel declared before, found %"},
      {"ArgumentStorageBuffer %k %c1 %c0 %c0 %k", "expected an ArgumentInfo declared before"},
      {"ArgumentStorageBuffer %k %n3 %c0 %c0", "expected a constant of 32 bits, found %"},
      {"ArgumentInfo %c0", "expected a string, found %"},
  };
  for (const auto& row : rows)
    check_refusal(kKernel + kUsed + kInfo + line(row.instruction), row.reason);
  check_refusal(kKernel + kUsed + line("PrintfInfo %c1 %s_x") + line("PrintfInfo %c1 %s_foo"),
                "two texts have the number 1");
}

TEST_CASE("addresses have eight bytes, and those of program-scope variables lie in these") {
  const std::string variables = line("ProgramScopeVariablesStorageBuffer %c0 %c0 %twelve");
  const auto all = [&](const char* instruction) {
    return kKernel + kUsed + variables + line(instruction);
  };
  CHECK(refusal(all("ProgramScopeVariablePointerRelocation %c8 %c4 %c8")).empty());
  const std::pair<const char*, const char*> rows[] = {
      {"ProgramScopeVariablePointerRelocation %c0 %c5 %c8",
       "the program-scope variables have 12 bytes"},
      {"ProgramScopeVariablePointerRelocation %c12 %c0 %c8",
       "the program-scope variables have 12 bytes"},
      {"ProgramScopeVariablePointerRelocation %c0 %c0 %c4", "expected 8 bytes, found 4"},
      {"ProgramScopeVariablePointerPushConstant %c0 %c4 %data", "expected 8 bytes, found 4"},
      {"ArgumentPointerPushConstant %k %c1 %c0 %c4", "expected 8 bytes, found 4"},
      {"ArgumentPointerUniform %k %c1 %c0 %c2 %c0 %c16", "expected 8 bytes, found 16"},
      {"PrintfBufferPointerPushConstant %c0 %c12 %c256", "expected 8 bytes, found 12"},
      {"ProgramScopeVariablesStorageBuffer %c0 %c0 %data", "stands a second time"},
  };
  for (const auto& [instruction, reason] : rows) check_refusal(all(instruction), reason);
  check_refusal(kKernel + kUsed + line("ProgramScopeVariablePointerRelocation %c0 %c0 %c8"),
                "the module has no program-scope variables");
}

TEST_CASE("a required work-group size is that of LocalSizeId") {
  const auto message = [](const std::string& x) {
    std::string text =
        shader(kKernel + kUsed + line("PropertyRequiredWorkgroupSize %k " + x + " %c1 %c1"));
    const std::string mode = "OpExecutionMode %foo LocalSize 4 1 1";
    text.replace(text.find(mode), mode.size(), "OpExecutionModeId %foo LocalSizeId %c4 %c1 %c1");
    const Result<Module> module = decoded(assembled(text));
    return module ? std::string() : module.errors()[0].message;
  };
  CHECK(message("%c4").empty());
  CHECK(message("%c8") ==
        "PropertyRequiredWorkgroupSize: the size is (8,1,1), LocalSize of 'foo' is (4,1,1)");
}

TEST_CASE("a literal sampler has a mode and a filter that there are") {
  for (const char* const mask : {"256", "112", "10"})
    check_refusal(kKernel + kUsed + line(std::string("LiteralSampler %c0 %c6 %c") + mask),
                  "describes no sampler");
}

TEST_CASE("each constant has its value from one instruction, and some instructions stand once") {
  const std::string sizes = line("SpecConstantWorkgroupSize %c0 %c1 %c2");
  check_refusal(kKernel + kUsed + sizes + line("SpecConstantWorkgroupSize %c1 %c2 %c3"),
                "SpecConstantWorkgroupSize: stands a second time");
  check_refusal(kKernel + kUsed + line("PropertyRequiredWorkgroupSize %k %c4 %c1 %c1") +
                    "%again = OpExtInst %void %set PropertyRequiredWorkgroupSize %k %c4 %c1 %c1\n",
                "PropertyRequiredWorkgroupSize: stands a second time");
  for (const std::string& other : {sizes, line("ArgumentWorkgroup %k %c2 %c1 %c4")})
    check_refusal(kKernel + kUsed + other + line("ArgumentWorkgroup %k %c1 %c1 %c4"),
                  "SpecId 1 has its value from another instruction");
}

TEST_CASE("revisions: which there are, and which instructions belong to them") {
  CHECK(refusal(kKernel + kUsed, "1").empty());
  CHECK(refusal(kKernel + kUsed, "7").empty());
  CHECK(refusal(kKernel + kUsed, "0") == "expected revision 1 to 7 of the set, found '0'");
  CHECK(refusal(kKernel + kUsed, "8") == "expected revision 1 to 7 of the set, found '8'");
  CHECK(refusal(kKernel + kUsed, "5x") == "expected revision 1 to 7 of the set, found '5x'");
  CHECK(refusal(kKernel + kUsed + line("ArgumentPointerPushConstant %k %c1 %c8 %c8"), "2") ==
        "ArgumentPointerPushConstant: the instruction belongs to revision 3, the module imports 2");
  // clspv imports revision 5 and uses instructions of 6 and 7.
  const auto numbered = [](std::uint32_t number) {
    Words words = assembled(shader(kKernel + kUsed + line("PushConstantGlobalOffset %tile %c4")));
    std::size_t n = 0;
    for (std::uint32_t at = 5; at < words.size(); at += words[at] >> 16)
      if ((words[at] & 0xffff) == static_cast<std::uint32_t>(spv::Op::OpExtInst)) n = at;
    words[n + 4] = number;
    const Result<Module> module = decoded(words);
    return module ? std::string() : module.errors()[0].message;
  };
  CHECK(numbered(42).empty());  // WorkgroupVariableSize
  CHECK(numbered(43) == "the set has no instruction 43");
  CHECK(numbered(0) == "the set has no instruction 0");
  CHECK(numbered(41) == "NormalizedSamplerMaskPushConstant: expected 4 to 4 operands, found 2");
}

TEST_CASE("a kernel has its arguments in the order of parameters, with their names") {
  const std::string info = "%info = OpExtInst %void %set ArgumentInfo %s_x %s_int %c100 %c20 %c1\n";
  const Module module = module_of(
      shader(kKernel + info + line("ArgumentWorkgroup %k %c8 %c3 %c4") + kUsed +
             line("ArgumentStorageBuffer %k %c2 %c0 %c1 %info") + line("SpecConstantWorkDim %c2")));
  const auto reflection = clspv_reflection(module);
  REQUIRE(reflection.ok());
  REQUIRE(reflection->has_value());
  const ClspvKernel* const kernel = (*reflection)->kernel("foo");
  REQUIRE(kernel != nullptr);
  CHECK((*reflection)->kernel("bar") == nullptr);
  CHECK(kernel->parameter_count == 9);
  REQUIRE(kernel->arguments.size() == 3);
  CHECK(kernel->arguments[0].ordinal() == 0);
  CHECK(kernel->arguments[0].name.empty());
  CHECK(kernel->arguments[1].ordinal() == 2);
  CHECK(kernel->arguments[1].name == "x");
  CHECK(kernel->arguments[1].type_name == "int*");
  CHECK((*kernel->arguments[1].info)[ClspvOperand::kTypeQualifier] == 1);
  CHECK(kernel->arguments[2].op == ClspvOp::kArgumentWorkgroup);
  CHECK(kernel->arguments[2][ClspvOperand::kSpecId] == 3);
  CHECK(kernel->arguments[2][ClspvOperand::kElementSize] == 4);
  REQUIRE((*reflection)->fact(ClspvOp::kSpecConstantWorkDim) != nullptr);
  CHECK((*reflection)->fact(ClspvOp::kSpecConstantGlobalOffset) == nullptr);
  CHECK(carrier_of(ClspvOp::kArgumentPodUniform) == ClspvCarrier::kUniform);
}

TEST_CASE("before revision 5 the last argument says how many parameters a kernel has") {
  const Module module = module_of(shader("%k = OpExtInst %void %set Kernel %foo %s_foo\n" + kUsed +
                                             line("ArgumentWorkgroup %k %c4 %c3 %c4"),
                                         "1"));
  const auto reflection = clspv_reflection(module);
  REQUIRE(reflection.ok());
  CHECK((*reflection)->kernels[0].parameter_count == 5);
}

}  // namespace
}  // namespace transpire::test
