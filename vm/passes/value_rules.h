// ValueRules: what one value simplifies to. All rules are exact for every input, the engine's
// choices for undefined cases included; floating-point identities are left out, for they differ in
// NaNs and zeros.
//
// simplify(v) either names an older value that v equals, or rewrites v until no rule applies. Rules
// may build further values, which are placed right before v.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <vector>

#include "vm/lir/lir.h"
#include "vm/passes/unsigned_bounds.h"

namespace transpire::vm::lir {

class ValueRules {
 public:
  /// `place` puts a new value before the one being simplified and returns its id. The uses of
  /// values are counted now; some rules pay only where a value has no other use.
  ValueRules(Function& function, const UnsignedBounds& bounds, std::function<ValueId(Value)> place);

  /// The value that `value` equals, or kNoValue; then `value` is as simple as the rules make it.
  /// Operands must be simplified already.
  ValueId simplify(Value& value);

 private:
  // Each rule gives an older value, or kNoValue; it calls become() when it rewrites the value.
  ValueId apply(Value& v);
  ValueId apply_arithmetic(Value& v);
  ValueId apply_bits(Value& v);
  ValueId apply_conversion(Value& v);
  ValueId apply_logic(Value& v);
  ValueId add(Value& v);
  ValueId subtract(Value& v);
  ValueId multiply(Value& v);
  ValueId divide(Value& v);
  ValueId remainder(Value& v);
  bool narrow_division(Value& v);
  ValueId least_or_most(Value& v);
  ValueId bit_and(Value& v);
  void narrow_and(Value& v);
  bool rotation(Value& v);
  ValueId bit_or(Value& v);
  ValueId bit_xor(Value& v);
  ValueId shift(Value& v);
  ValueId shift_of_shift(Value& v, std::uint64_t amount);
  ValueId extend_shifted(Value& v, std::uint64_t left, std::uint64_t right);
  ValueId truncate(Value& v);
  bool truncates_for_nothing(ValueId id, Kind to) const;
  void truncate_arithmetic(Value& v, const Value& inner);
  ValueId extend(Value& v);
  ValueId bitcast(Value& v);
  ValueId compare(Value& v);
  bool narrow_compare(Value& v);
  ValueId compare_with_constant(Value& v, std::uint64_t right);
  bool compare_selects(Value& v);
  ValueId compare_select(Value& v, std::uint64_t right);
  ValueId compare_extended(Value& v, std::uint64_t right);
  ValueId logical_not(Value& v);
  ValueId logic(Value& v);
  ValueId select(Value& v);
  ValueId address(Value& v);
  void address_index(Value& v);
  bool constant_index(Value& v);
  bool widened_index(Value& v, const Value& index);
  bool scaled_index(Value& v, const Value& index);
  bool moved_index(Value& v, const Value& index);
  unsigned zero_bits(ValueId id) const;
  bool keeps_sign(const Value& v, std::uint64_t addend, ValueId index) const;

  const Value& of(ValueId id) const { return function_.values[id]; }
  /// The op of operand `i`.
  const Value& operand(const Value& v, std::size_t i) const { return of(v.args[i]); }
  std::optional<std::uint64_t> constant(ValueId id) const {
    return of(id).op == Op::kConst ? std::optional(of(id).imm) : std::nullopt;
  }
  std::optional<std::uint64_t> constant(const Value& v, std::size_t i) const {
    return i < v.args.size() ? constant(v.args[i]) : std::nullopt;
  }
  ValueId number(Kind kind, std::uint64_t bits) { return function_.constant(kind, bits); }
  ValueId build(const Value& beside, Op op, Kind kind, Kind from,
                std::initializer_list<ValueId> args);
  void become(Value& v, Op op, std::initializer_list<ValueId> args);
  void become(Value& v, Op op, Kind from, std::initializer_list<ValueId> args) {
    become(v, op, args);
    v.from = from;
  }

  Function& function_;
  const UnsignedBounds& bounds_;
  std::function<ValueId(Value)> place_;
  std::vector<std::uint8_t> uses_;  // by value that was there at the start; 2 for two or more
  bool changed_ = false;
};

}  // namespace transpire::vm::lir
