// The meaning of an Oclgrind argument once the kernel's parameter is known.
#pragma once

#include "launch/launch_plan.h"

namespace transpire::launch {

/// The bytes of a value or buffer argument, as Oclgrind makes them. `inferred` is the scalar type
/// of the parameter, used when the header names none. Fails with C0022, and with L0004 beyond
/// `max_bytes`.
Result<TypedBytes> evaluate_sim(const SimArgument& argument, std::optional<ScalarType> inferred,
                                std::uint64_t max_bytes = Limits{}.max_memory_bytes);

/// The text of Oclgrind's `dump`: "\nArgument 'c': 16 bytes\n  c[0] = 0\n ...\n\n".
std::string format_sim_dump(std::string_view name, ScalarType type,
                            std::span<const std::byte> bytes, bool hexadecimal);

}  // namespace transpire::launch
