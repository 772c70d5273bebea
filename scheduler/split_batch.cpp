// Splits a batch into parts. Work-items that would wait within the batch while others run a loop get registers of their own and
// continue as another part.
#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "scheduler/turns.h"
#include "vm/exec/lane_ids.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Batch;
using vm::exec::has_lane;
using vm::exec::Stop;

/// Makes the lanes of the lowest pending block the running ones.
void run_lowest(Batch& batch) {
  const std::uint32_t block = batch.lowest_pending;
  std::uint64_t* waiting = batch.pending + std::uint64_t{block} * batch.program->mask_words;
  for (std::uint32_t word = 0; word < batch.program->mask_words; ++word)
    batch.mask[word] = std::exchange(waiting[word], 0);
  batch.pending_set[block / 64] &= ~(std::uint64_t{1} << (block % 64));
  batch.ip = batch.program->block_entry[block];
}

/// Sets Batch::lowest_pending from Batch::pending_set.
void find_lowest(Batch& batch) {
  const std::size_t blocks = batch.program->block_entry.size();
  batch.lowest_pending = vm::exec::kNoPending;
  for (std::size_t word = 0; word < (blocks + 63) / 64; ++word) {
    if (batch.pending_set[word] == 0) continue;
    batch.lowest_pending = static_cast<std::uint32_t>(word * 64) +
                           static_cast<std::uint32_t>(std::countr_zero(batch.pending_set[word]));
    return;
  }
}

/// Removes all lanes but `lanes` from a batch. The batch must have been stopped at the end of a block or at a barrier.
void restrict_to(Batch& batch, const Lanes& lanes) {
  const std::uint32_t words = batch.program->mask_words;
  const std::size_t blocks = batch.program->block_entry.size();
  for (std::size_t block = 0; block < blocks; ++block) {
    if ((batch.pending_set[block / 64] >> (block % 64) & 1) == 0) continue;
    std::uint64_t some = 0;
    for (std::uint32_t word = 0; word < words; ++word)
      some |= batch.pending[block * words + word] &= lanes[word];
    if (some == 0) batch.pending_set[block / 64] &= ~(std::uint64_t{1} << (block % 64));
  }
  find_lowest(batch);
  for (std::uint32_t word = 0; word < lanes.size(); ++word) {
    batch.mask[word] &= lanes[word];
    batch.live[word] &= lanes[word];
  }
  if (!none(lanes_of(batch.mask))) return;
  if (batch.lowest_pending == vm::exec::kNoPending) {
    batch.stop = Stop::kDone;
    batch.ip = nullptr;
    return;
  }
  batch.stop = Stop::kTurn;
  run_lowest(batch);
  find_lowest(batch);
}

/// Removes all lanes but `lanes` from a shape. Returns the number of work-items that are left.
std::uint32_t restrict_shape(BatchShape& shape, const Lanes& lanes) {
  shape.items = 0;
  for (std::uint32_t word = 0; word < lanes.size(); ++word) {
    shape.mask[word] &= lanes[word];
    shape.items += static_cast<std::uint32_t>(std::popcount(shape.mask[word]));
  }
  return shape.items;
}

}  // namespace

/// Moves lanes of a part to a new part, which becomes the last one of all. The old part must be between two turns or at a barrier.
void Turns::split_off(Part& part, const Lanes& lanes) {
  Fiber& from = *part.fiber;
  Fiber& to = run_.memory.free_fiber();
  Lanes rest, old_open = part.open;
  BatchShape shape = part.shape;
  const std::uint32_t items = part.shape.items;
  restrict_shape(shape, lanes);
  for (std::uint32_t word = 0; word < rest.size(); ++word)
    rest[word] = part.shape.mask[word] & ~lanes[word];
  run_.memory.copy_state(from, to);
  restrict_to(to.batch, lanes);
  restrict_to(from.batch, rest);
  // The steps so far count for each work-item in equal shares.
  const std::uint64_t ran = from.batch.steps - from.steps_at_start;
  to.steps_at_start = to.batch.steps;
  to.refills = from.refills = to.turns = 0;
  from.steps_at_start = from.batch.steps - ran / items * restrict_shape(part.shape, rest);
  part.runs = from.batch.stop == Stop::kTurn;
  part.pace.changed();
  part.open = {};
  for (std::uint32_t word = 0; word < rest.size(); ++word)
    part.open[word] = old_open[word] & rest[word];
  Part& made = add_part(to, shape, part.batch, part.group);
  for (std::uint32_t word = 0; word < rest.size(); ++word)
    made.open[word] = old_open[word] & lanes[word];
  made.pace = part.pace;
  for (Part* one : {&part, &made})
    if (one->runs) give_turn(*one);
}

/// Groups the lanes of a part by unit of progress: sub-group, or work-item with fair progress. Lanes of a unit stay in one part.
Turns::ProgressUnits Turns::progress_units_of(const Part& part) const {
  const Batch& batch = part.fiber->batch;
  ProgressUnits units;
  for (std::uint32_t lane = 0; lane < run_.program.lanes; ++lane) {
    if (!has_lane(part.shape.mask, lane)) continue;
    const WorkItem item = work_item(batch, lane);
    auto& [runs, lanes] =
        units[{item.group_linear,
               by_item_ ? item.local_linear : item.local_linear / run_.program.subgroup_size}];
    runs |= has_lane(batch.mask, lane);
    lanes[lane / 64] |= std::uint64_t{1} << (lane % 64);
  }
  return units;
}

/// Splits off all work-items that wait within the batch until others leave their loop, if no lane of their unit of progress runs.
/// True if there were any.
bool Turns::split(Part& part) {
  Batch& batch = part.fiber->batch;
  if (batch.lowest_pending == vm::exec::kNoPending || (by_item_ && !run_.host.has_room()))
    return false;
  Lanes waiting{};
  for (const auto& [unit, found] : progress_units_of(part)) {
    const auto& [runs, lanes] = found;
    for (std::uint32_t word = 0; !runs && word < lanes.size(); ++word) waiting[word] |= lanes[word];
  }
  Lanes alive = waiting;
  for (std::uint32_t word = 0; word < alive.size(); ++word) alive[word] &= batch.live[word];
  if (none(alive)) return false;
  split_off(part, waiting);
  return true;
}

bool Turns::split_running(std::uint32_t& most) {
  bool some = false;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    Part& part = *parts_[i];
    if (!part.runs) continue;
    bool is_first = true;
    for (const auto& [unit, found] : progress_units_of(part)) {
      const auto& [runs, lanes] = found;
      if (!runs || std::exchange(is_first, false)) continue;
      if (most == 0 || !run_.host.has_room()) return some;
      --most;
      split_off(part, lanes);
      some = true;
    }
  }
  return some;
}

}  // namespace transpire::scheduler
