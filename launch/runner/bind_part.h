// Gives values to parts of a shader's blocks: members of buffers, and push constants.
#pragma once

#include <string>

#include "launch/runner/bind.h"

namespace transpire::launch {

/// The part that a value without one is for: "0" where `bind NAME = 1,2,3` gives a block's only member, else nothing.
std::string implied_part(const ParameterInfo& parameter, const ArgumentSpec& spec);

/// Writes the value into a part of what `bound` has for the parameter, which is made of zeros if there is nothing yet. A run-time
/// array gets the length of its value. `is_shared`: the buffer is declared, and keeps its size. Fails with C0003, C0022, L0004 and as
/// evaluate() does.
Status bind_part(const ParameterInfo& parameter, const std::string& part, const ArgumentSpec& spec,
                 bool is_shared, const Allowance& allowed, BoundArgument& bound);

}  // namespace transpire::launch
