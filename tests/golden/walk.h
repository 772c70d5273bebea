// Walks launches: to the end, back to the beginning, to the middle, forward, back and to the end again.
#pragma once

#include <string>

#include "transpire/transpire.hpp"

namespace transpire::test {

/// Runs the launch as Device::run() does, but several times in part. `difference` gets the first thing that two passes disagree on:
/// an event, or the bytes of the launch's memory between two events.
Result<LaunchResult> walk(const Device& device, const Launch& launch, std::string& difference);

}  // namespace transpire::test
