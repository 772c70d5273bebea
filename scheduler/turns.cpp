// Rounds of turns: runs each part for a turn, and begins further batches and groups when all parts wait.
#include "scheduler/turns.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace transpire::scheduler {
namespace {

using vm::exec::Batch;
using vm::exec::Stop;

/// Steps of a turn of a part that is new or busy-waits, in programs that are not watched.
constexpr std::uint64_t kShortestTurn = 1024;
/// After this many turns a part may be busy-waiting although its state changes, for instance because it counts its rounds. Its waiting
/// work-items are then split off. After this many busy rounds, then twice as many, and so on, further groups begin.
constexpr std::uint64_t kPatience = 32;
/// The most memory and the most fibers that residents and parts may add to a worker.
constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;
constexpr std::size_t kMostFibers = 8192;

}  // namespace

/// Counts steps of fibers that only exist for turns. The supervising thread cannot visit these fibers, so it reads the sum.
void Worker::count_steps(std::uint64_t steps) {
  (host_ != nullptr ? *host_ : *this).memory_.add_steps(steps);
}

bool Worker::has_room() const {
  const Worker& host = host_ != nullptr ? *host_ : *this;
  std::uint64_t fibers = host.memory_.spare_count(), groups = 0;
  for (const std::unique_ptr<Worker>& resident : host.residents_) {
    fibers += resident->memory_.fiber_count();
    groups += geometry_.groups_per_unit();
  }
  const Checked bytes = memory_.fiber_bytes() * fibers + Checked(workgroup_bytes_) * groups;
  return fibers == 0 || (fibers < kMostFibers && bytes.fits(kMostBytes));
}

/// True if all batches of the unit have begun.
bool Worker::all_begun() const { return turns_->next == unit_.batches().size(); }

Worker::Part& Worker::add_part(Fiber& fiber, const BatchShape& shape, std::uint32_t batch,
                               std::uint32_t group) {
  Part& part = *turns_->parts.emplace_back(std::make_unique<Part>());
  part.fiber = &fiber;
  part.shape = shape;
  part.batch = batch;
  part.group = group;
  part.open = lanes_of(shape.mask);
  part.pace = Pace(kShortestTurn / slower_);
  part.runs = fiber.batch.stop == Stop::kTurn;
  fiber.shape = &part.shape;
  return part;
}

/// Begins turns for a unit whose first `fibers` batches have begun, each in the fiber of its number. The groups of a packed
/// batch become a part each, since they are independent.
void Worker::begin_turns(std::uint32_t fibers) {
  turns_ = std::make_unique<Turns>();
  memory_.free_fibers();
  turns_->groups.resize(unit_.groups());
  turns_->next = fibers;
  turns_->to_barriers = fibers != 0;
  for (std::uint32_t i = 0; i < fibers; ++i) {
    const Part& part = add_part(memory_.fibers()[i], unit_.batches()[i], i, 0);
    turns_->to_barriers = turns_->to_barriers && !part.runs;
  }
  for (std::uint32_t group = unit_.groups() - 1; fibers != 0 && group != 0; --group) {
    split_off(*turns_->parts.front(), packed_lanes(group));
    turns_->parts.back()->group = group;
  }
}

/// Takes over the divergence of a group that diverged before it ran by turns. `open`: see Divergence.
void Worker::set_diverged(std::uint32_t group, Divergence divergence, const Lanes& open) {
  turns_->groups[group].divergence = std::move(divergence);
  for (const std::unique_ptr<Part>& part : turns_->parts)
    if (part->group == group) part->open = open;
}

/// Continues a unit without barriers by turns. The batch at place `last` of the order waits; those behind it have not begun.
bool Worker::continue_by_turns(Fiber& fiber, std::uint32_t last) {
  if (geometry_.packed()) {
    begin_turns(1);
    return run_by_turns();
  }
  begin_turns(0);
  turns_->next = last + 1;
  const std::uint32_t number = at_turn(last);
  add_part(fiber, unit_.batches()[number], number, 0);
  return run_by_turns();
}

/// Begins the unit's next batch. False if the launch ends there.
bool Worker::begin_next_batch() {
  const std::uint32_t number = at_turn(static_cast<std::uint32_t>(turns_->next++));
  Fiber& fiber = memory_.free_fiber();
  observer_->resumes(unit_);
  unit_.enter(fiber.batch);
  if (!memory_.start(fiber, unit_.batches()[number])) return false;
  fiber.batch.stop = Stop::kTurn;
  const Part& part = add_part(fiber, unit_.batches()[number], number, 0);
  give_steps(fiber.batch, fiber.batch.steps_left + fiber.batch.steps_kept, part.pace.steps());
  return true;
}

