// Rules for integer arithmetic and bits. See value_rules.h; conversions, logic and addresses stand
// in value_rules_logic.cpp and value_rules_address.cpp.
#include "vm/passes/value_rules.h"

#include <bit>

#include "vm/passes/bits.h"
#include "vm/passes/constant_folder.h"

namespace transpire::vm::lir {
namespace {

// Rules go downhill, so this is never reached; it bounds the work whatever happens.
constexpr int kMaxSteps = 32;

// Rows of 32 and 64 bits shift faster than they multiply.
bool shifts_well(Kind kind) { return kind == Kind::kI32 || kind == Kind::kI64; }

std::uint64_t log2(std::uint64_t power) {
  return static_cast<std::uint64_t>(std::countr_zero(power));
}

}  // namespace

ValueRules::ValueRules(Function& function, const UnsignedBounds& bounds,
                       std::function<ValueId(Value)> place)
    : function_(function),
      bounds_(bounds),
      place_(std::move(place)),
      uses_(function.values.size(), 0) {
  for (const Value& value : function.values) {
    for (const ValueId arg : value.args) uses_[arg] = uses_[arg] == 0 ? 1 : 2;
  }
}

ValueId ValueRules::simplify(Value& value) {
  for (int step = 0; step < kMaxSteps; ++step) {
    changed_ = false;
    if (const auto bits = fold_constant(function_, value)) return number(value.kind, *bits);
    const ValueId same = apply(value);
    if (same != kNoValue) return same;
    if (!changed_) return kNoValue;
  }
  return kNoValue;
}

ValueId ValueRules::build(const Value& beside, Op op, Kind kind, Kind from,
                          std::initializer_list<ValueId> args) {
  Value value;
  value.op = op;
  value.kind = kind;
  value.from = from;
  value.source = beside.source;
  value.args = args;
  // It comes back here from within a rule.
  const bool changed = changed_;
  const ValueId same = simplify(value);
  changed_ = changed;
  return same != kNoValue ? same : place_(std::move(value));
}

void ValueRules::become(Value& v, Op op, std::initializer_list<ValueId> args) {
  v.op = op;
  v.args = args;
  v.from = v.kind;
  changed_ = true;
}

ValueId ValueRules::apply(Value& v) {
  if (v.op == Op::kAddress) return address(v);
  // Not for floats: of two NaNs the first one gives the result.
  const bool may_swap = (info(v.op).flags & kCommutative) != 0 && !is_float(v.from);
  if (may_swap && constant(v, 0) && !constant(v, 1)) {
    std::swap(v.args[0], v.args[1]);
    changed_ = true;
    return kNoValue;
  }
  switch (info(v.op).shape) {
    case Shape::kUnary:
    case Shape::kBinary:
      if (v.op == Op::kFNegate && operand(v, 0).op == Op::kFNegate) return operand(v, 0).args[0];
      return is_int(v.kind) ? apply_arithmetic(v) : kNoValue;
    case Shape::kConvert:
      return apply_conversion(v);
    case Shape::kCompare:
    case Shape::kMask:
    case Shape::kMaskUnary:
    case Shape::kSelect:
      return apply_logic(v);
    default:
      return kNoValue;
  }
}

ValueId ValueRules::apply_arithmetic(Value& v) {
  switch (v.op) {
    case Op::kIAdd:
      return add(v);
    case Op::kISub:
      return subtract(v);
    case Op::kIMul:
      return multiply(v);
    case Op::kUDiv:
    case Op::kSDiv:
      return divide(v);
    case Op::kUMod:
    case Op::kSRem:
    case Op::kSMod:
      return remainder(v);
    case Op::kSMin:
    case Op::kSMax:
    case Op::kUMin:
    case Op::kUMax:
      return least_or_most(v);
    case Op::kSNegate:
    case Op::kNot:
    case Op::kBitReverse:
      return operand(v, 0).op == v.op ? operand(v, 0).args[0] : kNoValue;
    default:
      return apply_bits(v);
  }
}

ValueId ValueRules::add(Value& v) {
  const auto right = constant(v, 1);
  if (!right) {
    // a + -b
    if (operand(v, 1).op == Op::kSNegate) become(v, Op::kISub, {v.args[0], operand(v, 1).args[0]});
    return kNoValue;
  }
  if (*right == 0) return v.args[0];
  if (operand(v, 0).op != Op::kIAdd) return kNoValue;
  if (const auto inner = constant(operand(v, 0), 1)) {
    become(v, Op::kIAdd, {operand(v, 0).args[0], number(v.kind, *inner + *right)});
  }
  return kNoValue;
}

ValueId ValueRules::subtract(Value& v) {
  if (v.args[0] == v.args[1]) return number(v.kind, 0);
  if (const auto right = constant(v, 1)) {
    become(v, Op::kIAdd, {v.args[0], number(v.kind, 0 - *right)});
  } else if (constant(v, 0) == std::uint64_t{0}) {
    become(v, Op::kSNegate, {v.args[1]});
  } else if (operand(v, 1).op == Op::kSNegate) {
    become(v, Op::kIAdd, {v.args[0], operand(v, 1).args[0]});
  }
  return kNoValue;
}

ValueId ValueRules::multiply(Value& v) {
  const auto right = constant(v, 1);
  if (!right) return kNoValue;
  if (*right == 0) return v.args[1];
  if (*right == 1) return v.args[0];
  if (*right == kind_mask(v.kind)) {
    become(v, Op::kSNegate, {v.args[0]});
    return kNoValue;
  }
  const Value& left = operand(v, 0);
  const auto inner = constant(left, 1);
  if (left.op == Op::kIMul && inner) {
    become(v, Op::kIMul, {left.args[0], number(v.kind, *inner * *right)});
  } else if (std::has_single_bit(*right) && shifts_well(v.kind)) {
    become(v, Op::kShiftLeftLogical, {v.args[0], number(v.kind, log2(*right))});
  }
  return kNoValue;
}

// Divisions of 64 bits cost a multiple of those of 32, and ids fit in 32.
bool ValueRules::narrow_division(Value& v) {
  const bool is_signed = v.op == Op::kSDiv || v.op == Op::kSRem || v.op == Op::kSMod;
  const std::uint64_t limit = is_signed ? 0x7fffffff : 0xffffffff;
  if (v.kind != Kind::kI64 || bounds_[v.args[0]] > limit || bounds_[v.args[1]] > limit)
    return false;
  const ValueId a = build(v, Op::kTruncate, Kind::kI32, Kind::kI64, {v.args[0]});
  const ValueId b = build(v, Op::kTruncate, Kind::kI32, Kind::kI64, {v.args[1]});
  // Quotient and remainder of what is not negative are not negative either.
  const ValueId narrow = build(v, v.op, Kind::kI32, Kind::kI32, {a, b});
  become(v, Op::kZeroExtend, Kind::kI32, {narrow});
  return true;
}

ValueId ValueRules::divide(Value& v) {
  const std::uint64_t highest = kind_mask(v.kind) >> 1;
  if (const auto right = constant(v, 1)) {
    if (*right == 1) return v.args[0];
    const bool as_unsigned =
        v.op == Op::kUDiv || (bounds_[v.args[0]] <= highest && *right <= highest);
    if (as_unsigned && std::has_single_bit(*right)) {
      become(v, Op::kShiftRightLogical, {v.args[0], number(v.kind, log2(*right))});
      return kNoValue;
    }
  }
  narrow_division(v);
  return kNoValue;
}

ValueId ValueRules::remainder(Value& v) {
  const std::uint64_t highest = kind_mask(v.kind) >> 1;
  if (const auto right = constant(v, 1)) {
    if (*right == 1) return number(v.kind, 0);
    const bool as_unsigned =
        v.op == Op::kUMod || (bounds_[v.args[0]] <= highest && *right <= highest);
    if (as_unsigned && *right > bounds_[v.args[0]]) return v.args[0];
    if (as_unsigned && std::has_single_bit(*right)) {
      become(v, Op::kBitwiseAnd, {v.args[0], number(v.kind, *right - 1)});
      return kNoValue;
    }
  }
  narrow_division(v);
  return kNoValue;
}

ValueId ValueRules::least_or_most(Value& v) {
  if (v.args[0] == v.args[1]) return v.args[0];
  const auto right = constant(v, 1);
  if (!right) return kNoValue;
  const bool in_order = v.op == Op::kUMin || v.op == Op::kUMax || *right <= kind_mask(v.kind) >> 1;
  const bool never_above = bounds_[v.args[0]] <= *right;
  if (!in_order || !never_above) return kNoValue;
  return v.op == Op::kUMin || v.op == Op::kSMin ? v.args[0] : v.args[1];
}

ValueId ValueRules::apply_bits(Value& v) {
  switch (v.op) {
    case Op::kBitwiseAnd:
      return bit_and(v);
    case Op::kBitwiseOr:
      return bit_or(v);
    case Op::kBitwiseXor:
      return bit_xor(v);
    case Op::kShiftLeftLogical:
    case Op::kShiftRightLogical:
    case Op::kShiftRightArithmetic:
      return shift(v);
    default:
      return kNoValue;
  }
}

ValueId ValueRules::bit_and(Value& v) {
  if (v.args[0] == v.args[1]) return v.args[0];
  const auto right = constant(v, 1);
  if (!right) {
    narrow_and(v);
    return kNoValue;
  }
  if (*right == 0) return v.args[1];
  const bool low_bits = (*right & (*right + 1)) == 0;
  if (low_bits && bounds_[v.args[0]] <= *right) return v.args[0];
  const Value& left = operand(v, 0);
  if (left.op == Op::kBitwiseAnd) {
    if (const auto inner = constant(left, 1)) {
      become(v, Op::kBitwiseAnd, {left.args[0], number(v.kind, *inner & *right)});
    }
    return kNoValue;
  }
  if (v.kind == Kind::kI64 && *right == 0xffffffff) {
    // Addresses take such an index as it stands.
    const ValueId low = build(v, Op::kTruncate, Kind::kI32, Kind::kI64, {v.args[0]});
    become(v, Op::kZeroExtend, Kind::kI32, {low});
  }
  return kNoValue;
}

// Only the bits that a zero-extended operand has can be left.
void ValueRules::narrow_and(Value& v) {
  for (std::size_t i = 0; i < 2; ++i) {
    const Value extended = operand(v, i);
    if (extended.op != Op::kZeroExtend) continue;
    const ValueId other = build(v, Op::kTruncate, extended.from, v.kind, {v.args[1 - i]});
    const ValueId narrow =
        build(v, Op::kBitwiseAnd, extended.from, extended.from, {other, extended.args[0]});
    become(v, Op::kZeroExtend, extended.from, {narrow});
    return;
  }
}

// (x << c) | (x >> (width - c)): languages without rotations spell them so.
bool ValueRules::rotation(Value& v) {
  for (std::size_t i = 0; i < 2; ++i) {
    const Value left = operand(v, i);
    const Value right = operand(v, 1 - i);
    const auto amount = constant(left, 1);
    const auto rest = constant(right, 1);
    if (left.op != Op::kShiftLeftLogical || right.op != Op::kShiftRightLogical || !amount ||
        !rest || left.args[0] != right.args[0] || *amount >= width_bits(v.kind) ||
        *rest >= width_bits(v.kind) || *amount + *rest != width_bits(v.kind))
      continue;
    become(v, Op::kRotate, {left.args[0], number(v.kind, *amount)});
    return true;
  }
  return false;
}

ValueId ValueRules::bit_or(Value& v) {
  if (v.args[0] == v.args[1]) return v.args[0];
  const auto right = constant(v, 1);
  if (!right) {
    rotation(v);
    return kNoValue;
  }
  if (*right == 0) return v.args[0];
  if (*right == kind_mask(v.kind)) return v.args[1];
  const Value& left = operand(v, 0);
  const auto inner = constant(left, 1);
  if (left.op == Op::kBitwiseOr && inner) {
    become(v, Op::kBitwiseOr, {left.args[0], number(v.kind, *inner | *right)});
  } else if (left.op == Op::kShiftLeftLogical && inner &&
             *right >> (*inner % width_bits(v.kind)) == 0) {
    // The bits are known to be zero, and sums are what addresses and strides are made of.
    become(v, Op::kIAdd, {v.args[0], v.args[1]});
  }
  return kNoValue;
}

ValueId ValueRules::bit_xor(Value& v) {
  if (v.args[0] == v.args[1]) return number(v.kind, 0);
  const auto right = constant(v, 1);
  if (!right) return kNoValue;
  if (*right == 0) return v.args[0];
  const Value& left = operand(v, 0);
  if (*right == kind_mask(v.kind)) {
    become(v, Op::kNot, {v.args[0]});
  } else if (left.op == Op::kBitwiseXor) {
    if (const auto inner = constant(left, 1)) {
      become(v, Op::kBitwiseXor, {left.args[0], number(v.kind, *inner ^ *right)});
    }
  }
  return kNoValue;
}

ValueId ValueRules::shift(Value& v) {
  if (constant(v, 0) == std::uint64_t{0}) return v.args[0];
  const auto amount = constant(v, 1);
  if (!amount) return kNoValue;
  const std::uint64_t reduced = *amount % width_bits(v.kind);
  if (reduced == 0) return v.args[0];
  if (reduced != *amount) {
    become(v, v.op, {v.args[0], number(v.kind, reduced)});
    return kNoValue;
  }
  if (v.op == Op::kShiftRightLogical && bounds_[v.args[0]] >> reduced == 0)
    return number(v.kind, 0);
  return shift_of_shift(v, reduced);
}

ValueId ValueRules::shift_of_shift(Value& v, std::uint64_t amount) {
  const Value& left = operand(v, 0);
  const auto inner = constant(left, 1);
  if (!inner || *inner >= width_bits(v.kind)) return kNoValue;
  if (left.op == v.op) {
    const std::uint64_t sum = *inner + amount;
    const ValueId source = left.args[0];
    if (sum < width_bits(v.kind)) {
      become(v, v.op, {source, number(v.kind, sum)});
    } else if (v.op != Op::kShiftRightArithmetic) {
      return number(v.kind, 0);
    } else {
      become(v, v.op, {source, number(v.kind, width_bits(v.kind) - 1)});
    }
    return kNoValue;
  }
  if (left.op != Op::kShiftLeftLogical) return kNoValue;
  if (v.op == Op::kShiftRightArithmetic) return extend_shifted(v, *inner, amount);
  if (v.op == Op::kShiftRightLogical && *inner == amount) {
    become(v, Op::kBitwiseAnd, {left.args[0], number(v.kind, kind_mask(v.kind) >> amount)});
  }
  return kNoValue;
}

// (x << left) >> right with the sign: clang's way to say that the low bits of x are a signed
// number, shifted by what is left over.
ValueId ValueRules::extend_shifted(Value& v, std::uint64_t left, std::uint64_t right) {
  Kind narrow = Kind::kVoid;
  for (const Kind kind : {Kind::kI8, Kind::kI16, Kind::kI32}) {
    if (width_bits(kind) + left == width_bits(v.kind)) narrow = kind;
  }
  if (narrow == Kind::kVoid) return kNoValue;
  const ValueId low = build(v, Op::kTruncate, narrow, v.kind, {operand(v, 0).args[0]});
  if (left == right) {
    become(v, Op::kSignExtend, narrow, {low});
    return kNoValue;
  }
  const ValueId extended = build(v, Op::kSignExtend, v.kind, narrow, {low});
  if (right > left) {
    become(v, Op::kShiftRightArithmetic, {extended, number(v.kind, right - left)});
  } else {
    become(v, Op::kShiftLeftLogical, {extended, number(v.kind, left - right)});
  }
  return kNoValue;
}

}  // namespace transpire::vm::lir
