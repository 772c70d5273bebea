// SPV_NV_shader_subgroup_partitioned: the work-items of a sub-group in parts, each of which reduces values of its own.
#pragma once

#include "vm/build/names.h"

namespace transpire::vm::builder {

class Builder;

namespace partition {

/// OpGroupNonUniformPartitionNV: a ballot of the work-items whose value equals this one's; a NaN is at least in its own.
void partition(Builder& b, const Instruction& i, Op op);

}  // namespace partition

}  // namespace transpire::vm::builder
