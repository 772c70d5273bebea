// Mistakes that a check cannot find in a module, because the module does not say what the check goes by.
#pragma once

#include "decoder/module.h"
#include "transpire/diagnostic.hpp"

namespace transpire::runtime {

/// Notes of L0012. `marks_wraps`: signed arithmetic of the module is known to be decorated NoSignedWrap. `has_lifetimes`:
/// variables are known to have OpLifetimeStart wherever the source ends their life.
Diagnostics unseen_by_check_ub(const decoder::Module& module, bool marks_wraps, bool has_lifetimes);

}  // namespace transpire::runtime
