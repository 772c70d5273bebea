// Blocks, phis, switches, barriers, lifetimes.
#include <doctest/doctest.h>

#include "tests/vm/build/support.h"

namespace transpire::test {

using namespace vm;

TEST_CASE("blocks may stand in any order, and phis may come before what they use") {
  CHECK(shown(KernelText{.parameters = "%g_int %p, %int %n", .body = R"(
OpBranch %head
%done = OpLabel
OpStore %p %i
OpReturn
%dead = OpLabel
OpBranch %head
%tail = OpLabel
%next = OpIAdd %int %i %step
OpBranch %head
%head = OpLabel
%i = OpPhi %int %int_0 %entry %next %tail %int_7 %dead
%step = OpShiftLeftLogical %int %i %int_1
%c = OpSLessThan %bool %i %n
OpLoopMerge %done %tail None
OpBranchConditional %c %tail %done)"}) == R"(
b0:
  Branch b1
b1: from b0 b2
  %0 i32 = Phi i32:0, %3
  %1 i32 = ShiftLeftLogical %0, i32:1
  %2 bool = SLessThan %0, a1
  BranchConditional %2, b2, b3
b2: from b1
  %3 i32 = IAdd %0, %1
  Branch b1
b3: from b1
  Store a0, %0 (global i32, align 4)
  Return
)");
}

TEST_CASE("a phi of a struct is one phi for each scalar") {
  CHECK(shown(KernelText{.declarations = R"(
%s = OpTypeStruct %int %v2float
%g_s = OpTypePointer CrossWorkgroup %s
%zero = OpConstantNull %s)",
                         .parameters = "%g_s %p, %int %n",
                         .body = R"(
%c = OpIEqual %bool %n %int_0
%a = OpLoad %s %p
OpSelectionMerge %join None
OpBranchConditional %c %other %join
%other = OpLabel
OpBranch %join
%join = OpLabel
%b = OpPhi %s %a %entry %zero %other
OpStore %p %b
OpReturn)"}) == R"(
b0:
  %0 bool = IEqual a1, i32:0
  %1 i32 = Load a0 (global i32, align 4)
  %2 f32 = Load a0 + 8 (global f32x2, align 8)
  %3 f32 = Result %2 [1]
  BranchConditional %0, b1, b2
b1: from b0
  Branch b2
b2: from b0 b1
  %4 i32 = Phi %1, i32:0
  %5 f32 = Phi %2, f32:0
  %6 f32 = Phi %3, f32:0
  Store a0, %4 (global i32, align 4)
  Store a0 + 8, %5, %6 (global f32x2, align 8)
  Return
)");
}

TEST_CASE("switches of every width, and both ways of a branch to one block") {
  CHECK(shown(KernelText{.parameters = "%int %n, %long %m, %char %c", .body = R"(
OpSwitch %n %second 1 %second 0xffffffff %stop
%second = OpLabel
OpSwitch %m %third 0x100000000 %third 2 %stop
%third = OpLabel
OpSwitch %c %fourth 253 %stop
%fourth = OpLabel
OpSwitch %n %fifth
%fifth = OpLabel
OpBranchConditional %true %stop %stop
%stop = OpLabel
OpUnreachable)"}) == R"(
b0:
  Switch a0, b1, b1, b5, 1: 1, 4294967295: 2
b1: from b0
  Switch a1, b2, b2, b5, 4294967296: 1, 2: 2
b2: from b1
  Switch a2, b3, b5, 253: 1
b3: from b2
  Branch b4
b4: from b3
  Branch b5
b5: from b0 b1 b2 b4
  Unreachable
)");
}

TEST_CASE("barriers, fences and lifetimes") {
  const lir::Function f = built(KernelText{
      .declarations = "%semantics = OpConstant %int 272", .parameters = "%int %n", .body = R"(
%v = OpVariable %f_int Function
%cast = OpBitcast %f_char %v
OpLifetimeStart %cast 4
OpControlBarrier %int_2 %int_2 %semantics
OpControlBarrier %int_4 %int_2 %semantics
OpMemoryBarrier %int_1 %semantics
%far = OpPtrAccessChain %f_char %cast %n
OpLifetimeStop %far 1
OpLifetimeStop %v 0
OpReturn)"});
  CHECK(f.uses_barrier);
  CHECK(shown(f) == R"(
b0:
  LifetimeStart [0]
  ControlBarrier
  Fence
  %0 i64 = Address a1 + s32 a0 * 1
  LifetimeStop [0]
  Return
)");
}

TEST_CASE("a group's fences of global memory order what other groups see") {
  CHECK(
      shown(built(KernelText{
          .declarations = "%local = OpConstant %int 272\n%global = OpConstant %int 528", .body = R"(
OpControlBarrier %int_2 %int_2 %global
OpMemoryBarrier %int_2 %local
OpMemoryBarrier %int_2 %global
OpControlBarrier %int_4 %int_1 %local
OpMemoryBarrier %int_4 %global
OpReturn)"})) == R"(
b0:
  ControlBarrier
  GroupFence
  Fence
  Return
)");
}

}  // namespace transpire::test
