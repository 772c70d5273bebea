// Where the ways of a group's work-items part: the branches that decide who comes to a barrier, and whose conditions
// may differ within a work-group. Asked of the module when a finding is described, so it is the same for all
// instruction sets.
#pragma once

#include <string>
#include <vector>

#include "runtime/findings.h"

namespace transpire::runtime {

/// The places of the branches, as findings spell them, the closest first: "heat.cl:31:5". Those whose conditions depend on
/// the work-item, else those that may differ otherwise; none where no branch decides.
std::vector<std::string> parting_branches(const scheduler::Finding& found,
                                          const FindingContext& context);

/// The closest branch that decides who comes to an instruction, that does not decide the same for the other one, and whose
/// condition depends on the work-item; empty: there is none.
std::string own_branch(const vm::Source& source, const vm::Source& other,
                       const FindingContext& context);

}  // namespace transpire::runtime
