// Composite, arithmetic, bit, relational and conversion instructions: what they are taken apart
// into.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "tests/vm/build/support.h"

namespace transpire::test {

const KernelCase kValues[] = {
    {"composites are picked and joined without a trace", R"(
%s = OpTypeStruct %int %v2int
%g_v4int = OpTypePointer CrossWorkgroup %v4int
kernel %g_v4int %p, %int %a, %v2int %b
%s0 = OpCompositeConstruct %s %a %b
%s1 = OpCompositeInsert %s %int_7 %s0 1 0
%x = OpCompositeExtract %v2int %s1 1
%y = OpVectorShuffle %v4int %x %b 3 0xffffffff 0 2
%z = OpCompositeConstruct %v4int %x %a %int_1
%w = OpCopyObject %v4int %z
OpStore %p %y ; Store a0, a3, i32:0, i32:7, a2 (global i32x4, align 16)
OpStore %p %w ; Store a0, i32:7, a3, a1, i32:1 (global i32x4, align 16))"},
    {"dynamic components are chains of selects", R"(
%g_v2int = OpTypePointer CrossWorkgroup %v2int
kernel %g_v2int %p, %v2int %v, %int %i
%a = OpVectorExtractDynamic %int %v %i     ; %0 bool = IEqual a3, i32:0
                                           ; %1 i32 = Select %0, a1, i32:0
                                           ; %2 bool = IEqual a3, i32:1
                                           ; %3 i32 = Select %2, a2, %1
%b = OpVectorInsertDynamic %v2int %v %a %i ; %4 bool = IEqual a3, i32:0
                                           ; %5 i32 = Select %4, %3, a1
                                           ; %6 bool = IEqual a3, i32:1
                                           ; %7 i32 = Select %6, %3, a2
%c = OpVectorExtractDynamic %int %b %long_1
%d = OpVectorExtractDynamic %int %b %long_8
%e = OpCompositeConstruct %v2int %c %d
OpStore %p %e                              ; Store a0, %7, i32:0 (global i32x2, align 8))"},
    {"arithmetic with two results, dot products and scaled vectors", R"(
%two = OpTypeStruct %int %int
%four = OpTypeStruct %v2int %v2int
kernel %int %a, %v2int %b, %v3float %x
%c = OpIAddCarry %two %a %int_3         ; %0 i32 = IAdd a0, i32:3
                                        ; %1 i32 = UAddCarry a0, i32:3
%d = OpSMulExtended %four %b %b         ; %2 i32 = IMul a1, a1
                                        ; %3 i32 = IMul a2, a2
                                        ; %4 i32 = SMulHigh a1, a1
                                        ; %5 i32 = SMulHigh a2, a2
%e = OpDot %float %x %x                 ; %6 f32 = FMul a3, a3
                                        ; %7 f32 = FMul a4, a4
                                        ; %8 f32 = FAdd %6, %7
                                        ; %9 f32 = FMul a5, a5
                                        ; %10 f32 = FAdd %8, %9
%f = OpVectorTimesScalar %v3float %x %e ; %11 f32 = FMul a3, %10
                                        ; %12 f32 = FMul a4, %10
                                        ; %13 f32 = FMul a5, %10)"},
    {"bit fields are shifts and masks", R"(
OpCapability Shader
kernel %int %a, %int %o, %char %n
%b = OpBitFieldSExtract %int %a %o %n ; %0 i32 = ZeroExtend a2
                                      ; %1 i32 = ShiftLeftLogical i32:1, %0
                                      ; %2 i32 = ISub %1, i32:1
                                      ; %3 bool = ULessThan %0, i32:32
                                      ; %4 i32 = Select %3, %2, i32:-1
                                      ; %5 i32 = ISub %0, i32:1
                                      ; %6 i32 = ShiftLeftLogical i32:1, %5
                                      ; %7 i32 = ShiftRightLogical a0, a1
                                      ; %8 i32 = BitwiseAnd %7, %4
                                      ; %9 i32 = BitwiseXor %8, %6
                                      ; %10 i32 = ISub %9, %6
%c = OpBitCount %char %a              ; %11 i32 = BitCount a0
                                      ; %12 i8 = Truncate %11)"},
    {"comparisons swap greater-than, reductions run from first to last", R"(
%v3bool = OpTypeVector %bool 3
kernel %v3float %x, %int %a
%c = OpFOrdGreaterThanEqual %v3bool %x %x ; %0 bool = FOrdLessThanEqual a0, a0
                                          ; %1 bool = FOrdLessThanEqual a1, a1
                                          ; %2 bool = FOrdLessThanEqual a2, a2
%d = OpAll %bool %c                       ; %3 bool = LogicalAnd %0, %1
                                          ; %4 bool = LogicalAnd %3, %2
%e = OpSGreaterThan %bool %a %int_2       ; %5 bool = SLessThan i32:2, a3
%f = OpLogicalAnd %bool %d %e             ; %6 bool = LogicalAnd %4, %5
%g = OpSelect %v3float %c %x %x           ; %7 f32 = Select %0, a0, a0
                                          ; %8 f32 = Select %1, a1, a1
                                          ; %9 f32 = Select %2, a2, a2
%h = OpSelect %v3float %f %x %x           ; %10 f32 = Select %6, a0, a0
                                          ; %11 f32 = Select %6, a1, a1
                                          ; %12 f32 = Select %6, a2, a2)"},
    {"conversions heed rounding modes and saturation", R"(
OpDecorate %b FPRoundingMode RTP
OpDecorate %d FPRoundingMode RTZ
OpDecorate %e SaturatedConversion
OpDecorate %f SaturatedConversion
OpDecorate %h FPRoundingMode RTN
OpDecorate %h SaturatedConversion
kernel %float %x, %int %i, %double %y
%a = OpConvertFToS %int %x     ; %0 i32 = ConvertFToS a0
%b = OpConvertFToU %char %x    ; %1 f32 = Ceil a0
                               ; %2 i8 = ConvertFToU %1
%c = OpConvertSToF %float %i   ; %3 f32 = ConvertSToF a1
%d = OpConvertUToF %float %i   ; %4 f32 = ConvertUToF a1 rtz
%e = OpUConvert %char %i       ; %5 i8 = SatUConvert a1
%f = OpSConvert %long %i       ; %6 i64 = SignExtend a1
%g = OpFConvert %half %x       ; %7 f16 = FConvert a0
%h = OpConvertFToS %int %y     ; %8 f64 = Floor a2
                               ; %9 i32 = ConvertFToS %8
%j = OpSatConvertSToU %char %i ; %10 i8 = SatConvertSToU a1)"},
    {"bitcasts split and join components, the first one low", R"(
kernel %v2int %a, %float %x, %g_int %p
%b = OpBitcast %long %a   ; %0 i64 = ZeroExtend a0
                          ; %1 i64 = ZeroExtend a1
                          ; %2 i64 = ShiftLeftLogical %1, i64:32
                          ; %3 i64 = BitwiseOr %0, %2
%c = OpBitcast %v4char %x ; %4 i32 = Bitcast a2
                          ; %5 i8 = Truncate %4
                          ; %6 i32 = Bitcast a2
                          ; %7 i32 = ShiftRightLogical %6, i32:8
                          ; %8 i8 = Truncate %7
                          ; %9 i32 = Bitcast a2
                          ; %10 i32 = ShiftRightLogical %9, i32:16
                          ; %11 i8 = Truncate %10
                          ; %12 i32 = Bitcast a2
                          ; %13 i32 = ShiftRightLogical %12, i32:24
                          ; %14 i8 = Truncate %13
%d = OpBitcast %int %x    ; %15 i32 = Bitcast a2
%e = OpBitcast %v2int %b  ; %16 i32 = Truncate %3
                          ; %17 i64 = ShiftRightLogical %3, i64:32
                          ; %18 i32 = Truncate %17
%f = OpBitcast %long %p
%g = OpBitcast %g_char %p
%h = OpBitcast %g_char %f)"},
};

TEST_CASE("what values are taken apart into") {
  for (const KernelCase& c : kValues) check_case(c);
}

TEST_CASE("divisions and shifts are checked when asked for") {
  LowerOptions options;
  options.check_ub = true;
  check_lir(R"(
kernel %int %a, %char %b, %long %c
%d = OpSRem %int %a %int_3          ; CheckDivide a0, i32:3 [1]
                                    ; %0 i32 = SRem a0, i32:3
%e = OpUDiv %int %a %int_3          ; CheckDivide a0, i32:3 [0]
                                    ; %1 i32 = UDiv a0, i32:3
%f = OpShiftLeftLogical %char %b %c ; %2 i64 = UMin a2, i64:255
                                    ; %3 i8 = Truncate %2
                                    ; CheckShift a1, %3, a2 [0]
                                    ; %4 i8 = Truncate a2
                                    ; %5 i8 = ShiftLeftLogical a1, %4)",
            options);
}

TEST_CASE("an undefined specialisation constant is told of once by each instruction that uses it") {
  vm::LowerOptions options;
  options.check_ub = true;
  const vm::lir::Function function = built(R"(
%none = OpSpecConstant %int 0
%d = OpSpecConstantOp %int UDiv %int_1 %none
%v = OpSpecConstantComposite %v2int %d %d
%w = OpSpecConstantOp %v2int IAdd %v %v
%x = OpSpecConstantOp %v2int IAdd %w %w
kernel %g_int %p
%a = OpCompositeExtract %int %x 0
OpStore %p %a
OpStore %p %d)",
                                           options);
  std::vector<std::uint32_t> at;
  for (const vm::lir::Value& value : function.values)
    if (value.op == vm::Op::kCheckNot && value.block != vm::lir::kNoBlock)
      at.push_back(value.source);
  REQUIRE(at.size() == 2);
  CHECK(function.sources[at[0]].op == spv::Op::OpCompositeExtract);
  CHECK(function.sources[at[1]].op == spv::Op::OpStore);
}

}  // namespace transpire::test
