#include "scheduler/turns.h"

#include <algorithm>
#include <utility>

#include "scheduler/state_digest.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Batch;
using vm::exec::Stop;

/// Steps of a turn of a part that is new or busy-waits, in programs that are not watched.
constexpr std::uint64_t kShortestTurn = 1024;
/// After this many turns a part may be busy-waiting although its state changes, for instance because it counts its rounds. Its waiting
/// work-items are then split off.
constexpr std::uint64_t kPatience = 32;

}  // namespace

Turns& begin_turns(UnitRun& run, std::uint32_t fibers) {
  run.memory.free_fibers();
  run.turns = std::make_unique<Turns>(run, fibers);
  return *run.turns;
}

Turns::Turns(UnitRun& run, std::uint32_t fibers)
    : run_(run),
      by_item_(run.geometry.schedule().is_fair() && !run.program.uses_subgroups),
      groups_(run.unit.groups()),
      to_barriers_(fibers != 0),
      next_(fibers) {
  for (std::uint32_t i = 0; i < fibers; ++i) {
    const Part& part = add_part(run.memory.fibers()[i], run.unit.batches()[i], i, 0);
    to_barriers_ = to_barriers_ && !part.runs;
  }
  for (std::uint32_t group = run.unit.groups() - 1; fibers != 0 && group != 0; --group) {
    split_off(*parts_.front(), run.packed_lanes(group));
    parts_.back()->group = group;
  }
}

Part& Turns::add_part(Fiber& fiber, const BatchShape& shape, std::uint32_t batch,
                      std::uint32_t group) {
  Part& part = *parts_.emplace_back(std::make_unique<Part>());
  part.fiber = &fiber;
  part.shape = shape;
  part.batch = batch;
  part.group = group;
  part.open = lanes_of(shape.mask);
  part.pace = Pace(kShortestTurn / run_.slower);
  part.runs = fiber.batch.stop == Stop::kTurn;
  fiber.shape = &part.shape;
  return part;
}

void Turns::add_waiting(Fiber& fiber, std::uint32_t last) {
  next_ = last + 1;
  const std::uint32_t number = run_.at_turn(last);
  add_part(fiber, run_.unit.batches()[number], number, 0);
}

void Turns::let_all_run() {
  for (const std::unique_ptr<Part>& part : parts_) part->runs = true;
}

bool Turns::has_ended() const { return std::ranges::all_of(groups_, &Group::has_ended); }

void Turns::set_diverged(std::uint32_t group, Divergence divergence, const Lanes& open) {
  groups_[group].divergence = std::move(divergence);
  for (const std::unique_ptr<Part>& part : parts_)
    if (part->group == group) part->open = open;
}

bool Turns::begin_next_batch() {
  const std::uint32_t number = run_.at_turn(static_cast<std::uint32_t>(next_++));
  Fiber& fiber = run_.memory.free_fiber();
  run_.observer->resumes(run_.unit);
  run_.unit.enter(fiber.batch);
  if (!run_.memory.start(fiber, run_.unit.batches()[number])) return false;
  fiber.batch.stop = Stop::kTurn;
  const Part& part = add_part(fiber, run_.unit.batches()[number], number, 0);
  give_steps(fiber.batch, fiber.batch.steps_left + fiber.batch.steps_kept, part.pace.steps());
  return true;
}

/// Tells the collector which lanes of the part have left the place where they were when their group diverged.
void Turns::mark_past_divergence(const Part& part) {
  const bool has_diverged = groups_[part.group].divergence.has_value();
  Lanes past{};
  for (std::uint32_t word = 0; has_diverged && word < past.size(); ++word)
    past[word] = part.shape.mask[word] & ~part.open[word];
  run_.collector.set_past_divergence(past);
}

