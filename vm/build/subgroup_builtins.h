// Built-in variables of sub-groups, see ComputedBuiltin. A sub-group is so many work-items with consecutive
// local linear ids, a power of two; the last one of a work-group may be smaller. Masks have one bit a
// work-item, the first two of their four words being enough.
#pragma once

#include "vm/build/groups.h"

namespace transpire::vm::builder {

ValueId this_subgroup_size(Groups& groups, std::uint64_t component);
ValueId max_subgroup_size(Groups& groups, std::uint64_t component);
ValueId num_subgroups(Groups& groups, std::uint64_t component);
ValueId num_enqueued_subgroups(Groups& groups, std::uint64_t component);
ValueId subgroup_id(Groups& groups, std::uint64_t component);
ValueId subgroup_local_id(Groups& groups, std::uint64_t component);
ValueId subgroup_eq_mask(Groups& groups, std::uint64_t component);
ValueId subgroup_ge_mask(Groups& groups, std::uint64_t component);
ValueId subgroup_gt_mask(Groups& groups, std::uint64_t component);
ValueId subgroup_le_mask(Groups& groups, std::uint64_t component);
ValueId subgroup_lt_mask(Groups& groups, std::uint64_t component);

}  // namespace transpire::vm::builder
