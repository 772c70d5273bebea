// Two kernels as clang 15 and llvm-spirv 15 make them, one from this source without optimisation
// and one with -O2: the whole LIR.
//
//   float scaled(float x, int k) { if (k > 2) return x * k; return -x; }
//   __kernel void sum_rows(__global const float* in, __global float* out, int n) {
//     float sum = 0;
//     for (int i = 0; i < n; i++) sum += scaled(in[get_global_id(0) * n + i], i);
//     out[get_global_id(0)] = sum;
//   }
#include <doctest/doctest.h>

#include "tests/vm/build/support.h"

namespace transpire::test {

using namespace vm;

namespace {

const char* const kUnoptimised = R"(
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
%1 = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %78 "sum_rows" %__spirv_BuiltInGlobalInvocationId
OpExecutionMode %78 ContractionOff
OpSource OpenCL_C 102000
OpName %__spirv_BuiltInGlobalInvocationId "__spirv_BuiltInGlobalInvocationId"
OpName %scaled "scaled"
OpName %sum_rows "sum_rows"
OpDecorate %__spirv_BuiltInGlobalInvocationId Constant
OpDecorate %__spirv_BuiltInGlobalInvocationId BuiltIn GlobalInvocationId
OpDecorate %17 Alignment 4
OpDecorate %18 Alignment 4
OpDecorate %20 Alignment 4
OpDecorate %36 Alignment 4
OpDecorate %37 Alignment 4
OpDecorate %45 Alignment 8
OpDecorate %46 Alignment 8
OpDecorate %47 Alignment 4
OpDecorate %48 Alignment 4
OpDecorate %49 Alignment 4
OpDecorate %72 NoSignedWrap
OpDecorate %79 Alignment 4
OpDecorate %80 Alignment 4
%ulong = OpTypeInt 64 0
%uint = OpTypeInt 32 0
%uint_2 = OpConstant %uint 2
%uint_0 = OpConstant %uint 0
%uint_1 = OpConstant %uint 1
%v3ulong = OpTypeVector %ulong 3
%_ptr_Input_v3ulong = OpTypePointer Input %v3ulong
%float = OpTypeFloat 32
%8 = OpTypeFunction %float %float %uint
%_ptr_Function_float = OpTypePointer Function %float
%_ptr_Function_uint = OpTypePointer Function %uint
%bool = OpTypeBool
%void = OpTypeVoid
%_ptr_CrossWorkgroup_float = OpTypePointer CrossWorkgroup %float
%34 = OpTypeFunction %void %_ptr_CrossWorkgroup_float %_ptr_CrossWorkgroup_float %uint
%_ptr_Function__ptr_CrossWorkgroup_float = OpTypePointer Function %_ptr_CrossWorkgroup_float
%__spirv_BuiltInGlobalInvocationId = OpVariable %_ptr_Input_v3ulong Input
%float_0 = OpConstant %float 0
%scaled = OpFunction %float DontInline %8
%10 = OpFunctionParameter %float
%11 = OpFunctionParameter %uint
%12 = OpLabel
%17 = OpVariable %_ptr_Function_float Function
%18 = OpVariable %_ptr_Function_float Function
%20 = OpVariable %_ptr_Function_uint Function
OpStore %18 %10 Aligned 4
OpStore %20 %11 Aligned 4
%21 = OpLoad %uint %20 Aligned 4
%24 = OpSGreaterThan %bool %21 %uint_2
OpBranchConditional %24 %13 %14
%13 = OpLabel
%25 = OpLoad %float %18 Aligned 4
%26 = OpLoad %uint %20 Aligned 4
%27 = OpConvertSToF %float %26
%28 = OpFMul %float %25 %27
OpStore %17 %28 Aligned 4
OpBranch %15
%14 = OpLabel
%29 = OpLoad %float %18 Aligned 4
%30 = OpFNegate %float %29
OpStore %17 %30 Aligned 4
OpBranch %15
%15 = OpLabel
%31 = OpLoad %float %17 Aligned 4
OpReturnValue %31
OpFunctionEnd
%sum_rows = OpFunction %void DontInline %34
%36 = OpFunctionParameter %_ptr_CrossWorkgroup_float
%37 = OpFunctionParameter %_ptr_CrossWorkgroup_float
%38 = OpFunctionParameter %uint
%39 = OpLabel
%45 = OpVariable %_ptr_Function__ptr_CrossWorkgroup_float Function
%46 = OpVariable %_ptr_Function__ptr_CrossWorkgroup_float Function
%47 = OpVariable %_ptr_Function_uint Function
%48 = OpVariable %_ptr_Function_float Function
%49 = OpVariable %_ptr_Function_uint Function
OpStore %45 %36 Aligned 8
OpStore %46 %37 Aligned 8
OpStore %47 %38 Aligned 4
OpStore %48 %float_0 Aligned 4
OpStore %49 %uint_0 Aligned 4
OpBranch %40
%40 = OpLabel
%52 = OpLoad %uint %49 Aligned 4
%53 = OpLoad %uint %47 Aligned 4
%54 = OpSLessThan %bool %52 %53
OpBranchConditional %54 %41 %43
%41 = OpLabel
%55 = OpLoad %_ptr_CrossWorkgroup_float %45 Aligned 8
%56 = OpLoad %v3ulong %__spirv_BuiltInGlobalInvocationId Aligned 32
%57 = OpCompositeExtract %ulong %56 0
%58 = OpLoad %uint %47 Aligned 4
%59 = OpSConvert %ulong %58
%60 = OpIMul %ulong %57 %59
%61 = OpLoad %uint %49 Aligned 4
%62 = OpSConvert %ulong %61
%63 = OpIAdd %ulong %60 %62
%64 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_float %55 %63
%65 = OpLoad %float %64 Aligned 4
%66 = OpLoad %uint %49 Aligned 4
%67 = OpFunctionCall %float %scaled %65 %66
%68 = OpLoad %float %48 Aligned 4
%69 = OpFAdd %float %68 %67
OpStore %48 %69 Aligned 4
OpBranch %42
%42 = OpLabel
%70 = OpLoad %uint %49 Aligned 4
%72 = OpIAdd %uint %70 %uint_1
OpStore %49 %72 Aligned 4
OpBranch %40
%43 = OpLabel
%73 = OpLoad %float %48 Aligned 4
%74 = OpLoad %_ptr_CrossWorkgroup_float %46 Aligned 8
%75 = OpLoad %v3ulong %__spirv_BuiltInGlobalInvocationId Aligned 32
%76 = OpCompositeExtract %ulong %75 0
%77 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_float %74 %76
OpStore %77 %73 Aligned 4
OpReturn
OpFunctionEnd
%78 = OpFunction %void DontInline %34
%79 = OpFunctionParameter %_ptr_CrossWorkgroup_float
%80 = OpFunctionParameter %_ptr_CrossWorkgroup_float
%81 = OpFunctionParameter %uint
%82 = OpLabel
%83 = OpFunctionCall %void %sum_rows %79 %80 %81
OpReturn
OpFunctionEnd
)";

const char* const kOptimised = R"(
OpCapability Addresses
OpCapability Linkage
OpCapability Kernel
OpCapability Int64
%1 = OpExtInstImport "OpenCL.std"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %59 "sum_rows" %__spirv_BuiltInGlobalInvocationId
OpExecutionMode %59 ContractionOff
OpSource OpenCL_C 102000
OpName %__spirv_BuiltInGlobalInvocationId "__spirv_BuiltInGlobalInvocationId"
OpName %scaled "scaled"
OpName %sum_rows "sum_rows"
OpDecorate %__spirv_BuiltInGlobalInvocationId Constant
OpDecorate %__spirv_BuiltInGlobalInvocationId BuiltIn GlobalInvocationId
OpDecorate %24 FuncParamAttr NoCapture
OpDecorate %24 FuncParamAttr NoWrite
OpDecorate %24 Alignment 4
OpDecorate %25 FuncParamAttr NoCapture
OpDecorate %25 Alignment 4
OpDecorate %40 NoSignedWrap
OpDecorate %40 NoUnsignedWrap
OpDecorate %40 NoSignedWrap
OpDecorate %40 NoUnsignedWrap
OpDecorate %60 FuncParamAttr NoCapture
OpDecorate %60 FuncParamAttr NoWrite
OpDecorate %60 Alignment 4
OpDecorate %61 FuncParamAttr NoCapture
OpDecorate %61 Alignment 4
%ulong = OpTypeInt 64 0
%uint = OpTypeInt 32 0
%uint_2 = OpConstant %uint 2
%uint_0 = OpConstant %uint 0
%uint_1 = OpConstant %uint 1
%v3ulong = OpTypeVector %ulong 3
%_ptr_Input_v3ulong = OpTypePointer Input %v3ulong
%float = OpTypeFloat 32
%8 = OpTypeFunction %float %float %uint
%bool = OpTypeBool
%void = OpTypeVoid
%_ptr_CrossWorkgroup_float = OpTypePointer CrossWorkgroup %float
%22 = OpTypeFunction %void %_ptr_CrossWorkgroup_float %_ptr_CrossWorkgroup_float %uint
%__spirv_BuiltInGlobalInvocationId = OpVariable %_ptr_Input_v3ulong Input
%float_0 = OpConstant %float 0
%scaled = OpFunction %float Pure %8
%10 = OpFunctionParameter %float
%11 = OpFunctionParameter %uint
%12 = OpLabel
%15 = OpSGreaterThan %bool %11 %uint_2
%16 = OpConvertSToF %float %11
%17 = OpFMul %float %16 %10
%18 = OpFNegate %float %10
%19 = OpSelect %float %15 %17 %18
OpReturnValue %19
OpFunctionEnd
%sum_rows = OpFunction %void None %22
%24 = OpFunctionParameter %_ptr_CrossWorkgroup_float
%25 = OpFunctionParameter %_ptr_CrossWorkgroup_float
%26 = OpFunctionParameter %uint
%27 = OpLabel
%32 = OpSGreaterThan %bool %26 %uint_0
OpBranchConditional %32 %28 %29
%28 = OpLabel
%33 = OpUConvert %ulong %26
OpBranch %30
%29 = OpLabel
%36 = OpPhi %float %float_0 %27 %35 %30
%37 = OpLoad %v3ulong %__spirv_BuiltInGlobalInvocationId Aligned 32
%38 = OpCompositeExtract %ulong %37 0
%39 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_float %25 %38
OpStore %39 %36 Aligned 4
OpReturn
%30 = OpLabel
%41 = OpPhi %uint %uint_0 %28 %40 %30
%42 = OpPhi %float %float_0 %28 %35 %30
%43 = OpLoad %v3ulong %__spirv_BuiltInGlobalInvocationId Aligned 32
%44 = OpCompositeExtract %ulong %43 0
%45 = OpIMul %ulong %44 %33
%46 = OpUConvert %ulong %41
%47 = OpIAdd %ulong %45 %46
%48 = OpInBoundsPtrAccessChain %_ptr_CrossWorkgroup_float %24 %47
%49 = OpLoad %float %48 Aligned 4
%50 = OpUGreaterThan %bool %41 %uint_2
%51 = OpConvertSToF %float %41
%52 = OpFMul %float %49 %51
%53 = OpFNegate %float %49
%54 = OpSelect %float %50 %52 %53
%35 = OpFAdd %float %42 %54
%40 = OpIAdd %uint %41 %uint_1
%58 = OpSLessThan %bool %40 %26
OpBranchConditional %58 %30 %29
OpFunctionEnd
%59 = OpFunction %void None %22
%60 = OpFunctionParameter %_ptr_CrossWorkgroup_float
%61 = OpFunctionParameter %_ptr_CrossWorkgroup_float
%62 = OpFunctionParameter %uint
%63 = OpLabel
%64 = OpFunctionCall %void %sum_rows %60 %61 %62
OpReturn
OpFunctionEnd
)";

}  // namespace

