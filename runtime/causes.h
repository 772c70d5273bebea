// Which findings of a launch follow from which: what one work-item did wrong first, and what came of it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "decoder/module.h"
#include "scheduler/collector.h"
#include "vm/program/program.h"

namespace transpire::runtime {

/// By finding, which earlier one of the same work-item it follows from: the closest whose result, or lost store, the
/// operands that are wrong here are made from. `findings` in the order of a launch.
std::vector<std::optional<std::size_t>> find_causes(std::span<const scheduler::Finding> findings,
                                                    const decoder::Module& module,
                                                    const vm::Program& program);

}  // namespace transpire::runtime
