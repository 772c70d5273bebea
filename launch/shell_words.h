// Build options in one text, as people write them: words of a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "transpire/result.hpp"

namespace transpire::launch {

/// Whether a backslash outside single quotes takes the next character as it is, as build options of OpenCL's
/// entry points have it. In launch descriptions it stands for itself.
enum class Backslash { kPlain, kEscapes };

/// Words as a shell splits them, without expansion: white space separates, quotes join. Fails with C0022 when a
/// quote is not closed.
Result<std::vector<std::string>> shell_words(std::string_view text,
                                             Backslash backslash = Backslash::kPlain);

}  // namespace transpire::launch
