// SPIR-V "Non-Uniform Instructions" on ballots: vectors of four words with one bit for each work-item of the
// sub-group, so at most 64 bits.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace ballot {

/// The first two of a ballot's four words as an i64, and all four from it.
ValueId bits_of(Builder& b, Values words);
ValueList words_of(Builder& b, ValueId bits);
/// Bit `index` of a ballot, an i32.
ValueId bit_at(Builder& b, ValueId bits, ValueId index);

/// `operand` is 0 for the KHR extension's ballot, which has no scope; else 1.
void ballot(Builder& b, const Instruction& i, std::size_t operand);
template <std::size_t kOperand>
void ballot(Builder& b, const Instruction& i, Op) {
  ballot(b, i, kOperand);
}
void inverse(Builder& b, const Instruction& i, Op op);
void bit_extract(Builder& b, const Instruction& i, Op op);
void bit_count(Builder& b, const Instruction& i, Op op);
/// The place of the lowest or highest bit; undefined when there is none, all ones here.
void find_lsb(Builder& b, const Instruction& i, Op op);
void find_msb(Builder& b, const Instruction& i, Op op);

}  // namespace ballot

}  // namespace transpire::vm::builder
