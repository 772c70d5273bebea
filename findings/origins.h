// Describes findings of undefined values: their effects, and their origins.
#pragma once

#include <string>

#include "findings/findings.h"

namespace transpire::findings {

/// "an undefined value is stored in buffer 'y'"
std::string undefined_message(const scheduler::Finding& found, const FindingContext& context);
/// Adds notes such as "undefined: private variable 'x' of f.cl:3:7, which nothing wrote; loaded at f.cl:5:9".
void add_origins(const scheduler::Finding& found, const FindingContext& context,
                 Diagnostic& diagnostic);

}  // namespace transpire::findings
