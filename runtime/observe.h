// Launches that somebody watches.
#pragma once

#include "transpire/transpire.hpp"
#include "vm/observe/observer.h"

namespace transpire::runtime {

/// Runs the launch as one that is observed (Launch::observed), and tells `observer` what its kernel does.
/// Results and findings are those of any other run.
Result<LaunchResult> run_observed(const Device& device, Launch launch, vm::Observer& observer);

}  // namespace transpire::runtime
