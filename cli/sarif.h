// Diagnostics as SARIF 2.1.0, which CI systems show beside the code.
#pragma once

#include <string>

#include "cli/commands.h"
#include "launch/runner/run_plan.h"

namespace transpire::cli {

// Columns count UTF-16 code units. Suppressed findings are included and marked. `reads_input`: the
// command read standard input, so columns of its places can be counted.

std::string sarif_of(const JudgedValidation& judged, bool reads_input);
/// Includes errors, unexpected findings, failed expectations, and the validator's warnings.
std::string sarif_of(const launch::RunReport& report, bool reads_input);

}  // namespace transpire::cli
