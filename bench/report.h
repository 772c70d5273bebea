// Prints what the suite measured: a table for people, or JSON lines.
// Only formats; what counts as a contender's time is decided in suite.h.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "bench/suite.h"

namespace transpire::bench {

/// Times, ratios and their geometric means, then nanoseconds per work-item, then failures.
void PrintTables(std::ostream& out, const std::vector<CaseResult>& results,
                 const std::vector<Contender>& contenders);

/// One object per case and contender, then one with the geometric means.
void PrintJson(std::ostream& out, const std::vector<CaseResult>& results,
               const std::vector<Contender>& contenders);

}  // namespace transpire::bench
