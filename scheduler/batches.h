// The usual way to run a unit: its batches one after the other, each as far as it goes. Without barriers that is to its end, with
// barriers to the next one, where the batch waits for the others in a fiber of its own.
//
// OpenCL requires that every work-item of a group reaches the same barrier. A group that does not has diverged: it is reported once, and
// its fibers then continue independently, so that no work-item waits for ever.
//
// The width of a batch decides which work-items stop together, and the report must not depend on it. The report therefore names,
// for each work-item, the first barrier at which it stopped after the group diverged, or says that it ended without reaching
// one. It is complete only when the group has ended.
#pragma once

#include "scheduler/unit_run.h"

namespace transpire::scheduler {

enum class UnitEnd : std::uint8_t {
  kRan,          ///< all its batches have ended
  kLaunchEnded,  ///< the launch ends
  kGoesOn,  ///< it goes on by turns (UnitRun::turns): a batch may wait for others, or its barriers need it
};

/// Runs batches without barriers in the order of the schedule.
UnitEnd run_in_order(UnitRun& run);
/// Runs batches that meet at barriers.
UnitEnd run_to_barriers(UnitRun& run);
/// Lets a unit without barriers go on by turns: the batch at place `last` of the order waits; those behind it have not begun.
UnitEnd go_on_by_turns(UnitRun& run, Fiber& fiber, std::uint32_t last);

/// Runs the unit that has begun.
[[gnu::always_inline]] inline UnitEnd run_batches(UnitRun& run) {
  if (run.program.uses_barrier) return run_to_barriers(run);
  if (!run.geometry.schedule().is_lockstep()) return run_in_order(run);
  // The fiber is counted up, not computed: a division for each batch costs one percent in kernels of a few instructions.
  Fiber* const begin = run.memory.fibers().data();
  Fiber* const end = begin + run.memory.fibers().size();
  Fiber* fiber = begin;
  for (const BatchShape& batch : run.unit.batches()) {
    if (!run.memory.start(*fiber, batch) || !run.resume(*fiber)) return UnitEnd::kLaunchEnded;
    if (fiber->batch.stop == vm::exec::Stop::kTurn)
      return go_on_by_turns(run, *fiber,
                            static_cast<std::uint32_t>(&batch - run.unit.batches().data()));
    if (++fiber == end) fiber = begin;
  }
  return UnitEnd::kRan;
}

}  // namespace transpire::scheduler
