// Reads and writes of a block of memory by a sub-group (SPV_INTEL_subgroups).
#pragma once

#include <cstddef>

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace subgroup_block {

/// Component c of work-item n lies at element c * size + n.
ValueId address(Builder& b, ValueId pointer, const Type& element, std::size_t component);

void read(Builder& b, const Instruction& i, Op op);
void write(Builder& b, const Instruction& i, Op op);

}  // namespace subgroup_block

}  // namespace transpire::vm::builder
