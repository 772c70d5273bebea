// SPV_NV_shader_subgroup_partitioned: the work-items of a sub-group in parts, each of which reduces values of its own.
#pragma once

#include "vm/build/names.h"
#include "vm/program/immediates.h"

namespace transpire::vm::builder {

class Builder;

namespace partition {

/// OpGroupNonUniformPartitionNV: a ballot of the work-items whose value equals this one's; a NaN is at least in its own.
void partition(Builder& b, const Instruction& i, Op op);

/// The work-items of a ballot's words that run, an i64 with a bit for each.
ValueId members(Builder& b, Values words);
/// A reduction or scan of a value over these work-items.
ValueId combine(Builder& b, Combine how, Scan scan, ValueId value, ValueId members);

}  // namespace partition

}  // namespace transpire::vm::builder
