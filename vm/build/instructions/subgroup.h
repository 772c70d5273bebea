// SPIR-V "Non-Uniform Instructions", and the sub-group instructions of extensions: those work-items of a
// sub-group take part that execute the instruction.
#pragma once

#include "vm/build/names.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder {

class Builder;

namespace subgroup {

void elect(Builder& b, const Instruction& i, Op op);
void rotate(Builder& b, const Instruction& i, Op op);
void shuffle_down(Builder& b, const Instruction& i, Op op);
void shuffle_up(Builder& b, const Instruction& i, Op op);

enum class Vote { kAll, kAny, kAllEqual };
/// `operand` is 0 for the KHR extension's votes, which have no scope; else 1.
void vote(Builder& b, const Instruction& i, Vote how, std::size_t operand);
template <Vote kHow, std::size_t kOperand>
void vote(Builder& b, const Instruction& i, Op) {
  vote(b, i, kHow, kOperand);
}

/// A vote of the work-items of a quad that are here.
void quad_vote(Builder& b, const Instruction& i, Vote how);
template <Vote kHow>
void quad_vote(Builder& b, const Instruction& i, Op) {
  quad_vote(b, i, kHow);
}

/// `operand` is the value's: 0 for the KHR extension, which has no scope; else 1.
void broadcast_first(Builder& b, const Instruction& i, std::size_t operand);
template <std::size_t kOperand>
void broadcast_first(Builder& b, const Instruction& i, Op) {
  broadcast_first(b, i, kOperand);
}

/// Which work-item a shuffle takes its value from, by its last operand.
using Lane = ValueId (*)(Builder& b, ValueId operand);
ValueId lane_itself(Builder& b, ValueId id);
ValueId lane_xor(Builder& b, ValueId mask);
ValueId lane_up(Builder& b, ValueId delta);
ValueId lane_down(Builder& b, ValueId delta);
ValueId lane_in_quad(Builder& b, ValueId index);
/// Direction 0 swaps neighbours in x, 1 in y, 2 both.
ValueId lane_swapped(Builder& b, ValueId direction);
/// `first` is the operand of the value: 0 where there is no scope, else 1.
void shuffle(Builder& b, const Instruction& i, Lane source, std::size_t first);
template <Lane kSource, std::size_t kFirst>
void shuffle(Builder& b, const Instruction& i, Op) {
  shuffle(b, i, kSource, kFirst);
}

/// A reduction or scan.
void reduce(Builder& b, const Instruction& i, Combine how);
template <Combine kHow>
void reduce(Builder& b, const Instruction& i, Op) {
  reduce(b, i, kHow);
}

}  // namespace subgroup

}  // namespace transpire::vm::builder
