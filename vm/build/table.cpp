// The instructions that are supported, by class, and the handler of each.
#include "vm/build/table.h"

#include <iterator>
#include <unordered_map>

#include "decoder/newer_opcodes.h"
#include "vm/build/instructions/arithmetic.h"
#include "vm/build/instructions/atomic.h"
#include "vm/build/instructions/ballot.h"
#include "vm/build/instructions/barrier.h"
#include "vm/build/instructions/bit.h"
#include "vm/build/instructions/componentwise.h"
#include "vm/build/instructions/composite.h"
#include "vm/build/instructions/control_flow.h"
#include "vm/build/instructions/conversion.h"
#include "vm/build/instructions/cooperative_matrix.h"
#include "vm/build/instructions/derivative.h"
#include "vm/build/instructions/enqueue.h"
#include "vm/build/instructions/extinst.h"
#include "vm/build/instructions/group.h"
#include "vm/build/instructions/image.h"
#include "vm/build/instructions/matrix.h"
#include "vm/build/instructions/memory.h"
#include "vm/build/instructions/miscellaneous.h"
#include "vm/build/instructions/partition.h"
#include "vm/build/instructions/pipe.h"
#include "vm/build/instructions/pointer.h"
#include "vm/build/instructions/relational.h"
#include "vm/build/instructions/subgroup.h"
#include "vm/build/instructions/subgroup_block.h"

