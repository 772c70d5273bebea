// Launches that somebody watches.
#pragma once

#include "transpire/transpire.hpp"
#include "vm/observe/observer.h"

namespace transpire::runtime {

/// Runs the launch as one that is observed (LaunchSettings::observed), and tells `observer` what its kernel
/// does, and then all that it enqueues, from one thread at a time (vm/observe/observer.h). Initializers that run before it are not told of.
/// Results and findings are those of a run on one thread.
Result<LaunchResult> run_observed(const Device& device, Launch launch, vm::Observer& observer);

}  // namespace transpire::runtime
