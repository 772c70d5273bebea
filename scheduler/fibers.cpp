// Work-groups with barriers: rounds of fibers, and the detection of barrier divergence. OpenCL requires that every work-item of
// a group reaches the same barrier. A group that does not has diverged: it is reported once, and its fibers then continue
// independently, so that no work-item waits for ever.
//
// The width of a batch decides which work-items stop together, and the report must not depend on it. The report therefore names,
// for each work-item, the first barrier at which it stopped after the group diverged, or says that it ended without reaching
// one. It is complete only when the group has ended.
#include <algorithm>
#include <bit>
#include <map>

#include "scheduler/divergence.h"
#include "scheduler/turns.h"
#include "vm/exec/lane_ids.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Batch;
using vm::exec::kMaxMaskWords;
using vm::exec::Stop;

/// Adds to `past` the lanes of a diverged group that are no longer open, see Divergence.
void add_past_divergence(Lanes& past, const std::uint64_t group[kMaxMaskWords], const Lanes& open) {
  for (std::uint32_t word = 0; word < kMaxMaskWords; ++word)
    past[word] |= group[word] & ~open[word];
}

}  // namespace

/// Runs every fiber that has not ended to its next barrier or its end. `waiting` is raised by the number of fibers that did not end.
/// The loop is kept short, since kernels often run few instructions between two barriers.
inline bool Worker::resume_each(std::uint32_t fibers, std::uint32_t& waiting) {
  for (Fiber *fiber = memory_.fibers().data(), *end = fiber + fibers; fiber != end; ++fiber) {
    if (fiber->batch.stop == Stop::kDone) continue;
    if (!resume(*fiber)) return false;
    waiting += fiber->batch.stop != Stop::kDone;
  }
  return true;
}

bool Worker::run_fibers() {
  const auto fibers = static_cast<std::uint32_t>(unit_.batches().size());
  for (std::uint32_t i = 0; i < fibers; ++i) {
    if (!memory_.start(memory_.fibers()[i], unit_.batches()[i])) return false;
    memory_.fibers()[i].batch.stop =
        Stop::kBarrier;  // tells resume_each() that the batch has not ended
  }
  if (program_.uses_named_barrier || !geometry_.schedule().is_lockstep()) {
    begin_turns(fibers);
    for (const std::unique_ptr<Part>& part : turns_->parts) part->runs = true;
    return run_by_turns();
  }
  for (;; ++rounds_[0]) {
    std::uint32_t waiting = 0;
    if (!resume_each(fibers, waiting)) return false;
    if (waiting == 0) return true;
    if (!met(fibers)) {
      begin_turns(fibers);
      return run_by_turns();
    }
    observer_->meets(memory_.fibers()[0].batch);
    if (!complete_together(fibers)) return false;
  }
}

/// Completes the group instruction at which `waiting` stands, for all parts of the group. False if the launch ends there.
bool Worker::complete(const Batch& waiting, vm::exec::GroupParts group) {
  waiting.complete(waiting.barrier, group);
  for (std::uint32_t p = 0; p < group.count; ++p) {
    const Batch& batch = *group.parts[p].batch;
    if (batch.stop == Stop::kLimit || batch.stop == Stop::kCancelled) return end_at(batch);
  }
  return true;
}

/// Completes the group instruction for a whole work-group.
bool Worker::complete_together(std::uint32_t fibers) {
  const Batch& first = memory_.fibers()[0].batch;
  if (first.complete == nullptr) return true;
  std::vector<vm::exec::GroupPart> parts;
  for (std::uint32_t i = 0; i < fibers; ++i)
    parts.push_back({&memory_.fibers()[i].batch, 0, geometry_.batch_items()});
  return complete(first, {parts.data(), fibers});
}

/// Completes the group instruction in a diverged work-group: each waiting work-item is a group of its own, so that the
/// result does not depend on the width of a batch.
bool Worker::complete_alone(Batch& batch, std::uint32_t begin, std::uint32_t end) {
  if (batch.stop != Stop::kBarrier || batch.complete == nullptr) return true;
  for (std::uint32_t lane = begin; lane < end; ++lane) {
    if (!vm::exec::has_lane(batch.mask, lane)) continue;
    const vm::exec::GroupPart part{&batch, lane, lane + 1};
    if (!complete(batch, {&part, 1})) return false;
  }
  return true;
}

