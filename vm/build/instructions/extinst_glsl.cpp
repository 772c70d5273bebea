// GLSL.std.450: the functions that compute shaders can use. Most have the meaning of a function of OpenCL.std, or are one op for
// each component; the others are a few basic ops in the order that the comments give, every product, sum and quotient rounded.
#include <spirv/unified1/GLSL.std.450.h>

#include <bit>

#include "vm/build/builder.h"
#include "vm/build/instructions/matrix.h"
#include "vm/build/instructions/opencl_std.h"

namespace transpire::vm::builder {
namespace glsl {
namespace {

using each_component::binary;
using each_component::ternary;
using each_component::unary;

constexpr FloatConstant kMinusOne{0xbc00, 0xbf800000, 0xbff0000000000000};

/// Builds the function of OpenCL.std with this number, which has the same operands and the same meaning.
template <OpenCLLIB::Entrypoints kNumber>
void as_opencl(Builder& b, const Instruction& i, const ExtendedRow&) {
  for (const ExtendedFunctions::Rows rows : kOpenCLStdFunctions.rows)
    for (const ExtendedRow& row : rows())
      if (row.number == kNumber) return row.handler(b, i, row);
}

ValueId one(Builder& b, ValueId like) { return b.ops.float_constant(b.ops.kind_of(like), kOne); }
ValueId zero(Builder& b, ValueId like) { return b.ops.float_constant(b.ops.kind_of(like), kZero); }

/// Both results in one struct, the first one's components before the second one's.
void pair(Builder& b, const Instruction& i, const ExtendedRow& row) {
  const Values x = b.ids.operand(i, kFirstOperand);
  ValueList result = b.ops.each(row.op, x);
  const ValueList second = b.ops.each(row.second, x);
  result.insert(result.end(), second.begin(), second.end());
  b.ids.define(i, std::move(result));
}

/// x - floor(x)
void fract(Builder& b, const Instruction& i, const ExtendedRow&) {
  const ValueList x = function_operand(b, i, 0);
  b.ids.define(i, b.ops.each(Op::kFSub, x, b.ops.each(Op::kFloor, x)));
}

/// 0 < x ? 1 : x < 0 ? -1 : 0
void integer_sign(Builder& b, const Instruction& i, const ExtendedRow&) {
  ValueList result;
  for (const ValueId x : function_operand(b, i, 0)) {
    const Kind kind = b.ops.kind_of(x);
    const ValueId none = b.ops.constant(kind, 0);
    const ValueId minus_one = b.ops.emit(Op::kNot, {none});
    const ValueId rest = b.ops.select(b.ops.emit(Op::kSLessThan, {x, none}), minus_one, none);
    result.push_back(
        b.ops.select(b.ops.emit(Op::kSLessThan, {none, x}), b.ops.constant(kind, 1), rest));
  }
  b.ids.define(i, std::move(result));
}

/// x * (1 - a) + y * a. The reference mode takes the exact value of OpenCL's x + (y - x) * a: both formulas have the same value, except
/// for infinite operands and the sign of a sum of zeros.
void mix(Builder& b, const Instruction& i, const ExtendedRow&) {
  const ValueList x = function_operand(b, i, 0), y = function_operand(b, i, 1),
                  a = function_operand(b, i, 2);
  ValueList rest;
  for (const ValueId each : a) rest.push_back(b.ops.emit(Op::kFSub, {one(b, each), each}));
  if (b.failed() ||
      !b.expect(x.size() == y.size() && x.size() == a.size(), "the operands differ in components"))
    return;
  ValueList result;
  for (std::size_t c = 0; c < x.size(); ++c) {
    const ValueId mixed = b.ops.dot(ValueList{x[c], y[c]}, ValueList{rest[c], a[c]});
    result.push_back(mixed);
    if (!b.request.options.reference_math()) continue;
    ValueId is_finite = b.ops.emit(Op::kIsFinite, {x[c]});
    for (const ValueId other : {y[c], a[c]})
      is_finite = b.ops.emit(Op::kLogicalAnd, {is_finite, b.ops.emit(Op::kIsFinite, {other})});
    const ValueId exact = b.ops.emit_list(Op::kExactMix, {x[c], y[c], a[c]});
    const auto either_is_zero = [&](ValueId left, ValueId right) {
      return b.ops.emit(Op::kLogicalOr, {b.ops.emit(Op::kFOrdEqual, {left, zero(b, left)}),
                                         b.ops.emit(Op::kFOrdEqual, {right, zero(b, right)})});
    };
    const ValueId is_zero =
        b.ops.emit(Op::kLogicalAnd, {either_is_zero(x[c], rest[c]), either_is_zero(y[c], a[c])});
    const ValueId is_exact = b.ops.emit(Op::kLogicalAnd, {is_finite, b.ops.not_of(is_zero)});
    result.back() = b.ops.select(is_exact, exact, mixed);
  }
  b.ids.define(i, std::move(result));
}

/// The op takes exponents of 32 bits.
void ldexp(Builder& b, const Instruction& i, const ExtendedRow& row) {
  const ValueList x = function_operand(b, i, 0);
  ValueList exponents = function_operand(b, i, 1);
  for (ValueId& exponent : exponents) {
    const Kind kind = b.ops.kind_of(exponent);
    if (!b.expect(is_int(kind) && width_bits(kind) <= 32,
                  "an exponent must be an integer of at most 32 bits"))
      return;
    exponent = b.ops.resize(exponent, Kind::kI32, true);
  }
  b.ids.define(i, b.ops.each(row.op, x, exponents));
}

/// dot(reference, incident) < 0 ? normal : -normal. The reference mode rounds the sum down, so that no negative one becomes 0.
void face_forward(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values normal = b.ids.operand(i, kFirstOperand),
               incident = b.ids.operand(i, kFirstOperand + 1),
               reference = b.ids.operand(i, kFirstOperand + 2);
  if (b.failed() || !b.expect(reference.size() == incident.size() && !reference.empty(),
                              "the operands differ in components"))
    return;
  const ValueId product =
      b.request.options.reference_math()
          ? b.ops.emit_list(Op::kExactDot, Ops::in_pairs(reference, incident), Rounding::kRtn)
          : b.ops.dot(reference, incident);
  const ValueId is_facing = b.ops.emit(Op::kFOrdLessThan, {product, zero(b, product)});
  ValueList result;
  for (const ValueId n : normal)
    result.push_back(b.ops.select(is_facing, n, b.ops.emit(Op::kFNegate, {n})));
  b.ids.define(i, std::move(result));
}

/// incident - 2 * dot(normal, incident) * normal
void reflect(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values incident = b.ids.operand(i, kFirstOperand),
               normal = b.ids.operand(i, kFirstOperand + 1);
  if (b.failed() || !b.expect(normal.size() == incident.size() && !normal.empty(),
                              "the operands differ in components"))
    return;
  const ValueId product = b.ops.dot(normal, incident);
  const ValueId twice =
      b.ops.emit(Op::kFMul, {b.ops.float_constant(b.ops.kind_of(product), kTwo), product});
  ValueList result;
  for (std::size_t c = 0; c < incident.size(); ++c)
    result.push_back(
        b.ops.emit(Op::kFSub, {incident[c], b.ops.emit(Op::kFMul, {twice, normal[c]})}));
  b.ids.define(i, std::move(result));
}

/// k = 1 - eta * eta * (1 - d * d), d = dot(normal, incident);
/// k < 0 ? 0 : eta * incident - (eta * d + sqrt(k)) * normal
void refract(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values incident = b.ids.operand(i, kFirstOperand),
               normal = b.ids.operand(i, kFirstOperand + 1);
  ValueId eta = scalar_function_operand(b, i, 2);
  if (b.failed() || !b.expect(normal.size() == incident.size() && !normal.empty(),
                              "the operands differ in components"))
    return;
  const ValueId d = b.ops.dot(normal, incident);
  if (b.ops.kind_of(eta) != b.ops.kind_of(d))
    eta = b.ops.convert(Op::kFConvert, b.ops.kind_of(d), eta);
  const auto times = [&](ValueId x, ValueId y) { return b.ops.emit(Op::kFMul, {x, y}); };
  const ValueId rest = b.ops.emit(Op::kFSub, {one(b, d), times(d, d)});
  const ValueId k = b.ops.emit(Op::kFSub, {one(b, d), times(times(eta, eta), rest)});
  const ValueId is_total = b.ops.emit(Op::kFOrdLessThan, {k, zero(b, k)});
  const ValueId scale = b.ops.emit(Op::kFAdd, {times(eta, d), b.ops.emit(Op::kSqrt, {k})});
  ValueList result;
  for (std::size_t c = 0; c < incident.size(); ++c) {
    const ValueId bent = b.ops.emit(Op::kFSub, {times(eta, incident[c]), times(scale, normal[c])});
    result.push_back(b.ops.select(is_total, zero(b, k), bent));
  }
  b.ids.define(i, std::move(result));
}

void determinant(Builder& b, const Instruction& i, const ExtendedRow&) {
  const ValueId result = matrix::determinant(b, i, kFirstOperand);
  if (!b.failed()) b.ids.define(i, {result});
}

void matrix_inverse(Builder& b, const Instruction& i, const ExtendedRow&) {
  ValueList result = matrix::inverse(b, i, kFirstOperand);
  if (!b.failed()) b.ids.define(i, std::move(result));
}

/// The number of the lowest bit that is 1; -1 where none is.
void lowest_bit(Builder& b, const Instruction& i, const ExtendedRow&) {
  ValueList result;
  for (const ValueId x : function_operand(b, i, 0)) {
    const ValueId none = b.ops.constant(b.ops.kind_of(x), 0);
    result.push_back(b.ops.select(b.ops.emit(Op::kIEqual, {x, none}), b.ops.emit(Op::kNot, {none}),
                                  b.ops.emit(Op::kCtz, {x})));
  }
  b.ids.define(i, std::move(result));
}

/// The number of the highest bit that is 1, width - 1 - clz; -1 where none is, since clz is the width there.
ValueId highest(Builder& b, ValueId x) {
  const Kind kind = b.ops.kind_of(x);
  return b.ops.emit(Op::kISub,
                    {b.ops.constant(kind, width_bits(kind) - 1), b.ops.emit(Op::kClz, {x})});
}

void highest_bit(Builder& b, const Instruction& i, const ExtendedRow&) {
  ValueList result;
  for (const ValueId x : function_operand(b, i, 0)) result.push_back(highest(b, x));
  b.ids.define(i, std::move(result));
}

/// As highest_bit(), but of a negative number the highest bit that is 0.
void highest_signed_bit(Builder& b, const Instruction& i, const ExtendedRow&) {
  ValueList result;
  for (const ValueId x : function_operand(b, i, 0)) {
    const Kind kind = b.ops.kind_of(x);
    const ValueId sign =
        b.ops.emit(Op::kShiftRightArithmetic, {x, b.ops.constant(kind, width_bits(kind) - 1)});
    result.push_back(highest(b, b.ops.emit(Op::kBitwiseXor, {x, sign})));
  }
  b.ids.define(i, std::move(result));
}

/// A float vector as integers side by side: each component, clamped to [-1, 1] or [0, 1], times the largest integer.
template <std::uint32_t kBits, bool kIsSigned>
void pack(Builder& b, const Instruction& i, const ExtendedRow&) {
  constexpr std::uint32_t kMost = (std::uint32_t{1} << (kBits - (kIsSigned ? 1 : 0))) - 1;
  const ValueId scale =
      b.ops.constant(Kind::kF32, std::bit_cast<std::uint32_t>(static_cast<float>(kMost)));
  ValueId word = b.ops.constant(Kind::kI32, 0);
  std::uint32_t at = 0;
  for (const ValueId x : b.ids.operand(i, kFirstOperand)) {
    if (!b.expect(b.ops.kind_of(x) == Kind::kF32 && at < 32,
                  "the operand is no vector of floats that fits"))
      return;
    const ValueId least = b.ops.float_constant(Kind::kF32, kIsSigned ? kMinusOne : kZero);
    const ValueId clamped = b.ops.emit(Op::kFClamp, {x, least, one(b, x)});
    const ValueId number =
        b.ops.convert(Op::kConvertFToS, Kind::kI32,
                      b.ops.emit(Op::kRint, {b.ops.emit(Op::kFMul, {clamped, scale})}));
    const ValueId bits = b.ops.emit(
        Op::kBitwiseAnd, {number, b.ops.constant(Kind::kI32, (std::uint64_t{1} << kBits) - 1)});
    word = b.ops.emit(Op::kBitwiseOr, {word, b.ops.emit(Op::kShiftLeftLogical,
                                                        {bits, b.ops.constant(Kind::kI32, at)})});
    at += kBits;
  }
  b.ids.define(i, {word});
}

/// Each integer over the largest one, and not below -1.
template <std::uint32_t kBits, bool kIsSigned>
void unpack(Builder& b, const Instruction& i, const ExtendedRow&) {
  constexpr std::uint32_t kMost = (std::uint32_t{1} << (kBits - (kIsSigned ? 1 : 0))) - 1;
  const ValueId word = scalar_function_operand(b, i, 0);
  if (b.failed() ||
      !b.expect(b.ops.kind_of(word) == Kind::kI32, "the operand is no integer of 32 bits"))
    return;
  const ValueId scale =
      b.ops.constant(Kind::kF32, std::bit_cast<std::uint32_t>(static_cast<float>(kMost)));
  ValueList result;
  for (std::uint32_t at = 0; at < 32; at += kBits) {
    const ValueId high =
        b.ops.emit(Op::kShiftLeftLogical, {word, b.ops.constant(Kind::kI32, 32 - kBits - at)});
    const ValueId number =
        b.ops.emit(kIsSigned ? Op::kShiftRightArithmetic : Op::kShiftRightLogical,
                   {high, b.ops.constant(Kind::kI32, 32 - kBits)});
    const ValueId ratio =
        b.ops.emit(Op::kFDiv, {b.ops.convert(Op::kConvertSToF, Kind::kF32, number), scale});
    result.push_back(
        kIsSigned ? b.ops.emit(Op::kFMax, {ratio, b.ops.float_constant(Kind::kF32, kMinusOne)})
                  : ratio);
  }
  b.ids.define(i, std::move(result));
}

/// Two floats as halves in a word, the first one in the low bits.
void pack_halves(Builder& b, const Instruction& i, const ExtendedRow&) {
  ValueList halves;
  for (const ValueId x : b.ids.operand(i, kFirstOperand)) {
    if (!b.expect(b.ops.kind_of(x) == Kind::kF32, "the operand is no vector of floats")) return;
    halves.push_back(b.ops.convert(Op::kFConvert, Kind::kF16, x));
  }
  b.ids.define(i, b.ops.reinterpret(halves, b.types.result_layout(i).kinds));
}

void unpack_halves(Builder& b, const Instruction& i, const ExtendedRow&) {
  constexpr Kind kHalves[] = {Kind::kF16, Kind::kF16};
  ValueList result = b.ops.reinterpret(b.ids.operand(i, kFirstOperand), kHalves);
  if (b.failed()) return;
  for (ValueId& x : result) x = b.ops.convert(Op::kFConvert, Kind::kF32, x);
  b.ids.define(i, std::move(result));
}

/// A double of two words, or its words: the low one first.
void other_components(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values operand = b.ids.operand(i, kFirstOperand);
  const std::vector<Kind>& kinds = b.types.result_layout(i).kinds;
  if (!b.failed()) b.ids.define(i, b.ops.reinterpret(operand, kinds));
}

constexpr ExtendedRow kFunctions[] = {
    {GLSLstd450Round, unary, Op::kRint},
    {GLSLstd450RoundEven, unary, Op::kRint},
    {GLSLstd450Trunc, unary, Op::kTrunc},
    {GLSLstd450FAbs, unary, kMovesBits, Op::kFAbs},
    {GLSLstd450SAbs, unary, Op::kSAbs},
    {GLSLstd450FSign, unary, Op::kSign},
    {GLSLstd450SSign, integer_sign},
    {GLSLstd450Floor, unary, Op::kFloor},
    {GLSLstd450Ceil, unary, Op::kCeil},
    {GLSLstd450Fract, fract},
    {GLSLstd450Radians, as_opencl<OpenCLLIB::Radians>},
    {GLSLstd450Degrees, as_opencl<OpenCLLIB::Degrees>},
    {GLSLstd450Sin, unary, Op::kSin},
    {GLSLstd450Cos, unary, Op::kCos},
    {GLSLstd450Tan, unary, Op::kTan},
    {GLSLstd450Asin, unary, Op::kAsin},
    {GLSLstd450Acos, unary, Op::kAcos},
    {GLSLstd450Atan, unary, Op::kAtan},
    {GLSLstd450Sinh, unary, Op::kSinh},
    {GLSLstd450Cosh, unary, Op::kCosh},
    {GLSLstd450Tanh, unary, Op::kTanh},
    {GLSLstd450Asinh, unary, Op::kAsinh},
    {GLSLstd450Acosh, unary, Op::kAcosh},
    {GLSLstd450Atanh, unary, Op::kAtanh},
    {GLSLstd450Atan2, binary, Op::kAtan2},
    {GLSLstd450Pow, binary, Op::kPow},
    {GLSLstd450Exp, unary, Op::kExp},
    {GLSLstd450Log, unary, Op::kLog},
    {GLSLstd450Exp2, unary, Op::kExp2},
    {GLSLstd450Log2, unary, Op::kLog2},
    {GLSLstd450Sqrt, unary, Op::kSqrt},
    {GLSLstd450InverseSqrt, unary, Op::kRsqrt},
    {GLSLstd450Determinant, determinant},
    {GLSLstd450MatrixInverse, matrix_inverse},
    {GLSLstd450Modf, as_opencl<OpenCLLIB::Modf>},
    {GLSLstd450ModfStruct, pair, Op::kModf, Op::kTrunc},
    {GLSLstd450FMin, binary, Op::kFMin},
    {GLSLstd450UMin, binary, Op::kUMin},
    {GLSLstd450SMin, binary, Op::kSMin},
    {GLSLstd450FMax, binary, Op::kFMax},
    {GLSLstd450UMax, binary, Op::kUMax},
    {GLSLstd450SMax, binary, Op::kSMax},
    {GLSLstd450FClamp, ternary, Op::kFClamp},
    {GLSLstd450UClamp, ternary, Op::kUClamp},
    {GLSLstd450SClamp, ternary, Op::kSClamp},
    {GLSLstd450FMix, mix},
    {GLSLstd450Step, binary, Op::kStep},
    {GLSLstd450SmoothStep, as_opencl<OpenCLLIB::Smoothstep>},
    {GLSLstd450Fma, ternary, Op::kFma},
    {GLSLstd450Frexp, as_opencl<OpenCLLIB::Frexp>},
    {GLSLstd450FrexpStruct, pair, Op::kFrexp, Op::kFrexpExponent},
    {GLSLstd450Ldexp, ldexp, Op::kLdexp},
    {GLSLstd450PackSnorm4x8, pack<8, true>},
    {GLSLstd450PackUnorm4x8, pack<8, false>},
    {GLSLstd450PackSnorm2x16, pack<16, true>},
    {GLSLstd450PackUnorm2x16, pack<16, false>},
    {GLSLstd450PackHalf2x16, pack_halves},
    {GLSLstd450PackDouble2x32, other_components, kMovesBits},
    {GLSLstd450UnpackSnorm2x16, unpack<16, true>},
    {GLSLstd450UnpackUnorm2x16, unpack<16, false>},
    {GLSLstd450UnpackHalf2x16, unpack_halves},
    {GLSLstd450UnpackSnorm4x8, unpack<8, true>},
    {GLSLstd450UnpackUnorm4x8, unpack<8, false>},
    {GLSLstd450UnpackDouble2x32, other_components, kMovesBits},
    {GLSLstd450Length, as_opencl<OpenCLLIB::Length>},
    {GLSLstd450Distance, as_opencl<OpenCLLIB::Distance>},
    {GLSLstd450Cross, as_opencl<OpenCLLIB::Cross>},
    {GLSLstd450Normalize, as_opencl<OpenCLLIB::Normalize>},
    {GLSLstd450FaceForward, face_forward},
    {GLSLstd450Reflect, reflect},
    {GLSLstd450Refract, refract},
    {GLSLstd450FindILsb, lowest_bit},
    {GLSLstd450FindSMsb, highest_signed_bit},
    {GLSLstd450FindUMsb, highest_bit},
    {GLSLstd450NMin, binary, Op::kFMin},
    {GLSLstd450NMax, binary, Op::kFMax},
    {GLSLstd450NClamp, ternary, Op::kFClamp},
};

std::span<const ExtendedRow> rows() { return kFunctions; }

constexpr ExtendedFunctions::Rows kRowsOfGlslStd450[] = {rows};

}  // namespace
}  // namespace glsl

const ExtendedFunctions kGlslStd450Functions{glsl::kRowsOfGlslStd450};

}  // namespace transpire::vm::builder