TEST_CASE("an unoptimised kernel keeps its variables in private memory") {
  const lir::Function f = built(kUnoptimised);
  CHECK(f.name == "sum_rows");
  CHECK(f.private_variables.size() == 8);
  CHECK(shown(f) == R"(
b0:
  Store a3, a0 (private i64, align 8)
  Store a4, a1 (private i64, align 8)
  Store a5, a2 (private i32, align 4)
  Store a6, f32:0 (private f32, align 4)
  Store a7, i32:0 (private i32, align 4)
  Branch b1
b1: from b0 b6
  %0 i32 = Load a7 (private i32, align 4)
  %1 i32 = Load a5 (private i32, align 4)
  %2 bool = SLessThan %0, %1
  BranchConditional %2, b2, b7
b2: from b1
  %3 i64 = Load a3 (private i64, align 8)
  %4 i64 = GlobalId [0]
  %5 i64 = GlobalId [1]
  %6 i64 = GlobalId [2]
  %7 i32 = Load a5 (private i32, align 4)
  %8 i64 = SignExtend %7
  %9 i64 = IMul %4, %8
  %10 i32 = Load a7 (private i32, align 4)
  %11 i64 = SignExtend %10
  %12 i64 = IAdd %9, %11
  %13 i64 = Address %3 + %12 * 4
  %14 f32 = Load %13 (global f32, align 4)
  %15 i32 = Load a7 (private i32, align 4)
  Store a9, %14 (private f32, align 4)
  Store a10, %15 (private i32, align 4)
  %16 i32 = Load a10 (private i32, align 4)
  %17 bool = SLessThan i32:2, %16
  BranchConditional %17, b3, b4
b3: from b2
  %18 f32 = Load a9 (private f32, align 4)
  %19 i32 = Load a10 (private i32, align 4)
  %20 f32 = ConvertSToF %19
  %21 f32 = FMul %18, %20
  Store a8, %21 (private f32, align 4)
  Branch b5
b4: from b2
  %22 f32 = Load a9 (private f32, align 4)
  %23 f32 = FNegate %22
  Store a8, %23 (private f32, align 4)
  Branch b5
b5: from b3 b4
  %24 f32 = Load a8 (private f32, align 4)
  %25 f32 = Load a6 (private f32, align 4)
  %26 f32 = FAdd %25, %24
  Store a6, %26 (private f32, align 4)
  Branch b6
b6: from b5
  %27 i32 = Load a7 (private i32, align 4)
  %28 i32 = IAdd %27, i32:1
  Store a7, %28 (private i32, align 4)
  Branch b1
b7: from b1
  %29 f32 = Load a6 (private f32, align 4)
  %30 i64 = Load a4 (private i64, align 8)
  %31 i64 = GlobalId [0]
  %32 i64 = GlobalId [1]
  %33 i64 = GlobalId [2]
  %34 i64 = Address %30 + %31 * 4
  Store %34, %29 (global f32, align 4)
  Return
)");
}

