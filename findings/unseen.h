// Finds out which mistakes a check cannot find in a module, because the module lacks decorations or instructions.
#pragma once

#include "decoder/module.h"
#include "transpire/diagnostic.hpp"

namespace transpire::findings {

/// Notes L0012 for the check `ub`. `marks_wraps`: all signed arithmetic of the source is known to be decorated NoSignedWrap.
/// `has_lifetimes`: variables of inner scopes are known to have OpLifetimeStart.
Diagnostics unseen_by_check_ub(const decoder::Module& module, bool marks_wraps, bool has_lifetimes);

}  // namespace transpire::findings
