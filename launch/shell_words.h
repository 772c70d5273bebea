// Build options in one text, as people write them: words of a shell.
// A line of a launch file ends at a '#' outside of the quotes that are meant here (launch/launch_text.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transpire/result.hpp"

namespace transpire::launch {

/// Whether a backslash outside single quotes takes the next character as it is, as build options of OpenCL's
/// entry points have it. In launch descriptions it stands for itself, and so do line ends.
enum class Backslash { kPlain, kEscapes };

/// Words as a shell splits them, without expansion: blanks and tabs separate, and line ends where backslashes escape;
/// quotes join. Fails with C0022 when a quote is not closed.
Result<std::vector<std::string>> shell_words(std::string_view text,
                                             Backslash backslash = Backslash::kPlain);

/// The word as shell_words() reads it back where backslashes are plain: as it is, or in quotes. What begins a comment is
/// always in quotes.
std::string shell_word(std::string_view word);

}  // namespace transpire::launch
