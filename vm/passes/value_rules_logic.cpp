// Rules for conversions, comparisons, booleans and Select. See value_rules.h.
#include <utility>

#include "vm/passes/bits.h"
#include "vm/passes/value_rules.h"

namespace transpire::vm::lir {

ValueId ValueRules::apply_conversion(Value& v) {
  switch (v.op) {
    case Op::kTruncate:
      return truncate(v);
    case Op::kSignExtend:
    case Op::kZeroExtend:
      return extend(v);
    case Op::kBitcast:
      return bitcast(v);
    default:
      return kNoValue;
  }
}

ValueId ValueRules::truncate(Value& v) {
  const Value inner = operand(v, 0);
  if (inner.op == Op::kTruncate) {
    become(v, Op::kTruncate, inner.from, {inner.args[0]});
    return kNoValue;
  }
  if (inner.op != Op::kZeroExtend && inner.op != Op::kSignExtend) {
    truncate_arithmetic(v, inner);
    return kNoValue;
  }
  if (inner.from == v.kind) return inner.args[0];
  const bool narrows = width_bits(inner.from) > width_bits(v.kind);
  become(v, narrows ? Op::kTruncate : inner.op, inner.from, {inner.args[0]});
  return kNoValue;
}

// Constants, and what was widened from the same kind.
bool ValueRules::truncates_for_nothing(ValueId id, Kind to) const {
  const Value& value = of(id);
  return value.op == Op::kConst ||
         ((value.op == Op::kZeroExtend || value.op == Op::kSignExtend) && value.from == to);
}

// The low bits of a sum are the sum of the low bits: narrow rows cost less.
void ValueRules::truncate_arithmetic(Value& v, const Value& inner) {
  switch (inner.op) {
    case Op::kIAdd:
    case Op::kISub:
    case Op::kIMul:
    case Op::kBitwiseAnd:
    case Op::kBitwiseOr:
    case Op::kBitwiseXor:
      break;
    default:
      return;
  }
  const bool left = truncates_for_nothing(inner.args[0], v.kind);
  const bool right = truncates_for_nothing(inner.args[1], v.kind);
  const bool only_use = v.args[0] < uses_.size() && uses_[v.args[0]] == 1;
  if (!(left && right) && !((left || right) && only_use)) return;
  const ValueId a = build(v, Op::kTruncate, v.kind, inner.kind, {inner.args[0]});
  const ValueId b = build(v, Op::kTruncate, v.kind, inner.kind, {inner.args[1]});
  become(v, inner.op, {a, b});
}

ValueId ValueRules::extend(Value& v) {
  const Value inner = operand(v, 0);
  const bool is_signed = v.op == Op::kSignExtend;
  if (inner.op == Op::kZeroExtend || (is_signed && inner.op == Op::kSignExtend)) {
    become(v, inner.op, inner.from, {inner.args[0]});
    return kNoValue;
  }
  if (inner.op == Op::kTruncate && inner.from == v.kind) {
    const std::uint64_t fits = kind_mask(v.from) >> (is_signed ? 1 : 0);
    if (bounds_[inner.args[0]] <= fits) return inner.args[0];
  }
  return kNoValue;
}

ValueId ValueRules::bitcast(Value& v) {
  const Value inner = operand(v, 0);
  if (inner.op != Op::kBitcast) return kNoValue;
  if (inner.from == v.kind) return inner.args[0];
  become(v, Op::kBitcast, inner.from, {inner.args[0]});
  return kNoValue;
}

ValueId ValueRules::apply_logic(Value& v) {
  switch (info(v.op).shape) {
    case Shape::kCompare:
      return is_int(v.from) ? compare(v) : kNoValue;
    case Shape::kMask:
    case Shape::kMaskUnary:
      return logic(v);
    default:
      return select(v);
  }
}

ValueId ValueRules::compare(Value& v) {
  if (v.args[0] == v.args[1]) {
    const bool with_equal =
        v.op == Op::kIEqual || v.op == Op::kULessThanEqual || v.op == Op::kSLessThanEqual;
    return number(Kind::kBool, with_equal ? 1 : 0);
  }
  const std::uint64_t highest = kind_mask(v.from) >> 1;
  const bool in_order = v.op == Op::kULessThan || v.op == Op::kULessThanEqual ||
                        (bounds_[v.args[0]] <= highest && bounds_[v.args[1]] <= highest);
  const auto left = constant(v, 0);
  const auto right = constant(v, 1);
  const bool strict = v.op == Op::kULessThan || v.op == Op::kSLessThan;
  const bool equality = v.op == Op::kIEqual || v.op == Op::kINotEqual;
  if (in_order && !equality) {
    if (right && (strict ? bounds_[v.args[0]] < *right : bounds_[v.args[0]] <= *right)) {
      return number(Kind::kBool, 1);
    }
    if (left && (strict ? bounds_[v.args[1]] <= *left : bounds_[v.args[1]] < *left)) {
      return number(Kind::kBool, 0);
    }
    if (right && strict && *right == 0) return number(Kind::kBool, 0);
    if (left && !strict && *left == 0) return number(Kind::kBool, 1);
  }
  if (right) return compare_with_constant(v, *right);
  if (!equality || !compare_selects(v)) narrow_compare(v);
  return kNoValue;
}

// Two numbers widened from one kind are compared in that kind. Two numbers below 2^32, one of them widened, are compared
// in 32 bits, at half the cost; the other is mostly an id, whose low half is as good.
bool ValueRules::narrow_compare(Value& v) {
  const Op op = v.op == Op::kSLessThan        ? Op::kULessThan
                : v.op == Op::kSLessThanEqual ? Op::kULessThanEqual
                                              : v.op;
  const Value left = operand(v, 0);
  const Value right = operand(v, 1);
  if (left.op == Op::kZeroExtend && right.op == Op::kZeroExtend && left.from == right.from) {
    become(v, op, left.from, {left.args[0], right.args[0]});
    return true;
  }
  const auto widened = [&](std::size_t i) {
    return operand(v, i).op == Op::kZeroExtend && operand(v, i).from == Kind::kI32;
  };
  if (v.from != Kind::kI64 || (!widened(0) && !widened(1)) || bounds_[v.args[0]] > 0xffffffff ||
      bounds_[v.args[1]] > 0xffffffff) {
    return false;
  }
  const ValueId a = build(v, Op::kTruncate, Kind::kI32, Kind::kI64, {v.args[0]});
  const ValueId b = build(v, Op::kTruncate, Kind::kI32, Kind::kI64, {v.args[1]});
  become(v, op, Kind::kI32, {a, b});
  return true;
}

ValueId ValueRules::compare_with_constant(Value& v, std::uint64_t right) {
  const bool equality = v.op == Op::kIEqual || v.op == Op::kINotEqual;
  if (equality && right > bounds_[v.args[0]])
    return number(Kind::kBool, v.op == Op::kIEqual ? 0 : 1);
  if (equality && operand(v, 0).op == Op::kSelect) return compare_select(v, right);
  const Op inner = operand(v, 0).op;
  if (inner == Op::kZeroExtend || inner == Op::kSignExtend) return compare_extended(v, right);
  return kNoValue;
}

// A pattern of compilers without boolean memory: (c ? 1 : 0) != 0.
ValueId ValueRules::compare_select(Value& v, std::uint64_t right) {
  const Value inner = operand(v, 0);
  const auto on_true = constant(inner, 1);
  const auto on_false = constant(inner, 2);
  if (!on_true || !on_false) return kNoValue;
  const bool wanted = v.op == Op::kIEqual;
  const bool if_true = (*on_true == right) == wanted;
  const bool if_false = (*on_false == right) == wanted;
  if (if_true == if_false) return number(Kind::kBool, if_true ? 1 : 0);
  if (if_true) return inner.args[0];
  become(v, Op::kLogicalNot, {inner.args[0]});
  return kNoValue;
}

// (a ? 1 : 0) == (b ? 1 : 0)
bool ValueRules::compare_selects(Value& v) {
  const Value a = operand(v, 0);
  const Value b = operand(v, 1);
  if (a.op != Op::kSelect || b.op != Op::kSelect || a.args[1] != b.args[1] ||
      a.args[2] != b.args[2]) {
    return false;
  }
  const auto on_true = constant(a, 1);
  const auto on_false = constant(a, 2);
  if (!on_true || !on_false || *on_true == *on_false) return false;
  become(v, v.op == Op::kIEqual ? Op::kLogicalEqual : Op::kLogicalNotEqual, {a.args[0], b.args[0]});
  return true;
}

// A comparison of a widened value with a constant that the narrow kind holds too. Other constants
// are left: they decide the comparison, which the bounds mostly see.
ValueId ValueRules::compare_extended(Value& v, std::uint64_t right) {
  const Value inner = operand(v, 0);
  const bool is_signed = inner.op == Op::kSignExtend;
  const std::uint64_t narrow = right & kind_mask(inner.from);
  const std::uint64_t widened =
      is_signed ? static_cast<std::uint64_t>(sign_extend(narrow, inner.from)) & kind_mask(v.from)
                : narrow;
  if (widened != right) return kNoValue;
  Op op = v.op;
  if (op == Op::kULessThan || op == Op::kULessThanEqual) {
    if (is_signed) return kNoValue;
  } else if (!is_signed && op == Op::kSLessThan) {
    op = Op::kULessThan;
  } else if (!is_signed && op == Op::kSLessThanEqual) {
    op = Op::kULessThanEqual;
  }
  become(v, op, inner.from, {inner.args[0], number(inner.from, narrow)});
  return kNoValue;
}

namespace {

struct Inverse {
  Op op;
  Op inverse;
  bool swaps;  // the operands
};

// For floats, the inverse of "ordered and less" is "unordered or greater or equal".
constexpr Inverse kInverses[] = {
    {Op::kIEqual, Op::kINotEqual, false},
    {Op::kULessThan, Op::kULessThanEqual, true},
    {Op::kSLessThan, Op::kSLessThanEqual, true},
    {Op::kFOrdEqual, Op::kFUnordNotEqual, false},
    {Op::kFOrdNotEqual, Op::kFUnordEqual, false},
    {Op::kFOrdLessThan, Op::kFUnordLessThanEqual, true},
    {Op::kFOrdLessThanEqual, Op::kFUnordLessThan, true},
    {Op::kOrdered, Op::kUnordered, false},
};

}  // namespace

// Inverts a comparison whose only use is this negation.
ValueId ValueRules::logical_not(Value& v) {
  const Value inner = operand(v, 0);
  if (inner.op == Op::kLogicalNot) return inner.args[0];
  if (v.args[0] >= uses_.size() || uses_[v.args[0]] != 1) return kNoValue;
  for (const Inverse& row : kInverses) {
    if (inner.op != row.op && inner.op != row.inverse) continue;
    const std::size_t first = row.swaps ? 1 : 0;
    become(v, inner.op == row.op ? row.inverse : row.op, inner.from,
           {inner.args[first], inner.args[1 - first]});
    break;
  }
  return kNoValue;
}

ValueId ValueRules::logic(Value& v) {
  if (v.op == Op::kLogicalNot) return logical_not(v);
  const bool same = v.args[0] == v.args[1];
  const auto right = constant(v, 1);
  switch (v.op) {
    case Op::kLogicalAnd:
      if (same) return v.args[0];
      return right ? v.args[*right != 0 ? 0 : 1] : kNoValue;
    case Op::kLogicalOr:
      if (same) return v.args[0];
      return right ? v.args[*right != 0 ? 1 : 0] : kNoValue;
    case Op::kLogicalEqual:
    case Op::kLogicalNotEqual: {
      const bool equal = v.op == Op::kLogicalEqual;
      if (same) return number(Kind::kBool, equal ? 1 : 0);
      if (!right) return kNoValue;
      if ((*right != 0) == equal) return v.args[0];
      become(v, Op::kLogicalNot, {v.args[0]});
      return kNoValue;
    }
    default:
      return kNoValue;
  }
}

ValueId ValueRules::select(Value& v) {
  if (v.args[1] == v.args[2]) return v.args[1];
  if (const auto condition = constant(v, 0)) return v.args[*condition != 0 ? 1 : 2];
  if (operand(v, 0).op == Op::kLogicalNot) {
    become(v, Op::kSelect, {operand(v, 0).args[0], v.args[2], v.args[1]});
    return kNoValue;
  }
  if (v.kind != Kind::kBool) return kNoValue;
  // Phis behind || and && in structured control flow: the condition itself, where it decides.
  for (const std::size_t i : {1, 2}) {
    if (v.args[i] != v.args[0]) continue;
    become(v, i == 1 ? Op::kLogicalOr : Op::kLogicalAnd, {v.args[0], v.args[3 - i]});
    return kNoValue;
  }
  const auto on_true = constant(v, 1);
  const auto on_false = constant(v, 2);
  if (on_true && *on_true != 0) {
    become(v, Op::kLogicalOr, {v.args[0], v.args[2]});
  } else if (on_false && *on_false == 0) {
    become(v, Op::kLogicalAnd, {v.args[0], v.args[1]});
  } else if (on_true || on_false) {
    const ValueId inverse = build(v, Op::kLogicalNot, Kind::kBool, Kind::kBool, {v.args[0]});
    become(v, on_true ? Op::kLogicalAnd : Op::kLogicalOr, {inverse, v.args[on_true ? 2 : 1]});
  }
  return kNoValue;
}

}  // namespace transpire::vm::lir
