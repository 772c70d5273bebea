// specialised(): a decoded module gets other values, and is then as if it had been decoded with them.
#include <doctest/doctest.h>

#include <optional>

#include "tests/decoder/support.h"
#include "tests/decoder/walk.h"
#include "tests/errors.h"

namespace transpire::test {
namespace {

/// A constant, what is made of it, an execution mode that names it, an array of %m elements, and a function that has it.
const std::string kSpecialisable = kKernelHeader + R"(
OpEntryPoint Kernel %f "f"
OpExecutionMode %f VecTypeHint 4
OpExecutionModeId %f LocalSizeId %n %one %sum
OpName %n "n"
OpName %truth "truth"
OpName %sum "sum"
OpName %pair "pair"
OpName %half_ "half"
OpName %array "array"
OpName %holder "holder"
OpDecorate %n SpecId 3
OpDecorate %truth SpecId 4
OpDecorate %m SpecId 5
%bool = OpTypeBool
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%int2 = OpTypeVector %int 2
%void = OpTypeVoid
%fn = OpTypeFunction %void
%one = OpConstant %int 1
%n = OpSpecConstant %int 2
%m = OpSpecConstant %int 6
%truth = OpSpecConstantFalse %bool
%sum = OpSpecConstantOp %int IAdd %n %one
%pair = OpSpecConstantComposite %int2 %n %sum
%length = OpSpecConstantOp %int UDiv %m %one
%quotient = OpSpecConstantOp %int UDiv %one %n
%float_n = OpSpecConstantOp %float ConvertUToF %n
%half_ = OpSpecConstantOp %int ConvertFToU %float_n
%array = OpTypeArray %int %length
%holder = OpTypeStruct %array %int
%f = OpFunction %void None %fn
%l = OpLabel
%chosen = OpSelect %int %truth %n %half_
OpReturn
OpFunctionEnd
)";

Result<Module> with(const Module& base, Specialisation values) {
  return specialised(base.copy(), {.specialisation = std::move(values)});
}

void check_equal(const Module& found, const Module& expected) {
  CHECK(walk(found) == walk(expected));
  REQUIRE(found.constants.size() == expected.constants.size());
  for (std::size_t i = 0; i < found.constants.size(); ++i) {
    CAPTURE(i);
    CHECK(found.constants[i].id == expected.constants[i].id);
    CHECK(found.constants[i].kind == expected.constants[i].kind);
    CHECK(found.constants[i].bits == expected.constants[i].bits);
    CHECK(found.constants[i].elements == expected.constants[i].elements);
    CHECK(found.constants[i].undefined == expected.constants[i].undefined);
    CHECK(found.constants[i].undefined_by == expected.constants[i].undefined_by);
  }
  const auto& modes = found.entry_points[0].modes;
  REQUIRE(modes.size() == expected.entry_points[0].modes.size());
  for (std::size_t i = 0; i < modes.size(); ++i)
    CHECK(modes[i].operands == expected.entry_points[0].modes[i].operands);
}

TEST_CASE("values that change no type do not have a module decoded again") {
  const Module base = module_of(kSpecialisable);
  // The length stays six. Zero is divided by.
  for (const Specialisation& values : std::vector<Specialisation>{
           {}, {{3, 9}}, {{3, 0}, {4, 1}}, {{4, 256}, {5, 6}}, {{3, 0x1'0000'0007}}}) {
    const Result<Module> found = with(base, values);
    REQUIRE(found.ok());
    CHECK(found->times_decoded == 1);
    check_equal(*found, module_of(kSpecialisable, {.specialisation = values}));
  }
  CHECK(constant_of(base, "n").bits == 2);
}

TEST_CASE("a value that changes a length has a module decoded again, once") {
  const Module base = module_of(kSpecialisable);
  const Result<Module> found = with(base, {{3, 4}, {5, 50}});
  REQUIRE(found.ok());
  CHECK(found->times_decoded == 2);
  CHECK(type_of(*found, "array").count == 50);
  CHECK(type_of(*found, "holder").size_bytes == 204);
  check_equal(*found, module_of(kSpecialisable, {.specialisation = {{3, 4}, {5, 50}}}));
  CHECK(type_of(base, "array").count == 6);
}

TEST_CASE(
    "a specialised module outlives the one that it was made of, and may be specialised again") {
  std::optional<Module> base = module_of(kSpecialisable);
  Module nine = with(*base, {{3, 9}}).value();
  base.reset();
  CHECK(constant_of(*with(nine, {{3, 7}}), "sum").bits == 8);
  CHECK(constant_of(*with(nine, {}), "sum").bits == 3);
  CHECK(nine.functions[0].blocks[0].instructions[0].operands.data() >= nine.words.data());
  check_equal(nine, module_of(kSpecialisable, {.specialisation = {{3, 9}}}));
}

TEST_CASE("values that a module cannot have are refused as decoding refuses them") {
  const std::string text = kKernelHeader +
                           "OpDecorate %n SpecId 7\n%int = OpTypeInt 32 0\n"
                           "%n = OpSpecConstant %int 2\n%array = OpTypeArray %int %n\n"
                           "%one = OpConstant %int 1\n%c = OpConstantComposite %array %one %one\n";
  const Module base = module_of(text);
  const Result<Module> refused = with(base, {{7, 3}});
  CHECK(error_of(refused) == error_of(decoded(assembled(text), {.specialisation = {{7, 3}}})));
  CHECK(error_of(refused).starts_with("TSP-U0003: expected 3 constituents of uint[3], found 2"));
  CHECK(with(base, {{7, 2}})->times_decoded == 1);
}

TEST_CASE(
    "a line of debug information is the same for all values: a specialisation constant is none") {
  const std::string text =
      "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n"
      "OpExtension \"SPV_KHR_non_semantic_info\"\n"
      "%dbg = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\n"
      "OpMemoryModel Physical64 OpenCL\n%file = OpString \"b.cl\"\nOpDecorate %n SpecId 1\n"
      "OpDecorate %f LinkageAttributes \"f\" Export\n"
      "%int = OpTypeInt 32 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
      "%five = OpConstant %int 5\n%n = OpSpecConstant %int 42\n"
      "%src = OpExtInst %void %dbg DebugSource %file\n"
      "%f = OpFunction %void None %fn\n%l = OpLabel\n"
      "%line = OpExtInst %void %dbg DebugLine %src %n %n %five %five\nOpReturn\nOpFunctionEnd\n";
  for (const Specialisation& values : std::vector<Specialisation>{{}, {{1, 7}}}) {
    const Module module = module_of(text, {.specialisation = values});
    const auto& instructions = module.functions[0].blocks[0].instructions;
    CHECK(module.source_line(instructions.back().line).column == 5);
    CHECK(module.source_line(instructions.back().line).line == 0);
  }
}

TEST_CASE("sub-groups of another size hold other components of a cooperative matrix") {
  const Module base = with(module_of(R"(
OpCapability Shader
OpCapability CooperativeMatrixKHR
OpMemoryModel Logical Vulkan
OpName %m "m"
OpName %one "one"
OpName %ones "ones"
OpName %wide "wide"
OpName %length "length"
OpDecorate %rows SpecId 1
%float = OpTypeFloat 32
%int = OpTypeInt 32 0
%rows = OpSpecConstant %int 4
%five = OpConstant %int 5
%scope = OpConstant %int 3
%use = OpConstant %int 1
%m = OpTypeCooperativeMatrixKHR %float %scope %rows %five %use
%most = OpConstant %int 256
%wide = OpTypeCooperativeMatrixKHR %float %scope %most %most %use
%one = OpConstant %float 1
%ones = OpConstantComposite %m %one
%length = OpSpecConstantOp %int CooperativeMatrixLengthKHR %m
)"),
                           {{1, 9}})
                          .value();
  CHECK(spell(type_of(base, "m")) == "coopmat<float, 9, 5, B>");
  CHECK(type_of(base, "m").count == 2);
  CHECK(base.times_decoded == 2);
  const Module of_eight = for_subgroups(base, 8).value();
  CHECK(of_eight.subgroup_size == 8);
  CHECK(spell(type_of(of_eight, "m")) == "coopmat<float, 9, 5, B>");
  CHECK(type_of(of_eight, "m").count == 6);
  CHECK(constant_of(of_eight, "ones").elements.size() == 1);
  CHECK(constant_of(of_eight, "ones").element(5) == constant_of(of_eight, "one").id);
  CHECK(constant_of(of_eight, "length").bits == 6);
  CHECK(type_of(for_subgroups(base, 64).value(), "wide").count == 1024);
}

}  // namespace
}  // namespace transpire::test
