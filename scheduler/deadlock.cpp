// Deadlock detection, by the algorithm of deadlock.h: finds launches in which all work-items wait and none can end the wait.
#include <algorithm>
#include <cstring>

#include "scheduler/running_launch.h"
#include "scheduler/turns.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Stop;

/// Bytes of memory whose digest takes about the time of one round of turns.
constexpr std::uint64_t kBytesPerRound = std::uint64_t{1} << 20;

/// Reads memory to which no other thread stores.
std::uint64_t load_own(const unsigned char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

/// Reads an aligned word of memory to which another host thread's launch may store; such a launch may begin at any time.
std::uint64_t load_shared(const unsigned char* at) {
  using Word [[gnu::may_alias]] = std::uint64_t;
  return __atomic_load_n(reinterpret_cast<const Word*>(at), __ATOMIC_RELAXED);
}

template <typename Load>
std::uint64_t digest_with(Load load, const void* bytes, std::size_t size, std::uint64_t before) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  const auto mix = [](std::uint64_t state, std::uint64_t word) {
    state = (state ^ word) * kOdd;
    return state ^ state >> 29;
  };
  std::uint64_t lane[4] = {before ^ size, before + kOdd, before ^ kOdd, ~before};
  const auto* at = static_cast<const unsigned char*>(bytes);
  const auto mix_byte = [&] {
    lane[0] = mix(lane[0], __atomic_load_n(at, __ATOMIC_RELAXED));
    ++at;
    --size;
  };
  while (size != 0 && reinterpret_cast<std::uintptr_t>(at) % sizeof(std::uint64_t) != 0) mix_byte();
  for (; size >= 32; size -= 32, at += 32)
    for (int i = 0; i < 4; ++i) lane[i] = mix(lane[i], load(at + 8 * i));
  while (size != 0) mix_byte();
  std::uint64_t state = 0;
  for (const std::uint64_t each : lane) state = mix(mix(state, each), each >> 32);
  return state;
}

/// Digests all memory that kernels may store to. `bytes` is set to its size.
std::uint64_t digest_of(const memory::AddressMap& map, std::uint64_t& bytes) {
  std::uint64_t state = 0;
  bytes = 0;
  for (std::uint64_t number = 1; number < map.allocation_count; ++number) {
    const memory::Allocation* each = &map.allocations[number];
    if (!is_stored_to(*each)) continue;
    state = digest_with(load_shared, each->host, each->size_bytes, state);
    bytes += each->size_bytes;
  }
  return state;
}

}  // namespace

std::uint64_t digest(const void* bytes, std::size_t size, std::uint64_t before) {
  return digest_with(load_own, bytes, size, before);
}

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

void Worker::stop_waiting() {
  if (!waits_) return;
  const std::lock_guard lock(control_->deadlock.mutex);
  stop_waiting_locked();
}

void Worker::stop_waiting_locked() {
  DeadlockState& shared = control_->deadlock;
  --shared.waiting;
  ++shared.generation;
  shared.repeating = 0;
  waits_ = false;
}

/// Runs a round of turns while no other waiting worker runs. False if the launch ends there, for instance because it is deadlocked.
bool Worker::run_round_and_detect_deadlock(Round& round) {
  DeadlockState& shared = control_->deadlock;
  const std::lock_guard lock(shared.mutex);
  if (!waits_) {
    waits_ = true;
    ++shared.waiting;
    rounds_to_look_ = 0;
  }
  if (!run_round(round)) return false;
  if (round.moved || round.runs) {
    stop_waiting_locked();
    return true;
  }
  if (shared.waiting != shared.active.load() || others_may_store() || rounds_to_look_-- != 0)
    return true;
  std::uint64_t bytes = 0;
  const std::uint64_t memory = digest_of(*map_, bytes);
  rounds_to_look_ = bytes / kBytesPerRound;
  if (memory != shared.memory_digest) {
    shared.memory_digest = memory;
    ++shared.generation;
    shared.repeating = 0;
  }
  if (seen_generation_ != shared.generation) {
    seen_generation_ = shared.generation;
    state_repeated_ = false;
    states_ = {};
  }
  const std::uint64_t state = state_by_turns();
  if (state == 0 || state_repeated_ || !states_.sees(state)) return true;
  if (split_running()) {
    round.moved = true;
    stop_waiting_locked();
    return true;
  }
  state_repeated_ = true;
  if (++shared.repeating != shared.active.load()) return true;
  // Another launch that shares the memory may have begun since it was digested.
  if (others_may_store()) {
    stop_waiting_locked();
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
