// A launch file to start from, which `transpire info --template` writes: it runs as it is, and each value in it is there to be
// changed.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"
#include "transpire/transpire.hpp"

namespace transpire::cli {

/// `words` are the build options that the module was compiled with. Fails where the text form cannot say one of them.
Result<std::string> launch_template(const InfoOptions& options, const Module& module,
                                    const std::vector<std::string>& words);

}  // namespace transpire::cli
