// Runs launches with an observer.
#pragma once

#include "transpire/transpire.hpp"
#include "vm/observe/observer.h"

namespace transpire::runtime {

/// Runs the launch observed (LaunchSettings::observed). Calls `observer` for its kernel and then for its children, from one
/// thread at a time (vm/observe/observer.h), but not for initializers that run before it. Results and findings are those of
/// a run on one thread.
Result<LaunchResult> run_observed(const Device& device, Launch launch, vm::Observer& observer);

}  // namespace transpire::runtime
