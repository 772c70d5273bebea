// ShadowValues: the shadow of a value from those of its operands (see track_undefined.h), and how instructions are made
// for it.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "vm/lir/lir.h"
#include "vm/passes/bits.h"
#include "vm/program/immediates.h"

namespace transpire::vm::lir {

inline Kind shadow_kind(Kind kind) {
  switch (kind) {
    case Kind::kF16:
      return Kind::kI16;
    case Kind::kF32:
      return Kind::kI32;
    case Kind::kF64:
      return Kind::kI64;
    default:
      return kind;
  }
}

/// Kind of a component in memory, where a bool is a byte.
inline Kind stored_kind(Kind kind) { return kind == Kind::kBool ? Kind::kI8 : shadow_kind(kind); }

class ShadowValues {
 protected:
  explicit ShadowValues(Function& function)
      : f_(function), values_(function.values.size()), shadow_(values_, kNoValue) {}

  // ---- Making values ---------------------------------------------------------------------------

  ValueId place(Value value) {
    value.source = source_;
    value.block = block_;
    const ValueId id = f_.add(std::move(value));
    out_.push_back(id);
    return id;
  }
  ValueId make(Op op, Kind kind, ValueList args, Kind from = Kind::kVoid) {
    Value value;
    value.op = op;
    value.kind = kind;
    value.from = from == Kind::kVoid ? kind : from;
    value.args = std::move(args);
    return place(std::move(value));
  }
  ValueId zero(Kind kind) { return f_.constant(kind, 0); }
  ValueId ones(Kind kind) { return f_.constant(kind, kind_mask(kind)); }
  Kind kind_of(ValueId id) const { return f_.values[id].kind; }

  /// The value as its shadow's kind.
  ValueId bits_of(ValueId id) {
    const Kind kind = kind_of(id), wanted = shadow_kind(kind);
    return kind == wanted ? id : make(Op::kBitcast, wanted, {id}, kind);
  }
  ValueId any_bit(ValueId shadow) {
    const Kind kind = kind_of(shadow);
    if (kind == Kind::kBool) return shadow;
    return make(Op::kINotEqual, Kind::kBool, {shadow, zero(kind)}, kind);
  }
  /// All bits if the shadow has any set.
  ValueId all_bits(ValueId shadow, Kind kind) {
    if (kind == Kind::kBool) return any_bit(shadow);
    return make(Op::kSelect, kind, {any_bit(shadow), ones(kind), zero(kind)});
  }
  ValueId in_kind(ValueId shadow, Kind kind) {
    return kind_of(shadow) == kind ? shadow : all_bits(shadow, kind);
  }
  ValueId either(ValueId a, ValueId b) {
    if (a == kNoValue || a == b) return b;
    if (b == kNoValue) return a;
    const Kind kind = kind_of(a);
    return make(kind == Kind::kBool ? Op::kLogicalOr : Op::kBitwiseOr, kind, {a, b});
  }
  ValueId both(ValueId a, ValueId b) {
    const Kind kind = kind_of(a);
    return make(kind == Kind::kBool ? Op::kLogicalAnd : Op::kBitwiseAnd, kind, {a, b});
  }
  ValueId inverse(ValueId a) {
    const Kind kind = kind_of(a);
    return make(kind == Kind::kBool ? Op::kLogicalNot : Op::kNot, kind, {a});
  }
  /// The union of these shadows, as one kind; kNoValue if all are defined.
  ValueId joined(std::span<const ValueId> args, Kind kind) {
    ValueId all = kNoValue;
    for (const ValueId arg : args)
      if (shadow_[arg] != kNoValue) all = either(all, in_kind(shadow_[arg], kind));
    return all;
  }

  /// Converts a loaded component.
  ValueId as_shadow(ValueId component, Kind kind) {
    return kind == Kind::kBool ? any_bit(component) : component;
  }

  // ---- Shadows of results ----------------------------------------------------------------------

