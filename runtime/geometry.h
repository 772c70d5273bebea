// Checks the sizes of a launch, and chooses the work-group size if the caller gives none.
#pragma once

#include "base/result.h"
#include "runtime/state.h"
#include "vm/exec/engine.h"

namespace transpire::runtime {

/// Checks Launch::subgroup_size.
Status check_subgroup_size(std::uint32_t size);

/// Work-items of a full sub-group of the module's kernel of this number: subgroup_items(), but the schedule does not choose
/// those of kernels with cooperative matrices, whose sizes may be right for one size of sub-groups alone.
std::uint32_t items_of_subgroup(const ModuleState& module, std::uint32_t number,
                                const LaunchSettings& settings);

/// Refuses smaller work-groups at the end of a lenient launch of a kernel with cooperative matrices, if they are no whole
/// sub-groups. Errors: U0001.
Status check_whole_subgroups(const vm::exec::LaunchIds& ids, const ModuleState& module,
                             std::uint32_t number, const LaunchSettings& settings);

/// Checks the geometry for the module's kernel of this number and completes it. Errors: those of refusal_of().
Result<vm::exec::LaunchIds> resolve_geometry(const Geometry& geometry, const ModuleState& module,
                                             std::uint32_t number, const LaunchSettings& settings);

/// Chooses a work-group size near 256 work-items that divides the global size. Rows are multiples of a batch if possible.
/// With `may_be_uneven`, a size that does not divide the global size is preferred to tiny groups.
std::array<std::uint64_t, 3> choose_local_size(const std::array<std::uint64_t, 3>& global_size,
                                               bool may_be_uneven);

/// See vm::BatchLayout::id_bits.
std::uint32_t id_bits(const vm::exec::LaunchIds& ids);

}  // namespace transpire::runtime
