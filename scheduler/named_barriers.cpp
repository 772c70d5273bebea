// Work-groups with named barriers. Every fiber is one sub-group. It runs until it waits: at a named barrier for as many
// sub-groups as the barrier was made for, at any other barrier for the whole group.
#include <algorithm>

#include "scheduler/turns.h"
#include "vm/exec/lane_ids.h"

namespace transpire::scheduler {

using vm::exec::Batch;
using vm::exec::Stop;

bool Worker::run_subgroups(std::uint32_t fibers) {
  std::vector<bool> may_run(fibers, true);
  std::vector<Fiber*> all;
  for (std::uint32_t i = 0; i < fibers; ++i) all.push_back(&fibers_[i]);
  for (;;) {
    bool ended = true;
    order_round(fibers);
    for (std::uint32_t turn = 0; turn < fibers; ++turn) {
      const std::uint32_t i = at_turn(turn);
      if (may_run[i] && !resume(fibers_[i])) return false;
      may_run[i] = false;
      ended = ended && fibers_[i].batch.stop == Stop::kDone;
    }
    if (ended) return true;
    if (any_stopped_in_loop(fibers)) {
      begin_turns(fibers);
      return run_by_turns();
    }
    if (release_named(all, may_run)) continue;
    if (!met(fibers)) return release_blocked(all);
    if (observer_ != nullptr) observer_->meets(fibers_[0].batch, *fibers_[0].batch.barrier);
    if (!complete_together(fibers)) return false;
    std::fill(may_run.begin(), may_run.end(), true);
    ++rounds_[0];
  }
}

/// Releases each named barrier at which enough sub-groups wait. If more wait than the barrier needs, the last ones
/// stay for the next release. Sets `may_run` for the released sub-groups. True if there are any.
bool Worker::release_named(const std::vector<Fiber*>& fibers, std::vector<bool>& may_run) {
  const std::vector<std::uint32_t>& wanted = group_states_[0].named_barriers;
  bool some = false;
  for (std::uint64_t barrier = 1; barrier <= wanted.size(); ++barrier) {
    std::vector<std::uint32_t> waiting;
    for (std::uint32_t i = 0; i < fibers.size(); ++i) {
      const Batch& batch = fibers[i]->batch;
      if (!may_run[i] && batch.stop == Stop::kNamedBarrier && batch.named_barrier == barrier)
        waiting.push_back(i);
    }
    if (const std::uint32_t count = wanted[barrier - 1]; count != 0)
      waiting.resize(waiting.size() - waiting.size() % count);
    if (waiting.empty()) continue;
    some = true;
    if (observer_ != nullptr)
      observer_->meets(fibers[waiting[0]]->batch, *fibers[waiting[0]]->batch.barrier);
    for (const std::uint32_t i : waiting) may_run[i] = true;
  }
  return some;
}

/// Reports each sub-group that waits at a named barrier which can no longer be released. True if there are any.
bool Worker::report_named(const std::vector<Fiber*>& fibers) {
  bool reported = false;
  for (const Fiber* fiber : fibers) {
    const Batch& batch = fiber->batch;
    if (batch.stop != Stop::kNamedBarrier) continue;
    vm::exec::Event event;
    event.rule = static_cast<std::uint16_t>(Rule::kR0046);
    event.instruction = batch.barrier;
    event.lane = vm::exec::lowest_lane(batch.mask);
    collector_.finding(batch, event);
    reported = true;
  }
  return reported;
}

/// Handles a group in which every sub-group waits or has ended. Sub-groups at a named barrier are reported (R0046); if
/// there are none, the group has diverged. Then runs the rest of the group.
bool Worker::release_blocked(const std::vector<Fiber*>& fibers) {
  const auto count = static_cast<std::uint32_t>(fibers.size());
  return report_named(fibers) ? run_released(count) : run_diverged(count);
}

/// Runs the rest of a group whose named barriers failed: every barrier lets its work-items pass.
bool Worker::run_released(std::uint32_t fibers) {
  for (std::uint32_t waiting = 1; waiting != 0;) {
    for (std::uint32_t i = 0; i < fibers; ++i)
      if (!complete_alone(fibers_[i].batch, 0, geometry_.batch_items())) return false;
    waiting = 0;
    if (!resume_all(fibers, waiting)) return false;
    if (any_stopped_in_loop(fibers)) {
      begin_turns(fibers);
      turns_->groups[0].is_released = true;
      return run_by_turns();
    }
  }
  return true;
}

}  // namespace transpire::scheduler
