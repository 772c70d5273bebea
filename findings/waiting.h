// Describes where work-items were: in findings of divergent barriers, and of launches that ended early or made no progress.
#pragma once

#include <string>

#include "findings/findings.h"
#include "scheduler/collector.h"

namespace transpire::findings {

void add_waiting(const scheduler::Finding& found, const FindingContext& context,
                 Diagnostic& diagnostic);

/// Message of TSP-R0040 and TSP-R0041: only a part of the work-group or sub-group executes the instruction.
std::string divergence_message(const scheduler::Finding& found, const FindingContext& context);
std::string divergence_help(const scheduler::Finding& found, const FindingContext& context);

/// Message of TSP-R0048: "33 work-items wait for buffer 'lock' to change, and nothing will change it"
std::string no_progress_message(const scheduler::Finding& found, const FindingContext& context);
std::string no_progress_help(const scheduler::Finding& found, const FindingContext& context);
/// Counts the work-items that are in none of the places, and names the stores for which the loops wait.
void add_waiting_loops(const scheduler::Finding& found, const FindingContext& context,
                       Diagnostic& diagnostic);

}  // namespace transpire::findings