namespace transpire::vm::builder {
namespace {

constexpr Row kRows[] = {
    // Miscellaneous
    {spv::Op::OpUndef, miscellaneous::undef},
    {spv::Op::OpNop, miscellaneous::nothing},
    {spv::Op::OpLine, miscellaneous::nothing},
    {spv::Op::OpNoLine, miscellaneous::nothing},
    {spv::Op::OpLabel, miscellaneous::nothing},
    {spv::Op::OpLoopMerge, miscellaneous::nothing},
    {spv::Op::OpSelectionMerge, miscellaneous::nothing},
    {spv::Op::OpReadClockKHR, miscellaneous::read_clock, Op::kClock},
    {decoder::kOpUntypedPrefetchKHR, miscellaneous::nothing},
    {spv::Op::OpAssumeTrueKHR, miscellaneous::assume, Op::kCheckTrue},

    // Composites
    {spv::Op::OpCopyObject, composite::copy},
    {spv::Op::OpCopyLogical, composite::copy},
    {spv::Op::OpExpectKHR, composite::copy},
    {spv::Op::OpCompositeConstruct, composite::construct},
    {spv::Op::OpCompositeExtract, composite::extract},
    {spv::Op::OpCompositeInsert, composite::insert},
    {spv::Op::OpVectorShuffle, composite::shuffle},
    {spv::Op::OpVectorExtractDynamic, composite::extract_dynamic},
    {spv::Op::OpVectorInsertDynamic, composite::insert_dynamic},

    // Arithmetic
    {spv::Op::OpSNegate, arithmetic::wrapping, Op::kSNegate},
    {spv::Op::OpFNegate, componentwise::unary, Op::kFNegate},
    {spv::Op::OpIAdd, arithmetic::wrapping, Op::kIAdd},
    {spv::Op::OpFAdd, componentwise::binary, Op::kFAdd},
    {spv::Op::OpISub, arithmetic::wrapping, Op::kISub},
    {spv::Op::OpFSub, componentwise::binary, Op::kFSub},
    {spv::Op::OpIMul, arithmetic::wrapping, Op::kIMul},
    {spv::Op::OpFMul, componentwise::binary, Op::kFMul},
    {spv::Op::OpUDiv, arithmetic::divide, Op::kUDiv},
    {spv::Op::OpSDiv, arithmetic::divide, Op::kSDiv},
    {spv::Op::OpFDiv, componentwise::binary, Op::kFDiv},
    {spv::Op::OpUMod, arithmetic::divide, Op::kUMod},
    {spv::Op::OpSRem, arithmetic::divide, Op::kSRem},
    {spv::Op::OpSMod, arithmetic::divide, Op::kSMod},
    {spv::Op::OpFRem, componentwise::binary, Op::kFRem},
    {spv::Op::OpFMod, componentwise::binary, Op::kFMod},
    {spv::Op::OpVectorTimesScalar, arithmetic::times_scalar, Op::kFMul},
    {spv::Op::OpDot, arithmetic::dot},
    {spv::Op::OpSDot, arithmetic::integer_dot<true, true, false>},
    {spv::Op::OpUDot, arithmetic::integer_dot<false, false, false>},
    {spv::Op::OpSUDot, arithmetic::integer_dot<true, false, false>},
    {spv::Op::OpSDotAccSat, arithmetic::integer_dot<true, true, true>, Op::kSAddSat},
    {spv::Op::OpUDotAccSat, arithmetic::integer_dot<false, false, true>, Op::kUAddSat},
    {spv::Op::OpSUDotAccSat, arithmetic::integer_dot<true, false, true>, Op::kSAddSat},
    {spv::Op::OpIAddCarry, arithmetic::pair<Op::kUAddCarry>, Op::kIAdd},
    {spv::Op::OpISubBorrow, arithmetic::pair<Op::kUSubBorrow>, Op::kISub},
    {spv::Op::OpUMulExtended, arithmetic::pair<Op::kUMulHigh>, Op::kIMul},
    {spv::Op::OpSMulExtended, arithmetic::pair<Op::kSMulHigh>, Op::kIMul},
    {spv::Op::OpUCountLeadingZerosINTEL, componentwise::unary, Op::kClz},
    {spv::Op::OpUCountTrailingZerosINTEL, componentwise::unary, Op::kCtz},
    {spv::Op::OpAbsISubINTEL, componentwise::binary, Op::kSAbsDiff},
    {spv::Op::OpAbsUSubINTEL, componentwise::binary, Op::kUAbsDiff},
    {spv::Op::OpIAddSatINTEL, componentwise::binary, Op::kSAddSat},
    {spv::Op::OpUAddSatINTEL, componentwise::binary, Op::kUAddSat},
    {spv::Op::OpIAverageINTEL, componentwise::binary, Op::kSHadd},
    {spv::Op::OpUAverageINTEL, componentwise::binary, Op::kUHadd},
    {spv::Op::OpIAverageRoundedINTEL, componentwise::binary, Op::kSRhadd},
    {spv::Op::OpUAverageRoundedINTEL, componentwise::binary, Op::kURhadd},
    {spv::Op::OpISubSatINTEL, componentwise::binary, Op::kSSubSat},
    {spv::Op::OpUSubSatINTEL, componentwise::binary, Op::kUSubSat},
    {spv::Op::OpIMul32x16INTEL, arithmetic::times_low_half<true>},
    {spv::Op::OpUMul32x16INTEL, arithmetic::times_low_half<false>},

    // Matrices
    {spv::Op::OpMatrixTimesScalar, matrix::times_scalar, Op::kFMul},
    {spv::Op::OpMatrixTimesVector, matrix::times_vector},
    {spv::Op::OpVectorTimesMatrix, matrix::vector_times},
    {spv::Op::OpMatrixTimesMatrix, matrix::times_matrix},
    {spv::Op::OpOuterProduct, matrix::outer_product},
    {spv::Op::OpTranspose, matrix::transpose},

    // Bits
    {spv::Op::OpShiftLeftLogical, bit::shift, Op::kShiftLeftLogical},
    {spv::Op::OpShiftRightLogical, bit::shift, Op::kShiftRightLogical},
    {spv::Op::OpShiftRightArithmetic, bit::shift, Op::kShiftRightArithmetic},
    {spv::Op::OpBitwiseOr, componentwise::binary, Op::kBitwiseOr},
    {spv::Op::OpBitwiseXor, componentwise::binary, Op::kBitwiseXor},
    {spv::Op::OpBitwiseAnd, componentwise::binary, Op::kBitwiseAnd},
    {spv::Op::OpNot, componentwise::unary, Op::kNot},
    {spv::Op::OpBitCount, bit::bit_count, Op::kBitCount},
    {spv::Op::OpBitReverse, componentwise::unary, Op::kBitReverse},
    {spv::Op::OpBitFieldInsert, bit::field_insert},
    {spv::Op::OpBitFieldSExtract, bit::field_extract_signed},
    {spv::Op::OpBitFieldUExtract, bit::field_extract_unsigned},

    // Relational and logical
    {spv::Op::OpAny, relational::reduce, Op::kLogicalOr},
    {spv::Op::OpAll, relational::reduce, Op::kLogicalAnd},
    {spv::Op::OpIsNan, componentwise::unary, Op::kIsNan},
    {spv::Op::OpIsInf, componentwise::unary, Op::kIsInf},
    {spv::Op::OpIsFinite, componentwise::unary, Op::kIsFinite},
    {spv::Op::OpIsNormal, componentwise::unary, Op::kIsNormal},
    {spv::Op::OpSignBitSet, componentwise::unary, Op::kSignBitSet},
    {spv::Op::OpLessOrGreater, componentwise::binary, Op::kFOrdNotEqual},
    {spv::Op::OpOrdered, componentwise::binary, Op::kOrdered},
    {spv::Op::OpUnordered, componentwise::binary, Op::kUnordered},
    {spv::Op::OpLogicalEqual, componentwise::binary, Op::kLogicalEqual},
    {spv::Op::OpLogicalNotEqual, componentwise::binary, Op::kLogicalNotEqual},
    {spv::Op::OpLogicalOr, componentwise::binary, Op::kLogicalOr},
    {spv::Op::OpLogicalAnd, componentwise::binary, Op::kLogicalAnd},
    {spv::Op::OpLogicalNot, componentwise::unary, Op::kLogicalNot},
    {spv::Op::OpSelect, relational::select},
    {spv::Op::OpIEqual, componentwise::binary, Op::kIEqual},
    {spv::Op::OpINotEqual, componentwise::binary, Op::kINotEqual},
    {spv::Op::OpUGreaterThan, componentwise::swapped, Op::kULessThan},
    {spv::Op::OpSGreaterThan, componentwise::swapped, Op::kSLessThan},
    {spv::Op::OpUGreaterThanEqual, componentwise::swapped, Op::kULessThanEqual},
    {spv::Op::OpSGreaterThanEqual, componentwise::swapped, Op::kSLessThanEqual},
    {spv::Op::OpULessThan, componentwise::binary, Op::kULessThan},
    {spv::Op::OpSLessThan, componentwise::binary, Op::kSLessThan},
    {spv::Op::OpULessThanEqual, componentwise::binary, Op::kULessThanEqual},
    {spv::Op::OpSLessThanEqual, componentwise::binary, Op::kSLessThanEqual},
    {spv::Op::OpFOrdEqual, componentwise::binary, Op::kFOrdEqual},
    {spv::Op::OpFUnordEqual, componentwise::binary, Op::kFUnordEqual},
    {spv::Op::OpFOrdNotEqual, componentwise::binary, Op::kFOrdNotEqual},
    {spv::Op::OpFUnordNotEqual, componentwise::binary, Op::kFUnordNotEqual},
    {spv::Op::OpFOrdLessThan, componentwise::binary, Op::kFOrdLessThan},
    {spv::Op::OpFUnordLessThan, componentwise::binary, Op::kFUnordLessThan},
    {spv::Op::OpFOrdGreaterThan, componentwise::swapped, Op::kFOrdLessThan},
    {spv::Op::OpFUnordGreaterThan, componentwise::swapped, Op::kFUnordLessThan},
    {spv::Op::OpFOrdLessThanEqual, componentwise::binary, Op::kFOrdLessThanEqual},
    {spv::Op::OpFUnordLessThanEqual, componentwise::binary, Op::kFUnordLessThanEqual},
    {spv::Op::OpFOrdGreaterThanEqual, componentwise::swapped, Op::kFOrdLessThanEqual},
    {spv::Op::OpFUnordGreaterThanEqual, componentwise::swapped, Op::kFUnordLessThanEqual},

    // Conversions
    {spv::Op::OpConvertFToU, conversion::float_to_int, Op::kConvertFToU},
    {spv::Op::OpConvertFToS, conversion::float_to_int, Op::kConvertFToS},
    {spv::Op::OpConvertSToF, conversion::int_to_float, Op::kConvertSToF},
    {spv::Op::OpConvertUToF, conversion::int_to_float, Op::kConvertUToF},
    {spv::Op::OpUConvert, conversion::unsigned_to_int, Op::kSatUConvert},
    {spv::Op::OpSConvert, conversion::signed_to_int, Op::kSatSConvert},
    {spv::Op::OpFConvert, conversion::float_to_float, Op::kFConvert},
    {spv::Op::OpSatConvertSToU, conversion::saturate, Op::kSatConvertSToU},
    {spv::Op::OpSatConvertUToS, conversion::saturate, Op::kSatConvertUToS},
    {spv::Op::OpQuantizeToF16, conversion::quantize_to_half},
    {spv::Op::OpBitcast, conversion::bitcast},

    // Memory
    {spv::Op::OpVariable, memory_access::variable},
    {spv::Op::OpLoad, memory_access::load},
    {spv::Op::OpStore, memory_access::store},
    {spv::Op::OpCopyMemory, memory_access::copy},
    {spv::Op::OpCopyMemorySized, memory_access::copy_sized},
    {spv::Op::OpSizeOf, memory_access::size_of},
    {spv::Op::OpArrayLength, memory_access::array_length},

    // Pointers
    {spv::Op::OpAccessChain, pointer::chain},
    {spv::Op::OpInBoundsAccessChain, pointer::chain},
    {spv::Op::OpPtrAccessChain, pointer::element_chain},
    {spv::Op::OpInBoundsPtrAccessChain, pointer::element_chain},
    {spv::Op::OpPtrCastToGeneric, pointer::same_pointer},
    {spv::Op::OpGenericCastToPtr, pointer::same_pointer},
    {spv::Op::OpGenericCastToPtrExplicit, pointer::to_explicit_space, Op::kGenericToSpace},
    {spv::Op::OpGenericPtrMemSemantics, pointer::memory_semantics, Op::kMemSemantics},
    {spv::Op::OpConvertPtrToU, pointer::pointer_to_integer},
    {spv::Op::OpConvertUToPtr, pointer::integer_to_pointer},
    {spv::Op::OpPtrEqual, pointer::compare, Op::kIEqual},
    {spv::Op::OpPtrNotEqual, pointer::compare, Op::kINotEqual},
    {spv::Op::OpPtrDiff, pointer::difference},

    // Atomics
    {spv::Op::OpAtomicLoad, atomic::load, Op::kAtomicLoad},
    {spv::Op::OpAtomicStore, atomic::store, Op::kAtomicStore},
    {spv::Op::OpAtomicExchange, atomic::modify, Op::kAtomicExchange},
    {spv::Op::OpAtomicCompareExchange, atomic::compare_exchange, Op::kAtomicCompareExchange},
    {spv::Op::OpAtomicCompareExchangeWeak, atomic::compare_exchange, Op::kAtomicCompareExchange},
    {spv::Op::OpAtomicIIncrement, atomic::modify_by_one, Op::kAtomicIAdd},
    {spv::Op::OpAtomicIDecrement, atomic::modify_by_one, Op::kAtomicISub},
    {spv::Op::OpAtomicIAdd, atomic::modify, Op::kAtomicIAdd},
    {spv::Op::OpAtomicISub, atomic::modify, Op::kAtomicISub},
    {spv::Op::OpAtomicSMin, atomic::modify, Op::kAtomicSMin},
    {spv::Op::OpAtomicUMin, atomic::modify, Op::kAtomicUMin},
    {spv::Op::OpAtomicSMax, atomic::modify, Op::kAtomicSMax},
    {spv::Op::OpAtomicUMax, atomic::modify, Op::kAtomicUMax},
    {spv::Op::OpAtomicAnd, atomic::modify, Op::kAtomicAnd},
    {spv::Op::OpAtomicOr, atomic::modify, Op::kAtomicOr},
    {spv::Op::OpAtomicXor, atomic::modify, Op::kAtomicXor},
    {spv::Op::OpAtomicFAddEXT, atomic::modify, Op::kAtomicFAdd},
    {spv::Op::OpAtomicFMinEXT, atomic::modify, Op::kAtomicFMin},
    {spv::Op::OpAtomicFMaxEXT, atomic::modify, Op::kAtomicFMax},
    {spv::Op::OpAtomicFlagTestAndSet, atomic::flag_test_and_set, Op::kAtomicExchange},
    {spv::Op::OpAtomicFlagClear, atomic::flag_clear, Op::kAtomicStore},

    // Barriers
    {spv::Op::OpControlBarrier, barrier::control},
    {spv::Op::OpControlBarrierArriveINTEL, barrier::arrive},
    {spv::Op::OpControlBarrierWaitINTEL, barrier::control},
    {spv::Op::OpMemoryBarrier, barrier::memory},
    {spv::Op::OpNamedBarrierInitialize, barrier::named_init, Op::kNamedBarrierInit},
    {spv::Op::OpMemoryNamedBarrier, barrier::named, Op::kNamedBarrier},

    // Control flow
    {spv::Op::OpFunctionCall, control_flow::function_call},
    {spv::Op::OpBranch, control_flow::branch},
    {spv::Op::OpBranchConditional, control_flow::branch_conditional},
    {spv::Op::OpSwitch, control_flow::switch_to},
    {spv::Op::OpReturn, control_flow::return_void},
    {spv::Op::OpReturnValue, control_flow::return_value},
    {spv::Op::OpUnreachable, control_flow::unreachable},
    {spv::Op::OpPhi, control_flow::phi},
    {spv::Op::OpLifetimeStart, control_flow::lifetime, Op::kLifetimeStart},
    {spv::Op::OpLifetimeStop, control_flow::lifetime, Op::kLifetimeStop},

    // Groups
    {spv::Op::OpGroupAll, group::all},
    {spv::Op::OpGroupAny, group::any},
    {spv::Op::OpGroupBroadcast, group::broadcast},
    {spv::Op::OpGroupIAdd, group::reduce<Combine::kIAdd>},
    {spv::Op::OpGroupFAdd, group::reduce<Combine::kFAdd>},
    {spv::Op::OpGroupFMin, group::reduce<Combine::kFMin>},
    {spv::Op::OpGroupUMin, group::reduce<Combine::kUMin>},
    {spv::Op::OpGroupSMin, group::reduce<Combine::kSMin>},
    {spv::Op::OpGroupFMax, group::reduce<Combine::kFMax>},
    {spv::Op::OpGroupUMax, group::reduce<Combine::kUMax>},
    {spv::Op::OpGroupSMax, group::reduce<Combine::kSMax>},
    {spv::Op::OpGroupIMulKHR, group::reduce<Combine::kIMul>},
    {spv::Op::OpGroupFMulKHR, group::reduce<Combine::kFMul>},
    {spv::Op::OpGroupBitwiseAndKHR, group::reduce<Combine::kAnd>},
    {spv::Op::OpGroupBitwiseOrKHR, group::reduce<Combine::kOr>},
    {spv::Op::OpGroupBitwiseXorKHR, group::reduce<Combine::kXor>},
    {spv::Op::OpGroupLogicalAndKHR, group::reduce<Combine::kAnd>},
    {spv::Op::OpGroupLogicalOrKHR, group::reduce<Combine::kOr>},
    {spv::Op::OpGroupLogicalXorKHR, group::reduce<Combine::kXor>},
    {spv::Op::OpGroupAsyncCopy, group::async_copy, Op::kAsyncCopy},
    {decoder::kOpUntypedGroupAsyncCopyKHR, group::untyped_async_copy, Op::kAsyncCopy},
    {spv::Op::OpGroupWaitEvents, group::wait_events, Op::kWaitEvents},

    // Non-uniform groups, and sub-groups of extensions
    {spv::Op::OpGroupNonUniformElect, subgroup::elect},
    {spv::Op::OpGroupNonUniformAll, subgroup::vote<subgroup::Vote::kAll, 1>},
    {spv::Op::OpGroupNonUniformAny, subgroup::vote<subgroup::Vote::kAny, 1>},
    {spv::Op::OpGroupNonUniformAllEqual, subgroup::vote<subgroup::Vote::kAllEqual, 1>},
    {spv::Op::OpSubgroupAllKHR, subgroup::vote<subgroup::Vote::kAll, 0>},
    {spv::Op::OpSubgroupAnyKHR, subgroup::vote<subgroup::Vote::kAny, 0>},
    {spv::Op::OpSubgroupAllEqualKHR, subgroup::vote<subgroup::Vote::kAllEqual, 0>},
    {spv::Op::OpGroupNonUniformBroadcast, subgroup::shuffle<subgroup::lane_itself, 1>},
    {spv::Op::OpGroupNonUniformBroadcastFirst, subgroup::broadcast_first<1>},
    {spv::Op::OpSubgroupFirstInvocationKHR, subgroup::broadcast_first<0>},
    {spv::Op::OpSubgroupReadInvocationKHR, subgroup::shuffle<subgroup::lane_itself, 0>},
    {spv::Op::OpGroupNonUniformBallot, ballot::ballot<1>},
    {spv::Op::OpSubgroupBallotKHR, ballot::ballot<0>},
    {spv::Op::OpGroupNonUniformInverseBallot, ballot::inverse},
    {spv::Op::OpGroupNonUniformBallotBitExtract, ballot::bit_extract},
    {spv::Op::OpGroupNonUniformBallotBitCount, ballot::bit_count},
    {spv::Op::OpGroupNonUniformBallotFindLSB, ballot::find_lsb},
    {spv::Op::OpGroupNonUniformBallotFindMSB, ballot::find_msb},
    {spv::Op::OpGroupNonUniformShuffle, subgroup::shuffle<subgroup::lane_itself, 1>},
    {spv::Op::OpGroupNonUniformShuffleXor, subgroup::shuffle<subgroup::lane_xor, 1>},
    {spv::Op::OpGroupNonUniformShuffleUp, subgroup::shuffle<subgroup::lane_up, 1>},
    {spv::Op::OpGroupNonUniformShuffleDown, subgroup::shuffle<subgroup::lane_down, 1>},
    {spv::Op::OpGroupNonUniformRotateKHR, subgroup::rotate},
    {spv::Op::OpGroupNonUniformQuadBroadcast, subgroup::shuffle<subgroup::lane_in_quad, 1>},
    {spv::Op::OpGroupNonUniformQuadSwap, subgroup::shuffle<subgroup::lane_swapped, 1>},
    {decoder::kOpGroupNonUniformQuadAllKHR, subgroup::quad_vote<subgroup::Vote::kAll>},
    {decoder::kOpGroupNonUniformQuadAnyKHR, subgroup::quad_vote<subgroup::Vote::kAny>},
    {spv::Op::OpGroupNonUniformIAdd, subgroup::reduce<Combine::kIAdd>},
    {spv::Op::OpGroupNonUniformFAdd, subgroup::reduce<Combine::kFAdd>},
    {spv::Op::OpGroupNonUniformIMul, subgroup::reduce<Combine::kIMul>},
    {spv::Op::OpGroupNonUniformFMul, subgroup::reduce<Combine::kFMul>},
    {spv::Op::OpGroupNonUniformSMin, subgroup::reduce<Combine::kSMin>},
    {spv::Op::OpGroupNonUniformUMin, subgroup::reduce<Combine::kUMin>},
    {spv::Op::OpGroupNonUniformFMin, subgroup::reduce<Combine::kFMin>},
    {spv::Op::OpGroupNonUniformSMax, subgroup::reduce<Combine::kSMax>},
    {spv::Op::OpGroupNonUniformUMax, subgroup::reduce<Combine::kUMax>},
    {spv::Op::OpGroupNonUniformFMax, subgroup::reduce<Combine::kFMax>},
    {spv::Op::OpGroupNonUniformBitwiseAnd, subgroup::reduce<Combine::kAnd>},
    {spv::Op::OpGroupNonUniformBitwiseOr, subgroup::reduce<Combine::kOr>},
    {spv::Op::OpGroupNonUniformBitwiseXor, subgroup::reduce<Combine::kXor>},
    {spv::Op::OpGroupNonUniformLogicalAnd, subgroup::reduce<Combine::kAnd>},
    {spv::Op::OpGroupNonUniformLogicalOr, subgroup::reduce<Combine::kOr>},
    {spv::Op::OpGroupNonUniformLogicalXor, subgroup::reduce<Combine::kXor>},
    {spv::Op::OpGroupIAddNonUniformAMD, subgroup::reduce<Combine::kIAdd>},
    {spv::Op::OpGroupFAddNonUniformAMD, subgroup::reduce<Combine::kFAdd>},
    {spv::Op::OpGroupFMinNonUniformAMD, subgroup::reduce<Combine::kFMin>},
    {spv::Op::OpGroupUMinNonUniformAMD, subgroup::reduce<Combine::kUMin>},
    {spv::Op::OpGroupSMinNonUniformAMD, subgroup::reduce<Combine::kSMin>},
    {spv::Op::OpGroupFMaxNonUniformAMD, subgroup::reduce<Combine::kFMax>},
    {spv::Op::OpGroupUMaxNonUniformAMD, subgroup::reduce<Combine::kUMax>},
    {spv::Op::OpGroupSMaxNonUniformAMD, subgroup::reduce<Combine::kSMax>},
    {spv::Op::OpGroupNonUniformPartitionNV, partition::partition},
    {spv::Op::OpSubgroupShuffleINTEL, subgroup::shuffle<subgroup::lane_itself, 0>},
    {spv::Op::OpSubgroupShuffleXorINTEL, subgroup::shuffle<subgroup::lane_xor, 0>},
    {spv::Op::OpSubgroupShuffleDownINTEL, subgroup::shuffle_down},
    {spv::Op::OpSubgroupShuffleUpINTEL, subgroup::shuffle_up},
    {spv::Op::OpSubgroupBlockReadINTEL, subgroup_block::read},
    {spv::Op::OpSubgroupBlockWriteINTEL, subgroup_block::write},

    // Cooperative matrices
    {decoder::kOpCooperativeMatrixLoadKHR, cooperative_matrix::load},
    {decoder::kOpCooperativeMatrixStoreKHR, cooperative_matrix::store},
    {decoder::kOpCooperativeMatrixMulAddKHR, cooperative_matrix::multiply_add, Op::kGroupProduct},
    {decoder::kOpCooperativeMatrixLengthKHR, cooperative_matrix::length},

    // Derivatives
    {spv::Op::OpDPdx, derivative::difference<derivative::Direction::kX>},
    {spv::Op::OpDPdxFine, derivative::difference<derivative::Direction::kX>},
    {spv::Op::OpDPdxCoarse, derivative::difference<derivative::Direction::kX, true>},
    {spv::Op::OpDPdy, derivative::difference<derivative::Direction::kY>},
    {spv::Op::OpDPdyFine, derivative::difference<derivative::Direction::kY>},
    {spv::Op::OpDPdyCoarse, derivative::difference<derivative::Direction::kY, true>},
    {spv::Op::OpFwidth, derivative::difference<derivative::Direction::kSum>},
    {spv::Op::OpFwidthFine, derivative::difference<derivative::Direction::kSum>},
    {spv::Op::OpFwidthCoarse, derivative::difference<derivative::Direction::kSum, true>},

    // Images
    {spv::Op::OpSampledImage, image::sampled_image},
    {spv::Op::OpImage, image::image_of},
    {spv::Op::OpImageSampleExplicitLod, image::sample<image::SampleForm{}>, Op::kImageSample},
    {spv::Op::OpImageSampleProjExplicitLod, image::sample<image::SampleForm{.projects = true}>,
     Op::kImageSample},
    {spv::Op::OpImageSampleDrefExplicitLod, image::sample<image::SampleForm{.compares = true}>,
     Op::kImageSample},
    {spv::Op::OpImageSampleProjDrefExplicitLod,
     image::sample<image::SampleForm{.compares = true, .projects = true}>, Op::kImageSample},
    {spv::Op::OpImageSampleImplicitLod, image::sample<image::SampleForm{.is_implicit = true}>,
     Op::kImageSample},
    {spv::Op::OpImageSampleProjImplicitLod,
     image::sample<image::SampleForm{.projects = true, .is_implicit = true}>, Op::kImageSample},
    {spv::Op::OpImageSampleDrefImplicitLod,
     image::sample<image::SampleForm{.compares = true, .is_implicit = true}>, Op::kImageSample},
    {spv::Op::OpImageSampleProjDrefImplicitLod,
     image::sample<image::SampleForm{.compares = true, .projects = true, .is_implicit = true}>,
     Op::kImageSample},
    {spv::Op::OpImageGather, image::gather, Op::kImageSample},
    {spv::Op::OpImageDrefGather, image::gather_compared, Op::kImageSample},
    {spv::Op::OpImageSparseSampleImplicitLod,
     image::sparse<image::sample<image::SampleForm{.is_implicit = true}>>, Op::kImageSample},
    {spv::Op::OpImageSparseSampleExplicitLod, image::sparse<image::sample<image::SampleForm{}>>,
     Op::kImageSample},
    {spv::Op::OpImageSparseSampleDrefImplicitLod,
     image::sparse<image::sample<image::SampleForm{.compares = true, .is_implicit = true}>>,
     Op::kImageSample},
    {spv::Op::OpImageSparseSampleDrefExplicitLod,
     image::sparse<image::sample<image::SampleForm{.compares = true}>>, Op::kImageSample},
    {spv::Op::OpImageSparseFetch, image::sparse<image::read>, Op::kImageRead},
    {spv::Op::OpImageSparseRead, image::sparse<image::read>, Op::kImageRead},
    {spv::Op::OpImageSparseGather, image::sparse<image::gather>, Op::kImageSample},
    {spv::Op::OpImageSparseDrefGather, image::sparse<image::gather_compared>, Op::kImageSample},
    {spv::Op::OpImageSparseTexelsResident, image::texels_resident},
    {spv::Op::OpImageTexelPointer, image::texel_pointer, Op::kImageTexel},
    {spv::Op::OpImageFetch, image::read, Op::kImageRead},
    {spv::Op::OpImageRead, image::read, Op::kImageRead},
    {spv::Op::OpImageWrite, image::write, Op::kImageWrite},
    {spv::Op::OpSubgroupImageBlockReadINTEL, image::read_block, Op::kImageBlockRead},
    {spv::Op::OpSubgroupImageBlockWriteINTEL, image::write_block, Op::kImageBlockWrite},
    {spv::Op::OpImageQueryFormat, image::query_format},
    {spv::Op::OpImageQueryOrder, image::query_order},
    {spv::Op::OpImageQuerySizeLod, image::query_size_lod},
    {spv::Op::OpImageQuerySize, image::query_size},
    {spv::Op::OpImageQueryLevels, image::query_levels},
    {spv::Op::OpImageQuerySamples, image::query_samples},
    {spv::Op::OpImageQueryLod, image::query_level, Op::kImageLevel},

    // Pipes
    {spv::Op::OpReadPipe, pipe::transfer, Op::kPipeRead},
    {spv::Op::OpWritePipe, pipe::transfer, Op::kPipeWrite},
    {spv::Op::OpReservedReadPipe, pipe::transfer, Op::kPipeReadReserved},
    {spv::Op::OpReservedWritePipe, pipe::transfer, Op::kPipeWriteReserved},
    {spv::Op::OpReserveReadPipePackets, pipe::reserve, Op::kPipeReserve},
    {spv::Op::OpReserveWritePipePackets, pipe::reserve, Op::kPipeReserve},
    {spv::Op::OpCommitReadPipe, pipe::commit, Op::kPipeCommit},
    {spv::Op::OpCommitWritePipe, pipe::commit, Op::kPipeCommit},
    {spv::Op::OpGroupReserveReadPipePackets, pipe::reserve, Op::kGroupPipeReserve},
    {spv::Op::OpGroupReserveWritePipePackets, pipe::reserve, Op::kGroupPipeReserve},
    {spv::Op::OpGroupCommitReadPipe, pipe::commit, Op::kGroupPipeCommit},
    {spv::Op::OpGroupCommitWritePipe, pipe::commit, Op::kGroupPipeCommit},
    {spv::Op::OpIsValidReserveId, pipe::is_valid},
    {spv::Op::OpGetNumPipePackets, pipe::available},
    {spv::Op::OpGetMaxPipePackets, pipe::capacity},
    {spv::Op::OpConstantPipeStorage, pipe::storage},
    {spv::Op::OpCreatePipeFromPipeStorage, pipe::create},

    // Device-side enqueue
    {spv::Op::OpEnqueueMarker, enqueue::marker},
    {spv::Op::OpEnqueueKernel, enqueue::kernel},
    {spv::Op::OpBuildNDRange, enqueue::nd_range},
    {spv::Op::OpGetDefaultQueue, enqueue::make, Op::kDefaultQueue},
    {spv::Op::OpCreateUserEvent, enqueue::make, Op::kCreateUserEvent},
    {spv::Op::OpSetUserEventStatus, enqueue::on_event, Op::kSetUserEventStatus},
    {spv::Op::OpRetainEvent, enqueue::on_event, Op::kRetainEvent},
    {spv::Op::OpReleaseEvent, enqueue::on_event, Op::kReleaseEvent},
    {spv::Op::OpIsValidEvent, enqueue::is_valid, Op::kIsValidEvent},
    {spv::Op::OpCaptureEventProfilingInfo, enqueue::capture, Op::kCaptureProfiling},
    {spv::Op::OpGetKernelWorkGroupSize, enqueue::group_size},
    {spv::Op::OpGetKernelPreferredWorkGroupSizeMultiple, enqueue::preferred_multiple},
    {spv::Op::OpGetKernelNDrangeMaxSubGroupSize, enqueue::subgroup_size},
    {spv::Op::OpGetKernelNDrangeSubGroupCount, enqueue::subgroup_count},
    {spv::Op::OpGetKernelMaxNumSubgroups, enqueue::most_subgroups},
    {spv::Op::OpGetKernelLocalSizeForSubgroupCount, enqueue::local_size_for},

    // Extended instruction sets, which have tables of their own (instructions/extinst.h)
    {spv::Op::OpExtInst, extended},
};

constexpr bool is_each_opcode_once() {
  for (const Row& row : kRows)
    for (const Row* other = &row + 1; other != std::end(kRows); ++other)
      if (other->opcode == row.opcode) return false;
  return true;
}
static_assert(is_each_opcode_once());

}  // namespace

const Row* find_row(spv::Op opcode) {
  // Never destroyed, like all such tables: a program may launch kernels while its process exits.
  static const auto& index = *[] {
    auto* rows = new std::unordered_map<spv::Op, const Row*>;
    for (const Row& row : kRows) rows->emplace(row.opcode, &row);
    return rows;
  }();
  const auto found = index.find(opcode);
  return found == index.end() ? nullptr : found->second;
}

}  // namespace transpire::vm::builder
