// Advice for a file that cannot be opened.
#pragma once

#include <string>

namespace transpire {

/// Advice for `error`, a value of errno: names a file with a similar name, or the missing folder. Empty if there is none.
std::string missing_file_help(const std::string& path, int error);

}  // namespace transpire
