// SPIR-V "Barrier Instructions".
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace barrier {

void control(Builder& b, const Instruction& i, Op op);
void memory(Builder& b, const Instruction& i, Op op);
void arrive(Builder& b, const Instruction& i, Op op);
void named_init(Builder& b, const Instruction& i, Op op);
void named(Builder& b, const Instruction& i, Op op);

}  // namespace barrier

}  // namespace transpire::vm::builder
