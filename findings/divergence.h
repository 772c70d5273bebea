// Finds divergent branches: branches that decide which work-items reach a barrier, and whose conditions may differ within a
// work-group. The analysis reads the module when a finding is described, so its results do not depend on the instruction set.
#pragma once

#include <string>
#include <vector>

#include "findings/findings.h"

namespace transpire::findings {

/// Places of the divergent branches of a finding, the closest first: "heat.cl:31:5". If the conditions of some depend on the
/// work-item, only these branches. Empty if no branch decides.
std::vector<std::string> diverging_branches(const scheduler::Finding& found,
                                            const FindingContext& context);

/// The closest branch whose condition depends on the work-item and that decides which work-items reach `source`, but not in
/// the same way which reach `other`. Empty if there is none.
std::string own_branch(const vm::Source& source, const vm::Source& other,
                       const FindingContext& context);

}  // namespace transpire::findings
