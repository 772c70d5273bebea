// Diagnostics as SARIF 2.1.0, which CI systems show beside the code.
#pragma once

#include <string>

#include "cli/commands.h"
#include "launch/runner/run_plan.h"

namespace transpire::cli {

// Columns count UTF-16 code units. What was suppressed is there, marked so.
// `reads_input`: standard input is what the command is about, so that places in it can be counted in its text.

std::string sarif_of(const JudgedValidation& judged, bool reads_input);
/// Errors, findings that nobody expected, failed expectations, and what the validator warned of.
std::string sarif_of(const launch::RunReport& report, bool reads_input);

}  // namespace transpire::cli
