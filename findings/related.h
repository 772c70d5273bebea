// Adds notes about related places to findings: where the mistake began, or the operation that it should have agreed with.
#pragma once

#include "findings/findings.h"

namespace transpire::findings {

/// "committed at k.cl:9:3 in 'k' by work-item global (0,0,0), group (0,0,0), local (0,0,0)"
std::string spell(const vm::exec::Related& related, const FindingContext& context);

/// Adds a note for each related place of the finding.
void add_related(const scheduler::Finding& found, const FindingContext& context,
                 Diagnostic& diagnostic);

/// Notes of TSP-R0045: the operand of a group instruction that differs, in the finding's work-item and in another one.
void add_group_operand(const scheduler::Finding& found, const FindingContext& context,
                       Diagnostic& diagnostic);

/// Notes of TSP-R0026: where a private variable's lifetime ended before the access, or else where it begins.
void add_lifetime(const scheduler::Finding& found, const FindingContext& context,
                  Diagnostic& diagnostic);

}  // namespace transpire::findings
