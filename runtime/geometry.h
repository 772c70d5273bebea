// Checks the sizes of a launch, and chooses the work-group size if the caller gives none.
#pragma once

#include "base/result.h"
#include "runtime/state.h"
#include "vm/exec/engine.h"

namespace transpire::runtime {

/// Checks Launch::subgroup_size.
Status check_subgroup_size(std::uint32_t size);

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
