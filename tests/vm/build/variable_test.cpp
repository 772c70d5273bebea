// Module-scope variables and built-in ones, and constants of every kind.
#include <doctest/doctest.h>

#include "tests/vm/build/support.h"

namespace transpire::test {

TEST_CASE("program variables have initial bytes and relocations, and reach others by pointers") {
  const lir::Function f = check_lir(R"(
OpName %table "table"
OpName %record "record"
OpName %unused "unused"
OpName %scratch "scratch"
%half_1 = OpConstant %half 1
%char_5 = OpConstant %char 5
%row = OpTypeArray %int %int_3
%c_row = OpTypePointer UniformConstant %row
%g_row = OpTypePointer CrossWorkgroup %row
%w_row = OpTypePointer Workgroup %row
%numbers = OpConstantComposite %row %int_1 %int_2 %int_3
%table = OpVariable %c_row UniformConstant %numbers
%unused = OpVariable %g_row CrossWorkgroup
%scratch = OpVariable %w_row Workgroup
%s = OpTypeStruct %char %c_int %half
%g_s = OpTypePointer CrossWorkgroup %s
%third = OpSpecConstantOp %c_int InBoundsPtrAccessChain %table %int_0 %int_2
%fields = OpConstantComposite %s %char_5 %third %half_1
%record = OpVariable %g_s CrossWorkgroup %fields
kernel %int %i
%m = OpAccessChain %g_char %record %int_0
%a = OpLoad %char %m                   ; %0 i8 = Load a2 (global i8, align 1)
%e = OpAccessChain %w_int %scratch %i  ; %1 i64 = Address a1 + s32 a0 * 4
OpStore %e %i                          ; Store %1, a0 (workgroup i32, align 4)
%u = OpPtrAccessChain %c_int %third %i ; %2 i64 = Address a3 + 8
                                       ; %3 i64 = Address %2 + s32 a0 * 4
%t = OpLoad %int %u                    ; %4 i32 = Load %3 (constant i32, align 4)
%k = OpLoad %int %third                ; %5 i64 = Address a3 + 8
OpStore %e %k                          ; Store %1, i32:3 (workgroup i32, align 4))");
  REQUIRE(f.program_variables.size() == 2);
  const ProgramVariable& record = f.program_variables[0];
  CHECK(record.name == "record");
  CHECK(!record.is_constant);
  CHECK(record.initial ==
        std::vector<std::uint8_t>{5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x3c});
  REQUIRE(record.relocations.size() == 1);
  CHECK(record.relocations[0].offset == 8);
  CHECK(record.relocations[0].addend == 8);
  const ProgramVariable& table = f.program_variables[1];
  CHECK(table.name == "table");
  CHECK(table.id == record.relocations[0].target);
  CHECK(table.is_constant);
  CHECK(table.initial == std::vector<std::uint8_t>{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0});
  REQUIRE(f.workgroup_variables.size() == 1);
  CHECK(f.workgroup_variables[0].name == "scratch");
  CHECK(f.argument_slots == 4);
}

TEST_CASE("zeros at the end of a variable take no memory, and are loaded as zeros") {
  const lir::Function f = check_lir(R"(
OpName %large "large"
OpName %some "some"
%int_huge = OpConstant %int 1073741823
%row = OpTypeArray %int %int_huge
%three = OpTypeArray %int %int_3
%c_row = OpTypePointer UniformConstant %row
%c_three = OpTypePointer UniformConstant %three
%nothing = OpConstantNull %row
%numbers = OpConstantComposite %three %int_0 %int_2 %int_0
%large = OpVariable %c_row UniformConstant %nothing
%some = OpVariable %c_three UniformConstant %numbers
kernel %w_int %p
%a = OpAccessChain %c_int %large %int_3 ; %0 i64 = Address a1 + 12
%x = OpLoad %int %a
OpStore %p %x                           ; Store a0, i32:0 (workgroup i32, align 4)
%b = OpAccessChain %c_int %some %int_2  ; %1 i64 = Address a2 + 8
%y = OpLoad %int %b
OpStore %p %y                           ; Store a0, i32:0 (workgroup i32, align 4))");
  REQUIRE(f.program_variables.size() == 2);
  CHECK(f.program_variables[0].initial.empty());
  CHECK(f.program_variables[0].size_bytes == 4294967292);
  CHECK(f.program_variables[1].initial == std::vector<std::uint8_t>{0, 0, 0, 0, 2, 0, 0, 0});
}

const KernelCase kVariables[] = {
    {"built-in variables are loaded whole, by component, by byte offset, and in any width", R"(
OpName %lid "__spirv_BuiltInLocalInvocationId"
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %dim BuiltIn WorkDim
OpDecorate %lin BuiltIn LocalInvocationIndex
%i_v3long = OpTypePointer Input %v3long
%i_long = OpTypePointer Input %long
%i_char = OpTypePointer Input %char
%long_8x2 = OpConstant %long 16
%int_12 = OpConstant %int 12
%i_int = OpTypePointer Input %int
%i_v3int = OpTypePointer Input %v3int
%gid = OpVariable %i_v3long Input
%lid = OpVariable %i_v3int Input
%dim = OpVariable %i_int Input
%lin = OpVariable %i_long Input
kernel %int %i
%a = OpLoad %v3long %gid          ; %0 i64 = GlobalId [0]
                                  ; %1 i64 = GlobalId [1]
                                  ; %2 i64 = GlobalId [2]
%b = OpAccessChain %i_long %gid %int_1
%c = OpLoad %long %b              ; %3 i64 = GlobalId [1]
%d = OpAccessChain %i_int %lid %i ; %4 i64 = SignExtend a0
%e = OpLoad %int %d               ; %5 i64 = LocalId [0]
                                  ; %6 i64 = LocalId [1]
                                  ; %7 i64 = LocalId [2]
                                  ; %8 bool = IEqual %4, i64:0
                                  ; %9 i64 = Select %8, %5, i64:0
                                  ; %10 bool = IEqual %4, i64:1
                                  ; %11 i64 = Select %10, %6, %9
                                  ; %12 bool = IEqual %4, i64:2
                                  ; %13 i64 = Select %12, %7, %11
                                  ; %14 i32 = Truncate %13
%f = OpLoad %int %dim             ; %15 i64 = WorkDim
                                  ; %16 i32 = Truncate %15
%g = OpLoad %long %lin            ; %17 i64 = LocalLinearId
%bytes = OpBitcast %i_char %gid
%third = OpInBoundsPtrAccessChain %i_char %bytes %long_8x2
%z = OpBitcast %i_long %third
%h = OpLoad %long %z              ; %18 i64 = GlobalId [2]
%upper = OpPtrAccessChain %i_char %bytes %int_12
%w = OpBitcast %i_int %upper
%k = OpLoad %int %w               ; %19 i64 = GlobalId [1]
                                  ; %20 i64 = ShiftRightLogical %19, i64:32
                                  ; %21 i32 = Truncate %20)"},
    {"constant operations are computed where they are used, for phis at the end of the edge", R"(
%row = OpTypeArray %int %int_3
%g_row = OpTypePointer CrossWorkgroup %row
%table = OpVariable %g_row CrossWorkgroup
%second = OpSpecConstantOp %g_int AccessChain %table %int_1
%seven = OpConstantNull %v2int
%numbers = OpSpecConstantComposite %v2int %int_7 %int_8
%swapped = OpSpecConstantOp %v2int VectorShuffle %numbers %numbers 1 0
kernel %int %n, %g_int %p
%c = OpIEqual %bool %n %int_0      ; %0 bool = IEqual a0, i32:0
OpBranchConditional %c %a %b       ; BranchConditional %0, b1, b2
%a = OpLabel                       ; b1: from b0
OpBranch %join                     ; Branch b3
%b = OpLabel
OpBranch %join
%join = OpLabel                    ; b2: from b0
%q = OpPhi %g_int %p %a %second %b ; %1 i64 = Address a2 + 4
                                   ; Branch b3
                                   ; b3: from b1 b2
                                   ; %2 i64 = Phi a1, %1
%x = OpCompositeExtract %int %swapped 0
OpStore %q %x                      ; Store %2, i32:8 (global i32, align 4))"},
    {"pointers in constant memory are known when they are loaded", R"(
%row = OpTypeArray %int %int_3
%c_row = OpTypePointer UniformConstant %row
%g_row = OpTypePointer CrossWorkgroup %row
%data = OpVariable %g_row CrossWorkgroup
%last = OpSpecConstantOp %g_int AccessChain %data %int_2
%c_g_int = OpTypePointer UniformConstant %g_int
%known = OpVariable %c_g_int UniformConstant %last
kernel %g_int %p
%q = OpLoad %g_int %known ; %0 i64 = Address a2 + 8
%a = OpLoad %int %q       ; %1 i32 = Load %0 (global i32, align 4)
OpStore %p %a             ; Store a0, %1 (global i32, align 4))"},
    {"private variables at module scope are filled before all else", R"(
%row = OpTypeArray %int %int_2
%f_row = OpTypePointer Function %row
%numbers = OpConstantComposite %row %int_5 %int_6
%data = OpVariable %f_row Function %numbers
kernel %g_int %p, %int %i
OpStore %p %i
%e = OpAccessChain %f_int %data %i ; Store a3, i32:5 (private i32, align 4)
                                   ; Store a3 + 4, i32:6 (private i32, align 4)
                                   ; Store a0, a1 (global i32, align 4)
                                   ; %0 i64 = Address a3 + s32 a1 * 4
%a = OpLoad %int %e                ; %1 i32 = Load %0 (private i32, align 4)
OpStore %p %a                      ; Store a0, %1 (global i32, align 4))"},
};

TEST_CASE("variables and constants") {
  for (const KernelCase& c : kVariables) check_case(c);
}

TEST_CASE("an initializer of a Workgroup variable may only be undefined or null") {
  std::string kernel = R"(
OpName %tile "tile"
%pair = OpTypeStruct %int %float
%w_pair = OpTypePointer Workgroup %pair
%u0 = OpUndef %int
%u1 = OpUndef %float
%nothing = OpConstantComposite %pair %u0 %u1
%tile = OpVariable %w_pair Workgroup %nothing
kernel
%m = OpAccessChain %w_int %tile %int_0
OpStore %m %int_1)";
  REQUIRE(built(kernel).workgroup_variables.size() == 1);
  CHECK(built(kernel).workgroup_variables[0].zeroed_bytes == 0);
  std::string zero = kernel;
  zero.replace(zero.find("%nothing = OpConstantComposite %pair %u0 %u1"), 44,
               "%nothing = OpConstantNull %pair");
  REQUIRE(built(zero).workgroup_variables.size() == 1);
  CHECK(built(zero).workgroup_variables[0].zeroed_bytes == 8);
  kernel.replace(kernel.find("%u0 = OpUndef %int"), 18, "%u0 = OpConstantNull %int");
  CHECK(refusal(kernel) ==
        "TSP-U0003: the initializer of Workgroup variable 'tile' is not supported");
}

}  // namespace transpire::test