  ValueId shadow_of(ValueId id, const Value& value) {
    const Kind kind = shadow_kind(value.kind);
    const ValueList args = value.args;
    switch (value.op) {
      case Op::kResult:
        return component(value);
      case Op::kBitwiseAnd:
      case Op::kLogicalAnd:
        return masked(args[0], args[1], false);
      case Op::kBitwiseOr:
      case Op::kLogicalOr:
        return masked(args[0], args[1], true);
      case Op::kBitwiseXor:
      case Op::kLogicalNotEqual:
      case Op::kLogicalEqual:
      case Op::kISub:
      case Op::kIEqual:
      case Op::kINotEqual:
        if (args[0] == args[1]) return kNoValue;
        if (value.op == Op::kIEqual || value.op == Op::kINotEqual)
          return compared(args[0], args[1]);
        return joined(args, kind);
      case Op::kNot:
      case Op::kLogicalNot:
      case Op::kFNegate:
      case Op::kBitcast:
      case Op::kTagPointer:
      case Op::kGenericToSpace:
        return shadow_[args[0]];
      case Op::kShiftLeftLogical:
      case Op::kShiftRightLogical:
      case Op::kShiftRightArithmetic:
      case Op::kRotate:
        return shifted(value, args);
      case Op::kTruncate:
      case Op::kSignExtend:
      case Op::kZeroExtend:
      case Op::kBitReverse:
        return make(value.op, kind, {shadow_[args[0]]}, value.from);
      case Op::kSelect:
        return selected(args, kind);
      case Op::kGroupBroadcast:
      case Op::kGroupShuffle:
      case Op::kGroupFirst:
        return moved(id, value, kind);
      case Op::kIAdd:
      case Op::kIMul:
      case Op::kFAdd:
      case Op::kFSub:
      case Op::kFMul:
      case Op::kSNegate:
        return joined(args, kind);
      default:
        break;
    }
    // For other ops, any undefined bit of an operand may affect any bit of the result.
    const bool of_floats = is_float(value.kind) && info(value.op).shape != Shape::kConvert;
    const ValueId any = joined(args, of_floats ? kind : Kind::kBool);
    return any == kNoValue || kind_of(any) == kind ? any : all_bits(any, kind);
  }

  ValueId component(const Value& value) {
    Value same = value;
    same.kind = same.from = stored_kind(value.kind);
    same.args = {loaded_.at(value.args[0])};
    return as_shadow(place(std::move(same)), value.kind);
  }

  /// For a & b, and a | b: a defined bit that decides the result makes it defined.
  ValueId masked(ValueId a, ValueId b, bool is_or) {
    const auto settles_not = [&](ValueId x) { return is_or ? inverse(x) : x; };
    const ValueId of_a = shadow_[a], of_b = shadow_[b];
    if (of_b == kNoValue) return both(of_a, settles_not(b));
    if (of_a == kNoValue) return both(of_b, settles_not(a));
    return either(both(of_a, of_b), either(both(of_a, settles_not(b)), both(of_b, settles_not(a))));
  }

  /// For equality: if two defined bits differ, the others do not matter.
  ValueId compared(ValueId a, ValueId b) {
    const Kind kind = kind_of(a);
    const ValueId undefined = joined(std::array{a, b}, kind);
    const ValueId differs = make(Op::kBitwiseXor, kind, {a, b});
    const ValueId settled = make(Op::kBitwiseAnd, kind, {differs, inverse(undefined)});
    return both(any_bit(undefined), make(Op::kIEqual, Kind::kBool, {settled, zero(kind)}, kind));
  }

  ValueId shifted(const Value& value, const ValueList& args) {
    const Kind kind = value.kind;
    ValueId all = kNoValue;
    if (shadow_[args[0]] != kNoValue) all = make(value.op, kind, {shadow_[args[0]], args[1]});
    if (shadow_[args[1]] != kNoValue) all = either(all, all_bits(shadow_[args[1]], kind));
    return all;
  }

  ValueId selected(const ValueList& args, Kind kind) {
    ValueId chosen = kNoValue;
    const ValueId on_true = shadow_[args[1]], on_false = shadow_[args[2]];
    if (on_true != kNoValue || on_false != kNoValue)
      chosen = make(Op::kSelect, kind,
                    {args[0], on_true == kNoValue ? zero(kind) : on_true,
                     on_false == kNoValue ? zero(kind) : on_false});
    if (shadow_[args[0]] == kNoValue) return chosen;
    // An undefined choice does not matter where both values are equal.
    ValueId differs = bits_of(args[1]);
    differs = make(kind == Kind::kBool ? Op::kLogicalNotEqual : Op::kBitwiseXor, kind,
                   {differs, bits_of(args[2])});
    differs = either(differs, either(on_true, on_false));
    return make(Op::kSelect, kind,
                {shadow_[args[0]], differs, chosen == kNoValue ? zero(kind) : chosen});
  }

  /// A value that group ops pass between work-items takes its shadow along.
  ValueId moved(ValueId, const Value& value, Kind kind) {
    if (shadow_[value.args[0]] == kNoValue) return kNoValue;
    Value shadow = value;
    GroupOperation operation = GroupOperation::decode(value.imm);
    operation.kind = kind;
    operation.checked = false;  // the instruction itself reports its mistakes
    shadow.imm = operation.encode();
    shadow.kind = shadow.from = kind;
    shadow.args[0] = shadow_[value.args[0]];
    return place(std::move(shadow));
  }

  Function& f_;
  const std::size_t values_;                     ///< number of values before shadows were added
  std::vector<ValueId> shadow_;                  ///< by value; kNoValue: it is defined
  std::unordered_map<ValueId, ValueId> loaded_;  ///< by load: the load of its shadow
  BlockId block_ = 0;
  std::uint32_t source_ = 0;
  std::vector<ValueId> out_;  ///< the block's instructions so far
};

}  // namespace transpire::vm::lir
