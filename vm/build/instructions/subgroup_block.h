// Reads and writes of a block of memory by a sub-group (SPV_INTEL_subgroups).
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace subgroup_block {

void read(Builder& b, const Instruction& i, Op op);
void write(Builder& b, const Instruction& i, Op op);

}  // namespace subgroup_block

}  // namespace transpire::vm::builder
