// Checks that a launch's arguments fit the kernel's parameters.
#pragma once

#include <span>

#include "base/result.h"
#include "runtime/state.h"

namespace transpire::runtime {

/// Checks number, kinds and sizes. Errors: C0003, naming the parameter and its type.
Status check_arguments(const Launch& launch, std::span<const vm::Parameter> parameters);

/// Checks the queues of a launch whose kernel uses queues: their number, their sizes, and that handles are unique. Errors:
/// C0003.
Status check_queues(const Launch& launch);

/// Writes a scalar's or vector's components into 8-byte slots, zero-extended.
void write_components(const vm::Parameter& parameter, std::span<const std::byte> bytes,
                      std::uint64_t* slots);

}  // namespace transpire::runtime
