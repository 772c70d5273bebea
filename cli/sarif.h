// Diagnostics as SARIF 2.1.0, which CI systems show beside the code.
#pragma once

#include <string>

#include "launch/run_plan.h"
#include "transpire/validate.hpp"

namespace transpire::cli {

std::string sarif_of(const Validation& validation);
/// Errors, findings that nobody expected, failed expectations, and what the validator warned of.
std::string sarif_of(const launch::RunReport& report);

}  // namespace transpire::cli
