// Words of the findings of each rule: message, help and notes, from a table with a row for each rule that has words of its own.
#pragma once

#include <string>

#include "findings/findings.h"

namespace transpire::findings {

/// The rule's own message, else its title and the builder's remark on the instruction.
std::string message_of(const scheduler::Finding& found, const FindingContext& context);

/// Empty if the rule has no help, or none for this finding.
std::string help_of(const scheduler::Finding& found, const FindingContext& context);

/// Adds notes that only findings of this rule have.
void add_notes_of(const scheduler::Finding& found, const FindingContext& context,
                  Diagnostic& diagnostic);

}  // namespace transpire::findings
