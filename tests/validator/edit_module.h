// Edits of modules at the level of instructions, most of which leave a module that can still be
// valid: an operand becomes another value of its type, an operation another one with the same
// operands, a type another type, an instruction is doubled, moved, removed or made anew.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace transpire::validator {

/// Words of a module in the host's byte order, edited once.
void edit_module(std::mt19937& random, std::vector<std::uint32_t>& words);

}  // namespace transpire::validator
