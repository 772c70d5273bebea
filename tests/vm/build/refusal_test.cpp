// What is refused, and that the refusal says what and where.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <span>

#include "decoder/module.h"
#include "decoder/opaque_types.h"
#include "tests/decoder/opaque_declarations.h"
#include "tests/vm/build/support.h"

namespace transpire::test {

TEST_CASE("a refusal names the instruction, its place and its source line") {
  const std::string text = module_text(R"(
OpCapability Shader
%file = OpString "a.cl"
OpName %main "main"
kernel %float %x
OpLine %file 7 3
%a = OpIsHelperInvocationEXT %bool)");
  // OpString must come before names.
  const auto words = decoder::assemble(text, "k.spvasm");
  REQUIRE(words.ok());
  const auto module = decoder::decode(std::as_bytes(std::span(*words)), {.input_name = "k.spv"});
  REQUIRE_MESSAGE(module.ok(), format(module.errors()[0]));
  const auto function = build(*module, module->entry_points[0], {});
  REQUIRE(!function.ok());
  const Diagnostic& d = function.errors()[0];
  CHECK(d.rule == "TSP-U0001");
  CHECK(d.message == "OpIsHelperInvocationEXT is not supported: it needs a graphics pipeline");
  CHECK(d.input == "k.spv");
  CHECK(d.instruction == "OpIsHelperInvocationEXT");
  CHECK(d.source.file == "a.cl");
  CHECK(d.source.line == 7);
  REQUIRE(d.word_offset.has_value());
  CHECK((*words)[*d.word_offset] == (3u << 16 | 5381u));
  REQUIRE(d.notes.size() == 1);
  CHECK(d.notes[0] == "in function 'main' of kernel 'main'");
}

TEST_CASE("a refused parameter has its place in the words, and its kernel's line in the source") {
  const std::string text = module_text(R"(
%debug = OpExtInstImport "OpenCL.DebugInfo.100"
%file = OpString "a.cl"
%from = OpExtInst %void %debug DebugSource %file
%scope = OpExtInst %void %debug DebugFunction %file %void %from 5 1 %void %file FlagIsDefinition 6 %main
kernel %int %n, %f_int %p
%in = OpExtInst %void %debug DebugScope %scope
OpLine %file 7 3)");
  const auto words = decoder::assemble(text, "k.spvasm");
  REQUIRE_MESSAGE(words.ok(), format(words.errors()[0]));
  const auto module = decoder::decode(std::as_bytes(std::span(*words)), {.input_name = "k.spv"});
  REQUIRE_MESSAGE(module.ok(), format(module.errors()[0]));
  const auto function = build(*module, module->entry_points[0], {});
  REQUIRE(!function.ok());
  const Diagnostic& d = function.errors()[0];
  CHECK(d.rule == "TSP-U0003");
  CHECK(d.source.file == "a.cl");
  CHECK(d.source.line == 5);
  CHECK(d.source.column == 0);
  CHECK(d.instruction == "OpFunctionParameter");
  REQUIRE(d.word_offset.has_value());
  CHECK((*words)[*d.word_offset] == (3u << 16 | 55u));
  CHECK((*words)[*d.word_offset + 2] == module->functions[0].parameters[1].id);
}

TEST_CASE("what only declares is not refused") {
  built(R"(
OpCapability Pipes
OpCapability DeviceEnqueue
OpCapability ImageBasic
kernel %int %n)");
}

TEST_CASE("modes, addressing and parameters are refused by name") {
  CHECK(refusal("OpMemoryModel Logical OpenCL\nkernel") ==
        "TSP-U0003: the addressing model is Logical, expected Physical32 or Physical64");
  CHECK(refusal("OpCapability SubgroupDispatch\nOpExecutionMode %main SubgroupSize 48\nkernel") ==
        "TSP-U0003: the sub-group size 48 of kernel 'main' is not supported: it must be a power of "
        "two of at most 64");
  CHECK(refusal(R"(
OpName %e "later"
%event = OpTypeDeviceEvent
kernel %event %e)") ==
        "TSP-U0003: parameter 'later' of kernel 'main' is of event type, which is not supported");
  CHECK(refusal("kernel %f_int %p\n") ==
        "TSP-U0003: parameter 'arg0' of kernel 'main' is a private uint*; pointers must be to "
        "CrossWorkgroup, UniformConstant or Workgroup storage, or ByVal");
}

const std::string kOpaqueCapabilities =
    "OpCapability Pipes\nOpCapability DeviceEnqueue\nOpCapability ImageBasic\n"
    "OpCapability NamedBarrier\nOpCapability PipeStorage\n";

TEST_CASE("parameters of opaque types are refused unless the table allows them") {
  for (const decoder::OpaqueType& type : decoder::kOpaqueTypes) {
    INFO(decoder::opcode_name(type.op));
    const std::string kernel =
        kOpaqueCapabilities + "OpName %x \"x\"\n" + declaration(type) + "\nkernel %it %x\n";
    if (type.value_bytes != 0 && type.as_argument == decoder::AsArgument::kAllowed) {
      built(kernel);
      continue;
    }
    CHECK(refusal(kernel) ==
          fmt::format(
              "TSP-U0003: parameter 'x' of kernel 'main' is of {} type, which is not supported",
              type.noun));
  }
}

// A variable of the type, loaded and stored.
TEST_CASE("values of opaque types are handles, or refused by name where the VM has none") {
  for (const decoder::OpaqueType& type : decoder::kOpaqueTypes) {
    if (!type.has_size) continue;
    INFO(decoder::opcode_name(type.op));
    const std::string kernel = kOpaqueCapabilities + declaration(type) + R"(
%to_it = OpTypePointer Function %it
kernel
%variable = OpVariable %to_it Function
%value = OpLoad %it %variable
OpStore %variable %value
)";
    if (decoder::has_handles(type.kind)) {
      CHECK(built(kernel).mem.at(0).kind == Kind::kI64);
      // Handles in memory are as large as a pointer.
      CHECK(built("OpMemoryModel Physical32 OpenCL\n" + kernel).mem.at(0).kind == Kind::kI32);
      continue;
    }
    const std::string found = refusal(kernel);
    CHECK_MESSAGE(found.starts_with("TSP-U0003: values of type "), found);
    if (!type.spelling.empty()) CHECK(found.find(type.spelling) != std::string::npos);
  }
}

