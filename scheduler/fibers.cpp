// Work-groups whose work-items meet at barriers: rounds of fibers, and the detection of groups that
// cannot meet. OpenCL wants every work-item of a group at the same barrier; where that fails the
// group is reported once and goes on, each fiber on its own, so nothing waits for ever.
//
// Which work-items stop together depends on the width of a batch, the report must not. It therefore
// says of each work-item at which barrier it stopped first after the group parted, or that it ended
// without reaching one, and is complete only when the group has ended.
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

/// Those that have gone on from where they were when their group parted.
void add_gone_on(Lanes& gone_on, const std::uint64_t group[kMaxMaskWords], const Lanes& open) {
  for (std::uint32_t word = 0; word < kMaxMaskWords; ++word)
    gone_on[word] |= group[word] & ~open[word];
}

}  // namespace

/// resume_all of nearly all launches, which often run few instructions from one barrier to the next: this loop counts.
inline bool Worker::resume_each(std::uint32_t fibers, std::uint32_t& waiting) {
  for (Fiber *fiber = fibers_.data(), *end = fiber + fibers; fiber != end; ++fiber) {
    if (fiber->batch.stop == Stop::kDone) continue;
    if (!resume(*fiber)) return false;
    waiting += fiber->batch.stop != Stop::kDone;
  }
  return true;
}

bool Worker::run_fibers(const GroupShape& shape, const std::uint64_t group_id[3]) {
  const auto fibers = static_cast<std::uint32_t>(shape.batches.size());
  for (std::uint32_t i = 0; i < fibers; ++i) {
    set_group(fibers_[i], shape, group_id);
    if (!start(fibers_[i], shape.batches[i])) return false;
    fibers_[i].batch.stop = Stop::kBarrier;  // for resume_all: has not ended
  }
  group_fibers_ = fibers;
  if (program_.uses_named_barrier) return run_subgroups(fibers);
  const bool is_lockstep = geometry_.schedule().is_lockstep();
  for (rounds_[0] = 0;; ++rounds_[0]) {
    std::uint32_t waiting = 0;
    if (!(is_lockstep ? resume_each(fibers, waiting) : resume_all(fibers, waiting))) return false;
    if (waiting == 0) return true;
    if (!met(fibers)) {
      if (!has_turn(fibers)) return run_diverged(fibers);
      gather(fibers);
      return run_by_turns();
    }
    if (observer_ != nullptr) observer_->meets(fibers_[0].batch, *fibers_[0].batch.barrier);
    if (!complete_together(fibers)) return false;
  }
}

/// Whether one of the batches waits in a loop.
bool Worker::has_turn(std::uint32_t fibers) const {
  return std::any_of(fibers_.begin(), fibers_.begin() + fibers,
                     [](const Fiber& fiber) { return fiber.batch.stop == Stop::kTurn; });
}

/// Does for a group what the instruction says that `waiting` stands at.
bool Worker::complete(const Batch& waiting, vm::exec::GroupParts group) {
  waiting.complete(waiting.barrier, group);
  for (std::uint32_t p = 0; p < group.count; ++p) {
    const Batch& batch = *group.parts[p].batch;
    if (batch.stop == Stop::kLimit || batch.stop == Stop::kCancelled) return end_at(batch);
  }
  return true;
}

/// The same for the whole work-group.
bool Worker::complete_together(std::uint32_t fibers) {
  const Batch& first = fibers_[0].batch;
  if (first.complete == nullptr) return true;
  std::vector<vm::exec::GroupPart> parts;
  for (std::uint32_t i = 0; i < fibers; ++i)
    parts.push_back({&fibers_[i].batch, 0, geometry_.batch_items()});
  return complete(first, {parts.data(), fibers});
}

/// The same where the work-group has parted: each waiting work-item is a group of its own, whatever
/// the width of a batch.
bool Worker::complete_alone(Batch& batch, std::uint32_t begin, std::uint32_t end) {
  if (batch.stop != Stop::kBarrier || batch.complete == nullptr) return true;
  for (std::uint32_t lane = begin; lane < end; ++lane) {
    if (!vm::exec::has_lane(batch.mask, lane)) continue;
    const vm::exec::GroupPart part{&batch, lane, lane + 1};
    if (!complete(batch, {&part, 1})) return false;
  }
  return true;
}

bool Worker::finish_groups(std::uint32_t groups) {
  if (group_states_.empty()) return true;
  Batch& batch = fibers_[0].batch;
  for (std::uint32_t group = 0; group < groups; ++group)
    if (!group_states_[group].is_clean() &&
        !finish_group(group_states_[group], &batch, group * geometry_.full_items(),
                      program_.checks_sync))
      return end_at(batch);
  return true;
}

