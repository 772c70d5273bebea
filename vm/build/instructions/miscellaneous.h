// Instructions that belong to no class, or mean nothing here.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace miscellaneous {

void nothing(Builder& b, const Instruction& i, Op op);
void undef(Builder& b, const Instruction& i, Op op);
/// As one 64-bit integer, or as a vector of its low and high half.
void read_clock(Builder& b, const Instruction& i, Op op);
void assume(Builder& b, const Instruction& i, Op op);

}  // namespace miscellaneous

}  // namespace transpire::vm::builder
