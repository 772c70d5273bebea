// EntryInputs: inputs, and their names and decorations, on an entry point's function and on the one it forwards to.
#include "decoder/entry_inputs.h"

#include <doctest/doctest.h>

#include <tuple>

#include "decoder/execution_models.h"
#include "tests/decoder/support.h"
#include "tests/shorthand/shorthand.h"

namespace transpire::test {
namespace {

/// An entry point %outer, which calls %inner with its parameters in the order of `arguments`, and does nothing else.
std::string forwarding(const std::string& arguments) {
  return kKernelHeader +
         "OpEntryPoint Kernel %outer \"k\"\n"
         "OpName %from \"from\"\nOpName %to_inner \"to\"\n"
         "OpDecorate %to_inner FuncParamAttr NoAlias\nOpDecorate %to_inner Alignment 64\n"
         "OpDecorate %from FuncParamAttr NoWrite\nOpDecorate %by_value FuncParamAttr ByVal\n"
         "%void = OpTypeVoid\n%int = OpTypeInt 32 0\n"
         "%global = OpTypePointer CrossWorkgroup %int\n%private = OpTypePointer Function %int\n"
         "%type = OpTypeFunction %void %global %global %private\n"
         "%inner = OpFunction %void None %type\n%from_inner = OpFunctionParameter %global\n"
         "%to_inner = OpFunctionParameter %global\n%by_value = OpFunctionParameter %private\n"
         "%a = OpLabel\nOpReturn\nOpFunctionEnd\n"
         "%outer = OpFunction %void None %type\n%from = OpFunctionParameter %global\n"
         "%to = OpFunctionParameter %global\n%third = OpFunctionParameter %private\n"
         "%b = OpLabel\n%call = OpFunctionCall %void %inner " +
         arguments + "\nOpReturn\nOpFunctionEnd\n";
}

}  // namespace

TEST_CASE("an entry point has the names and decorations of the function that it forwards to") {
  const Module module = module_of(forwarding("%from %to %third"));
  const EntryInputs inputs(module, module.entry_points[0]);
  REQUIRE(inputs.all().size() == 3);
  CHECK(inputs.forwards());
  CHECK(inputs.function()->id == module.entry_points[0].function);
  CHECK(inputs.source_function() != inputs.function());
  CHECK(inputs.name(0) == "from");
  CHECK(inputs.name(1) == "to");
  CHECK(inputs.name(2) == "arg2");
  using Attribute = spv::FunctionParameterAttribute;
  CHECK(inputs.has_attribute(0, Attribute::NoWrite));
  CHECK_FALSE(inputs.has_attribute(1, Attribute::NoWrite));
  CHECK(inputs.has_attribute(1, Attribute::NoAlias));
  REQUIRE(inputs.decoration(1, spv::Decoration::Alignment) != nullptr);
  CHECK(inputs.decoration(1, spv::Decoration::Alignment)->operands[0] == 64);
  CHECK(inputs.decoration(0, spv::Decoration::Alignment) == nullptr);
  CHECK(inputs.is_by_value(2));
  CHECK_FALSE(inputs.is_by_value(1));
}

TEST_CASE("a function that does not hand its parameters on in order is the source's own") {
  const Module module = module_of(forwarding("%to %from %third"));
  const EntryInputs inputs(module, module.entry_points[0]);
  CHECK_FALSE(inputs.forwards());
  CHECK(inputs.source_function() == inputs.function());
  CHECK(inputs.name(1) == "arg1");
  CHECK_FALSE(inputs.has_attribute(1, spv::FunctionParameterAttribute::NoAlias));
  CHECK_FALSE(inputs.is_by_value(2));
}

TEST_CASE(
    "kernels and compute shaders can be launched, and the reason against another entry point names "
    "its model") {
  const Module module = module_of(
      "OpCapability Shader\nOpCapability Kernel\nOpCapability Addresses\n"
      "OpMemoryModel Logical GLSL450\n"
      "OpEntryPoint Vertex %f \"shader\"\nOpEntryPoint Kernel %f \"kernel\"\n"
      "%void = OpTypeVoid\n%type = OpTypeFunction %void\n"
      "%f = OpFunction %void None %type\n%a = OpLabel\nOpReturn\nOpFunctionEnd\n");
  REQUIRE(module.entry_points.size() == 2);
  const auto launched = launched_entry_points(module);
  REQUIRE(launched.size() == 1);
  CHECK(launched[0]->name == "kernel");
  CHECK(reason_against(module, module.entry_points[0]) ==
        "the entry point 'shader' has the execution model Vertex, expected Kernel or GLCompute");
  CHECK(reason_against(module, *launched[0]) ==
        "the addressing model is Logical, expected Physical32 or Physical64");
  Module physical = module.copy();
  physical.addressing_model = spv::AddressingModel::Physical64;
  CHECK(reason_against(physical, physical.entry_points[1]) ==
        "the memory model is GLSL450, expected OpenCL");
  physical.memory_model = spv::MemoryModel::OpenCL;
  CHECK(reason_against(physical, physical.entry_points[1]).empty());
}

TEST_CASE("a memory model that no launched execution model has counts as OpenCL's") {
  const ExecutionModelRow& kernels = row_of(spv::MemoryModel::OpenCL);
  CHECK(&kernels == launched_model(spv::ExecutionModel::Kernel));
  CHECK(&row_of(spv::MemoryModel::Max) == &kernels);
  CHECK(&row_of(spv::MemoryModel::GLSL450) == launched_model(spv::ExecutionModel::GLCompute));
  CHECK(&row_of(spv::MemoryModel::Vulkan) == launched_model(spv::ExecutionModel::GLCompute));
  CHECK(&row_of(spv::MemoryModel::Simple) == launched_model(spv::ExecutionModel::GLCompute));
  CHECK(launched_model(spv::ExecutionModel::Vertex) == nullptr);
  CHECK(launched_model_names() == "Kernel or GLCompute");
  CHECK(addressing_model_names(kernels) == "Physical32 or Physical64");
}

/// Variables of a shader: three buffers, one of them uniform, and push constants.
const std::string kShader = shorthand::declare(R"(OpName %named "values"
OpName %Only "Only"
OpMemberName %Only 0 "member"
OpName %Pair "Pair"
OpMemberDecorate %Only 0 NonWritable
OpDecorate %elements ArrayStride 8
OpDecorate %named DescriptorSet 1
OpDecorate %named Binding 0
OpDecorate %nameless DescriptorSet 0
OpDecorate %nameless Binding 7
OpDecorate %again DescriptorSet 0
OpDecorate %again Binding 9
OpDecorate %unused DescriptorSet 0
OpDecorate %unused Binding 1
%elements = OpTypeRuntimeArray %uint
%Only = block %elements 0
%Pair = block %uint 0 %v3uint 16
%named = OpVariable %_ptr_Uniform_Pair Uniform
%nameless = OpVariable %_ptr_StorageBuffer_Only StorageBuffer
%again = OpVariable %_ptr_StorageBuffer_Only StorageBuffer
%unused = OpVariable %_ptr_StorageBuffer_Only StorageBuffer
%pushed = OpVariable %_ptr_PushConstant_Pair PushConstant
shader main 1 1 1
%p = at %pushed[0]
%q = at %again[0 0]
%r = at %named[0]
%s = at %nameless[0 0]
)");

TEST_CASE(
    "a shader's inputs are the resources that it uses, in the order of bindings, push constants "
    "last") {
  const Module module = module_of(kShader);
  const EntryInputs inputs(module, module.entry_points[0]);
  CHECK(reason_against(module, module.entry_points[0]).empty());
  REQUIRE(inputs.all().size() == 4);
  CHECK(inputs.name(0) == "member");
  CHECK(inputs.name(1) == "0.9");  // the name is another input's
  CHECK(inputs.name(2) == "values");
  CHECK(inputs.name(3) == "Pair");
  CHECK(inputs.binding(1)->binding == 9);
  CHECK(inputs.binding(2)->set == 1);
  CHECK_FALSE(inputs.binding(3).has_value());
  CHECK(inputs.is_read_only(0));
  CHECK(inputs.is_read_only(2));  // a uniform block
  CHECK(inputs.is_by_value(3));
  CHECK_FALSE(inputs.is_by_value(2));

  // Names of the module's text come after those of the module; numbers are no names.
  Module texted = module.copy();
  texted.text_names = {{inputs.all()[0].id, "nameless"},
                       {inputs.all()[1].id, "again"},
                       {inputs.all()[2].id, "named"}};
  const EntryInputs of_text(texted, texted.entry_points[0]);
  CHECK(of_text.name(0) == "member");
  CHECK(of_text.name(1) == "again");
  CHECK(of_text.name(2) == "values");
  texted.text_names[inputs.all()[1].id] = "12";
  CHECK(EntryInputs(texted, texted.entry_points[0]).name(1) == "0.9");
  texted.text_names[inputs.all()[1].id] = "values";
  const EntryInputs clashing(texted, texted.entry_points[0]);
  CHECK(clashing.name(1) == "0.9");
  CHECK(clashing.name(2) == "values");
}

TEST_CASE("each image, sampler and block of a shader is an input, at its place in the variable") {
  Module module = module_of(shorthand::declare(R"(OpCapability RuntimeDescriptorArray
OpName %both "both"
OpName %blocks "blocks"
OpDecorate %both DescriptorSet 2
OpDecorate %both Binding 3
OpDecorate %blocks DescriptorSet 3
OpDecorate %blocks Binding 0
OpDecorate %endless DescriptorSet 4
OpDecorate %endless Binding 0
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%any = OpTypeRuntimeArray %image
%Block = block %uint 0
%both = OpVariable %_ptr_UniformConstant__arr_sampled_2 UniformConstant
%endless = OpVariable %_ptr_UniformConstant_any UniformConstant
%blocks = OpVariable %_ptr_StorageBuffer__arr_Block_2 StorageBuffer
shader main 1 1 1
%p = OpCopyObject %_ptr_UniformConstant__arr_sampled_2 %both
%q = OpCopyObject %_ptr_UniformConstant_any %endless
%r = OpCopyObject %_ptr_StorageBuffer__arr_Block_2 %blocks
)"));
  const EntryInputs inputs(module, module.entry_points[0]);
  REQUIRE(inputs.all().size() == 7);
  const std::vector<std::tuple<std::string, Type::Kind, std::uint64_t>> expected{
      {"both[0]", Type::Kind::kImage, 0},     {"both[0].sampler", Type::Kind::kSampler, 8},
      {"both[1]", Type::Kind::kImage, 16},    {"both[1].sampler", Type::Kind::kSampler, 24},
      {"blocks[0]", Type::Kind::kPointer, 0}, {"blocks[1]", Type::Kind::kPointer, 16},
      {"4.0[0]", Type::Kind::kImage, 0}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(inputs.name(i) == std::get<0>(expected[i]));
    CHECK(inputs.all()[i].type->kind == std::get<1>(expected[i]));
    CHECK(inputs.all()[i].offset_bytes == std::get<2>(expected[i]));
  }
  CHECK(inputs.binding(3)->set == 2);
  CHECK(inputs.all()[3].part == "[1].sampler");
  CHECK(inputs.all()[5].type->element->kind == Type::Kind::kStruct);
  CHECK(inputs.table_bytes(*inputs.all()[3].variable) == 32);
  // An array without a length has as many descriptors as are asked for; too many are none by themselves.
  module.descriptor_counts[{4, 0}] = 3;
  module.descriptor_counts[{2, 3}] = 9;
  const EntryInputs longer(module, module.entry_points[0]);
  REQUIRE(longer.all().size() == 9);
  CHECK(longer.name(8) == "4.0[2]");
  CHECK(longer.table_bytes(*longer.all()[8].variable) == 24);
  for (const std::uint32_t many : {4095u, 0xffffffffu}) {
    module.descriptor_counts[{4, 0}] = many;
    const EntryInputs whole(module, module.entry_points[0]);
    REQUIRE(whole.all().size() == 7);
    CHECK(whole.all()[6].type->kind == Type::Kind::kPointer);
  }
}

TEST_CASE("decorations say where members and elements of a shader's blocks are") {
  const Module module = module_of(kShader);
  const EntryInputs inputs(module, module.entry_points[0]);
  const Type& pair = *inputs.all()[2].type->element;
  CHECK(pair.member_offsets == std::vector<std::uint64_t>{0, 16});
  CHECK(pair.size_bytes == 28);
  CHECK(pair.align_bytes == 4);
  const Type& array = *inputs.all()[0].type->element->members[0];
  CHECK(array.is_runtime_array);
  CHECK(array.stride_bytes == 8);
  CHECK(array.size_bytes == 0);
}

TEST_CASE("elements of a shader's arrays and matrices that overlap are refused") {
  const auto rule_of = [](std::string_view from, std::string_view to) {
    std::string text = kShader;
    text.replace(text.find(from), from.size(), to);
    const Result<Module> module = decoded(assembled(text));
    return module ? std::string() : module.errors()[0].rule;
  };
  constexpr std::string_view kStride = "ArrayStride 8",
                             kMember = "%Pair = OpTypeStruct %uint %v3uint";
  CHECK(rule_of(kStride, "ArrayStride 4").empty());
  CHECK(rule_of(kStride, "ArrayStride 3") == "TSP-D0025");
  CHECK(rule_of(kStride, "ArrayStride 0") == "TSP-D0025");
  for (const auto& [stride, rule] : {std::pair{"8", ""}, {"7", "TSP-D0025"}, {"1", "TSP-D0025"}}) {
    std::string text = kShader;
    const std::string decoration = "OpMemberDecorate %Pair 1 MatrixStride ";
    text.insert(text.find("OpMemberDecorate"), decoration + stride + "\n");
    text.replace(text.find(kMember), kMember.size(),
                 "%float = OpTypeFloat 32\n%v2float = OpTypeVector %float 2\n"
                 "%mat2 = OpTypeMatrix %v2float 2\n%Pair = OpTypeStruct %uint %mat2");
    const Result<Module> module = decoded(assembled(text));
    CHECK((module ? "" : module.errors()[0].rule) == rule);
  }
}

}  // namespace transpire::test
