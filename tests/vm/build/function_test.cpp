// Parameters, and calls expanded in place.
#include <doctest/doctest.h>

#include "tests/vm/build/support.h"

namespace transpire::test {

TEST_CASE("parameters take one slot for each component, by-value structs a private variable") {
  const lir::Function f = built(R"(
OpName %p "out"
OpName %s "settings"
OpDecorate %s FuncParamAttr ByVal
OpDecorate %p FuncParamAttr NoWrite
%pair = OpTypeStruct %int %long
%f_pair = OpTypePointer Function %pair
kernel %g_int %p, %v3float %v, %f_pair %s, %char %c, %w_int %w)");
  using Kind = Parameter::Kind;
  REQUIRE(f.parameters.size() == 5);
  CHECK(f.parameters[0].name == "out");
  CHECK(f.parameters[0].kind == Kind::kPointer);
  CHECK(f.parameters[0].no_write);
  CHECK(f.parameters[1].slot_count == 3);
  CHECK(f.parameters[1].size_bytes == 16);
  CHECK(f.parameters[2].name == "settings");
  CHECK(f.parameters[2].kind == Kind::kByValue);
  CHECK(f.parameters[2].slot_count == 0);
  CHECK(f.parameters[2].size_bytes == 16);
  CHECK(f.private_variables[f.parameters[2].private_variable].name == "settings");
  CHECK(f.parameters[3].first_slot == 4);
  CHECK(f.parameters[4].storage_class == spv::StorageClass::Workgroup);
  CHECK(f.argument_slots == 7);
  CHECK(f.values[f.values.size() - 2].op != Op::kUnreachable);
}

TEST_CASE("attributes and names count on either side of a forwarding entry point") {
  const lir::Function f = check_lir(R"(
OpName %p ""
OpName %q "buffer"
OpDecorate %q FuncParamAttr NoWrite
OpDecorate %t FuncParamAttr ByVal
%pair = OpTypeStruct %int %long
%f_pair = OpTypePointer Function %pair
%real_type = OpTypeFunction %void %g_int %f_pair
kernel %g_int %p, %f_pair %s
%r = OpFunctionCall %void %real %p %s ; %0 i32 = Load a1 (private i32, align 4)
                                      ; Store a0, %0 (global i32, align 4, no write 0)
%real = OpFunction %void None %real_type
%q = OpFunctionParameter %g_int
%t = OpFunctionParameter %f_pair
%real_entry = OpLabel
%m = OpAccessChain %f_int %t %int_0
%a = OpLoad %int %m
OpStore %q %a
OpReturn
OpFunctionEnd)");
  CHECK(f.name == "main");
  CHECK(f.parameters[0].name == "buffer");
  CHECK(f.parameters[0].no_write);
  CHECK(f.parameters[1].kind == Parameter::Kind::kByValue);
  CHECK(f.private_variables.size() == 1);
}

namespace {

/// int choose(int x) with several returns; `main` stores what it gives.
const std::string kChoose = R"(
%choose_type = OpTypeFunction %int %int
kernel %g_int %p, %int %n
%r = OpFunctionCall %int %choose %n ; %0 bool = SLessThan a1, i32:3
                                    ; BranchConditional %0, b1, b2
                                    ; b1: from b0
                                    ; Branch b3
                                    ; b2: from b0
                                    ; %1 i32 = IAdd a1, a1
                                    ; Branch b3
                                    ; b3: from b1 b2
                                    ; %2 i32 = Phi i32:1, %1
OpStore %p %r                       ; Store a0, %2 (global i32, align 4)
%choose = OpFunction %int None %choose_type
%x = OpFunctionParameter %int
%choose_entry = OpLabel
%small = OpSLessThan %bool %x %int_3
OpBranchConditional %small %yes %no
%yes = OpLabel
OpReturnValue %int_1
%no = OpLabel
%twice = OpIAdd %int %x %x
OpReturnValue %twice
OpFunctionEnd)";

TEST_CASE("several returns meet in a block with a phi of the results") {
  const lir::Function f = check_lir(kChoose);
  // The sum knows the call that it was inlined through.
  for (const lir::Value& value : f.values) {
    if (value.op != Op::kIAdd) continue;
    const Source& source = f.sources[value.source];
    CHECK(source.op == spv::Op::OpIAdd);
    CHECK(f.sources[source.called_from].op == spv::Op::OpFunctionCall);
    CHECK(f.sources[f.sources[source.called_from].called_from].op == spv::Op::OpNop);
  }
}

TEST_CASE("a variable of a function that is called twice is two variables, initialised each time") {
  const lir::Function f = check_lir(R"(
OpName %v "local"
%get_type = OpTypeFunction %int
kernel %g_int %p
%a = OpFunctionCall %int %get ; Store a1, i32:5 (private i32, align 4)
                              ; %0 i32 = Load a1 (private i32, align 4)
%b = OpFunctionCall %int %get ; Store a2, i32:5 (private i32, align 4)
                              ; %1 i32 = Load a2 (private i32, align 4)
%sum = OpIAdd %int %a %b      ; %2 i32 = IAdd %0, %1
OpStore %p %sum               ; Store a0, %2 (global i32, align 4)
%get = OpFunction %int None %get_type
%get_entry = OpLabel
%v = OpVariable %f_int Function %int_5
%x = OpLoad %int %v
OpReturnValue %x
OpFunctionEnd)");
  CHECK(f.private_variables.size() == 2);
}

const KernelCase kCalls[] = {
    {"a callee has its own copy of a ByVal argument", R"(
OpDecorate %s FuncParamAttr ByVal
%pair = OpTypeStruct %int %long
%f_pair = OpTypePointer Function %pair
%change_type = OpTypeFunction %void %f_pair
kernel %g_int %p
%v = OpVariable %f_pair Function
%r = OpFunctionCall %void %change %v ; CopyMemory a2, a1, i64:16 (private i8 from private, align 1)
                                     ; Store a2, i32:8 (private i32, align 4)
%m = OpAccessChain %f_int %v %int_0
%a = OpLoad %int %m                  ; %0 i32 = Load a1 (private i32, align 4)
OpStore %p %a                        ; Store a0, %0 (global i32, align 4)
%change = OpFunction %void None %change_type
%s = OpFunctionParameter %f_pair
%change_entry = OpLabel
%n = OpAccessChain %f_int %s %int_0
OpStore %n %int_8
OpReturn
OpFunctionEnd)"},
    {"what follows a call that never returns is dropped", R"(
%spin_type = OpTypeFunction %int
kernel %g_int %p, %int %n
%c = OpIEqual %bool %n %int_0           ; %0 bool = IEqual a1, i32:0
OpBranchConditional %c %stuck %join     ; BranchConditional %0, b1, b3
%stuck = OpLabel                        ; b1: from b0
%a = OpFunctionCall %int %spin          ; Branch b2
                                        ; b2: from b1 b2
                                        ; Branch b2
OpStore %p %a
OpBranch %join
%join = OpLabel                         ; b3: from b0
%v = OpPhi %int %a %stuck %int_2 %entry ; %1 i32 = Phi i32:2
OpStore %p %v                           ; Store a0, %1 (global i32, align 4)
%spin = OpFunction %int None %spin_type
%spin_entry = OpLabel
OpBranch %again
%again = OpLabel
OpBranch %again
OpFunctionEnd)"},
};

TEST_CASE("calls are expanded in place") {
  for (const KernelCase& c : kCalls) check_case(c);
}

TEST_CASE("recursion, imports and excess are refused") {
  CHECK(refusal(R"(
OpName %f "f"
%f_type = OpTypeFunction %void
kernel
%r = OpFunctionCall %void %f
%f = OpFunction %void None %f_type
%f_entry = OpLabel
%s = OpFunctionCall %void %f
OpReturn
OpFunctionEnd)") == "TSP-U0005: the function 'f' calls itself");
  const std::string import = R"(
OpName %f "f"
OpDecorate %f LinkageAttributes "f" Import
kernel
%r = OpFunctionCall %void %f)";
  std::string text = module_text(import);
  const std::string declaration =
      "%f_type = OpTypeFunction %void\n%f = OpFunction %void None %f_type\nOpFunctionEnd\n";
  text.insert(text.find("%main = OpFunction"), declaration);
  CHECK(refusal(text) == "TSP-U0006: the function 'f' has no body in this module");
  CHECK(diagnostic_of_refusal(text).help == "link the module with the one that defines it");
  text.replace(text.find("\"f\" Import"), 3, "\"_Z9mem_fencej\"");
  text.replace(text.find("OpName %f \"f\""), 13, "OpName %f \"_Z9mem_fencej\"");
  CHECK(diagnostic_of_refusal(text).help.starts_with(
      "if 'mem_fence' is a built-in function, the compiler"));
  LowerOptions options;
  options.max_instructions = 2;
  CHECK(refusal(kChoose, options) ==
        "TSP-L0003: the kernel has more than 2 instructions after its calls are inlined");
}

}  // namespace
}  // namespace transpire::test
