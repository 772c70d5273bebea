// The report of a program's run on the driver: a line for each finding.
#pragma once

#include <cstdint>
#include <string>

#include "cli/commands.h"

namespace transpire::cli {

struct ClFindings {
  std::uint64_t counted = 0, suppressed = 0;
  bool limits = false;  ///< a limit ended some launch
};

/// Counts the lines, and matches suppressions with them again, because each process of the driver
/// counted for itself.
ClFindings findings_in(const std::string& report, Suppressions& suppressions);

/// Prints the summary of `cl` and returns its exit code. `code` is the program's.
int judge_findings(const ClOptions& options, const std::string& report, FindingRules rules,
                   int code);

}  // namespace transpire::cli
