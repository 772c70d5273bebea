// Upper bounds of integer values. See unsigned_bounds.h.
#include "vm/passes/unsigned_bounds.h"

#include <algorithm>
#include <bit>

#include "vm/passes/bits.h"

namespace transpire::vm::lir {

std::uint64_t UnsignedBounds::operator[](ValueId id) const {
  const Value& value = function_.values[id];
  if (value.op == Op::kConst) return value.imm;
  return kind_mask(value.kind) - (id < slack_.size() ? slack_[id] : 0);
}

void UnsignedBounds::update(ValueId id) {
  const Value& value = function_.values[id];
  if (!is_int(value.kind)) return;
  const std::uint64_t mask = kind_mask(value.kind);
  const std::uint64_t bound = std::min(mask, compute(value));
  if (slack_.size() <= id) slack_.resize(function_.values.size(), 0);
  slack_[id] = mask - bound;
}

std::uint64_t UnsignedBounds::builtin(const Value& value) const {
  if (value.op == Op::kWorkDim) return 3;
  const std::uint64_t mask = kind_mask(value.kind);
  return info(value.op).imm == Imm::kDimension ? std::min(id_max_, mask) : mask;
}

std::uint64_t UnsignedBounds::compute(const Value& value) const {
  const std::uint64_t mask = kind_mask(value.kind);
  switch (value.args.size()) {
    case 0:
      return builtin(value);
    case 1: {
      const Kind from = function_.values[value.args[0]].kind;
      if (!is_int(from)) return mask;
      const std::uint64_t a = (*this)[value.args[0]];
      if (value.op == Op::kZeroExtend) return a;
      if (value.op == Op::kSignExtend) return a <= kind_mask(from) >> 1 ? a : mask;
      if (value.op == Op::kTruncate) return a <= mask ? a : mask;
      if (value.op == Op::kBitCount) return width_bits(from);
      return mask;
    }
    case 2:
      if (info(value.op).shape != Shape::kBinary) return mask;
      return arithmetic(value, (*this)[value.args[0]], (*this)[value.args[1]]);
    case 3:
      if (value.op != Op::kSelect) return mask;
      return std::max((*this)[value.args[1]], (*this)[value.args[2]]);
    default:
      return mask;
  }
}

std::uint64_t UnsignedBounds::arithmetic(const Value& value, std::uint64_t a,
                                         std::uint64_t b) const {
  const std::uint64_t mask = kind_mask(value.kind);
  const bool not_negative = a <= mask >> 1 && b <= mask >> 1;
  const Value& right = function_.values[value.args[1]];
  const bool by_constant = right.op == Op::kConst && right.imm != 0;
  const std::uint64_t shift = right.imm % width_bits(value.kind);
  std::uint64_t result = 0;
  switch (value.op) {
    case Op::kIAdd:
      return __builtin_add_overflow(a, b, &result) || result > mask ? mask : result;
    case Op::kIMul:
      return __builtin_mul_overflow(a, b, &result) || result > mask ? mask : result;
    case Op::kShiftLeftLogical:
      return by_constant && a <= mask >> shift ? a << shift : mask;
    case Op::kShiftRightLogical:
      return by_constant ? a >> shift : a;
    case Op::kShiftRightArithmetic:
      if (a > mask >> 1) return mask;
      return by_constant ? a >> shift : a;
    case Op::kBitwiseAnd:
    case Op::kUMin:
      return std::min(a, b);
    case Op::kBitwiseOr:
    case Op::kBitwiseXor:
      return a == 0 && b == 0 ? 0 : ~std::uint64_t{0} >> std::countl_zero(a | b);
    case Op::kUMax:
      return std::max(a, b);
    case Op::kSMin:
    case Op::kSMax:
      if (!not_negative) return mask;
      return value.op == Op::kSMin ? std::min(a, b) : std::max(a, b);
    case Op::kUDiv:
      return by_constant ? a / right.imm : a;
    case Op::kUMod:
      return by_constant ? std::min(a, right.imm - 1) : a;
    case Op::kSDiv:
      return by_constant && not_negative ? a / right.imm : mask;
    case Op::kSRem:
    case Op::kSMod:
      return by_constant && not_negative ? std::min(a, right.imm - 1) : mask;
    case Op::kUAddCarry:
    case Op::kUSubBorrow:
      return 1;
    default:
      return mask;
  }
}

}  // namespace transpire::vm::lir
