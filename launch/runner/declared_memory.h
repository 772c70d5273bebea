// Makes shared memory and the values of program-scope variables, as a plan declares them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launch/runner/bind.h"

namespace transpire::launch {

/// Shared memory that begins at `base`, or else contains the lowest address that a plan declares. Nothing if there is neither.
/// Fails with L0004.
Result<std::optional<SharedMemory>> shared_memory_for(const std::vector<BufferSpec>& specs,
                                                      std::optional<std::uint64_t> base);
/// Allocates the declared range of shared memory, and makes its contents there. Fails with L0004, and as evaluate() does.
Result<BoundBufferPointer> make_shared_range(const BufferSpec& spec, const SharedMemory& shared,
                                             const Allowance& allowed);

/// The memory of the variable with that index in the module.
Result<BoundBufferPointer> program_variable(const Device& device, const Module& module,
                                            std::size_t index);
/// Sets the variable of that name to the declared value. Fails with C0026 if there is none, with C0022 if the value has
/// another size, and as evaluate() does.
Result<BoundBufferPointer> set_program_variable(const BufferSpec& spec, const Device& device,
                                                const Module& module, const Allowance& allowed);

}  // namespace transpire::launch
