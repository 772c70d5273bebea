// Findings of undefined values: what they matter for, and where they come from.
#pragma once

#include <string>

#include "runtime/findings.h"

namespace transpire::runtime {

/// "an undefined value is stored in buffer 'y'", of which `target` is the last part.
std::string undefined_message(const scheduler::Finding& found, const std::string& target,
                              const FindingContext& context);
/// Notes such as "undefined: private variable 'x' of f.cl:3:7, which nothing wrote; loaded at f.cl:5:9".
void add_origins(const scheduler::Finding& found, const FindingContext& context,
                 Diagnostic& diagnostic);

}  // namespace transpire::runtime
