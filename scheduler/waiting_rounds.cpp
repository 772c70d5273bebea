// Rounds of turns in which everything waits: asks the DeadlockWatch, and reports where the work-items of a deadlocked launch are.
#include <algorithm>

#include "scheduler/digest.h"
#include "scheduler/turns.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Stop;

/// Bytes of memory whose digest takes about the time of one round of turns.
constexpr std::uint64_t kBytesPerRound = std::uint64_t{1} << 20;

}  // namespace

/// Digests all parts of this worker and its residents, and the local memory of their groups. 0: too much to digest.
std::uint64_t Worker::state_by_turns() const {
  std::uint64_t state = 1;
  if (turns_ != nullptr) {
    state = memory_.digest_workgroup_memory(state);
    for (const std::unique_ptr<Part>& part : turns_->parts) {
      const std::uint64_t one = part->runs ? memory_.state_of(*part->fiber) : 1;
      if (one == 0) return 0;
      state = digest(&one, sizeof(one), state);
    }
  }
  for (const std::unique_ptr<Worker>& resident : residents_) {
    const std::uint64_t one = resident->state_by_turns();
    if (one == 0) return 0;
    state = digest(&one, sizeof(one), state);
  }
  return state;
}

/// Runs a round of turns while no other waiting worker runs. False if the launch ends there, for instance because it is deadlocked.
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
  const auto add = [&](const vm::exec::Batch& batch, bool runs) {
    if (interrupted == nullptr && runs)
      places.add_busy_wait(batch);
    else if (&batch == interrupted || runs)
      places.add_interrupted(batch);
    else
      places.add_idle(batch);
  };
  if (turns_ != nullptr) {
    for (const std::unique_ptr<Part>& part : turns_->parts)
      add(part->fiber->batch,
          part->runs && !turns_->to_barriers && part->fiber->batch.stop != Stop::kDone);
  } else if (interrupted != nullptr && host_ == nullptr) {
    places.add_interrupted(*interrupted);
    for (std::uint32_t i = 0; program_.uses_barrier && i < unit_.batches().size(); ++i)
      if (&memory_.fibers()[i].batch != interrupted) places.add_idle(memory_.fibers()[i].batch);
  }
  for (const std::unique_ptr<Worker>& resident : residents_)
    if (resident->turns_ != nullptr) resident->add_places(places, interrupted);
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
  collector_.stopped(std::move(places).places(), Rule::kR0048);
}

}  // namespace transpire::scheduler
