// Worker: detects that a launch is deadlocked, and reports where its work-items are.
#include <algorithm>

#include "scheduler/state_digest.h"
#include "scheduler/worker.h"

namespace transpire::scheduler {
namespace {

/// Bytes of memory whose digest takes about the time of one round of turns.
constexpr std::uint64_t kBytesPerRound = std::uint64_t{1} << 20;

}  // namespace

/// Digests all units that run by turns. 0: too much to digest.
std::uint64_t Worker::state_by_turns() const {
  std::uint64_t state = own_.turns != nullptr ? own_.turns->state() : 1;
  for (const std::unique_ptr<UnitRun>& resident : residents_) {
    const std::uint64_t one = resident->turns != nullptr ? resident->turns->state() : 1;
    if (one == 0 || state == 0) return 0;
    state = digest(&one, sizeof(one), state);
  }
  return state;
}

/// See Turns::split_running(). True if anything was split off.
bool Worker::split_running() {
  bool some = own_.turns != nullptr && own_.turns->split_running(splits_left_);
  for (const std::unique_ptr<UnitRun>& resident : residents_)
    if (resident->turns != nullptr) some |= resident->turns->split_running(splits_left_);
  return some;
}

/// Runs a round of turns while no other waiting worker runs.
bool Worker::run_round_and_detect_deadlock(Round& round) {
  const DeadlockWatch::Waiting waiting(watch_);
  if (!run_round(round)) return false;
  if (round.moved || round.runs) {
    watch_.leave();
    return true;
  }
  if (!watch_.all_wait() || others_may_store() || !watch_.is_time_to_look()) return true;
  std::uint64_t bytes = 0;
  const std::uint64_t memory = digest_stored_memory(*map_, bytes);
  watch_.saw_memory(memory, bytes / kBytesPerRound);
  if (!watch_.returns_to([this] { return state_by_turns(); })) return true;
  if (split_running()) {
    round.moved = true;
    watch_.leave();
    return true;
  }
  if (!watch_.all_return()) return true;
  // Another launch that shares the memory may have begun since it was digested.
  if (others_may_store()) {
    watch_.leave();
    return true;
  }
  control_->stop_because(LaunchResult::End::kNoProgress);
  report_deadlock();
  return false;
}

/// True if memory may change without a work-item of this launch.
bool Worker::others_may_store() const {
  return control_->spec.is_shared || program_.uses_pipes || program_.uses_queue ||
         control_->running.shares_memory();
}

/// Adds the locations of all work-items that this worker runs. `interrupted`: the batch at which the launch was ended; null if the
/// launch is deadlocked.
void Worker::add_places(ItemLocations& places, const vm::exec::Batch* interrupted) const {
  if (own_.turns != nullptr) {
    own_.turns->add_places(places, interrupted);
  } else if (interrupted != nullptr && !some_take_turns()) {
    places.add_interrupted(*interrupted);
    for (std::uint32_t i = 0; program_.uses_barrier && i < own_.unit.batches().size(); ++i)
      if (&own_.memory.fibers()[i].batch != interrupted)
        places.add_idle(own_.memory.fibers()[i].batch);
  }
  for (const std::unique_ptr<UnitRun>& resident : residents_)
    if (resident->turns != nullptr) resident->turns->add_places(places, interrupted);
}

/// Adds the work-items of groups that this worker claimed but did not begin, and of groups that no worker claimed.
void Worker::add_not_begun(ItemLocations& places) const {
  const auto add = [&](UnitRange range) {
    if (range.first >= range.end || geometry_.flowing()) return;
    std::uint64_t group = range.first * geometry_.groups_per_unit();
    const std::uint64_t groups =
        std::min(range.end * geometry_.groups_per_unit(), geometry_.group_count()) - group;
    group = geometry_.schedule().group_at(group, geometry_.group_count());
    const WorkItem item = vm::exec::work_item_at(geometry_.ids(), group, 0);
    places.add_not_begun(item, groups * geometry_.full_items());
  };
  add(claims_.left());
  // The first worker that comes here claims the rest, so the rest is reported once.
  add(control_->units.claim_rest());
}

/// Reports the locations of this worker's work-items in a deadlocked launch. Every worker does so once, whichever found the deadlock.
void Worker::report_deadlock() {
  if (deadlock_reported_) return;
  deadlock_reported_ = true;
  ItemLocations places;
  add_places(places, nullptr);
  add_not_begun(places);
  own_.collector.stopped(std::move(places).places(), Rule::kR0048);
}

}  // namespace transpire::scheduler