/// Begins a unit in this worker, to run by turns from its beginning. False if the launch ends there.
bool Worker::begin_by_turns(std::uint64_t unit) {
  if (!begin_unit(unit)) return false;
  if (!geometry_.packed()) {
    begin_turns(0);
    order_round(static_cast<std::uint32_t>(unit_.batches().size()));
    return begin_next_batch();
  }
  if (!memory_.start(memory_.fibers()[0], unit_.batches()[0])) return false;
  memory_.fibers()[0].batch.stop = Stop::kTurn;
  begin_turns(1);
  return true;
}

/// Begins another unit in a resident of this worker. It does so even at the limit of findings, since this worker's unit may wait for
/// it. True if there was a unit to begin.
bool Worker::begin_resident() {
  std::uint64_t unit = 0;
  if (!has_room() || !claims_.take_or_claim(control_->units, unit)) return false;
  const auto idle = std::find_if(residents_.begin(), residents_.end(),
                                 [](const auto& each) { return each->turns_ == nullptr; });
  Worker* resident = idle == residents_.end() ? nullptr : idle->get();
  if (resident == nullptr) {
    resident =
        residents_.emplace_back(std::make_unique<Worker>(program_, geometry_, workgroup_bytes_))
            .get();
    resident->host_ = this;
    resident->begin(*control_, *map_);
  }
  return resident->begin_by_turns(unit) || !control_->stopped();
}

/// Begins three times as many batches as there are, of groups that have begun; if all batches have begun, three times as many groups.
/// Waiting parts cost time in every round, so few steps must suffice to begin everything. At the limit of findings only one group
/// begins. Sets `begun` if anything began. False if the launch ends there.
bool Worker::begin_more(bool& begun) {
  constexpr std::size_t kMore = 3;
  std::size_t units = 1;
  const auto begin_batches_of = [&begun](Worker& worker) {
    if (worker.turns_ == nullptr) return true;
    for (std::size_t left = kMore * worker.turns_->parts.size(); left != 0; --left) {
      if (worker.all_begun()) break;
      begun = true;
      if (!worker.begin_next_batch()) return false;
    }
    return true;
  };
  if (!begin_batches_of(*this)) return false;
  for (const std::unique_ptr<Worker>& resident : residents_) {
    if (!begin_batches_of(*resident)) return false;
    units += resident->turns_ != nullptr ? 1 : 0;
  }
  if (begun) return true;
  units = control_->findings.reached() ? 1 : kMore * units;
  for (; units != 0 && begin_resident(); --units) begun = true;
  return !control_->stopped();
}

/// Tells the collector which lanes of the part have left the place where they were when their group diverged.
void Worker::mark_past_divergence(const Part& part) {
  const bool has_diverged = turns_->groups[part.group].divergence.has_value();
  Lanes past{};
  for (std::uint32_t word = 0; has_diverged && word < past.size(); ++word)
    past[word] = part.shape.mask[word] & ~part.open[word];
  collector_.set_past_divergence(past);
}

/// Runs a part for one turn. False if the launch ends there.
bool Worker::take_turn(Part& part, Round& round) {
  Fiber& fiber = *part.fiber;
  Batch& batch = fiber.batch;
  mark_past_divergence(part);
  do {
    const std::uint64_t before = batch.steps;
    vm::exec::run(batch);
    if (host_ != nullptr || memory_.is_spare(fiber)) count_steps(batch.steps - before);
  } while (batch.stop == Stop::kTurn && !judge_turn(part, round));
  switch (batch.stop) {
    case Stop::kBarrier:
    case Stop::kNamedBarrier:
      observer_->waits(batch);
      [[fallthrough]];
    case Stop::kDone:
      part.runs = false;
      part.pace.left_loop();
      round.moved = true;
      return true;
    case Stop::kTurn:
      return true;
    case Stop::kCancelled:
      return end_at(batch);
    case Stop::kLimit:
      break;
  }
  if (!refill(fiber)) return end_at(batch);
  batch.stop = Stop::kTurn;  // The part can run on; split() must not take it for one at a barrier.
  return true;
}

