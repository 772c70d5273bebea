// SPIR-V "Arithmetic Instructions" that are more than one op on every component. Sums of products are added
// from the first component to the last, every product and sum rounded.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace arithmetic {

/// Operations that may be decorated not to wrap.
void wrapping(Builder& b, const Instruction& i, Op op);
void divide(Builder& b, const Instruction& i, Op op);
void times_scalar(Builder& b, const Instruction& i, Op op);
void dot(Builder& b, const Instruction& i, Op op);

/// An integer dot product: how its operands are widened, and whether it adds an accumulator.
struct IntegerDot {
  bool left_signed = false, right_signed = false, accumulates = false;
};
/// Products and sums wrap in the result's width, where SPIR-V leaves them undefined; only the addition
/// of the accumulator saturates.
void integer_dot(Builder& b, const Instruction& i, Op op, IntegerDot form);
template <bool kLeftSigned, bool kRightSigned, bool kAccumulates>
void integer_dot(Builder& b, const Instruction& i, Op op) {
  integer_dot(b, i, op, {kLeftSigned, kRightSigned, kAccumulates});
}

/// Products with the low 16 bits of the second operand, which are a signed or an unsigned number.
void times_low_half(Builder& b, const Instruction& i, bool is_signed);
template <bool kIsSigned>
void times_low_half(Builder& b, const Instruction& i, Op) {
  times_low_half(b, i, kIsSigned);
}

/// A struct of two results: those of `low` for every component, then those of `high`.
void pair(Builder& b, const Instruction& i, Op low, Op high);
template <Op kHigh>
void pair(Builder& b, const Instruction& i, Op low) {
  pair(b, i, low, kHigh);
}

}  // namespace arithmetic

}  // namespace transpire::vm::builder
