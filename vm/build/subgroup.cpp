// SPIR-V "Non-Uniform Instructions", and the sub-group instructions of extensions: those work-items of a
// sub-group take part that execute the instruction. A ballot's four words hold at most 64 bits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "vm/build/group.h"

namespace transpire::vm::builder {
namespace {

constexpr spv::Scope kSubgroup = spv::Scope::Subgroup;

ValueId i32(Builder& b, std::uint32_t bits) { return b.constant(Kind::kI32, bits); }
ValueId i64(Builder& b, std::uint64_t bits) { return b.constant(Kind::kI64, bits); }

// ---- Bits of a ballot ---------------------------------------------------------------------------

/// The first two words of a ballot as an i64.
ValueId bits_of(Builder& b, Values words) {
  if (!b.expect(words.size() == 4 && b.kind_of(words[0]) == Kind::kI32,
                "a ballot is a vector of four 32-bit integers"))
    return i64(b, 0);
  const ValueId low = b.resize(words[0], Kind::kI64, false);
  const ValueId high = b.resize(words[1], Kind::kI64, false);
  return b.emit(Op::kBitwiseOr, {low, b.emit(Op::kShiftLeftLogical, {high, i64(b, 32)})});
}

ValueList words_of(Builder& b, ValueId bits) {
  const ValueId high = b.emit(Op::kShiftRightLogical, {bits, i64(b, 32)});
  return {b.convert(Op::kTruncate, Kind::kI32, bits), b.convert(Op::kTruncate, Kind::kI32, high),
          i32(b, 0), i32(b, 0)};
}

/// The lowest `count` bits, count being an i32 from 0 to 64.
ValueId lowest_bits(Builder& b, ValueId count) {
  const ValueId wide = b.resize(count, Kind::kI64, false);
  const ValueId shifted = b.emit(Op::kShiftLeftLogical, {i64(b, 1), wide});
  const ValueId bits = b.emit(Op::kISub, {shifted, i64(b, 1)});
  const ValueId all = b.emit(Op::kIEqual, {wide, i64(b, 64)});  // shifts count modulo 64
  return b.select(all, i64(b, ~std::uint64_t{0}), bits);
}

/// Bit `index` of a ballot.
ValueId bit_at(Builder& b, ValueId bits, ValueId index) {
  const ValueId wide = b.resize(index, Kind::kI64, false);
  const ValueId moved = b.emit(Op::kShiftRightLogical, {bits, wide});
  return b.emit(Op::kINotEqual, {b.emit(Op::kBitwiseAnd, {moved, i64(b, 1)}), i64(b, 0)});
}

void ballot_of(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const ValueId predicate = b.scalar_operand(i, 1);
  if (!b.failed()) b.define(i, words_of(b, ballot(b, predicate, false)));
}

void inverse_ballot(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const Values words = b.operand(i, 1);
  if (!b.failed()) b.define(i, {bit_at(b, bits_of(b, words), subgroup_lane(b))});
}

void ballot_extract(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const Values words = b.operand(i, 1);
  const ValueId index = b.scalar_operand(i, 2);
  if (!b.failed()) b.define(i, {bit_at(b, bits_of(b, words), index)});
}

/// Bits of a full sub-group, also in one that has fewer work-items.
ValueId meaningful(Builder& b, Values words) {
  const std::uint64_t full = ~std::uint64_t{0} >> (64 - b.subgroup_size());
  return b.emit(Op::kBitwiseAnd, {bits_of(b, words), i64(b, full)});
}

void ballot_count(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const Values words = b.operand(i, 2);
  if (b.failed()) return;
  ValueId bits = meaningful(b, words);
  const ValueId lane = subgroup_lane(b);
  switch (static_cast<spv::GroupOperation>(i.operands[1])) {
    case spv::GroupOperation::Reduce:
      break;
    case spv::GroupOperation::InclusiveScan:
      bits = b.emit(Op::kBitwiseAnd, {bits, lowest_bits(b, b.emit(Op::kIAdd, {lane, i32(b, 1)}))});
      break;
    case spv::GroupOperation::ExclusiveScan:
      bits = b.emit(Op::kBitwiseAnd, {bits, lowest_bits(b, lane)});
      break;
    default:
      return b.refuse(Rule::kU0001,
                      fmt::format("a ballot is not counted by group operation {}", i.operands[1]));
  }
  const ValueId count = b.emit(Op::kBitCount, {bits});
  b.define(i, {b.resize(count, b.scalar_kind(b.result_type(i)), false)});
}

/// The place of the lowest or highest bit; undefined when there is none, all ones here.
template <bool kLowest>
void ballot_find(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const Values words = b.operand(i, 1);
  if (b.failed()) return;
  const ValueId bits = meaningful(b, words);
  ValueId place;
  if constexpr (kLowest) {
    // Below the lowest bit there are as many zeros.
    const ValueId below =
        b.emit(Op::kBitwiseAnd, {b.emit(Op::kISub, {bits, i64(b, 1)}), b.emit(Op::kNot, {bits})});
    place = b.emit(Op::kBitCount, {below});
  } else {
    ValueId filled = bits;
    for (const std::uint64_t step : {1u, 2u, 4u, 8u, 16u, 32u})
      filled =
          b.emit(Op::kBitwiseOr, {filled, b.emit(Op::kShiftRightLogical, {filled, i64(b, step)})});
    place = b.emit(Op::kISub, {b.emit(Op::kBitCount, {filled}), i64(b, 1)});
  }
  const ValueId none = b.emit(Op::kIEqual, {bits, i64(b, 0)});
  place = b.select(none, i64(b, ~std::uint64_t{0}), place);
  b.define(i, {b.resize(place, b.scalar_kind(b.result_type(i)), false)});
}

// ---- Votes --------------------------------------------------------------------------------------

void elect(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const ValueId lane = subgroup_lane(b);
  const ValueId first = place_group(b, Op::kGroupFirst, group_operation(b, kSubgroup, false), lane);
  b.define(i, {b.emit(Op::kIEqual, {first, lane})});
}

ValueId all_equal(Builder& b, Values values) {
  const GroupOperation operation = group_operation(b, kSubgroup, false);
  ValueId equal = b.constant(Kind::kBool, 1);
  for (const ValueId value : values) {
    const ValueId first = place_group(b, Op::kGroupFirst, operation, value);
    const Kind kind = b.kind_of(value);
    const Op compare = kind == Kind::kBool ? Op::kLogicalEqual
                       : is_float(kind)    ? Op::kFOrdEqual
                                           : Op::kIEqual;
    equal = b.emit(Op::kLogicalAnd, {equal, b.emit(compare, {value, first})});
  }
  return vote_all(b, equal, false);
}

enum class Vote { kAll, kAny, kAllEqual };

/// The KHR extension's votes have no scope.
template <Vote kVote, std::size_t kOperand>
void vote(Builder& b, const Instruction& i, Op) {
  if (kOperand == 1 && !subgroup_scope(b, i)) return;
  const Values values = b.operand(i, kOperand);
  if (b.failed()) return;
  if (kVote == Vote::kAllEqual) return b.define(i, {all_equal(b, values)});
  if (!b.expect(values.size() == 1 && b.kind_of(values[0]) == Kind::kBool,
                "a vote's operand is a boolean"))
    return;
  b.define(i,
           {kVote == Vote::kAll ? vote_all(b, values[0], false) : vote_any(b, values[0], false)});
}

// ---- Values of other work-items -----------------------------------------------------------------

void broadcast_first(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const Values values = b.operand(i, 1);
  ValueList result;
  for (const ValueId value : values)
    result.push_back(place_group(b, Op::kGroupFirst, group_operation(b, kSubgroup, false), value));
  b.define(i, std::move(result));
}

/// A number of a work-item, or a distance, as an i32. What does not fit is no work-item either.
ValueId lane_number(Builder& b, ValueId value) {
  if (!b.expect(is_int(b.kind_of(value)), "the number of a work-item is an integer"))
    return i32(b, 0);
  if (b.kind_of(value) != Kind::kI64) return b.resize(value, Kind::kI32, false);
  const ValueId fits = b.emit(Op::kULessThan, {value, i64(b, 0xffffffffu)});
  return b.select(fits, b.convert(Op::kTruncate, Kind::kI32, value), i32(b, 0xffffffffu));
}

/// Which work-item a shuffle takes its value from, by its last operand.
using Source = ValueId (*)(Builder& b, ValueId operand);

ValueId source_itself(Builder&, ValueId id) { return id; }
ValueId source_xor(Builder& b, ValueId mask) {
  return b.emit(Op::kBitwiseXor, {subgroup_lane(b), mask});
}
ValueId source_up(Builder& b, ValueId delta) {
  return b.emit(Op::kISub, {subgroup_lane(b), delta});
}
ValueId source_down(Builder& b, ValueId delta) {
  return b.emit(Op::kIAdd, {subgroup_lane(b), delta});
}
ValueId source_in_quad(Builder& b, ValueId index) {
  const ValueId first = b.emit(Op::kBitwiseAnd, {subgroup_lane(b), i32(b, ~3u)});
  return b.emit(Op::kBitwiseOr, {first, b.emit(Op::kBitwiseAnd, {index, i32(b, 3)})});
}
/// Direction 0 swaps neighbours in x, 1 in y, 2 both.
ValueId source_swapped(Builder& b, ValueId direction) {
  return b.emit(Op::kBitwiseXor, {subgroup_lane(b), b.emit(Op::kIAdd, {direction, i32(b, 1)})});
}

template <Source kSource, std::size_t kFirst>
void shuffled(Builder& b, const Instruction& i, Op) {
  if (kFirst == 1 && !subgroup_scope(b, i)) return;
  const Values values = b.operand(i, kFirst);
  const ValueId operand = lane_number(b, b.scalar_operand(i, kFirst + 1));
  if (!b.failed()) b.define(i, shuffle(b, values, kSource(b, operand)));
}

/// The operand `index`, if there is one, which must be a constant power of two; else the sub-group's
/// size. More than that is undefined where it is executed, and taken for the whole sub-group.
std::uint32_t cluster_size(Builder& b, const Instruction& i, std::size_t index) {
  if (index >= i.operands.size()) return b.subgroup_size();
  const std::optional<std::uint64_t> size = b.constant_of(i.operands[index]);
  if (!size || !std::has_single_bit(*size)) {
    b.refuse(Rule::kU0001, "the cluster size must be a constant power of two");
    return 1;
  }
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(*size, b.subgroup_size()));
}

void rotate(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const Values values = b.operand(i, 1);
  const ValueId delta = b.scalar_operand(i, 2);
  const std::uint32_t cluster = cluster_size(b, i, 3);
  if (b.failed()) return;
  const ValueId lane = subgroup_lane(b);
  const ValueId moved = b.emit(Op::kIAdd, {lane, b.resize(delta, Kind::kI32, false)});
  const ValueId within = b.emit(Op::kBitwiseAnd, {moved, i32(b, cluster - 1)});
  const ValueId first = b.emit(Op::kBitwiseAnd, {lane, i32(b, ~(cluster - 1))});
  b.define(i, shuffle(b, values, b.emit(Op::kBitwiseOr, {first, within})));
}

/// Two values side by side, twice a sub-group long: "down" counts on from the first one, "up" back
/// from the second one.
template <bool kDown>
void shuffle_pair(Builder& b, const Instruction& i, Op) {
  const Values first = b.operand(i, 0);
  const Values second = b.operand(i, 1);
  const ValueId delta = lane_number(b, b.scalar_operand(i, 2));
  if (b.failed() || !b.expect(first.size() == second.size(), "the two values differ in type"))
    return;
  const ValueId lane = subgroup_lane(b);
  const ValueId size = i32(b, b.subgroup_size());
  ValueId at = kDown ? b.emit(Op::kIAdd, {lane, delta})
                     : b.emit(Op::kIAdd, {b.emit(Op::kISub, {lane, delta}), size});
  const ValueId in_first = b.emit(Op::kULessThan, {at, size});
  const ValueList left = shuffle(b, first, b.select(in_first, at, lane));
  const ValueList right =
      shuffle(b, second, b.select(in_first, lane, b.emit(Op::kISub, {at, size})));
  ValueList result;
  for (std::size_t c = 0; c < left.size(); ++c)
    result.push_back(b.select(in_first, left[c], right[c]));
  b.define(i, std::move(result));
}

// ---- Reductions and scans -----------------------------------------------------------------------

template <Combine kHow>
void arithmetic(Builder& b, const Instruction& i, Op) {
  if (!subgroup_scope(b, i)) return;
  const Values values = b.operand(i, 2);
  if (b.failed()) return;
  GroupOperation operation = group_operation(b, kSubgroup, false);
  operation.combine = kHow;
  switch (static_cast<spv::GroupOperation>(i.operands[1])) {
    case spv::GroupOperation::Reduce:
      break;
    case spv::GroupOperation::InclusiveScan:
      operation.scan = Scan::kInclusive;
      break;
    case spv::GroupOperation::ExclusiveScan:
      operation.scan = Scan::kExclusive;
      break;
    case spv::GroupOperation::ClusteredReduce:
      if (!b.expect(i.operands.size() > 3, "a clustered reduction has no cluster size")) return;
      operation.size = cluster_size(b, i, 3);
      break;
    default:
      return b.refuse(Rule::kU0001,
                      fmt::format("the group operation {} is not supported", i.operands[1]));
  }
  constexpr bool kFloat = kHow == Combine::kFAdd || kHow == Combine::kFMul ||
                          kHow == Combine::kFMin || kHow == Combine::kFMax;
  ValueList result;
  for (const ValueId value : values) {
    if (!b.expect(is_float(b.kind_of(value)) == kFloat,
                  "the operand's type does not fit the instruction"))
      return;
    result.push_back(place_group(b, Op::kGroupCombine, operation, value));
  }
  b.define(i, std::move(result));
}

// ---- Blocks of memory ---------------------------------------------------------------------------

/// Component c of work-item n lies at element c * size + n.
ValueId block_address(Builder& b, ValueId pointer, const Type& element, std::size_t component) {
  const ValueId lane = b.resize(subgroup_lane(b), Kind::kI64, false);
  const std::uint64_t skipped = std::uint64_t{component} * b.subgroup_size() * element.size_bytes;
  return b.address(pointer, lane, static_cast<std::int64_t>(element.size_bytes),
                   static_cast<std::int64_t>(skipped));
}

struct BlockAccess {
  ValueId pointer = kNoValue;
  const Type* element = nullptr;
  lir::Space space = lir::Space::kGlobal;
};

std::optional<BlockAccess> block_access(Builder& b, const Instruction& i) {
  const Type* pointer = b.operand_type(i, 0);
  if (b.failed() ||
      !b.expect(pointer->kind == Type::Kind::kPointer && pointer->element != nullptr &&
                    pointer->element->kind == Type::Kind::kInt,
                "a block access needs a pointer to an integer"))
    return std::nullopt;
  return BlockAccess{b.scalar_operand(i, 0), pointer->element, b.space_of(*pointer)};
}

void block_read(Builder& b, const Instruction& i, Op) {
  const std::optional<BlockAccess> access = block_access(b, i);
  if (!access) return;
  ValueList values;
  const std::size_t components = b.result_layout(i).kinds.size();
  for (std::size_t c = 0; c < components && !b.failed(); ++c) {
    const ValueId address = block_address(b, access->pointer, *access->element, c);
    values.push_back(b.load(*access->element, address, access->space, {}).front());
  }
  b.define(i, std::move(values));
}

void block_write(Builder& b, const Instruction& i, Op) {
  const std::optional<BlockAccess> access = block_access(b, i);
  if (!access) return;
  const Values values = b.operand(i, 1);
  for (std::size_t c = 0; c < values.size() && !b.failed(); ++c) {
    const ValueId address = block_address(b, access->pointer, *access->element, c);
    b.store(*access->element, address, values.subspan(c, 1), access->space, {});
  }
}

constexpr Row kRows[] = {
    {spv::Op::OpGroupNonUniformElect, elect},
    {spv::Op::OpGroupNonUniformAll, vote<Vote::kAll, 1>},
    {spv::Op::OpGroupNonUniformAny, vote<Vote::kAny, 1>},
    {spv::Op::OpGroupNonUniformAllEqual, vote<Vote::kAllEqual, 1>},
    {spv::Op::OpSubgroupAllKHR, vote<Vote::kAll, 0>},
    {spv::Op::OpSubgroupAnyKHR, vote<Vote::kAny, 0>},
    {spv::Op::OpSubgroupAllEqualKHR, vote<Vote::kAllEqual, 0>},
    {spv::Op::OpGroupNonUniformBroadcast, shuffled<source_itself, 1>},
    {spv::Op::OpGroupNonUniformBroadcastFirst, broadcast_first},
    {spv::Op::OpGroupNonUniformBallot, ballot_of},
    {spv::Op::OpGroupNonUniformInverseBallot, inverse_ballot},
    {spv::Op::OpGroupNonUniformBallotBitExtract, ballot_extract},
    {spv::Op::OpGroupNonUniformBallotBitCount, ballot_count},
    {spv::Op::OpGroupNonUniformBallotFindLSB, ballot_find<true>},
    {spv::Op::OpGroupNonUniformBallotFindMSB, ballot_find<false>},
    {spv::Op::OpGroupNonUniformShuffle, shuffled<source_itself, 1>},
    {spv::Op::OpGroupNonUniformShuffleXor, shuffled<source_xor, 1>},
    {spv::Op::OpGroupNonUniformShuffleUp, shuffled<source_up, 1>},
    {spv::Op::OpGroupNonUniformShuffleDown, shuffled<source_down, 1>},
    {spv::Op::OpGroupNonUniformRotateKHR, rotate},
    {spv::Op::OpGroupNonUniformQuadBroadcast, shuffled<source_in_quad, 1>},
    {spv::Op::OpGroupNonUniformQuadSwap, shuffled<source_swapped, 1>},
    {spv::Op::OpGroupNonUniformIAdd, arithmetic<Combine::kIAdd>},
    {spv::Op::OpGroupNonUniformFAdd, arithmetic<Combine::kFAdd>},
    {spv::Op::OpGroupNonUniformIMul, arithmetic<Combine::kIMul>},
    {spv::Op::OpGroupNonUniformFMul, arithmetic<Combine::kFMul>},
    {spv::Op::OpGroupNonUniformSMin, arithmetic<Combine::kSMin>},
    {spv::Op::OpGroupNonUniformUMin, arithmetic<Combine::kUMin>},
    {spv::Op::OpGroupNonUniformFMin, arithmetic<Combine::kFMin>},
    {spv::Op::OpGroupNonUniformSMax, arithmetic<Combine::kSMax>},
    {spv::Op::OpGroupNonUniformUMax, arithmetic<Combine::kUMax>},
    {spv::Op::OpGroupNonUniformFMax, arithmetic<Combine::kFMax>},
    {spv::Op::OpGroupNonUniformBitwiseAnd, arithmetic<Combine::kAnd>},
    {spv::Op::OpGroupNonUniformBitwiseOr, arithmetic<Combine::kOr>},
    {spv::Op::OpGroupNonUniformBitwiseXor, arithmetic<Combine::kXor>},
    {spv::Op::OpGroupNonUniformLogicalAnd, arithmetic<Combine::kAnd>},
    {spv::Op::OpGroupNonUniformLogicalOr, arithmetic<Combine::kOr>},
    {spv::Op::OpGroupNonUniformLogicalXor, arithmetic<Combine::kXor>},
    {spv::Op::OpSubgroupShuffleINTEL, shuffled<source_itself, 0>},
    {spv::Op::OpSubgroupShuffleXorINTEL, shuffled<source_xor, 0>},
    {spv::Op::OpSubgroupShuffleDownINTEL, shuffle_pair<true>},
    {spv::Op::OpSubgroupShuffleUpINTEL, shuffle_pair<false>},
    {spv::Op::OpSubgroupBlockReadINTEL, block_read},
    {spv::Op::OpSubgroupBlockWriteINTEL, block_write},
};

}  // namespace

std::span<const Row> subgroup_rows() { return kRows; }

}  // namespace transpire::vm::builder
