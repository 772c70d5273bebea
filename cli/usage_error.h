// Mistakes of a command line: all of them at once, in our words rather than the parser's.
#pragma once

#include "cli/app.h"
#include "transpire/diagnostic.hpp"

namespace transpire::cli {

/// Parses the command line again and again, each time without the words that were wrong the time before; then it looks at what
/// the values of `run` say. Not empty for one that the parser refuses.
Diagnostics usage_errors(int argc, const char* const* argv);

/// The command of a line, "none" where there is none.
std::string command_of(int argc, const char* const* argv);

}  // namespace transpire::cli
