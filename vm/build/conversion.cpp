// SPIR-V "Conversion Instructions" between numbers. Pointer conversions stand in pointer.cpp.
// SaturatedConversion and FPRoundingMode count on every conversion that they can mean something
// for.
#include <bit>

#include "vm/build/builder.h"

namespace transpire::vm::builder {
namespace {

/// The FPRoundingMode decoration: 0 RTE, 1 RTZ, 2 RTP, 3 RTN.
std::optional<std::uint32_t> rounding_mode(Builder& b, const Instruction& i) {
  const decoder::Decoration* d =
      b.module().decoration(i.result_id, spv::Decoration::FPRoundingMode);
  if (d == nullptr || d->operands.empty()) return std::nullopt;
  if (!b.expect(d->operands[0] <= 3, "the rounding mode is none of RTE, RTZ, RTP and RTN"))
    return std::nullopt;
  return d->operands[0];
}

bool is_saturated(Builder& b, const Instruction& i) {
  return b.module().decoration(i.result_id, spv::Decoration::SaturatedConversion) != nullptr;
}

/// The kind of each component of the result, of which there are as many as operands.
std::optional<Kind> result_kind(Builder& b, const Instruction& i, Values operand) {
  const std::vector<Kind>& kinds = b.result_layout(i).kinds;
  if (b.failed() || !b.expect(!kinds.empty() && kinds.size() == operand.size(),
                              "the operand and the result differ in components"))
    return std::nullopt;
  return kinds[0];
}

/// The conversions round towards zero; another mode rounds to an integral value first.
void float_to_int(Builder& b, const Instruction& i, Op op) {
  constexpr Op kRound[] = {Op::kRint, Op::kTrunc, Op::kCeil, Op::kFloor};
  const Values operand = b.operand(i, 0);
  const std::optional<Kind> kind = result_kind(b, i, operand);
  if (!kind) return;
  const std::uint32_t mode = rounding_mode(b, i).value_or(1);
  ValueList result;
  for (ValueId value : operand) {
    if (mode != 1) value = b.emit(kRound[mode], {value});
    if (b.options().check_ub && !is_saturated(b, i))
      b.check_conversion(value, *kind, op == Op::kConvertFToS);
    result.push_back(b.convert(op, *kind, value));
  }
  b.define(i, std::move(result));
}

void int_to_float(Builder& b, const Instruction& i, Op op) {
  const Values operand = b.operand(i, 0);
  const std::optional<Kind> kind = result_kind(b, i, operand);
  if (!kind) return;
  const std::optional<std::uint32_t> mode = rounding_mode(b, i);
  ValueList result;
  for (const ValueId value : operand) result.push_back(b.convert(op, *kind, value, mode));
  b.define(i, std::move(result));
}

void float_to_float(Builder& b, const Instruction& i, Op op) {
  const Values operand = b.operand(i, 0);
  const std::optional<Kind> kind = result_kind(b, i, operand);
  if (!kind) return;
  const std::optional<std::uint32_t> mode = rounding_mode(b, i);
  ValueList result;
  for (const ValueId value : operand)
    result.push_back(b.kind_of(value) == *kind ? value : b.convert(op, *kind, value, mode));
  b.define(i, std::move(result));
}

/// OpUConvert and OpSConvert; `op` is the saturating form.
template <bool is_signed>
void int_to_int(Builder& b, const Instruction& i, Op op) {
  const Values operand = b.operand(i, 0);
  const std::optional<Kind> kind = result_kind(b, i, operand);
  if (!kind) return;
  const bool saturated = is_saturated(b, i);
  ValueList result;
  for (const ValueId value : operand) {
    const bool narrows = width_bits(b.kind_of(value)) > width_bits(*kind);
    result.push_back(saturated && narrows ? b.convert(op, *kind, value)
                                          : b.resize(value, *kind, is_signed));
  }
  b.define(i, std::move(result));
}

void saturate(Builder& b, const Instruction& i, Op op) {
  const Values operand = b.operand(i, 0);
  const std::optional<Kind> kind = result_kind(b, i, operand);
  if (!kind) return;
  ValueList result;
  for (const ValueId value : operand) result.push_back(b.convert(op, *kind, value));
  b.define(i, std::move(result));
}

/// Pointers keep their address and remember what they were cast from.
void cast_pointer(Builder& b, const Instruction& i) {
  const Id from = i.operands[0];
  b.define(i, {b.cast_pointer(i)});
  if (b.failed()) return;
  const Bound* known = b.module().constant(from) ? nullptr : b.find_bound(from);
  const std::uint32_t align_limit = known == nullptr ? 0 : known->align_limit;
  Bound* bound = b.find_bound(i.result_id);
  bound->align_limit = align_limit;
  bound->cast_from = from;
}

/// Clang's optimiser makes one integer of a vector of comparisons to count them, and the translator an
/// OpBitcast, though SPIR-V has no such cast of booleans. Component 0 is the lowest bit.
ValueId bits_of_booleans(Builder& b, Values booleans, Kind to) {
  ValueId bits = b.constant(to, 0);
  for (std::size_t n = 0; n < booleans.size(); ++n) {
    const ValueId bit =
        b.select(booleans[n], b.constant(to, std::uint64_t{1} << n), b.constant(to, 0));
    bits = b.emit(Op::kBitwiseOr, {bits, bit});
  }
  return bits;
}

void bitcast(Builder& b, const Instruction& i, Op) {
  const Type& to = b.result_type(i);
  const Type* from = b.operand_type(i, 0);
  if (b.failed()) return;
  const bool from_pointer = from->kind == Type::Kind::kPointer,
             to_pointer = to.kind == Type::Kind::kPointer;
  if (const InputPointer* builtin = b.input(i.operands[0])) return b.input_cast(i, *builtin);
  if (from_pointer && to_pointer) return cast_pointer(b, i);
  const Values operand = b.operand(i, 0);
  ValueList values(operand.begin(), operand.end());
  if (from_pointer) values = {b.tagged_operand(i, 0)};
  if (!values.empty() && b.kind_of(values[0]) == Kind::kBool && to.kind == Type::Kind::kInt &&
      to.width_bits == values.size())
    return b.define(i, {bits_of_booleans(b, values, b.scalar_kind(to))});
  if (from_pointer && b.physical32())
    for (ValueId& value : values) value = b.resize(value, Kind::kI32, false);
  if (!to_pointer) return b.define(i, b.reinterpret(values, b.layout(to).kinds));
  const Kind pointer[] = {b.physical32() ? Kind::kI32 : Kind::kI64};
  values = b.reinterpret(values, pointer);
  for (ValueId& value : values) value = b.resize(value, Kind::kI64, false);
  b.define(i, std::move(values));
}

constexpr Row kRows[] = {
    {spv::Op::OpConvertFToU, float_to_int, Op::kConvertFToU},
    {spv::Op::OpConvertFToS, float_to_int, Op::kConvertFToS},
    {spv::Op::OpConvertSToF, int_to_float, Op::kConvertSToF},
    {spv::Op::OpConvertUToF, int_to_float, Op::kConvertUToF},
    {spv::Op::OpUConvert, int_to_int<false>, Op::kSatUConvert},
    {spv::Op::OpSConvert, int_to_int<true>, Op::kSatSConvert},
    {spv::Op::OpFConvert, float_to_float, Op::kFConvert},
    {spv::Op::OpSatConvertSToU, saturate, Op::kSatConvertSToU},
    {spv::Op::OpSatConvertUToS, saturate, Op::kSatConvertUToS},
    {spv::Op::OpBitcast, bitcast},
};

}  // namespace

std::span<const Row> conversion_rows() { return kRows; }

Kind int_of_width(std::uint32_t bits) {
  switch (bits) {
    case 8:
      return Kind::kI8;
    case 16:
      return Kind::kI16;
    case 32:
      return Kind::kI32;
    default:
      return Kind::kI64;
  }
}

ValueId Builder::bitcast(ValueId value, Kind to) {
  return kind_of(value) == to ? value : convert(Op::kBitcast, to, value);
}

/// The same bits as components of other kinds; the first component has the lowest bits.
ValueList Builder::reinterpret(Values values, std::span<const Kind> kinds) {
  ValueList result;
  std::uint64_t from_bits = 0, to_bits = 0;
  for (const ValueId value : values) from_bits += width_bits(kind_of(value));
  for (const Kind kind : kinds) to_bits += width_bits(kind);
  bool fits = !values.empty() && !kinds.empty() && from_bits == to_bits;
  for (const ValueId value : values)
    fits = fits && kind_of(value) == kind_of(values[0]) && kind_of(value) != Kind::kBool;
  for (const Kind kind : kinds) fits = fits && kind == kinds[0] && kind != Kind::kBool;
  if (!expect(fits, "a bitcast is between values of different sizes")) return result;
  const std::uint32_t from = width_bits(kind_of(values[0])), to = width_bits(kinds[0]);
  const Kind wide = int_of_width(std::max(from, to));
  std::uint64_t at_bit = 0;
  for (const Kind kind : kinds) {
    if (from >= to) {
      const ValueId whole = bitcast(values[at_bit / from], from == to ? kind : wide);
      if (from == to) {
        result.push_back(whole);
      } else {
        const ValueId shift = constant(wide, at_bit % from);
        const ValueId moved =
            at_bit % from == 0 ? whole : emit(Op::kShiftRightLogical, {whole, shift});
        result.push_back(bitcast(resize(moved, int_of_width(to), false), kind));
      }
      at_bit += to;
      continue;
    }
    ValueId whole = kNoValue;
    for (std::uint32_t part = 0; part < to; part += from, at_bit += from) {
      ValueId bits = resize(bitcast(values[at_bit / from], int_of_width(from)), wide, false);
      if (part != 0) bits = emit(Op::kShiftLeftLogical, {bits, constant(wide, part)});
      whole = whole == kNoValue ? bits : emit(Op::kBitwiseOr, {whole, bits});
    }
    result.push_back(bitcast(whole, kind));
  }
  return result;
}

}  // namespace transpire::vm::builder
