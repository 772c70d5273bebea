// SPIR-V "Relational and Logical Instructions" that are more than one op on every component.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace relational {

void reduce(Builder& b, const Instruction& i, Op op);
void select(Builder& b, const Instruction& i, Op op);

}  // namespace relational

}  // namespace transpire::vm::builder
