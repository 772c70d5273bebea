// Blocks, phis, switches, barriers, lifetimes.
#include <doctest/doctest.h>

#include "tests/vm/build/support.h"

namespace transpire::test {

const KernelCase kControlFlow[] = {
    {"blocks may stand in any order, and phis may come before what they use", R"(
kernel %g_int %p, %int %n
OpBranch %head                                         ; Branch b1
%done = OpLabel
OpStore %p %i
OpReturn
%dead = OpLabel
OpBranch %head
%tail = OpLabel
%next = OpIAdd %int %i %step
OpBranch %head
%head = OpLabel                                        ; b1: from b0 b2
%i = OpPhi %int %int_0 %entry %next %tail %int_7 %dead ; %0 i32 = Phi i32:0, %3
%step = OpShiftLeftLogical %int %i %int_1              ; %1 i32 = ShiftLeftLogical %0, i32:1
%c = OpSLessThan %bool %i %n                           ; %2 bool = SLessThan %0, a1
OpLoopMerge %done %tail None
OpBranchConditional %c %tail %done                     ; BranchConditional %2, b2, b3
                                                       ; b2: from b1
                                                       ; %3 i32 = IAdd %0, %1
                                                       ; Branch b1
                                                       ; b3: from b1
                                                       ; Store a0, %0 (global i32, align 4)
                                                       ; Return)"},
    {"a phi of a struct is one phi for each scalar", R"(
%s = OpTypeStruct %int %v2float
%g_s = OpTypePointer CrossWorkgroup %s
%zero = OpConstantNull %s
kernel %g_s %p, %int %n
%c = OpIEqual %bool %n %int_0        ; %0 bool = IEqual a1, i32:0
%a = OpLoad %s %p                    ; %1 i32 = Load a0 (global i32, align 4)
                                     ; %2 f32 = Load a0 + 8 (global f32x2, align 8)
                                     ; %3 f32 = Result %2 [1]
OpSelectionMerge %join None
OpBranchConditional %c %other %join  ; BranchConditional %0, b1, b2
%other = OpLabel                     ; b1: from b0
OpBranch %join                       ; Branch b2
%join = OpLabel                      ; b2: from b0 b1
%b = OpPhi %s %a %entry %zero %other ; %4 i32 = Phi %1, i32:0
                                     ; %5 f32 = Phi %2, f32:0
                                     ; %6 f32 = Phi %3, f32:0
OpStore %p %b                        ; Store a0, %4 (global i32, align 4)
                                     ; Store a0 + 8, %5, %6 (global f32x2, align 8))"},
    {"switches of every width, and both ways of a branch to one block", R"(
kernel %int %n, %long %m, %char %c
OpSwitch %n %second 1 %second 0xffffffff %stop ; Switch a0, b1, b1, b5, 1: 1, 4294967295: 2
%second = OpLabel                              ; b1: from b0
OpSwitch %m %third 0x100000000 %third 2 %stop  ; Switch a1, b2, b2, b5, 4294967296: 1, 2: 2
%third = OpLabel                               ; b2: from b1
OpSwitch %c %fourth 253 %stop                  ; Switch a2, b3, b5, 253: 1
%fourth = OpLabel                              ; b3: from b2
OpSwitch %n %fifth                             ; Branch b4
%fifth = OpLabel                               ; b4: from b3
OpBranchConditional %true %stop %stop          ; Branch b5
%stop = OpLabel                                ; b5: from b0 b1 b2 b4
OpUnreachable                                  ; Unreachable)"},
    {"a group's fences of global memory order what other groups see", R"(
%local = OpConstant %int 272
%global = OpConstant %int 528
kernel
OpControlBarrier %int_2 %int_2 %global ; ControlBarrier
OpMemoryBarrier %int_2 %local
OpMemoryBarrier %int_2 %global         ; GroupFence
OpControlBarrier %int_4 %int_1 %local  ; Fence
OpMemoryBarrier %int_4 %global)"},
};

TEST_CASE("blocks, phis, switches, barriers, lifetimes") {
  for (const KernelCase& c : kControlFlow) check_case(c);
}

TEST_CASE("barriers, fences and lifetimes") {
  const lir::Function f = check_lir(R"(
%semantics = OpConstant %int 272
kernel %int %n
%v = OpVariable %f_int Function
%cast = OpBitcast %f_char %v
OpLifetimeStart %cast 4                   ; LifetimeStart [0]
OpControlBarrier %int_2 %int_2 %semantics ; ControlBarrier
OpControlBarrier %int_4 %int_2 %semantics
OpMemoryBarrier %int_1 %semantics         ; Fence
%far = OpPtrAccessChain %f_char %cast %n  ; %0 i64 = Address a1 + s32 a0 * 1
OpLifetimeStop %far 1
OpLifetimeStop %v 0                       ; LifetimeStop [0])");
  CHECK(f.uses_barrier);
}

}  // namespace transpire::test