/// Runs every fiber that has not ended to its next barrier or its end.
bool Worker::resume_all(std::uint32_t fibers, std::uint32_t& waiting, const Lanes* open) {
  order_round(fibers);
  for (std::uint32_t turn = 0; turn < fibers; ++turn) {
    const std::uint32_t i = at_turn(turn);
    Fiber& fiber = fibers_[i];
    if (fiber.batch.stop == Stop::kDone) continue;
    if (open != nullptr) {
      Lanes gone_on{};
      add_gone_on(gone_on, fiber.shape->mask, open[i]);
      collector_.set_gone_on(gone_on);
    }
    if (!resume(fiber)) return false;
    waiting += fiber.batch.stop != Stop::kDone;
  }
  return true;
}

/// True if all work-items of the group wait at the same barrier. All have come there as often: nobody passes one before the
/// others, so far.
bool Worker::met(std::uint32_t fibers) const {
  const Batch& first = fibers_[0].batch;
  for (std::uint32_t i = 0; i < fibers; ++i) {
    const Batch& batch = fibers_[i].batch;
    if (batch.stop != Stop::kBarrier || batch.barrier != first.barrier) return false;
    if (!same_lanes(batch.mask, fibers_[i].shape->mask)) return false;
  }
  return true;
}

/// The rest of a group whose work-items have parted: every barrier lets them pass.
bool Worker::run_diverged(std::uint32_t fibers) {
  Divergence divergence;
  std::vector<Lanes> open;
  for (std::uint32_t i = 0; i < fibers; ++i) open.push_back(lanes_of(fibers_[i].shape->mask));
  std::uint32_t waiting = 1;
  bool runs = true;
  for (;;) {
    for (std::uint32_t i = 0; i < fibers; ++i) {
      divergence.note(fibers_[i].batch, open[i]);
      runs = runs && complete_alone(fibers_[i].batch, 0, geometry_.batch_items());
    }
    if (!runs || waiting == 0) break;
    waiting = 0;
    runs = resume_all(fibers, waiting, open.data());
    if (runs && has_turn(fibers)) {
      gather(fibers);
      for (std::uint32_t i = 0; i < fibers; ++i) turns_->parts[i]->open = open[i];
      turns_->groups[0].divergence = std::move(divergence);
      return run_by_turns();
    }
  }
  collector_.set_gone_on({});
  for (std::uint32_t i = 0; i < fibers; ++i) divergence.note_rest(fibers_[i].batch, open[i]);
  collector_.barrier_divergence(std::move(divergence).places(), rounds_[0]);
  return runs;
}

/// Every group of a packed batch has met.
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

/// Groups of one batch need not agree with each other: each is judged alone.
bool Worker::run_packed_batch(Fiber& fiber, std::uint32_t groups) {
  struct Parted {
    Lanes open;
    Divergence divergence;
  };
  std::map<std::uint32_t, Parted> parted;  // by group of the batch
  std::fill(rounds_.begin(), rounds_.end(), 0);
  bool runs = true;
  while (runs) {
    if (!parted.empty()) {
      Lanes gone_on{};
      for (const auto& [slot, group] : parted)
        add_gone_on(gone_on, packed_lanes(slot).data(), group.open);
      collector_.set_gone_on(gone_on);
    }
    runs = resume(fiber);
    if (runs && fiber.batch.stop == Stop::kTurn) {
      gather_packed(fiber, groups);
      for (auto& [slot, group] : parted) set_parted(slot, std::move(group.divergence), group.open);
      return run_by_turns();
    }
    for (auto& [slot, group] : parted) group.divergence.note(fiber.batch, group.open);
    if (!runs || fiber.batch.stop == Stop::kDone) break;
    const bool all_wait = same_lanes(fiber.batch.mask, fiber.shape->mask);
    if (all_wait && parted.empty()) {
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
      if (parted.contains(slot)) {
        runs = complete_alone(fiber.batch, part.begin, part.end);
        continue;
      }
      if (none(left)) {
        ++rounds_[slot];
        if (fiber.batch.complete != nullptr) runs = complete(fiber.batch, {&part, 1});
        continue;
      }
      runs = complete_alone(fiber.batch, part.begin, part.end);
      Parted& group = parted[slot];
      group.open = all;
      group.divergence.note(fiber.batch, group.open);
    }
  }
  collector_.set_gone_on({});
  for (auto& [slot, group] : parted) {
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
