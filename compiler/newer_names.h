// Names of OpenCL C that a version before the one compiled for does not have: what clang then says of them as of any name that
// nobody declared.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace transpire::compiler {

/// Advice where clang refuses what a later version of OpenCL C has. `message` is clang's, `line` the source line that it
/// shows, `options` what the source was compiled with. Empty where no later version has it.
std::string newer_version_help(std::string_view message, std::string_view line,
                               const std::vector<std::string>& options);

}  // namespace transpire::compiler
