// The extended instruction sets of AMD: SPV_AMD_gcn_shader, SPV_AMD_shader_trinary_minmax and SPV_AMD_shader_ballot.
#include <spirv/unified1/AMD_gcn_shader.h>
#include <spirv/unified1/AMD_shader_ballot.h>
#include <spirv/unified1/AMD_shader_trinary_minmax.h>

#include <array>
#include <bit>
#include <optional>

#include "vm/build/builder.h"
#include "vm/build/instructions/ballot.h"
#include "vm/build/instructions/extinst.h"
#include "vm/build/instructions/miscellaneous.h"

namespace transpire::vm::builder {
namespace amd {
namespace {

// ---- SPV_AMD_gcn_shader -------------------------------------------------------------------------

/// The face of a cube that a direction meets, as memory/cube.h has it: x and y along the face, the absolute value towards it, and the
/// face's number.
struct Face {
  ValueId s, t, major, number;
};

std::optional<Face> face_of(Builder& b, const Instruction& i) {
  const Values r = b.ids.operand(i, kFirstOperand);
  if (b.failed() || !b.expect(r.size() == 3, "a direction is a vector of three"))
    return std::nullopt;
  const Kind kind = b.ops.kind_of(r[0]);
  const auto number = [&](double value) {
    return b.ops.constant(kind, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  };
  if (!b.expect(kind == Kind::kF32, "a direction is a vector of 32-bit floats"))
    return std::nullopt;
  std::array<ValueId, 3> size, minus, negative;
  for (std::size_t a = 0; a < 3; ++a) {
    size[a] = b.ops.emit(Op::kFAbs, {r[a]});
    minus[a] = b.ops.emit(Op::kFNegate, {r[a]});
    negative[a] = b.ops.emit(Op::kFOrdLessThan, {r[a], number(0)});
  }
  const auto at_least = [&](std::size_t a, std::size_t c) {
    return b.ops.emit(Op::kFOrdLessThanEqual, {size[c], size[a]});
  };
  const ValueId is_z = b.ops.emit(Op::kLogicalAnd, {at_least(2, 0), at_least(2, 1)});
  const ValueId is_y = at_least(1, 0);
  const auto among = [&](ValueId x, ValueId y, ValueId z) {
    return b.ops.select(is_z, z, b.ops.select(is_y, y, x));
  };
  const auto by_sign = [&](std::size_t a, ValueId below, ValueId other) {
    return b.ops.select(negative[a], below, other);
  };
  return Face{among(by_sign(0, r[2], minus[2]), r[0], by_sign(2, minus[0], r[0])),
              among(minus[1], by_sign(1, minus[2], r[2]), minus[1]),
              among(size[0], size[1], size[2]),
              among(by_sign(0, number(1), number(0)), by_sign(1, number(3), number(2)),
                    by_sign(2, number(5), number(4)))};
}

void face_index(Builder& b, const Instruction& i, const ExtendedRow&) {
  if (const std::optional<Face> face = face_of(b, i)) b.ids.define(i, {face->number});
}

/// s / major * 0.5 + 0.5, and t likewise.
void face_coordinates(Builder& b, const Instruction& i, const ExtendedRow&) {
  const std::optional<Face> face = face_of(b, i);
  if (!face) return;
  const ValueId half = b.ops.constant(Kind::kF32, std::bit_cast<std::uint32_t>(0.5f));
  ValueList result;
  for (const ValueId along : {face->s, face->t}) {
    const ValueId part = b.ops.emit(Op::kFDiv, {along, face->major});
    result.push_back(b.ops.emit(Op::kFAdd, {b.ops.emit(Op::kFMul, {part, half}), half}));
  }
  b.ids.define(i, std::move(result));
}

void time(Builder& b, const Instruction& i, const ExtendedRow&) {
  miscellaneous::read_clock(b, i, Op::kClock);
}

constexpr ExtendedRow kGcnShader[] = {
    {AMD_gcn_shaderCubeFaceIndexAMD, face_index},
    {AMD_gcn_shaderCubeFaceCoordAMD, face_coordinates},
    {AMD_gcn_shaderTimeAMD, time},
};

// ---- SPV_AMD_shader_trinary_minmax --------------------------------------------------------------

/// op(x, op(y, z))
void of_three(Builder& b, const Instruction& i, const ExtendedRow& row) {
  const ValueList x = function_operand(b, i, 0), y = function_operand(b, i, 1);
  b.ids.define(i, b.ops.each(row.op, x, b.ops.each(row.op, y, function_operand(b, i, 2))));
}

/// The middle one: max(min(x, y), min(max(x, y), z)), of the row's ops.
void middle(Builder& b, const Instruction& i, const ExtendedRow& row) {
  const ValueList x = function_operand(b, i, 0), y = function_operand(b, i, 1);
  const ValueList high =
      b.ops.each(row.op, b.ops.each(row.second, x, y), function_operand(b, i, 2));
  b.ids.define(i, b.ops.each(row.second, b.ops.each(row.op, x, y), high));
}

constexpr ExtendedRow kTrinary[] = {
    {AMD_shader_trinary_minmaxFMin3AMD, of_three, Op::kFMin},
    {AMD_shader_trinary_minmaxUMin3AMD, of_three, Op::kUMin},
    {AMD_shader_trinary_minmaxSMin3AMD, of_three, Op::kSMin},
    {AMD_shader_trinary_minmaxFMax3AMD, of_three, Op::kFMax},
    {AMD_shader_trinary_minmaxUMax3AMD, of_three, Op::kUMax},
    {AMD_shader_trinary_minmaxSMax3AMD, of_three, Op::kSMax},
    {AMD_shader_trinary_minmaxFMid3AMD, middle, Op::kFMin, Op::kFMax},
    {AMD_shader_trinary_minmaxUMid3AMD, middle, Op::kUMin, Op::kUMax},
    {AMD_shader_trinary_minmaxSMid3AMD, middle, Op::kSMin, Op::kSMax},
};

// ---- SPV_AMD_shader_ballot ----------------------------------------------------------------------

/// The values of the work-item with this number; zeros if it does not execute the instruction.
void values_of(Builder& b, const Instruction& i, ValueId lane) {
  const Values data = b.ids.operand(i, kFirstOperand);
  if (b.failed()) return;
  const ValueId running = b.groups.ballot(b.ops.constant(Kind::kBool, 1), false);
  const ValueId is_there = ballot::bit_at(b, running, lane);
  ValueList result = b.groups.shuffle(data, b.ops.select(is_there, lane, b.groups.lane()));
  for (ValueId& value : result)
    value = b.ops.select(is_there, value, b.ops.constant(b.ops.kind_of(value), 0));
  b.ids.define(i, std::move(result));
}

/// Within each four work-items, the vector's components say whose values each one gets.
void swizzle(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values offsets = b.ids.operand(i, kFirstOperand + 1);
  if (b.failed() || !b.expect(offsets.size() == 4, "the offset is a vector of four")) return;
  const ValueId place = b.ops.emit(Op::kBitwiseAnd, {b.groups.lane(), i32(b, 3)});
  ValueId offset = offsets[0];
  for (std::uint32_t k = 1; k < 4; ++k)
    offset = b.ops.select(b.ops.emit(Op::kIEqual, {place, i32(b, k)}), offsets[k], offset);
  const ValueId first = b.ops.emit(Op::kBitwiseAnd, {b.groups.lane(), i32(b, ~3u)});
  const ValueId within = b.ops.emit(Op::kBitwiseAnd, {offset, i32(b, 3)});
  values_of(b, i, b.ops.emit(Op::kBitwiseOr, {first, within}));
}

/// Within each 32 work-items, ((number & mask.x) | mask.y) ^ mask.z.
void swizzle_masked(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values mask = b.ids.operand(i, kFirstOperand + 1);
  if (b.failed() || !b.expect(mask.size() == 3, "the mask is a vector of three")) return;
  const ValueId lane = b.groups.lane();
  ValueId within =
      b.ops.emit(Op::kBitwiseAnd, {b.ops.emit(Op::kBitwiseAnd, {lane, i32(b, 31)}), mask[0]});
  within = b.ops.emit(Op::kBitwiseOr, {within, mask[1]});
  within = b.ops.emit(Op::kBitwiseXor, {within, mask[2]});
  const ValueId first = b.ops.emit(Op::kBitwiseAnd, {lane, i32(b, 32)});
  values_of(b, i, b.ops.emit(Op::kBitwiseOr, {first, within}));
}

void write_invocation(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values input = b.ids.operand(i, kFirstOperand),
               written = b.ids.operand(i, kFirstOperand + 1);
  const ValueId index = scalar_function_operand(b, i, 2);
  if (b.failed() || !b.expect(input.size() == written.size(), "the two values differ in type"))
    return;
  const ValueId is_own =
      b.ops.emit(Op::kIEqual, {b.groups.lane(), b.ops.resize(index, Kind::kI32, false)});
  ValueList result;
  for (std::size_t c = 0; c < input.size(); ++c)
    result.push_back(b.ops.select(is_own, written[c], input[c]));
  b.ids.define(i, std::move(result));
}

/// Counts the mask's bits below the work-item's own.
void count_below(Builder& b, const Instruction& i, const ExtendedRow&) {
  const ValueId mask = scalar_function_operand(b, i, 0);
  if (b.failed()) return;
  const ValueId lane = b.ops.resize(b.groups.lane(), Kind::kI64, false);
  const ValueId own = b.ops.emit(Op::kShiftLeftLogical, {i64(b, 1), lane});
  const ValueId below = b.ops.emit(Op::kBitwiseAnd, {b.ops.resize(mask, Kind::kI64, false),
                                                     b.ops.emit(Op::kISub, {own, i64(b, 1)})});
  const Kind kind = b.types.scalar_kind(b.types.result_type(i));
  b.ids.define(i, {b.ops.resize(b.ops.emit(Op::kBitCount, {below}), kind, false)});
}

constexpr ExtendedRow kShaderBallot[] = {
    {AMD_shader_ballotSwizzleInvocationsAMD, swizzle, kMovesBits},
    {AMD_shader_ballotSwizzleInvocationsMaskedAMD, swizzle_masked, kMovesBits},
    {AMD_shader_ballotWriteInvocationAMD, write_invocation, kMovesBits},
    {AMD_shader_ballotMbcntAMD, count_below},
};

template <const auto& kTable>
std::span<const ExtendedRow> rows() {
  return kTable;
}

constexpr ExtendedFunctions::Rows kGcnShaderRows[] = {rows<kGcnShader>};
constexpr ExtendedFunctions::Rows kTrinaryRows[] = {rows<kTrinary>};
constexpr ExtendedFunctions::Rows kShaderBallotRows[] = {rows<kShaderBallot>};

}  // namespace
}  // namespace amd

const ExtendedFunctions kAmdGcnShaderFunctions{amd::kGcnShaderRows};
const ExtendedFunctions kAmdShaderTrinaryMinmaxFunctions{amd::kTrinaryRows};
const ExtendedFunctions kAmdShaderBallotFunctions{amd::kShaderBallotRows};

}  // namespace transpire::vm::builder
