// Named barriers of a group whose parts are sub-groups. A part runs until it waits: at a named barrier for as many sub-groups as the
// barrier was made for, at any other barrier for the whole group.
#pragma once

#include <vector>

#include "scheduler/turns.h"

namespace transpire::scheduler {

/// Releases each named barrier at which enough sub-groups wait. If more wait than the barrier needs, the last ones stay for the next
/// release. True if some part was released.
bool release_named(UnitRun& run, const std::vector<Part*>& parts);

/// Reports each sub-group that waits at a named barrier which can no longer be released. True if there are any.
bool report_named(UnitRun& run, const std::vector<Part*>& parts);

}  // namespace transpire::scheduler
