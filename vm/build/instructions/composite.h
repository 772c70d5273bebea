// SPIR-V "Composite Instructions". Values are flat lists of scalars, so most of these only pick and
// join; dynamic indexes become chains of Select. An index out of range gives 0 or changes nothing.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace composite {

void copy(Builder& b, const Instruction& i, Op op);
void construct(Builder& b, const Instruction& i, Op op);
void extract(Builder& b, const Instruction& i, Op op);
void insert(Builder& b, const Instruction& i, Op op);
void shuffle(Builder& b, const Instruction& i, Op op);
void extract_dynamic(Builder& b, const Instruction& i, Op op);
void insert_dynamic(Builder& b, const Instruction& i, Op op);

}  // namespace composite

}  // namespace transpire::vm::builder
