// SPIR-V "Memory Instructions" that load, store and copy, and variables of functions.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace memory_access {

void load(Builder& b, const Instruction& i, Op op);
void store(Builder& b, const Instruction& i, Op op);
void copy(Builder& b, const Instruction& i, Op op);
void copy_sized(Builder& b, const Instruction& i, Op op);
void size_of(Builder& b, const Instruction& i, Op op);
void array_length(Builder& b, const Instruction& i, Op op);
void variable(Builder& b, const Instruction& i, Op op);

}  // namespace memory_access

}  // namespace transpire::vm::builder