/// Judges a part that was stopped in a loop, and splits off what waits in it. False if its turn has not ended.
bool Worker::judge_turn(Part& part, Round& round) {
  const Pace::Activity what = part.pace.stopped(memory_.state_of(*part.fiber));
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
void Worker::give_turn(Part& part) {
  Batch& batch = part.fiber->batch;
  give_steps(batch, batch.steps_left + batch.steps_kept,
             std::max<std::uint64_t>(part.pace.steps(), batch.ip->d));
}

/// Runs each part that can run to its next barrier or its end, in the order of the schedule. If one of them may wait for others, all
/// take turns from then on. False if the launch ends there.
bool Worker::run_to_barriers(Round& round) {
  const auto count = static_cast<std::uint32_t>(turns_->parts.size());
  order_round(count);
  for (std::uint32_t turn = 0; turn < count; ++turn) {
    Part& part = *turns_->parts[at_turn(turn)];
    if (!part.runs) continue;
    mark_past_divergence(part);
    if (!resume(*part.fiber)) return false;
    part.runs = part.fiber->batch.stop == Stop::kTurn;
    turns_->to_barriers = turns_->to_barriers && !part.runs;
  }
  round.moved = true;
  return advance_groups(round);
}

/// Runs each part that can run for one turn. False if the launch ends there.
bool Worker::take_turns(Round& round) {
  if (turns_->to_barriers) return run_to_barriers(round);
  // Parts that are split off in this round run in the next one.
  const std::size_t count = turns_->parts.size();
  observer_->resumes(unit_);
  bool some = false;
  for (std::size_t i = 0; i < count; ++i) {
    Part& part = *turns_->parts[i];
    // Lanes that the batch has yet to run cannot be at the barrier of the others, so their group has diverged. They run on as a part.
    if (part.fiber->batch.stop == Stop::kBarrier && split(part)) round.moved = true;
    if (!part.runs) continue;
    some = true;
    if (control_->stopped()) return end_at(part.fiber->batch);
    if (!take_turn(part, round)) return false;
  }
  if (!some && !all_begun()) {
    round.moved = true;
    return begin_next_batch();
  }
  return advance_groups(round);
}

/// Ends the turns of this worker's unit, whose groups have all ended.
void Worker::end_turns() {
  collector_.set_past_divergence({});
  turns_.reset();
  memory_.free_fibers();
  if (host_ == nullptr) return;
  observer_->ends(unit_);
  memory_.forget_notes();
  std::vector<std::uint64_t>& executed = memory_.executed();
  for (std::size_t i = 0; i < executed.size(); ++i)
    host_->memory_.executed()[i] += std::exchange(executed[i], 0);
  control_->done.fetch_add(unit_.groups(), std::memory_order_relaxed);
}

/// Runs a round of turns of this worker's unit and of its residents' units. False if the launch ends there.
bool Worker::run_round(Round& round) {
  const auto has_ended = [](const Worker& worker) {
    const auto& groups = worker.turns_->groups;
    return std::all_of(groups.begin(), groups.end(),
                       [](const auto& each) { return each.has_ended; });
  };
  if (turns_ != nullptr) {
    if (!take_turns(round)) return false;
    if (has_ended(*this)) end_turns();
  }
  for (const std::unique_ptr<Worker>& resident : residents_) {
    if (resident->turns_ == nullptr) continue;
    if (!resident->take_turns(round)) return false;
    if (has_ended(*resident)) resident->end_turns();
  }
  return true;
}

/// Runs rounds of turns until this worker's unit and those of its residents have ended. False if the launch ends there.
bool Worker::run_by_turns() {
  const auto some_run = [this] {
    return turns_ != nullptr ||
           std::any_of(residents_.begin(), residents_.end(),
                       [](const auto& each) { return each->turns_ != nullptr; });
  };
  bool goes_on = true;
  std::uint64_t quiet = 0, busy = 0, patience = kPatience;
  while (goes_on && some_run()) {
    Round round;
    const bool all_wait = quiet >= 2;
    goes_on = all_wait ? run_round_and_detect_deadlock(round) : run_round(round);
    // Lets other workers run, which may change memory. This takes long if other processes need the processor.
    if (quiet % 16 == 15 && control_->deadlock.active() > 1) std::this_thread::yield();
    if (round.moved) {
      quiet = 0;
      busy = 0;
      continue;
    }
    quiet = round.runs ? 0 : quiet + 1;
    busy = round.runs ? busy + 1 : 0;
    bool begun = false;
    if (goes_on && quiet >= 2) goes_on = begin_more(begun);
    if (begun) quiet = 0;
    if (!goes_on || busy < patience) continue;
    // Parts whose state always changes may be busy-waiting and counting their rounds. Begin what they may wait for.
    goes_on = begin_more(begun);
    patience *= 2;
    busy = 0;
  }
  watch_.stop_waiting();
  if (!goes_on && control_->end.load() == LaunchResult::End::kNoProgress) report_deadlock();
  if (goes_on) return true;
  report_all_divergence();
  turns_.reset();
  for (const std::unique_ptr<Worker>& resident : residents_) {
    if (resident->turns_ == nullptr) continue;
    resident->report_all_divergence();
    resident->turns_.reset();
    observer_->ends(resident->unit_);
  }
  return false;
}

}  // namespace transpire::scheduler
