// OpenCL.std functions that are a few basic ops for each component, in the order that the comments
// give. Every product, sum and quotient is rounded; in the reference mode, degrees, radians, mix and
// smoothstep are one op for each component that rounds once (extinst/exact.def).
#include "vm/build/builder.h"
#include "vm/build/instructions/opencl_std.h"

namespace transpire::vm::builder {
namespace {

constexpr FloatConstant kDegreesPerRadian{0x5329, 0x42652ee1, 0x404ca5dc1a63c1f8};
constexpr FloatConstant kRadiansPerDegree{0x2478, 0x3c8efa35, 0x3f91df46a2529d39};

/// The reference mode's form of a function of `count` operands. Says whether nothing is left to do.
bool exact(Builder& b, const Instruction& i, Op op, std::size_t count) {
  if (!b.request.options.reference_math()) return false;
  ValueList operands[3], result;
  for (std::size_t n = 0; n < count; ++n) {
    operands[n] = function_operand(b, i, n);
    if (b.failed() ||
        !b.expect(operands[n].size() == operands[0].size(), "the operands differ in components"))
      return true;
  }
  for (std::size_t c = 0; c < operands[0].size(); ++c) {
    ValueList component;
    for (std::size_t n = 0; n < count; ++n) component.push_back(operands[n][c]);
    result.push_back(b.ops.emit_list(op, std::move(component)));
  }
  b.ids.define(i, std::move(result));
  return true;
}

void scale(Builder& b, const Instruction& i, const FloatConstant& factor) {
  ValueList result;
  for (const ValueId x : function_operand(b, i, 0))
    result.push_back(b.ops.emit(Op::kFMul, {x, b.ops.float_constant(b.ops.kind_of(x), factor)}));
  b.ids.define(i, std::move(result));
}

void degrees(Builder& b, const Instruction& i, const ExtendedRow&) {
  if (!exact(b, i, Op::kExactDegrees, 1)) scale(b, i, kDegreesPerRadian);
}
void radians(Builder& b, const Instruction& i, const ExtendedRow&) {
  if (!exact(b, i, Op::kExactRadians, 1)) scale(b, i, kRadiansPerDegree);
}

/// x < y ? y : x
void max_common(Builder& b, const Instruction& i, const ExtendedRow&) {
  const ValueList x = function_operand(b, i, 0), y = function_operand(b, i, 1);
  b.ids.define(i, b.ops.each(Op::kSelect, b.ops.each(Op::kFOrdLessThan, x, y), y, x));
}

/// y < x ? y : x
void min_common(Builder& b, const Instruction& i, const ExtendedRow&) {
  const ValueList x = function_operand(b, i, 0), y = function_operand(b, i, 1);
  b.ids.define(i, b.ops.each(Op::kSelect, b.ops.each(Op::kFOrdLessThan, y, x), y, x));
}

/// x + (y - x) * a
void mix(Builder& b, const Instruction& i, const ExtendedRow&) {
  if (exact(b, i, Op::kExactMix, 3)) return;
  const ValueList x = function_operand(b, i, 0), y = function_operand(b, i, 1),
                  a = function_operand(b, i, 2);
  b.ids.define(i, b.ops.each(Op::kFAdd, x, b.ops.each(Op::kFMul, b.ops.each(Op::kFSub, y, x), a)));
}

/// t = clamp((x - edge0) / (edge1 - edge0), 0, 1);  (t * t) * (3 - 2 * t)
void smoothstep(Builder& b, const Instruction& i, const ExtendedRow&) {
  if (exact(b, i, Op::kExactSmoothstep, 3)) return;
  const ValueList low = function_operand(b, i, 0), high = function_operand(b, i, 1),
                  x = function_operand(b, i, 2);
  const ValueList span = b.ops.each(Op::kFSub, high, low);
  const ValueList ratio = b.ops.each(Op::kFDiv, b.ops.each(Op::kFSub, x, low), span);
  ValueList result;
  for (const ValueId r : ratio) {
    const Kind kind = b.ops.kind_of(r);
    const ValueId t = b.ops.emit(
        Op::kFClamp, {r, b.ops.float_constant(kind, kZero), b.ops.float_constant(kind, kOne)});
    const ValueId twice = b.ops.emit(Op::kFMul, {b.ops.float_constant(kind, kTwo), t});
    const ValueId rest = b.ops.emit(Op::kFSub, {b.ops.float_constant(kind, kThree), twice});
    result.push_back(b.ops.emit(Op::kFMul, {b.ops.emit(Op::kFMul, {t, t}), rest}));
  }
  b.ids.define(i, std::move(result));
}

/// (high << width) | low, in twice the width
void upsample(Builder& b, const Instruction& i, const ExtendedRow&) {
  const ValueList high = function_operand(b, i, 0), low = function_operand(b, i, 1);
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (b.failed() || !b.expect(high.size() == low.size() && high.size() == kinds.size(),
                              "the operands differ in components"))
    return;
  ValueList result;
  for (std::size_t c = 0; c < high.size(); ++c) {
    const ValueId width = b.ops.constant(kinds[c], width_bits(b.ops.kind_of(low[c])));
    const ValueId moved =
        b.ops.emit(Op::kShiftLeftLogical, {b.ops.resize(high[c], kinds[c], false), width});
    result.push_back(b.ops.emit(Op::kBitwiseOr, {moved, b.ops.resize(low[c], kinds[c], false)}));
  }
  b.ids.define(i, std::move(result));
}

/// (a & ~c) | (b & c), on the bits of floats too
void bitselect(Builder& b, const Instruction& i, const ExtendedRow&) {
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  ValueList operands[3];
  for (std::size_t n = 0; n < 3; ++n) {
    operands[n] = function_operand(b, i, n);
    for (ValueId& value : operands[n])
      value = b.ops.bitcast(value, int_of_width(width_bits(b.ops.kind_of(value))));
  }
  const ValueList kept =
      b.ops.each(Op::kBitwiseAnd, operands[0], b.ops.each(Op::kNot, operands[2]));
  ValueList result =
      b.ops.each(Op::kBitwiseOr, kept, b.ops.each(Op::kBitwiseAnd, operands[1], operands[2]));
  if (b.failed() || !b.expect(result.size() == kinds.size(), "the operands differ in components"))
    return;
  for (std::size_t c = 0; c < result.size(); ++c) result[c] = b.ops.bitcast(result[c], kinds[c]);
  b.ids.define(i, std::move(result));
}

/// Vectors look at the condition's highest bit, scalars at all of them.
void select(Builder& b, const Instruction& i, const ExtendedRow&) {
  const ValueList first = function_operand(b, i, 0), second = function_operand(b, i, 1);
  ValueList condition = function_operand(b, i, 2);
  const bool is_vector = b.types.result_type(i).kind == Type::Kind::kVector;
  for (ValueId& value : condition) {
    const ValueId zero = b.ops.constant(b.ops.kind_of(value), 0);
    value = is_vector ? b.ops.emit(Op::kSLessThan, {value, zero})
                      : b.ops.emit(Op::kINotEqual, {value, zero});
  }
  b.ids.define(i, b.ops.each(Op::kSelect, condition, second, first));
}

constexpr ExtendedRow kExpandedRows[] = {
    {OpenCLLIB::Degrees, degrees},
    {OpenCLLIB::Radians, radians},
    {OpenCLLIB::FMax_common, max_common},
    {OpenCLLIB::FMin_common, min_common},
    {OpenCLLIB::Mix, mix},
    {OpenCLLIB::Smoothstep, smoothstep},
    {OpenCLLIB::U_Upsample, upsample},
    {OpenCLLIB::S_Upsample, upsample},
    {OpenCLLIB::Bitselect, bitselect, kMovesBits},
    {OpenCLLIB::Select, select, kMovesBits},
};

}  // namespace

std::span<const ExtendedRow> expanded_rows() { return kExpandedRows; }

}  // namespace transpire::vm::builder
