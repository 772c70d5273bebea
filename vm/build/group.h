// What the group instructions' files share: scopes, ids within the sub-group, and the ops of vm/ops/group.def
// on values of any kind.
#pragma once

#include <optional>

#include "vm/build/builder.h"
#include "vm/program/group_operation.h"

namespace transpire::vm::builder {

/// The group that an execution scope names: Workgroup or Subgroup; refuses others.
std::optional<spv::Scope> group_scope(Builder& b, const Instruction& i, std::size_t index = 0);
/// The same where only Subgroup will do. False after a refusal.
bool subgroup_scope(Builder& b, const Instruction& i, std::size_t index = 0);

/// An operation of the group that `scope` names.
GroupOperation group_operation(const Builder& b, spv::Scope scope, bool uniform);

/// Places a group op on a scalar of any kind, booleans as 0 or 1 of i8; `index` is its second operand.
ValueId place_group(Builder& b, Op op, GroupOperation operation, ValueId value,
                    ValueId index = kNoValue);

/// This work-item's number in its sub-group, an i32.
ValueId subgroup_lane(Builder& b);
/// One bit for each work-item of the sub-group, an i64.
ValueId ballot(Builder& b, ValueId predicate, bool uniform);
/// All, Any: whether a ballot of the predicate, or of its contrary, is empty.
ValueId vote_all(Builder& b, ValueId predicate, bool uniform);
ValueId vote_any(Builder& b, ValueId predicate, bool uniform);
/// A value of the sub-group's work-item `lane`, an i32, component by component.
ValueList shuffle(Builder& b, Values values, ValueId lane);
ValueId not_of(Builder& b, ValueId condition);

/// Built-in variables, see ComputedBuiltin.
ValueId this_subgroup_size(Builder& b, std::uint64_t component);
ValueId max_subgroup_size(Builder& b, std::uint64_t component);
ValueId num_subgroups(Builder& b, std::uint64_t component);
ValueId num_enqueued_subgroups(Builder& b, std::uint64_t component);
ValueId subgroup_id(Builder& b, std::uint64_t component);
ValueId subgroup_local_id(Builder& b, std::uint64_t component);
ValueId subgroup_eq_mask(Builder& b, std::uint64_t component);
ValueId subgroup_ge_mask(Builder& b, std::uint64_t component);
ValueId subgroup_gt_mask(Builder& b, std::uint64_t component);
ValueId subgroup_le_mask(Builder& b, std::uint64_t component);
ValueId subgroup_lt_mask(Builder& b, std::uint64_t component);

}  // namespace transpire::vm::builder
