// Adds notes about related places to findings: where the mistake began, or the operation that it should have agreed with.
#pragma once

#include "findings/findings.h"

namespace transpire::findings {

/// "committed at k.cl:9:3 in 'k' by work-item global (0,0,0), group (0,0,0), local (0,0,0)"
std::string spell(const vm::exec::Related& related, const FindingContext& context);

/// Adds a note for each related place of the finding.
void add_related(const scheduler::Finding& found, const FindingContext& context,
                 Diagnostic& diagnostic);

}  // namespace transpire::findings