/// Runs a part for one turn. False if the launch ends there.
bool Turns::take_turn(Part& part, Round& round) {
  Fiber& fiber = *part.fiber;
  Batch& batch = fiber.batch;
  mark_past_divergence(part);
  do {
    const std::uint64_t before = batch.steps;
    vm::exec::run(batch);
    if (run_.is_resident || run_.memory.is_spare(fiber))
      run_.host.count_steps(batch.steps - before);
  } while (batch.stop == Stop::kTurn && !judge_turn(part, round));
  switch (batch.stop) {
    case Stop::kBarrier:
    case Stop::kNamedBarrier:
      run_.observer->waits(batch);
      [[fallthrough]];
    case Stop::kDone:
      part.runs = false;
      part.pace.left_loop();
      round.moved = true;
      return true;
    case Stop::kTurn:
      return true;
    case Stop::kCancelled:
      return run_.end_at(batch);
    case Stop::kLimit:
      break;
  }
  if (!run_.refill(fiber)) return run_.end_at(batch);
  batch.stop = Stop::kTurn;  // The part can run on; split() must not take it for one at a barrier.
  return true;
}

/// Judges a part that was stopped in a loop, and splits off what waits in it. False if its turn has not ended.
bool Turns::judge_turn(Part& part, Round& round) {
  const Pace::Activity what = part.pace.stopped(run_.memory.state_of(*part.fiber));
  if (what == Pace::Activity::kUnknown) {
    give_turn(part);
    return false;
  }
  const bool waits = what == Pace::Activity::kWaits;
  round.runs |= !waits;
  if ((waits || by_item_ || part.pace.turns() % kPatience == 0) && split(part))
    round.moved = true;
  else
    give_turn(part);
  return true;
}

/// Gives a part the steps of its next turn.
void Turns::give_turn(Part& part) {
  Batch& batch = part.fiber->batch;
  give_steps(batch, batch.steps_left + batch.steps_kept,
             std::max<std::uint64_t>(part.pace.steps(), batch.ip->d));
}

/// Runs each part that can run to its next barrier or its end, in the order of the schedule. If one of them may wait for others, all
/// take turns from then on. False if the launch ends there.
bool Turns::run_to_barriers(Round& round) {
  const auto count = static_cast<std::uint32_t>(parts_.size());
  run_.order_round(count);
  for (std::uint32_t turn = 0; turn < count; ++turn) {
    Part& part = *parts_[run_.at_turn(turn)];
    if (!part.runs) continue;
    mark_past_divergence(part);
    if (!run_.resume(*part.fiber)) return false;
    part.runs = part.fiber->batch.stop == Stop::kTurn;
    to_barriers_ = to_barriers_ && !part.runs;
  }
  round.moved = true;
  return advance_groups(round);
}

bool Turns::take_turns(Round& round) {
  if (to_barriers_) return run_to_barriers(round);
  // Parts that are split off in this round run in the next one.
  const std::size_t count = parts_.size();
  run_.observer->resumes(run_.unit);
  bool some = false;
  for (std::size_t i = 0; i < count; ++i) {
    Part& part = *parts_[i];
    // Lanes that the batch has yet to run cannot be at the barrier of the others, so their group has diverged. They run on as a part.
    if (part.fiber->batch.stop == Stop::kBarrier && split(part)) round.moved = true;
    if (!part.runs) continue;
    some = true;
    if (run_.control->stopped()) return run_.end_at(part.fiber->batch);
    if (!take_turn(part, round)) return false;
  }
  if (!some && !all_begun()) {
    round.moved = true;
    return begin_next_batch();
  }
  return advance_groups(round);
}

std::uint64_t Turns::state() const {
  std::uint64_t state = run_.memory.digest_workgroup_memory(1);
  for (const std::unique_ptr<Part>& part : parts_) {
    const std::uint64_t one = part->runs ? run_.memory.state_of(*part->fiber) : 1;
    if (one == 0) return 0;
    state = digest(&one, sizeof(one), state);
  }
  return state;
}

void Turns::add_places(ItemLocations& places, const Batch* interrupted) const {
  for (const std::unique_ptr<Part>& part : parts_) {
    const Batch& batch = part->fiber->batch;
    const bool runs = part->runs && !to_barriers_ && batch.stop != Stop::kDone;
    if (interrupted == nullptr && runs)
      places.add_busy_wait(batch);
    else if (&batch == interrupted || runs)
      places.add_interrupted(batch);
    else
      places.add_idle(batch);
  }
}

}  // namespace transpire::scheduler
