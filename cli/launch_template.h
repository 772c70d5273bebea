// A launch file to start from, which `transpire info --template` writes. It runs as it is; users
// change its values.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"
#include "transpire/transpire.hpp"

namespace transpire::cli {

/// `words` are the build options that the module was compiled with. Fails if the text form cannot
/// express one of them.
Result<std::string> launch_template(const InfoOptions& options, const Module& module,
                                    const std::vector<std::string>& words);

}  // namespace transpire::cli
