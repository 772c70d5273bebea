#include "scheduler/batches.h"

#include <map>

#include "scheduler/turns.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Batch;
using vm::exec::Stop;

/// The end of a unit whose batches have run. `in_time`: before the launch ended.
UnitEnd ran(bool in_time) { return in_time ? UnitEnd::kRan : UnitEnd::kLaunchEnded; }

/// Runs every fiber that has not ended to its next barrier or its end. `waiting` is raised by the number of fibers that did not end.
/// False if the launch ends there. The loop is kept short, since kernels often run few instructions between two barriers.
inline bool resume_each(UnitRun& run, std::uint32_t fibers, std::uint32_t& waiting) {
  for (Fiber *fiber = run.memory.fibers().data(), *end = fiber + fibers; fiber != end; ++fiber) {
    if (fiber->batch.stop == Stop::kDone) continue;
    if (!run.resume(*fiber)) return false;
    waiting += fiber->batch.stop != Stop::kDone;
  }
  return true;
}

/// True if all work-items of the group wait at the same barrier. All have come there equally often, since none has passed a
/// barrier before the others.
bool met(UnitRun& run, std::uint32_t fibers) {
  const Batch& first = run.memory.fibers()[0].batch;
  for (std::uint32_t i = 0; i < fibers; ++i) {
    const Fiber& fiber = run.memory.fibers()[i];
    if (fiber.batch.stop != Stop::kBarrier || fiber.batch.barrier != first.barrier) return false;
    if (!same_lanes(fiber.batch.mask, fiber.shape->mask)) return false;
  }
  return true;
}

/// Completes the group instruction for a whole work-group. False if the launch ends there.
bool complete_together(UnitRun& run, std::uint32_t fibers) {
  const Batch& first = run.memory.fibers()[0].batch;
  if (first.complete == nullptr) return true;
  std::vector<vm::exec::GroupPart> parts;
  for (std::uint32_t i = 0; i < fibers; ++i)
    parts.push_back({&run.memory.fibers()[i].batch, 0, run.geometry.batch_items()});
  return run.complete(first, {parts.data(), fibers});
}

/// Runs the fibers of a group.
UnitEnd run_fibers(UnitRun& run) {
  const auto fibers = static_cast<std::uint32_t>(run.unit.batches().size());
  for (std::uint32_t i = 0; i < fibers; ++i) {
    Fiber& fiber = run.memory.fibers()[i];
    if (!run.memory.start(fiber, run.unit.batches()[i])) return UnitEnd::kLaunchEnded;
    fiber.batch.stop = Stop::kBarrier;  // tells resume_each() that the batch has not ended
  }
  if (run.program.uses_named_barrier || !run.geometry.schedule().is_lockstep()) {
    begin_turns(run, fibers).let_all_run();
    return UnitEnd::kGoesOn;
  }
  for (;; ++run.rounds[0]) {
    std::uint32_t waiting = 0;
    if (!resume_each(run, fibers, waiting)) return UnitEnd::kLaunchEnded;
    if (waiting == 0) return UnitEnd::kRan;
    if (!met(run, fibers)) {
      begin_turns(run, fibers);
      return UnitEnd::kGoesOn;
    }
    run.observer->meets(run.memory.fibers()[0].batch);
    if (!complete_together(run, fibers)) return UnitEnd::kLaunchEnded;
  }
}

/// Runs the groups of a packed batch, which meet or diverge independently of each other.
class PackedRun {
 public:
  explicit PackedRun(UnitRun& run)
      : run_(run), fiber_(run.memory.fibers()[0]), groups_(run.unit.groups()) {}

  UnitEnd run() {
    if (!run_.memory.start(fiber_, run_.unit.batches()[0])) return UnitEnd::kLaunchEnded;
    bool runs = true;
    while (runs) {
      mark_past_divergence();
      runs = run_.resume(fiber_);
      if (runs && fiber_.batch.stop == Stop::kTurn) return go_on();
      for (auto& [slot, group] : diverged_) group.divergence.note(fiber_.batch, group.open);
      if (!runs || fiber_.batch.stop == Stop::kDone) break;
      const bool all_wait = same_lanes(fiber_.batch.mask, fiber_.shape->mask);
      runs = all_wait && diverged_.empty() ? pass_together() : pass_one_by_one(all_wait);
    }
    report();
    return ran(runs);
  }

 private:
  struct Diverged {
    Lanes open;
    Divergence divergence;
  };

