// Symbols that a module imports and its own functions and variables need: a program that is to run has none.
#pragma once

#include <cstdint>
#include <span>

#include "transpire/result.hpp"

namespace transpire::compiler {

/// An error for each imported function or variable that an instruction uses: U0006, U0008. Built-in variables, which
/// the VM defines, are no symbols; what only names, decorations and interfaces mention is not used.
Diagnostics unresolved_symbols(std::span<const std::uint32_t> words);

}  // namespace transpire::compiler
