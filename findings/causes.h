// Finds the causes of findings: an earlier mistake of the same work-item that led to a later one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "decoder/module.h"
#include "scheduler/collector.h"
#include "vm/program/program.h"

namespace transpire::findings {

/// Gives for each finding the index of its cause: the closest earlier finding of the same work-item whose result, or lost
/// store, the wrong operands derive from. `findings` are in the order of a launch.
std::vector<std::optional<std::size_t>> find_causes(std::span<const scheduler::Finding> findings,
                                                    const decoder::Module& module,
                                                    const vm::Program& program);

}  // namespace transpire::findings