TEST_CASE("instructions and scopes are refused by name") {
  CHECK(refusal("kernel\nOpControlBarrier %int_1 %int_2 %int_0") ==
        "TSP-U0001: the barrier's execution scope is 1, expected Workgroup (2), Subgroup (3) or "
        "Invocation (4)");
  CHECK(refusal(R"(
OpCapability SubgroupDispatch
OpName %id "id"
OpDecorate %id BuiltIn DeviceIndex
%i_int = OpTypePointer Input %int
%id = OpVariable %i_int Input
kernel
%a = OpLoad %int %id)") == "TSP-U0003: the built-in variable 'id' (BuiltIn 4438) is not supported");
}

TEST_CASE("values too large to take apart are refused") {
  CHECK(refusal(R"(
%many = OpConstant %int 70000
%row = OpTypeArray %char %many
%g_row = OpTypePointer CrossWorkgroup %row
kernel %g_row %p
%a = OpLoad %row %p)")
            .starts_with("TSP-U0007: a value of type "));
}

TEST_CASE("private memory too large for any launch is refused") {
  const std::string array = R"(
%length = OpConstant %long 536870913
%array = OpTypeArray %char %length
%f_array = OpTypePointer Function %array
)";
  CHECK(built(array + "\nkernel\n%a = OpVariable %f_array Function\n").private_variables.size() ==
        1);
  CHECK(refusal(array + R"(

kernel
%a = OpVariable %f_array Function
%b = OpVariable %f_array Function
)")
            .starts_with("TSP-L0004: with the variable "));
  CHECK(refusal(R"(
OpDecorate %b Alignment 2147483648
kernel
%a = OpVariable %f_int Function
%b = OpVariable %f_int Function)")
            .starts_with("TSP-L0004: with the variable "));
}

TEST_CASE("a module that no validator has seen is refused, not misread") {
  CHECK(refusal("kernel %int %a, %float %b\n%c = OpIAdd %int %a %b") ==
        "TSP-U0004: operand 1 of IAdd is f32, expected i32");
  CHECK(refusal("kernel %v2int %a, %v3int %b\n%c = OpIAdd %v2int %a %b") ==
        "TSP-U0004: the operands differ in components");
  CHECK(refusal("kernel %v2int %a\n%c = OpCompositeExtract %int %a 2") ==
        "TSP-U0004: a literal index is out of range");
  CHECK(refusal(R"(
kernel %int %n, %g_int %p
%c = OpIEqual %bool %n %int_0
OpBranchConditional %c %a %b
%a = OpLabel
%x = OpIAdd %int %n %n
OpBranch %b
%b = OpLabel
OpStore %p %x)")
            .starts_with("TSP-U0004: kernel 'main' is not well-formed: %"));
  CHECK(refusal("kernel %int %n\n%x = OpPhi %int %n %entry") ==
        "TSP-U0004: a phi stands in the first block of a function");
  // Another load may be dropped at the end: what a phi lacks is no value that uses it.
  CHECK(refusal(R"(
kernel %g_v4float %p, %float %x, %int %n
%a = OpLoad %v4float %p
%b = OpCompositeInsert %v4float %x %a 1
OpStore %p %b
OpBranch %next
%next = OpLabel
%y = OpPhi %int %n %next)") == "TSP-U0004: a phi has no operand for one of its predecessors");
}

}  // namespace transpire::test
