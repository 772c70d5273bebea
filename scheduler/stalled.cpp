// Launches that can never end: whether the work-items of all workers wait for what none of them will do.
#include <algorithm>
#include <cstring>

#include "scheduler/running.h"
#include "scheduler/turns.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Stop;

/// Memory that a digest is made of in about the time of a round of turns.
constexpr std::uint64_t kBytesPerRound = std::uint64_t{1} << 20;

/// Reads memory that no other thread stores to meanwhile.
std::uint64_t load_own(const unsigned char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

/// Reads an aligned word of memory to which a launch of another host thread may store: it may begin at any time.
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

/// Of all parts, and of the memory that only their groups see.
std::uint64_t Worker::state_by_turns() const {
  std::uint64_t state = 1;
  if (turns_ != nullptr) {
    state = digest(workgroup_memory_.data(), workgroup_memory_.size(), state);
    for (const std::unique_ptr<Part>& part : turns_->parts) {
      const std::uint64_t one = part->runs ? state_of(*part->fiber) : 1;
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

void Worker::leave_stall() {
  if (!waits_) return;
  const std::lock_guard lock(control_->stall.mutex);
  leave_stall_locked();
}

void Worker::leave_stall_locked() {
  Stall& stall = control_->stall;
  --stall.waiting;
  ++stall.generation;
  stall.stalled = 0;
  waits_ = false;
}

/// A round in which no other worker that waits runs. False when the launch ends there: nothing will ever change.
bool Worker::run_round_stalled(Round& round) {
  Stall& stall = control_->stall;
  const std::lock_guard lock(stall.mutex);
  if (!waits_) {
    waits_ = true;
    ++stall.waiting;
    rounds_to_look_ = 0;
  }
  if (!run_round(round)) return false;
  if (round.moved || round.runs) {
    leave_stall_locked();
    return true;
  }
  if (stall.waiting != stall.active.load() || others_may_store() || rounds_to_look_-- != 0)
    return true;
  std::uint64_t bytes = 0;
  const std::uint64_t memory = digest_of(*map_, bytes);
  rounds_to_look_ = bytes / kBytesPerRound;
  if (memory != stall.memory) {
    stall.memory = memory;
    ++stall.generation;
    stall.stalled = 0;
  }
  if (seen_generation_ != stall.generation) {
    seen_generation_ = stall.generation;
    stalled_ = false;
    states_ = {};
  }
  const std::uint64_t state = state_by_turns();
  if (state == 0 || stalled_ || !states_.sees(state)) return true;
  if (split_running()) {
    round.moved = true;
    leave_stall_locked();
    return true;
  }
  stalled_ = true;
  if (++stall.stalled != stall.active.load()) return true;
  // A launch may have begun since the memory was read.
  if (others_may_store()) {
    leave_stall_locked();
    return true;
  }
  control_->stop_because(LaunchResult::End::kNoProgress);
  report_stalled();
  return false;
}

/// Whether memory may change without a work-item of this launch.
bool Worker::others_may_store() const {
  return control_->spec.is_shared || program_.uses_pipes || program_.uses_queue ||
         control_->running.shares_memory();
}

/// Where all work-items are that this worker runs; of `interrupted` null, of a launch that can never end.
void Worker::add_places(Whereabouts& places, const vm::exec::Batch* interrupted) const {
  const auto add = [&](const vm::exec::Batch& batch, bool runs) {
    if (interrupted == nullptr && runs)
      places.add_spinning(batch);
    else if (&batch == interrupted || runs)
      places.add_interrupted(batch);
    else
      places.add_idle(batch);
  };
  if (turns_ != nullptr) {
    for (const std::unique_ptr<Part>& part : turns_->parts)
      add(part->fiber->batch, part->runs && part->fiber->batch.stop != Stop::kDone);
  } else if (interrupted != nullptr && host_ == nullptr) {
    places.add_interrupted(*interrupted);
    for (std::uint32_t i = 0; i < group_fibers_; ++i)
      if (&fibers_[i].batch != interrupted) places.add_idle(fibers_[i].batch);
  }
  for (const std::unique_ptr<Worker>& resident : residents_)
    if (resident->turns_ != nullptr) resident->add_places(places, interrupted);
}

/// The first of the groups that this worker did not begin, and how many work-items they have.
void Worker::add_not_begun(Whereabouts& places) const {
  const auto add = [&](std::uint64_t first, std::uint64_t end) {
    if (first >= end || geometry_.flowing()) return;
    std::uint64_t group = first * geometry_.groups_per_unit();
    const std::uint64_t groups =
        std::min(end * geometry_.groups_per_unit(), geometry_.group_count()) - group;
    group = geometry_.schedule().group_at(group, geometry_.group_count());
    const WorkItem item = vm::exec::work_item_at(geometry_.ids(), group, 0);
    places.add_not_begun(item, groups * geometry_.full_items());
  };
  add(next_unit_, end_unit_);
  // What nobody claimed is told of once.
  const std::uint64_t claimed = control_->next_unit.exchange(control_->units);
  add(claimed, control_->units);
}

/// Each worker tells of its own work-items, once, whichever found that nothing will change.
void Worker::report_stalled() {
  if (told_stalled_) return;
  told_stalled_ = true;
  Whereabouts places;
  add_places(places, nullptr);
  add_not_begun(places);
  collector_.stopped(std::move(places).places(), Rule::kR0048);
}

}  // namespace transpire::scheduler
