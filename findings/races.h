// Describes findings of data races: the two accesses, and ways to order them.
#pragma once

#include <string>

#include "findings/findings.h"

namespace transpire::findings {

/// Message of TSP-R0100: "4-byte load of buffer 'y' races with a store of another work-item"
std::string race_message(const scheduler::Finding& found, const FindingContext& context);
std::string race_help(const scheduler::Finding& found, const FindingContext& context);

/// "races with: store at heat.cl:31:5 in 'step' by work-item global (1,0,0), group (0,0,0), local (1,0,0)"
std::string describe_other(const vm::exec::RacingAccess& other, const FindingContext& context);

/// True if the instruction belongs to an asynchronous copy, which a work-group executes as a whole.
bool is_async_copy(const vm::Inst* instruction, const vm::Program& program);

}  // namespace transpire::findings
