// Shows the children of a launch for people: a line for each kernel, place and outcome, below the line of its parent.
//
//   sort: 1 work-item in groups of 1, 419 us; enqueued 12 kernels, 8.2 ms
//     __sort_block_invoke_kernel: 64 work-items in groups of 64, 15 us; enqueued at sort.cl:4:3 by work-item (0,0,0)
//       __halve_block_invoke_kernel 11 times, nested 4 deep: 4 to 32 work-items, ...
#pragma once

#include <string>

#include "launch/runner/run_plan.h"

namespace transpire::launch {

/// Appends the children of a result to a report that has those of earlier launches. It keeps at most
/// LaunchResult::kMostChildren.
void add_children(LaunchReport& report, const LaunchResult& result);

/// "; enqueued 12 kernels and 1 marker, 8.2 ms"; empty if there are none.
std::string format_enqueued(const LaunchReport& launch);

/// The tree. Equal children of equal parents share a line, and so do all depths of a kernel that enqueues itself.
std::string format_tree(const LaunchReport& launch);

/// "completed", "never ran"
const char* name_of(ChildLaunch::End end);

}  // namespace transpire::launch
