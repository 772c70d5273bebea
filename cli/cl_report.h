// What a program's run on the driver left behind: the lines of its report, one for each finding.
#pragma once

#include <cstdint>
#include <string>

#include "cli/commands.h"

namespace transpire::cli {

struct ClFindings {
  std::uint64_t counted = 0, suppressed = 0;
  bool limits = false;  ///< some launch was ended by one
};

/// Counts the lines. Suppressions are held against them once more: processes of the driver counted each for itself.
ClFindings findings_in(const std::string& report, Suppressions& suppressions);

/// What `cl` says at the end, and the exit code of the process. `code`: the program's.
int judge_findings(const ClOptions& options, const std::string& report, FindingRules rules,
                   int code);

}  // namespace transpire::cli
