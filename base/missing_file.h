// What to say of a file that cannot be opened.
#pragma once

#include <string>

namespace transpire {

/// What to do about `error`, as errno has it: a file of nearly that name, the folder that there is not; empty when
/// nothing is known.
std::string missing_file_help(const std::string& path, int error);

}  // namespace transpire
