// The other halves of findings in words: where what is wrong began, and what it should have agreed with. A note for each.
#pragma once

#include "runtime/findings.h"

namespace transpire::runtime {

/// "committed at k.cl:9:3 in 'k' by work-item global (0,0,0), group (0,0,0), local (0,0,0)"
std::string spell(const vm::exec::Related& related, const FindingContext& context);

/// Notes of what the finding is also about.
void add_related(const scheduler::Finding& found, const FindingContext& context,
                 Diagnostic& diagnostic);

}  // namespace transpire::runtime
