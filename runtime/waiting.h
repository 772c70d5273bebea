// What a finding says of where work-items were: of a group that parted, and of launches that ended early or never would.
#pragma once

#include <string>

#include "runtime/findings.h"
#include "scheduler/collector.h"

namespace transpire::runtime {

void add_waiting(const scheduler::Finding& found, const FindingContext& context,
                 Diagnostic& diagnostic);

/// Of TSP-R0040 and TSP-R0041, of an instruction that a part of the work-group, or of a sub-group, executes.
std::string parted_message(Rule rule, spv::Op op);
std::string parted_help(const scheduler::Finding& found, spv::Op op);

/// Of TSP-R0048: "33 work-items wait for buffer 'lock' to change, and nothing will change it"
std::string stalled_message(const scheduler::Finding& found, const FindingContext& context);
std::string stalled_help(const scheduler::Finding& found, const FindingContext& context);

}  // namespace transpire::runtime
