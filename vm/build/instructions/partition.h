// SPV_NV_shader_subgroup_partitioned: the work-items of a sub-group in parts, each of which reduces values of its own.
#pragma once

#include "vm/build/names.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder {

class Builder;

namespace partition {

/// OpGroupNonUniformPartitionNV: a ballot of the work-items whose value has the same bits as this one's.
void partition(Builder& b, const Instruction& i, Op op);

/// A reduction or scan of a value over the work-items of a ballot, which is the words of its vector.
ValueId combine(Builder& b, Combine how, Scan scan, ValueId value, Values ballot);

}  // namespace partition

}  // namespace transpire::vm::builder
