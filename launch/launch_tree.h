// What a launch's kernels enqueued, for people: a line for each kernel, place and outcome below those of who enqueued it.
//
//   sort: 1 work-item in groups of 1, 419 us; enqueued 12 kernels, 8.2 ms
//     __sort_block_invoke_kernel: 64 work-items in groups of 64, 15 us; enqueued at sort.cl:4:3 by work-item (0,0,0)
//       __halve_block_invoke_kernel 11 times, nested 4 deep: 4 to 32 work-items, ...
#pragma once

#include <string>

#include "launch/run_plan.h"

namespace transpire::launch {

/// Children that a launch's result has, behind those of the launches before it: no more than LaunchResult::kMostChildren.
void add_children(LaunchReport& report, const LaunchResult& result);

/// "; enqueued 12 kernels and 1 marker, 8.2 ms"; empty where there are none.
std::string format_enqueued(const LaunchReport& launch);

/// Equal ones under the same parents are one line, and so are those that a kernel enqueues of itself, at whatever depth.
std::string format_tree(const LaunchReport& launch);

/// "completed", "never ran"
const char* name_of(ChildLaunch::End end);

}  // namespace transpire::launch
