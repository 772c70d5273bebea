// Work-groups whose work-items meet at barriers: rounds of fibers, and the detection of groups that
// cannot meet. OpenCL wants every work-item of a group at the same barrier; where that fails the
// group is reported once and goes on, each fiber on its own, so nothing waits for ever.
#include <algorithm>
#include <bit>

#include "scheduler/worker.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Batch;
using vm::exec::kMaxMaskWords;
using vm::exec::Stop;

using Lanes = std::array<std::uint64_t, kMaxMaskWords>;

Lanes lanes_of(const std::uint64_t mask[kMaxMaskWords]) {
  Lanes lanes;
  std::copy_n(mask, kMaxMaskWords, lanes.begin());
  return lanes;
}

template <class Op>
Lanes combine(const Lanes& a, const Lanes& b, Op op) {
  Lanes result;
  for (std::uint32_t word = 0; word < kMaxMaskWords; ++word) result[word] = op(a[word], b[word]);
  return result;
}
Lanes both(const Lanes& a, const Lanes& b) { return combine(a, b, std::bit_and<>()); }
Lanes without(const Lanes& a, const Lanes& b) {
  return combine(a, b, [](std::uint64_t x, std::uint64_t y) { return x & ~y; });
}
bool none(const Lanes& lanes) {
  return std::all_of(lanes.begin(), lanes.end(), [](std::uint64_t word) { return word == 0; });
}

/// Adds lanes that are at one place to the report; places are few.
void note(std::vector<Waiting>& places, Waiting::Where where, const vm::exec::Inst* barrier,
          const Batch& batch, const Lanes& lanes) {
  if (none(lanes)) return;
  std::uint32_t first = 0;
  while ((lanes[first / 64] >> (first % 64) & 1) == 0) ++first;
  std::uint64_t count = 0;
  for (std::uint64_t word : lanes) count += static_cast<std::uint64_t>(std::popcount(word));
  for (Waiting& place : places) {
    if (place.where != where || place.barrier != barrier) continue;
    place.count += count;
    return;
  }
  places.push_back({where, barrier, count, work_item(batch, first)});
}

/// Where the lanes of a batch are, of those in `among`.
void note_batch(std::vector<Waiting>& places, const Batch& batch, const Lanes& among) {
  if (batch.stop == Stop::kDone) return note(places, Waiting::Where::kEnded, nullptr, batch, among);
  const Lanes waiting = both(lanes_of(batch.mask), among);
  const Lanes live = both(lanes_of(batch.live), among);
  note(places, Waiting::Where::kAtBarrier, batch.barrier, batch, waiting);
  note(places, Waiting::Where::kElsewhere, nullptr, batch, without(live, waiting));
  note(places, Waiting::Where::kEnded, nullptr, batch, without(without(among, live), waiting));
}

bool same_lanes(const std::uint64_t a[kMaxMaskWords], const std::uint64_t b[kMaxMaskWords]) {
  std::uint64_t differences = 0;
  for (std::uint32_t word = 0; word < kMaxMaskWords; ++word) differences |= a[word] ^ b[word];
  return differences == 0;
}

}  // namespace

bool Worker::run_fibers(const GroupShape& shape, const std::uint64_t group_id[3]) {
  const auto fibers = static_cast<std::uint32_t>(shape.batches.size());
  for (std::uint32_t i = 0; i < fibers; ++i) {
    set_group(fibers_[i], shape, group_id);
    start(fibers_[i], shape.batches[i]);
    fibers_[i].batch.stop = Stop::kBarrier;  // for resume_all: has not ended
  }
  bool reported = false;
  for (std::uint32_t round = 0;; ++round) {
    collector_.set_round(round);
    std::uint32_t waiting = 0;
    if (!resume_all(fibers, waiting)) return false;
    if (waiting == 0) return true;
    if (reported || met(fibers)) continue;
    // What follows a divergence are its consequences: one report a group.
    report_divergence(fibers);
    reported = true;
  }
}

/// Runs every fiber that has not ended to its next barrier or its end.
bool Worker::resume_all(std::uint32_t fibers, std::uint32_t& waiting) {
  for (std::uint32_t i = 0; i < fibers; ++i) {
    Fiber& fiber = fibers_[i];
    if (fiber.batch.stop == Stop::kDone) continue;
    if (!resume(fiber)) return false;
    waiting += fiber.batch.stop == Stop::kBarrier;
  }
  return true;
}

/// Whether all work-items of the group wait at the same barrier.
bool Worker::met(std::uint32_t fibers) const {
  const vm::exec::Inst* barrier = fibers_[0].batch.barrier;
  for (std::uint32_t i = 0; i < fibers; ++i) {
    const Batch& batch = fibers_[i].batch;
    if (batch.stop != Stop::kBarrier || batch.barrier != barrier) return false;
    if (!same_lanes(batch.mask, fibers_[i].shape->mask)) return false;
  }
  return true;
}

void Worker::report_divergence(std::uint32_t fibers) {
  std::vector<Waiting> places;
  for (std::uint32_t i = 0; i < fibers; ++i)
    note_batch(places, fibers_[i].batch, lanes_of(fibers_[i].shape->mask));
  collector_.barrier_divergence(std::move(places));
}

bool Worker::run_packed_batch(Fiber& fiber, std::uint32_t groups) {
  Lanes reported{};  // one bit a group
  for (std::uint32_t round = 0;; ++round) {
    collector_.set_round(round);
    if (!resume(fiber)) return false;
    if (fiber.batch.stop == Stop::kDone) return true;
    if (same_lanes(fiber.batch.mask, fiber.shape->mask)) continue;
    // Groups of one batch need not agree with each other: each is judged alone.
    for (std::uint32_t group = 0; group < groups; ++group) {
      std::uint64_t& word = reported[group / 64];
      const std::uint64_t bit = std::uint64_t{1} << (group % 64);
      if ((word & bit) == 0 && packed_divergence(fiber, group)) word |= bit;
    }
  }
}

/// Reports a group of a packed batch of which some, but not all, wait at the barrier; says whether.
bool Worker::packed_divergence(const Fiber& fiber, std::uint32_t slot) {
  const std::uint32_t items = geometry_.full_items();
  Lanes group{};
  for (std::uint32_t lane = slot * items; lane < (slot + 1) * items; ++lane)
    group[lane / 64] |= std::uint64_t{1} << (lane % 64);
  const Lanes waiting = both(lanes_of(fiber.batch.mask), group);
  if (none(waiting) || waiting == group) return false;
  std::vector<Waiting> places;
  note_batch(places, fiber.batch, group);
  collector_.barrier_divergence(std::move(places));
  return true;
}

}  // namespace transpire::scheduler
