// Access chains, comparisons and casts of pointers.
#pragma once

#include <optional>

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace pointer {

void chain(Builder& b, const Instruction& i, Op op);
void element_chain(Builder& b, const Instruction& i, Op op);
void same_pointer(Builder& b, const Instruction& i, Op op);
void to_explicit_space(Builder& b, const Instruction& i, Op op);
void memory_semantics(Builder& b, const Instruction& i, Op op);
void pointer_to_integer(Builder& b, const Instruction& i, Op op);
void integer_to_pointer(Builder& b, const Instruction& i, Op op);
void compare(Builder& b, const Instruction& i, Op op);
void difference(Builder& b, const Instruction& i, Op op);

/// For the race check: true if the memory that the pointer leads to is Coherent or Volatile, or a uniform block, to which nothing stores;
/// false if it is not. Empty if it is not known.
std::optional<bool> known_coherence(Builder& b, Id pointer);
/// True for the decorations Coherent and Volatile of an id, or of a member of the struct.
bool is_coherent(Builder& b, Id id, std::uint64_t member = decoder::Decoration::kNoMember);

}  // namespace pointer

}  // namespace transpire::vm::builder
