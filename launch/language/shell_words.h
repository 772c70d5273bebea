// Splits and writes build options as words of a shell. In a launch file, a '#' outside the quotes of such words begins a
// comment (launch/language/launch_text.cpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transpire/result.hpp"

namespace transpire::launch {

/// Meaning of a backslash outside single quotes. kEscapes: it quotes the next character, as in build options of OpenCL's
/// entry points. kPlain: it is an ordinary character, as in launch descriptions.
enum class Backslash { kPlain, kEscapes };

/// Splits words as a shell does, without expansion. Blanks and tabs separate words; with kEscapes, line ends do, too. Quotes
/// join. Fails with C0022 if a quote is not closed.
Result<std::vector<std::string>> shell_words(std::string_view text,
                                             Backslash backslash = Backslash::kPlain);

/// The word in a form that shell_words() with kPlain reads back: unchanged, or in quotes. A '#' is always in quotes.
std::string shell_word(std::string_view word);

}  // namespace transpire::launch
