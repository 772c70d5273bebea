// Checks a plan against its module, before anything is launched.
#pragma once

#include <string>
#include <vector>

#include "launch/language/launch_plan.h"

namespace transpire::launch {

/// Descriptions of the modules, by LaunchStep::program.
using ProgramInfos = std::vector<const ModuleInfo*>;

/// Errors about kernels and swaps of launches: C0002 and C0003, with their places.
Diagnostics launch_errors(const LaunchPlan& plan, const ProgramInfos& programs);

/// Errors about names in prints, outputs and expectations that no buffer has after all launches, about files that cannot be
/// written, about arguments of the command line that no kernel takes, and about unknown rules; with their places. `folder` is
/// that of --difference, or empty. The kernels of all launches are known.
Diagnostics name_errors(const LaunchPlan& plan, const ProgramInfos& programs,
                        const std::string& folder);

/// Warnings of files whose header is read as numbers (C0045), each once, at the first place in the plan.
Diagnostics file_warnings(const LaunchPlan& plan);

}  // namespace transpire::launch
