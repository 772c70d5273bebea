// EntryInputs: inputs, and their names and decorations, on an entry point's function and on the one it forwards to.
#include "decoder/entry_inputs.h"

#include <doctest/doctest.h>

#include "decoder/execution_models.h"
#include "tests/decoder/support.h"

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
    "kernels alone can be launched, and the reason against another entry point names its model") {
  const Module module = module_of(
      "OpCapability Shader\nOpCapability Kernel\nOpCapability Addresses\n"
      "OpMemoryModel Logical GLSL450\n"
      "OpEntryPoint GLCompute %f \"shader\"\nOpEntryPoint Kernel %f \"kernel\"\n"
      "%void = OpTypeVoid\n%type = OpTypeFunction %void\n"
      "%f = OpFunction %void None %type\n%a = OpLabel\nOpReturn\nOpFunctionEnd\n");
  REQUIRE(module.entry_points.size() == 2);
  const auto launched = launched_entry_points(module);
  REQUIRE(launched.size() == 1);
  CHECK(launched[0]->name == "kernel");
  CHECK(reason_against(module, module.entry_points[0]) ==
        "the entry point 'shader' has the execution model GLCompute, expected Kernel");
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
  CHECK(&row_of(spv::MemoryModel::OpenCL) == launched_model(spv::ExecutionModel::Kernel));
  CHECK(&row_of(spv::MemoryModel::GLSL450) == &row_of(spv::MemoryModel::OpenCL));
  CHECK(launched_model(spv::ExecutionModel::GLCompute) == nullptr);
  CHECK(launched_model_names() == "Kernel");
  CHECK(addressing_model_names(row_of(spv::MemoryModel::OpenCL)) == "Physical32 or Physical64");
}

}  // namespace transpire::test
