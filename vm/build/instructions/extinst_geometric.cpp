// OpenCL.std geometric functions. Sums run from the first component to the last.
//
// length, distance and normalize must not overflow or lose small components on the way: half is
// computed in float and float in double, whose squares are exact; double is scaled by a power of
// two when its largest component is beyond 2^500 or below 2^-500. The fast_ forms do none of that.
//
// In the reference mode each result component is one op that rounds once (extinst/exact.def).
#include "vm/build/builder.h"
#include "vm/build/instructions/opencl_std.h"

namespace transpire::vm::builder {
namespace {

constexpr std::uint64_t kLargeBits = 0x5f30000000000000;      // 2^500
constexpr std::uint64_t kSmallBits = 0x20b0000000000000;      // 2^-500
constexpr std::uint64_t kScaleUpBits = 0x6570000000000000;    // 2^600
constexpr std::uint64_t kScaleDownBits = 0x1a70000000000000;  // 2^-600

/// A vector in a kind and scale in which its sum of squares neither overflows nor underflows.
struct Safe {
  ValueList components;
  ValueId sum;                  ///< sum of their squares
  ValueId unscale = kNoValue;   ///< factor for a length; none if not scaled
  ValueId is_large = kNoValue;  ///< scaled down: small components may have lost low bits
};

ValueId widen(Builder& b, ValueId x) {
  return b.ops.convert(Op::kFConvert, b.ops.kind_of(x) == Kind::kF16 ? Kind::kF32 : Kind::kF64, x);
}

Safe make_safe(Builder& b, Values vector) {
  Safe safe;
  if (b.ops.kind_of(vector[0]) != Kind::kF64) {
    for (const ValueId x : vector) safe.components.push_back(widen(b, x));
    safe.sum = b.ops.sum_of_products(safe.components, safe.components);
    return safe;
  }
  ValueId largest = b.ops.emit(Op::kFAbs, {vector[0]});
  for (const ValueId x : vector.subspan(1))
    largest = b.ops.emit(Op::kFMax, {largest, b.ops.emit(Op::kFAbs, {x})});
  const auto number = [&](std::uint64_t bits) { return b.ops.constant(Kind::kF64, bits); };
  const ValueId one = number(kOne.twice);
  const ValueId is_large = b.ops.emit(Op::kFOrdLessThan, {number(kLargeBits), largest});
  const ValueId is_small = b.ops.emit(Op::kFOrdLessThan, {largest, number(kSmallBits)});
  const ValueId scale = b.ops.select(is_large, number(kScaleDownBits),
                                     b.ops.select(is_small, number(kScaleUpBits), one));
  safe.is_large = is_large;
  safe.unscale = b.ops.select(is_large, number(kScaleUpBits),
                              b.ops.select(is_small, number(kScaleDownBits), one));
  for (const ValueId x : vector) safe.components.push_back(b.ops.emit(Op::kFMul, {x, scale}));
  safe.sum = b.ops.sum_of_products(safe.components, safe.components);
  return safe;
}

ValueId safe_length(Builder& b, Values vector) {
  if (vector.size() == 1) return b.ops.emit(Op::kFAbs, {vector[0]});
  const Safe safe = make_safe(b, vector);
  const ValueId root = b.ops.emit(Op::kSqrt, {safe.sum});
  if (safe.unscale != kNoValue) return b.ops.emit(Op::kFMul, {root, safe.unscale});
  return b.ops.convert(Op::kFConvert, b.ops.kind_of(vector[0]), root);
}

ValueId fast_length_of(Builder& b, Values vector) {
  return b.ops.emit(Op::kSqrt, {b.ops.sum_of_products(vector, vector)});
}

/// The function's operand as a vector of floats; empty after a refusal.
Values vector_operand(Builder& b, const Instruction& i, std::size_t n) {
  const Values values = b.ids.operand(i, kFirstOperand + n);
  if (b.failed() || !b.expect(!values.empty() && is_float(b.ops.kind_of(values[0])),
                              "a vector of floats was expected"))
    return {};
  return values;
}

/// The reference mode's length and fast_length. Each of these three returns true if the instruction
/// is complete.
bool exact_length(Builder& b, const Instruction& i, Values vector) {
  if (!b.request.options.reference_math() || b.failed()) return b.failed();
  b.ids.define(i, {b.ops.emit_list(Op::kExactLength, {vector.begin(), vector.end()})});
  return true;
}

/// The reference mode's distance and fast_distance.
bool exact_distance(Builder& b, const Instruction& i, Values from, Values to) {
  if (!b.request.options.reference_math() || b.failed()) return b.failed();
  if (b.expect(from.size() == to.size(), "the operands differ in components"))
    b.ids.define(i, {b.ops.emit_list(Op::kExactDistance, Ops::in_pairs(from, to))});
  return true;
}

/// The reference mode's normalize and fast_normalize.
bool exact_normalize(Builder& b, const Instruction& i, Values vector) {
  if (!b.request.options.reference_math() || b.failed()) return b.failed();
  ValueList result;
  for (const ValueId x : vector) {
    ValueList operands{x};
    operands.insert(operands.end(), vector.begin(), vector.end());
    result.push_back(b.ops.emit_list(Op::kExactNormalize, std::move(operands)));
  }
  b.ids.define(i, std::move(result));
  return true;
}

void length(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values vector = vector_operand(b, i, 0);
  if (exact_length(b, i, vector)) return;
  if (!b.failed()) b.ids.define(i, {safe_length(b, vector)});
}

void fast_length(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values vector = vector_operand(b, i, 0);
  if (exact_length(b, i, vector)) return;
  if (!b.failed()) b.ids.define(i, {fast_length_of(b, vector)});
}

void distance(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values from = vector_operand(b, i, 0), to = vector_operand(b, i, 1);
  if (exact_distance(b, i, from, to)) return;
  const ValueList between = b.ops.each(Op::kFSub, from, to);
  if (!b.failed()) b.ids.define(i, {safe_length(b, between)});
}

void fast_distance(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values from = vector_operand(b, i, 0), to = vector_operand(b, i, 1);
  if (exact_distance(b, i, from, to)) return;
  const ValueList between = b.ops.each(Op::kFSub, from, to);
  if (!b.failed()) b.ids.define(i, {fast_length_of(b, between)});
}

/// With an infinite component, each infinite one counts as 1 with its sign and the others as 0 * x.
ValueList without_infinities(Builder& b, Values vector) {
  const Kind kind = b.ops.kind_of(vector[0]);
  ValueList is_infinite = b.ops.each(Op::kIsInf, vector);
  ValueId any = is_infinite[0];
  for (const ValueId value : Values(is_infinite).subspan(1))
    any = b.ops.emit(Op::kLogicalOr, {any, value});
  ValueList result;
  for (std::size_t c = 0; c < vector.size(); ++c) {
    const ValueId unit = b.ops.emit(Op::kCopysign, {b.ops.float_constant(kind, kOne), vector[c]});
    const ValueId nothing = b.ops.emit(Op::kFMul, {b.ops.float_constant(kind, kZero), vector[c]});
    result.push_back(b.ops.select(any, b.ops.select(is_infinite[c], unit, nothing), vector[c]));
  }
  return result;
}

/// x / sqrt(sum of squares) of a double whose vector was scaled. Where it was scaled down, the
/// component is not, but the quotient: as a number below 2^600, which no scaling makes inexact.
ValueId scaled_quotient(Builder& b, const Safe& safe, ValueId x, std::size_t c, ValueId root) {
  const ValueId quotient =
      b.ops.emit(Op::kFDiv, {b.ops.select(safe.is_large, x, safe.components[c]), root});
  const ValueId scaled =
      b.ops.emit(Op::kFMul, {quotient, b.ops.constant(Kind::kF64, kScaleDownBits)});
  return b.ops.select(safe.is_large, scaled, quotient);
}

/// x / sqrt(sum of squares); a zero vector stays.
void normalize(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values vector = vector_operand(b, i, 0);
  if (exact_normalize(b, i, vector)) return;
  const Kind kind = b.ops.kind_of(vector[0]);
  const ValueList finite = without_infinities(b, vector);
  const Safe safe = make_safe(b, finite);
  const ValueId root = b.ops.emit(Op::kSqrt, {safe.sum});
  const ValueId is_zero =
      b.ops.emit(Op::kFOrdEqual, {safe.sum, b.ops.float_constant(b.ops.kind_of(safe.sum), kZero)});
  ValueList result;
  for (std::size_t c = 0; c < vector.size(); ++c) {
    ValueId quotient = kNoValue;
    if (kind == Kind::kF64) {
      quotient = scaled_quotient(b, safe, finite[c], c, root);
    } else {
      quotient = b.ops.emit(Op::kFDiv, {safe.components[c], root});
      quotient = b.ops.convert(Op::kFConvert, kind, quotient);
    }
    result.push_back(b.ops.select(is_zero, vector[c], quotient));
  }
  b.ids.define(i, std::move(result));
}

/// x * rsqrt(sum of squares); a zero vector stays.
void fast_normalize(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values vector = vector_operand(b, i, 0);
  if (exact_normalize(b, i, vector)) return;
  const ValueId sum = b.ops.sum_of_products(vector, vector);
  const ValueId factor = b.ops.emit(Op::kRsqrt, {sum});
  const ValueId is_zero =
      b.ops.emit(Op::kFOrdEqual, {sum, b.ops.float_constant(b.ops.kind_of(sum), kZero)});
  ValueList result;
  for (const ValueId x : vector)
    result.push_back(b.ops.select(is_zero, x, b.ops.emit(Op::kFMul, {x, factor})));
  b.ids.define(i, std::move(result));
}

/// x1*y2 - x2*y1, x2*y0 - x0*y2, x0*y1 - x1*y0; a fourth component is 0.
void cross(Builder& b, const Instruction& i, const ExtendedRow&) {
  const Values x = vector_operand(b, i, 0), y = vector_operand(b, i, 1);
  if (b.failed() || !b.expect(x.size() == y.size() && (x.size() == 3 || x.size() == 4),
                              "cross takes vectors of 3 or 4"))
    return;
  const auto minor = [&](std::size_t m, std::size_t n) {
    if (b.request.options.reference_math())
      return b.ops.dot(ValueList{x[m], b.ops.emit(Op::kFNegate, {x[n]})}, ValueList{y[n], y[m]});
    return b.ops.emit(Op::kFSub,
                      {b.ops.emit(Op::kFMul, {x[m], y[n]}), b.ops.emit(Op::kFMul, {x[n], y[m]})});
  };
  ValueList result{minor(1, 2), minor(2, 0), minor(0, 1)};
  if (x.size() == 4) result.push_back(b.ops.float_constant(b.ops.kind_of(x[0]), kZero));
  b.ids.define(i, std::move(result));
}

constexpr ExtendedRow kGeometricRows[] = {
    {OpenCLLIB::Cross, cross},
    {OpenCLLIB::Distance, distance},
    {OpenCLLIB::Length, length},
    {OpenCLLIB::Normalize, normalize},
    {OpenCLLIB::Fast_distance, fast_distance},
    {OpenCLLIB::Fast_length, fast_length},
    {OpenCLLIB::Fast_normalize, fast_normalize},
};

}  // namespace

std::span<const ExtendedRow> geometric_rows() { return kGeometricRows; }

}  // namespace transpire::vm::builder