bool Worker::finish_groups() {
  Batch& batch = memory_.fibers()[0].batch;
  for (std::uint32_t group = 0; group < unit_.groups(); ++group)
    if (!memory_.group_states()[group].is_clean() &&
        !finish_group(memory_.group_states()[group], &batch, group * geometry_.full_items(),
                      program_.checks_sync))
      return end_at(batch);
  return true;
}

/// True if all work-items of the group wait at the same barrier. All have come there equally often, since none has passed a
/// barrier before the others.
bool Worker::met(std::uint32_t fibers) const {
  const Batch& first = memory_.fibers()[0].batch;
  for (std::uint32_t i = 0; i < fibers; ++i) {
    const Batch& batch = memory_.fibers()[i].batch;
    if (batch.stop != Stop::kBarrier || batch.barrier != first.barrier) return false;
    if (!same_lanes(batch.mask, memory_.fibers()[i].shape->mask)) return false;
  }
  return true;
}

/// Lets all groups of a packed batch pass the barrier at which they have met.
bool Worker::pass_together(Batch& batch, std::uint32_t groups) {
  for (std::uint32_t slot = 0; slot < groups; ++slot) ++rounds_[slot];
  if (batch.complete == nullptr) return true;
  const std::uint32_t items = geometry_.full_items();
  for (std::uint32_t slot = 0; slot < groups; ++slot) {
    const vm::exec::GroupPart part{&batch, slot * items, (slot + 1) * items};
    if (!complete(batch, {&part, 1})) return false;
  }
  return true;
}

/// Runs a packed batch to its end. The groups in it meet or diverge independently of each other.
bool Worker::run_packed_batch() {
  Fiber& fiber = memory_.fibers()[0];
  const std::uint32_t groups = unit_.groups();
  if (!memory_.start(fiber, unit_.batches()[0])) return false;
  struct Diverged {
    Lanes open;
    Divergence divergence;
  };
  std::map<std::uint32_t, Diverged> diverged;  // by the group's number in the batch
  bool runs = true;
  while (runs) {
    if (!diverged.empty()) {
      Lanes past{};
      for (const auto& [slot, group] : diverged)
        add_past_divergence(past, packed_lanes(slot).data(), group.open);
      collector_.set_past_divergence(past);
    }
    runs = resume(fiber);
    if (runs && fiber.batch.stop == Stop::kTurn) {
      begin_turns(1);
      for (auto& [slot, group] : diverged)
        set_diverged(slot, std::move(group.divergence), group.open);
      return run_by_turns();
    }
    for (auto& [slot, group] : diverged) group.divergence.note(fiber.batch, group.open);
    if (!runs || fiber.batch.stop == Stop::kDone) break;
    const bool all_wait = same_lanes(fiber.batch.mask, fiber.shape->mask);
    if (all_wait && diverged.empty()) {
      runs = pass_together(fiber.batch, groups);
      continue;
    }
    for (std::uint32_t slot = 0; slot < groups && runs; ++slot) {
      const Lanes all = all_wait ? Lanes{} : packed_lanes(slot);
      Lanes left = all;
      const bool waits = all_wait || !none(take(left, fiber.batch.mask));
      if (!waits) continue;
      const std::uint32_t begin = slot * geometry_.full_items();
      const vm::exec::GroupPart part{&fiber.batch, begin, begin + geometry_.full_items()};
      if (diverged.contains(slot)) {
        runs = complete_alone(fiber.batch, part.begin, part.end);
        continue;
      }
      if (none(left)) {
        ++rounds_[slot];
        if (fiber.batch.complete != nullptr) runs = complete(fiber.batch, {&part, 1});
        continue;
      }
      runs = complete_alone(fiber.batch, part.begin, part.end);
      Diverged& group = diverged[slot];
      group.open = all;
      group.divergence.note(fiber.batch, group.open);
    }
  }
  collector_.set_past_divergence({});
  for (auto& [slot, group] : diverged) {
    group.divergence.note_rest(fiber.batch, group.open);
    collector_.barrier_divergence(std::move(group.divergence).places(), rounds_[slot]);
  }
  return runs;
}

/// The lanes of a group of a packed batch.
std::array<std::uint64_t, kMaxMaskWords> Worker::packed_lanes(std::uint32_t slot) const {
  const std::uint32_t items = geometry_.full_items();
  Lanes lanes{};
  for (std::uint32_t lane = slot * items; lane < (slot + 1) * items; ++lane)
    lanes[lane / 64] |= std::uint64_t{1} << (lane % 64);
  return lanes;
}

}  // namespace transpire::scheduler
