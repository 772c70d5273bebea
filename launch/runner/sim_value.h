// Evaluates an argument of an Oclgrind .sim file for a kernel's parameter.
#pragma once

#include "launch/language/launch_plan.h"
#include "launch/runner/text_room.h"
#include "launch/runner/value_maker.h"

namespace transpire::launch {

/// The bytes of a value or buffer argument, as Oclgrind makes them. `inferred` is the scalar type of the parameter, for
/// headers that name none. Fails with C0022, and with L0004 beyond `allowed`; throws LimitReached.
Result<TypedBytes> evaluate_sim(const SimArgument& argument, std::optional<ScalarType> inferred,
                                const Allowance& allowed = Limits{}.max_memory_bytes);

/// Adds the text of Oclgrind's `dump`: "\nArgument 'c': 16 bytes\n  c[0] = 0\n ...\n\n".
void format_sim_dump(TextRoom& room, std::string_view name, ScalarType type,
                     std::span<const std::byte> bytes, bool hexadecimal);

}  // namespace transpire::launch
