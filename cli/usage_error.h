// Mistakes of a command line: all of them at once, in this project's words.
#pragma once

#include "cli/app.h"
#include "transpire/diagnostic.hpp"

namespace transpire::cli {

/// Parses the command line repeatedly, each time without the words that were wrong before; then
/// checks the values of `run`. Never empty for a command line that the parser refuses.
Diagnostics usage_errors(int argc, const char* const* argv);

/// The command of a command line; "none" if there is none.
std::string command_of(int argc, const char* const* argv);

}  // namespace transpire::cli
