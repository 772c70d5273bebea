// Group and sub-group instructions: which ops they become, scopes, booleans, sizes of sub-groups.
#include <doctest/doctest.h>

#include "tests/vm/build/support.h"

namespace transpire::test {
namespace {

const std::string kCapabilities =
    "OpCapability Groups\nOpCapability SubgroupDispatch\nOpCapability GroupNonUniform\n"
    "OpCapability GroupNonUniformVote\nOpCapability GroupNonUniformShuffleRelative\n"
    "OpCapability GroupNonUniformClustered\nOpCapability GroupNonUniformArithmetic\n";

TEST_CASE("instructions of a work-group stop like barriers, those of a sub-group do not") {
  const lir::Function f = check_lir(kCapabilities + R"(

kernel %int %n, %float %x
%a = OpGroupIAdd %int %int_2 Reduce %n          ; %0 i32 = GroupCombine a0 (iadd reduce, work-group)
%b = OpGroupFMax %float %int_3 ExclusiveScan %x ; %1 f32 = GroupCombine a1 (fmax exclusive, whole sub-group of 32)
%c = OpGroupBroadcast %int %int_2 %n %n         ; %2 i64 = LocalSize [0]
                                                ; %3 i64 = IMul i64:0, %2
                                                ; %4 i64 = ZeroExtend a0
                                                ; %5 i64 = IAdd %3, %4
                                                ; %6 i32 = GroupBroadcast a0, %5 (work-group)
OpControlBarrier %int_3 %int_3 %int_0           ; GroupSync (whole sub-group of 32)
)");
  CHECK(f.uses_barrier);
  CHECK(f.subgroup_size == 32);
  const lir::Function of_sub_group =
      built(kCapabilities + "\nkernel %int %n\n%a = OpGroupIAdd %int %int_3 Reduce %n\n");
  CHECK_FALSE(of_sub_group.uses_barrier);
}

TEST_CASE("booleans are combined as bytes, clusters are smaller sub-groups") {
  const lir::Function f = check_lir(kCapabilities + R"(

OpExecutionMode %main SubgroupSize 16
kernel %int %n
%p = OpIEqual %bool %n %int_1                                    ; %0 bool = IEqual a0, i32:1
%a = OpGroupNonUniformLogicalXor %bool %int_3 Reduce %p          ; %1 i8 = Select %0, i8:1, i8:0
                                                                 ; %2 i8 = GroupCombine %1 (xor reduce, sub-group of 16)
                                                                 ; %3 bool = INotEqual %2, i8:0
%b = OpGroupNonUniformIAdd %int %int_3 ClusteredReduce %n %int_4 ; %4 i32 = GroupCombine a0 (iadd reduce, sub-group of 4)
%c = OpGroupNonUniformAny %bool %int_3 %p                        ; %5 i64 = GroupBallot %0 (sub-group of 16)
                                                                 ; %6 bool = INotEqual %5, i64:0
)");
  CHECK(f.subgroup_size == 16);
}

TEST_CASE("a shuffle takes from a number, which up and down compute") {
  const lir::Function f = check_lir(kCapabilities + R"(

kernel %int %n
%a = OpGroupNonUniformShuffleUp %int %int_3 %n %int_1 ; %0 i64 = LocalLinearId
                                                      ; %1 i32 = Truncate %0
                                                      ; %2 i32 = BitwiseAnd %1, i32:31
                                                      ; %3 i32 = ISub %2, i32:1
                                                      ; %4 i32 = GroupShuffle a0, %3 (sub-group of 32)
)");
}

TEST_CASE(
    "a product of matrices has all components of both as operands, gives all of its own, and adds "
    "those of the third") {
  const lir::Function f = check_lir(kCapabilities + R"(

OpCapability CooperativeMatrixKHR
OpExecutionMode %main LocalSize 32 1 1
%left = OpTypeCooperativeMatrixKHR %int %int_3 %int_8 %int_8 %int_0
%right = OpTypeCooperativeMatrixKHR %int %int_3 %int_8 %int_7 %int_1
%result = OpTypeCooperativeMatrixKHR %int %int_3 %int_8 %int_7 %int_2
%a = OpConstantComposite %left %int_5
%b = OpConstantComposite %right %int_6
%c = OpConstantComposite %result %int_7
kernel %int %n
%d = OpCooperativeMatrixMulAddKHR %result %a %b %c ; %0 i32 = GroupProduct i32:5, i32:5, i32:6, i32:6 (8 x 7 x 8, sub-group of 32)
                                                   ; %1 i32 = Result %0 [1]
                                                   ; %2 i32 = IAdd %0, i32:7
                                                   ; %3 i32 = IAdd %1, i32:7
)");
  CHECK(f.uses_subgroups);
}

TEST_CASE("asynchronous copies and waits say what they access") {
  const std::string kernel = kCapabilities + R"(

%event = OpTypeEvent
%f_event = OpTypePointer Function %event
%no_event = OpConstantNull %event
kernel %w_int %tile, %g_int %p, %long %n
%list = OpVariable %f_event Function
%a = OpGroupAsyncCopy %event %int_2 %tile %p %n %long_2 %no_event ; %0 i64 = AsyncCopy a0, a1, a2, i64:2, i64:0 (workgroup i8x4 from global, align 4, stride of the source)
%b = OpGroupAsyncCopy %event %int_2 %p %tile %n %long_3 %a        ; %1 i64 = AsyncCopy a1, a0, a2, i64:3, %0 (global i8x4 from workgroup, align 4, stride of the target)
OpGroupWaitEvents %int_2 %int_1 %list                             ; WaitEvents i32:1, a3 (events of 8 bytes)
)";
  check_lir(kernel);
  LowerOptions checked;
  checked.check_sync = true;
  const std::string text = shown(built(kernel, checked));
  CHECK(text.find("align 4, stride of the source, checked)\n") != std::string::npos);
  CHECK(text.find("(events of 8 bytes, checked)\n") != std::string::npos);
  CHECK(text.find("CheckCopies") == std::string::npos);  // nobody accesses memory meanwhile
}

TEST_CASE("scopes and cluster sizes that group instructions cannot have") {
  const auto of = [](const char* body) {
    return refusal(std::string(R"(
OpCapability Groups
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformClustered
kernel %g_int %p, %int %x
)") + std::string(body) +
                   "\n");
  };
  CHECK(of("%a = OpGroupIAdd %int %int_1 Reduce %x") ==
        "TSP-U0001: the execution scope is 1, expected Workgroup (2) or Subgroup (3)");
  CHECK(of("%a = OpGroupIAdd %int %x Reduce %x") ==
        "TSP-U0001: the execution scope must be a constant");
  CHECK(of("%a = OpGroupNonUniformIAdd %int %int_2 Reduce %x") ==
        "TSP-U0001: the execution scope is Workgroup (2), expected Subgroup (3)");
  CHECK(of("%a = OpGroupNonUniformIAdd %int %int_3 ClusteredReduce %x %int_3") ==
        "TSP-U0001: the cluster size must be a constant power of two");
}

}  // namespace
}  // namespace transpire::test
