// Two kernels as clang 15 and llvm-spirv 15 make them, one from this source without optimisation
// and one with -O2: the whole LIR, beside sum_rows.
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

TEST_CASE("an unoptimised kernel keeps its variables in private memory") {
  const lir::Function f = check_lir(R"(
OpExecutionMode %main ContractionOff
OpDecorate %id Constant
OpDecorate %id BuiltIn GlobalInvocationId
%i_v3long = OpTypePointer Input %v3long
%8 = OpTypeFunction %float %float %int
%f_g_float = OpTypePointer Function %g_float
%34 = OpTypeFunction %void %g_float %g_float %int
%id = OpVariable %i_v3long Input
kernel %g_float %79, %g_float %80, %int %81
%83 = OpFunctionCall %void %sum_rows %79 %80 %81
OpReturn
%scaled = OpFunction %float DontInline %8
%10 = OpFunctionParameter %float
%11 = OpFunctionParameter %int
%12 = OpLabel
%17 = OpVariable %f_float Function
%18 = OpVariable %f_float Function
%20 = OpVariable %f_int Function
OpStore %18 %10 Aligned 4
OpStore %20 %11 Aligned 4
%21 = OpLoad %int %20 Aligned 4
%24 = OpSGreaterThan %bool %21 %int_2
OpBranchConditional %24 %13 %14
%13 = OpLabel
%25 = OpLoad %float %18 Aligned 4
%26 = OpLoad %int %20 Aligned 4
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
%36 = OpFunctionParameter %g_float
%37 = OpFunctionParameter %g_float
%38 = OpFunctionParameter %int
%39 = OpLabel
%45 = OpVariable %f_g_float Function
%46 = OpVariable %f_g_float Function
%47 = OpVariable %f_int Function
%48 = OpVariable %f_float Function
%49 = OpVariable %f_int Function
OpStore %45 %36 Aligned 8                       ; Store a3, a0 (private i64, align 8)
OpStore %46 %37 Aligned 8                       ; Store a4, a1 (private i64, align 8)
OpStore %47 %38 Aligned 4                       ; Store a5, a2 (private i32, align 4)
OpStore %48 %float_0 Aligned 4                  ; Store a6, f32:0 (private f32, align 4)
OpStore %49 %int_0 Aligned 4                    ; Store a7, i32:0 (private i32, align 4)
OpBranch %40                                    ; Branch b1
%40 = OpLabel                                   ; b1: from b0 b6
%52 = OpLoad %int %49 Aligned 4                 ; %0 i32 = Load a7 (private i32, align 4)
%53 = OpLoad %int %47 Aligned 4                 ; %1 i32 = Load a5 (private i32, align 4)
%54 = OpSLessThan %bool %52 %53                 ; %2 bool = SLessThan %0, %1
OpBranchConditional %54 %41 %43                 ; BranchConditional %2, b2, b7
%41 = OpLabel                                   ; b2: from b1
%55 = OpLoad %g_float %45 Aligned 8             ; %3 i64 = Load a3 (private i64, align 8)
%56 = OpLoad %v3long %id Aligned 32             ; %4 i64 = GlobalId [0]
                                                ; %5 i64 = GlobalId [1]
                                                ; %6 i64 = GlobalId [2]
%57 = OpCompositeExtract %long %56 0
%58 = OpLoad %int %47 Aligned 4                 ; %7 i32 = Load a5 (private i32, align 4)
%59 = OpSConvert %long %58                      ; %8 i64 = SignExtend %7
%60 = OpIMul %long %57 %59                      ; %9 i64 = IMul %4, %8
%61 = OpLoad %int %49 Aligned 4                 ; %10 i32 = Load a7 (private i32, align 4)
%62 = OpSConvert %long %61                      ; %11 i64 = SignExtend %10
%63 = OpIAdd %long %60 %62                      ; %12 i64 = IAdd %9, %11
%64 = OpInBoundsPtrAccessChain %g_float %55 %63 ; %13 i64 = Address %3 + %12 * 4
%65 = OpLoad %float %64 Aligned 4               ; %14 f32 = Load %13 (global f32, align 4)
%66 = OpLoad %int %49 Aligned 4                 ; %15 i32 = Load a7 (private i32, align 4)
%67 = OpFunctionCall %float %scaled %65 %66     ; Store a9, %14 (private f32, align 4)
                                                ; Store a10, %15 (private i32, align 4)
                                                ; %16 i32 = Load a10 (private i32, align 4)
                                                ; %17 bool = SLessThan i32:2, %16
                                                ; BranchConditional %17, b3, b4
                                                ; b3: from b2
                                                ; %18 f32 = Load a9 (private f32, align 4)
                                                ; %19 i32 = Load a10 (private i32, align 4)
                                                ; %20 f32 = ConvertSToF %19
                                                ; %21 f32 = FMul %18, %20
                                                ; Store a8, %21 (private f32, align 4)
                                                ; Branch b5
                                                ; b4: from b2
                                                ; %22 f32 = Load a9 (private f32, align 4)
                                                ; %23 f32 = FNegate %22
                                                ; Store a8, %23 (private f32, align 4)
                                                ; Branch b5
                                                ; b5: from b3 b4
                                                ; %24 f32 = Load a8 (private f32, align 4)
%68 = OpLoad %float %48 Aligned 4               ; %25 f32 = Load a6 (private f32, align 4)
%69 = OpFAdd %float %68 %67                     ; %26 f32 = FAdd %25, %24
OpStore %48 %69 Aligned 4                       ; Store a6, %26 (private f32, align 4)
OpBranch %42                                    ; Branch b6
%42 = OpLabel                                   ; b6: from b5
%70 = OpLoad %int %49 Aligned 4                 ; %27 i32 = Load a7 (private i32, align 4)
%72 = OpIAdd %int %70 %int_1                    ; %28 i32 = IAdd %27, i32:1
OpStore %49 %72 Aligned 4                       ; Store a7, %28 (private i32, align 4)
OpBranch %40                                    ; Branch b1
%43 = OpLabel                                   ; b7: from b1
%73 = OpLoad %float %48 Aligned 4               ; %29 f32 = Load a6 (private f32, align 4)
%74 = OpLoad %g_float %46 Aligned 8             ; %30 i64 = Load a4 (private i64, align 8)
%75 = OpLoad %v3long %id Aligned 32             ; %31 i64 = GlobalId [0]
                                                ; %32 i64 = GlobalId [1]
                                                ; %33 i64 = GlobalId [2]
%76 = OpCompositeExtract %long %75 0
%77 = OpInBoundsPtrAccessChain %g_float %74 %76 ; %34 i64 = Address %30 + %31 * 4
OpStore %77 %73 Aligned 4                       ; Store %34, %29 (global f32, align 4)
OpReturn                                        ; Return
OpFunctionEnd)");
  CHECK(f.name == "main");
  CHECK(f.private_variables.size() == 8);
}

