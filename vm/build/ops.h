// Ops: arithmetic on scalars that are there, under the kernel's float controls; what handlers make their
// expressions of.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>

#include "vm/build/rounded_ops.h"

namespace transpire::vm::builder {

/// The integer kind of 8, 16, 32 or 64 bits.
Kind int_of_width(std::uint32_t bits);

class Ops {
 public:
  Ops(const Request& request, Refusals& refusals, Writer& writer, const FloatMode& mode,
      RoundedOps& rounded)
      : request_(request), refusals_(refusals), writer_(writer), mode_(mode), rounded_(rounded) {}

  Kind kind_of(ValueId value) const { return writer_.kind_of(value); }
  ValueId constant(Kind kind, std::uint64_t bits) { return writer_.constant(kind, bits); }
  ValueId float_constant(Kind kind, const FloatConstant& number) {
    return writer_.float_constant(kind, number);
  }
  std::optional<std::uint64_t> constant_bits(ValueId value) const {
    return writer_.constant_bits(value);
  }

  /// An op of a regular shape: kinds follow from the operands.
  ValueId emit(Op op, std::initializer_list<ValueId> args);
  /// An op that takes any number of operands of one kind, and gives that kind.
  /// `rounding` is the kernel's own unless it is given.
  ValueId emit_list(Op op, ValueList args, std::optional<Rounding> rounding = {});
  /// imm is what the op takes, a Rounding where the result is a float: the kernel's own unless it
  /// is given.
  ValueId convert(Op op, Kind to, ValueId operand, std::optional<std::uint64_t> imm = {});
  ValueId select(ValueId condition, ValueId on_true, ValueId on_false) {
    return emit(Op::kSelect, {condition, on_true, on_false});
  }
  ValueId not_of(ValueId condition) { return emit(Op::kLogicalNot, {condition}); }
  /// An op of vm/ops/builtin.def, an i64.
  ValueId launch_id(Op op, std::uint64_t dimension = 0);

  /// An op of a regular shape on every component.
  ValueList each(Op op, Values a);
  ValueList each(Op op, Values a, Values b);
  ValueList each(Op op, Values a, Values b, Values c);
  /// (x0 * y0 + x1 * y1) + ..., every product and sum rounded. Neither may be empty.
  ValueId sum_of_products(Values left, Values right);
  static ValueList in_pairs(Values left, Values right);  ///< left[0], right[0], left[1], ...
  /// left[0]*right[0] + left[1]*right[1] + ...: OpDot. In the reference mode, one op.
  ValueId dot(Values left, Values right);

  /// Reinterprets the bits as another kind of the same width.
  ValueId bitcast(ValueId value, Kind to);
  /// Reinterprets the bits as components of other kinds; the first component has the lowest bits.
  ValueList reinterpret(Values values, std::span<const Kind> kinds);
  /// An integer in another width: truncated, or zero- or sign-extended.
  ValueId resize(ValueId value, Kind to, bool sign_extend);

 private:
  bool can_reinterpret(Values values, std::span<const Kind> kinds) const;
  ValueId part_of(ValueId value, std::uint64_t at_bit, Kind kind);
  ValueId joined(Values parts, Kind kind);

  const Request& request_;
  Refusals& refusals_;
  Writer& writer_;
  const FloatMode& mode_;
  RoundedOps& rounded_;
};

}  // namespace transpire::vm::builder