  /// Tells the collector which lanes of diverged groups are no longer open, see Divergence.
  void mark_past_divergence() {
    if (diverged_.empty()) return;
    Lanes past{};
    for (const auto& [slot, group] : diverged_) {
      const Lanes all = run_.packed_lanes(slot);
      for (std::uint32_t word = 0; word < past.size(); ++word)
        past[word] |= all[word] & ~group.open[word];
    }
    run_.collector.set_past_divergence(past);
  }

  UnitEnd go_on() {
    Turns& turns = begin_turns(run_, 1);
    for (auto& [slot, group] : diverged_)
      turns.set_diverged(slot, std::move(group.divergence), group.open);
    return UnitEnd::kGoesOn;
  }

  vm::exec::GroupPart part_of(std::uint32_t slot) const {
    const std::uint32_t items = run_.geometry.full_items();
    return {&fiber_.batch, slot * items, (slot + 1) * items};
  }

  /// Lets a group pass the barrier at which it has met. False if the launch ends there.
  bool complete(std::uint32_t slot) {
    const vm::exec::GroupPart part = part_of(slot);
    return fiber_.batch.complete == nullptr || run_.complete(fiber_.batch, {&part, 1});
  }

  /// Lets all groups pass the barrier at which they have met.
  bool pass_together() {
    for (std::uint32_t slot = 0; slot < groups_; ++slot) ++run_.rounds[slot];
    if (fiber_.batch.complete == nullptr) return true;
    for (std::uint32_t slot = 0; slot < groups_; ++slot)
      if (!complete(slot)) return false;
    return true;
  }

  /// Lets groups that have met pass the barrier, and the others diverge.
  bool pass_one_by_one(bool all_wait) {
    for (std::uint32_t slot = 0; slot < groups_; ++slot) {
      const Lanes all = all_wait ? Lanes{} : run_.packed_lanes(slot);
      Lanes left = all;
      const bool waits = all_wait || !none(take(left, fiber_.batch.mask));
      if (waits && !pass(slot, all, none(left))) return false;
    }
    return true;
  }

  bool pass(std::uint32_t slot, const Lanes& all, bool has_met) {
    const bool has_diverged = diverged_.contains(slot);
    if (!has_diverged && has_met) {
      ++run_.rounds[slot];
      return complete(slot);
    }
    const vm::exec::GroupPart part = part_of(slot);
    const bool runs = run_.complete_alone(fiber_.batch, part.begin, part.end);
    if (!has_diverged) {
      Diverged& group = diverged_[slot];
      group.open = all;
      group.divergence.note(fiber_.batch, group.open);
    }
    return runs;
  }

  void report() {
    run_.collector.set_past_divergence({});
    for (auto& [slot, group] : diverged_) {
      group.divergence.note_rest(fiber_.batch, group.open);
      run_.collector.barrier_divergence(std::move(group.divergence).places(), run_.rounds[slot]);
    }
  }

  UnitRun& run_;
  Fiber& fiber_;
  const std::uint32_t groups_;
  std::map<std::uint32_t, Diverged> diverged_;  ///< by the group's number in the batch
};

}  // namespace

UnitEnd run_to_barriers(UnitRun& run) {
  const UnitEnd end = run.geometry.packed() ? PackedRun(run).run() : run_fibers(run);
  return end == UnitEnd::kRan ? ran(run.finish_groups()) : end;
}

UnitEnd run_in_order(UnitRun& run) {
  const auto batches = static_cast<std::uint32_t>(run.unit.batches().size());
  run.order_round(batches);
  std::vector<Fiber>& fibers = run.memory.fibers();
  for (std::uint32_t turn = 0; turn < batches; ++turn) {
    Fiber& fiber = fibers[turn % fibers.size()];
    if (!run.memory.start(fiber, run.unit.batches()[run.at_turn(turn)]) || !run.resume(fiber))
      return UnitEnd::kLaunchEnded;
    if (fiber.batch.stop == Stop::kTurn) return go_on_by_turns(run, fiber, turn);
  }
  return UnitEnd::kRan;
}

UnitEnd go_on_by_turns(UnitRun& run, Fiber& fiber, std::uint32_t last) {
  if (run.geometry.packed())
    begin_turns(run, 1);
  else
    begin_turns(run, 0).add_waiting(fiber, last);
  return UnitEnd::kGoesOn;
}

}  // namespace transpire::scheduler