TEST_CASE("an optimised kernel is phis and arithmetic") {
  const lir::Function f = built(kOptimised);
  CHECK(f.parameters[0].no_write);
  CHECK(shown(f) == R"(
b0:
  %0 bool = SLessThan i32:0, a2
  BranchConditional %0, b1, b3
b1: from b0
  %1 i64 = ZeroExtend a2
  Branch b2
b2: from b1 b2
  %2 i32 = Phi i32:0, %18
  %3 f32 = Phi f32:0, %17
  %4 i64 = GlobalId [0]
  %5 i64 = GlobalId [1]
  %6 i64 = GlobalId [2]
  %7 i64 = IMul %4, %1
  %8 i64 = ZeroExtend %2
  %9 i64 = IAdd %7, %8
  %10 i64 = Address a0 + %9 * 4
  %11 f32 = Load %10 (global f32, align 4, no write 0)
  %12 bool = ULessThan i32:2, %2
  %13 f32 = ConvertSToF %2
  %14 f32 = FMul %11, %13
  %15 f32 = FNegate %11
  %16 f32 = Select %12, %14, %15
  %17 f32 = FAdd %3, %16
  %18 i32 = IAdd %2, i32:1
  %19 bool = SLessThan %18, a2
  BranchConditional %19, b2, b3
b3: from b0 b2
  %20 f32 = Phi f32:0, %17
  %21 i64 = GlobalId [0]
  %22 i64 = GlobalId [1]
  %23 i64 = GlobalId [2]
  %24 i64 = Address a1 + %21 * 4
  Store %24, %20 (global f32, align 4)
  Return
)");
}

}  // namespace transpire::test
