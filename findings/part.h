// Part: the place of a launch in a larger one, whose ids its findings have.
#pragma once

#include <array>
#include <cstdint>

#include "scheduler/collector.h"
#include "vm/exec/work_item.h"

namespace transpire::findings {

/// A part of a launch that is launched for itself.
struct Part {
  std::array<std::uint64_t, 3> first_item{};   ///< global id of its first work-item
  std::array<std::uint64_t, 3> first_group{};  ///< id of its first work-group
  std::array<std::uint64_t, 3> global_size{};  ///< size of the whole launch
  std::array<std::uint64_t, 3> local_size{};  ///< size of a group; those at the ends may be smaller
  bool is_first = true;                       ///< no part runs before it
  bool is_last = true;                        ///< no part runs after it
};

/// The work-item's ids in the whole launch; `part` null: unchanged.
vm::exec::WorkItem in_whole(vm::exec::WorkItem item, const Part* part);
/// The finding with the ids of its work-items in the whole launch.
scheduler::Finding in_whole(scheduler::Finding found, const Part& part);

}  // namespace transpire::findings