TEST_CASE("an optimised kernel is phis and arithmetic") {
  const lir::Function f = check_lir(R"(
OpExecutionMode %main ContractionOff
OpDecorate %id Constant
OpDecorate %id BuiltIn GlobalInvocationId
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
%i_v3long = OpTypePointer Input %v3long
%8 = OpTypeFunction %float %float %int
%22 = OpTypeFunction %void %g_float %g_float %int
%id = OpVariable %i_v3long Input
kernel %g_float %60, %g_float %61, %int %62
%64 = OpFunctionCall %void %sum_rows %60 %61 %62
OpReturn
%scaled = OpFunction %float Pure %8
%10 = OpFunctionParameter %float
%11 = OpFunctionParameter %int
%12 = OpLabel
%15 = OpSGreaterThan %bool %11 %int_2
%16 = OpConvertSToF %float %11
%17 = OpFMul %float %16 %10
%18 = OpFNegate %float %10
%19 = OpSelect %float %15 %17 %18
OpReturnValue %19
OpFunctionEnd
%sum_rows = OpFunction %void None %22
%24 = OpFunctionParameter %g_float
%25 = OpFunctionParameter %g_float
%26 = OpFunctionParameter %int
%27 = OpLabel
%32 = OpSGreaterThan %bool %26 %int_0           ; %0 bool = SLessThan i32:0, a2
OpBranchConditional %32 %28 %29                 ; BranchConditional %0, b1, b3
%28 = OpLabel                                   ; b1: from b0
%33 = OpUConvert %long %26                      ; %1 i64 = ZeroExtend a2
OpBranch %30                                    ; Branch b2
%29 = OpLabel
%36 = OpPhi %float %float_0 %27 %35 %30
%37 = OpLoad %v3long %id Aligned 32
%38 = OpCompositeExtract %long %37 0
%39 = OpInBoundsPtrAccessChain %g_float %25 %38
OpStore %39 %36 Aligned 4
OpReturn
%30 = OpLabel                                   ; b2: from b1 b2
%41 = OpPhi %int %int_0 %28 %40 %30             ; %2 i32 = Phi i32:0, %18
%42 = OpPhi %float %float_0 %28 %35 %30         ; %3 f32 = Phi f32:0, %17
%43 = OpLoad %v3long %id Aligned 32             ; %4 i64 = GlobalId [0]
                                                ; %5 i64 = GlobalId [1]
                                                ; %6 i64 = GlobalId [2]
%44 = OpCompositeExtract %long %43 0
%45 = OpIMul %long %44 %33                      ; %7 i64 = IMul %4, %1
%46 = OpUConvert %long %41                      ; %8 i64 = ZeroExtend %2
%47 = OpIAdd %long %45 %46                      ; %9 i64 = IAdd %7, %8
%48 = OpInBoundsPtrAccessChain %g_float %24 %47 ; %10 i64 = Address a0 + %9 * 4
%49 = OpLoad %float %48 Aligned 4               ; %11 f32 = Load %10 (global f32, align 4, no write 0)
%50 = OpUGreaterThan %bool %41 %int_2           ; %12 bool = ULessThan i32:2, %2
%51 = OpConvertSToF %float %41                  ; %13 f32 = ConvertSToF %2
%52 = OpFMul %float %49 %51                     ; %14 f32 = FMul %11, %13
%53 = OpFNegate %float %49                      ; %15 f32 = FNegate %11
%54 = OpSelect %float %50 %52 %53               ; %16 f32 = Select %12, %14, %15
%35 = OpFAdd %float %42 %54                     ; %17 f32 = FAdd %3, %16
%40 = OpIAdd %int %41 %int_1                    ; %18 i32 = IAdd %2, i32:1
%58 = OpSLessThan %bool %40 %26                 ; %19 bool = SLessThan %18, a2
OpBranchConditional %58 %30 %29                 ; BranchConditional %19, b2, b3
                                                ; b3: from b0 b2
                                                ; %20 f32 = Phi f32:0, %17
                                                ; %21 i64 = GlobalId [0]
                                                ; %22 i64 = GlobalId [1]
                                                ; %23 i64 = GlobalId [2]
                                                ; %24 i64 = Address a1 + %21 * 4
                                                ; Store %24, %20 (global f32, align 4)
                                                ; Return
OpFunctionEnd)");
  CHECK(f.parameters[0].no_write);
}

}  // namespace transpire::test
