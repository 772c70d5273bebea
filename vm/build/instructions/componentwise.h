// One op on every component: most arithmetic, bit, relational and logical instructions.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace componentwise {

void unary(Builder& b, const Instruction& i, Op op);
void binary(Builder& b, const Instruction& i, Op op);
/// For greater-than forms.
void swapped(Builder& b, const Instruction& i, Op op);

}  // namespace componentwise

}  // namespace transpire::vm::builder
