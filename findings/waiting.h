// Describes where work-items were: in findings of divergent barriers, and of launches that ended early or made no progress.
#pragma once

#include <string>

#include "findings/findings.h"
#include "scheduler/collector.h"

namespace transpire::findings {

void add_waiting(const scheduler::Finding& found, const FindingContext& context,
                 Diagnostic& diagnostic);

/// Message of TSP-R0040 and TSP-R0041: only a part of the work-group or sub-group executes the instruction.
std::string parted_message(Rule rule, spv::Op op);
std::string parted_help(const scheduler::Finding& found, spv::Op op);

/// Message of TSP-R0048: "33 work-items wait for buffer 'lock' to change, and nothing will change it"
std::string stalled_message(const scheduler::Finding& found, const FindingContext& context);
std::string stalled_help(const scheduler::Finding& found, const FindingContext& context);

}  // namespace transpire::findings
