// RoundedOps: ops of a regular shape in a mode that is not the usual one.
//
// The rounding mode applies to the arithmetic instructions, to conversions to floats, to fma, mad,
// sqrt, fdim, fract and ldexp of OpenCL.std, and to all that is lowered to these. The other
// functions keep their bounds in any mode; reference math rounds them correctly in it. Separate
// instructions flush operands and results of all that computes. Instructions that only move or test
// bits (negation, fabs, copysign, isnormal, selections, loads, stores) leave denormals alone.
#pragma once

#include <initializer_list>

#include "vm/build/float_mode.h"
#include "vm/build/writer.h"

namespace transpire::vm::builder {

class RoundedOps {
 public:
  RoundedOps(const Request& request, Writer& writer, const FloatMode& mode)
      : request_(request), writer_(writer), mode_(mode) {}

  ValueId emit(Op op, std::initializer_list<ValueId> args);
  /// The value itself where denormals of its kind are kept.
  ValueId flush_denorm(ValueId value);

 private:
  Kind kind_of(ValueId value) const { return writer_.kind_of(value); }
  ValueId usual(Op op, std::initializer_list<ValueId> args) { return writer_.place_op(op, args); }
  ValueId select(ValueId condition, ValueId on_true, ValueId on_false) {
    return usual(Op::kSelect, {condition, on_true, on_false});
  }
  ValueId rounded(Op op, std::initializer_list<ValueId> args);
  ValueId rounded_half(Op op, std::initializer_list<ValueId> args);
  ValueId rounded_multiply_add(std::initializer_list<ValueId> args);
  ValueId rounded_remainder(ValueId a, ValueId b);
  ValueId rounded_difference(ValueId a, ValueId b);
  ValueId rounded_scale(ValueId x, ValueId n);
  ValueId rounded_fraction(ValueId x);
  ValueId converted(Kind to, ValueId value, Rounding rounding);

  const Request& request_;
  Writer& writer_;
  const FloatMode& mode_;
};

}  // namespace transpire::vm::builder
