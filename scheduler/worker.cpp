// Worker: its walk over the units of a launch, and how a batch runs to its next barrier or its end.
#include "scheduler/worker.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "scheduler/item_locations.h"
#include "scheduler/turns.h"
#include "vm/simd/float_mode.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Batch;
using vm::exec::Stop;

/// Steps of a turn in a loop before a worker checks for busy-waiting: some 100 microseconds. Watched programs get fewer, since their
/// steps take many times as long.
constexpr std::uint64_t kTurnSteps = std::uint64_t{1} << 14;
/// Factor for watched programs of the number of turns after which a batch continues by turns although it was not seen to wait.
constexpr std::uint64_t kMostSlower = 8;
/// Number of turns after each power of two in which a batch's state is compared with the state at that power of two. One comparison
/// does not suffice, since an inner loop may stand elsewhere after each turn. Watched programs have short turns and need fewer.
constexpr std::uint64_t kMostCompared = 64, kMostComparedOfWatched = 16;

}  // namespace

Worker::Worker(const vm::Program& program, const GeometryPlan& geometry,
               std::uint64_t workgroup_bytes)
    : program_(program),
      geometry_(geometry),
      workgroup_bytes_(workgroup_bytes),
      unit_(geometry, workgroup_bytes),
      memory_(program, geometry, unit_, workgroup_bytes, collector_),
      rounds_(geometry.groups_per_unit()),
      slower_(program.watched ? 64 : 1),
      by_item_(geometry.schedule().is_fair() && !program.uses_subgroups) {
  collector_.set_rounds(rounds_.data(), geometry.packed() ? geometry.full_items() : 0);
}

Worker::~Worker() = default;

void Worker::begin(LaunchControl& control, const memory::AddressMap& map) {
  control_ = &control;
  map_ = &map;
  const LaunchSpec& spec = control.spec;
  if (host_ == nullptr) own_observer_.begin(program_.watched ? spec.observer : nullptr);
  observer_ = host_ == nullptr ? &own_observer_ : host_->observer_;
  collector_.begin(spec.memory, &control.findings, spec.limits.max_printf_bytes);
  memory_.begin(control, map, kTurnSteps / slower_);
  turns_.reset();
  residents_.clear();
  watch_.begin(control.deadlock);
  deadlock_reported_ = false;
  split_subgroups_ = 0;
}

void Worker::run(LaunchControl& control) {
  const vm::FloatMode mode;
  // One copy a launch: the map is read through a pointer by every memory access.
  const memory::AddressMap map = control.spec.memory->map();
  begin(control, map);
  control.began(memory_);
  const DeadlockState::Active active(control.deadlock);
  while (!control.stopped() && !control.findings.reached()) {
    if (!claims_.claim_chunk(control.units)) break;
    if (geometry_.flowing())
      run_units<Filling::kFlowing>();
    else if (geometry_.packed())
      run_units<Filling::kPacked>();
    else
      run_units<Filling::kByGroup>();
  }
  memory_.end();
}

void Worker::add_collectors(std::vector<Collector*>& collectors) {
  if (!collector_.empty()) collectors.push_back(&collector_);
  for (const std::unique_ptr<Worker>& resident : residents_) resident->add_collectors(collectors);
}

/// Begins a unit: sets the coordinates and the shape of its groups, and resets their memory. False if the launch ends there.
template <Filling filling>
[[gnu::always_inline]] inline bool Worker::begin_unit(std::uint64_t unit) {
  collector_.begin_unit();
  if (program_.uses_barrier) std::fill(rounds_.begin(), rounds_.end(), 0);
  unit_.go_to<filling>(unit);
  for (Fiber& fiber : memory_.fibers()) unit_.enter(fiber.batch);
  if (filling == Filling::kFlowing)  // the prologue depends on local ids, which are new
    memory_.fibers()[0].prologue_shape = nullptr;
  if (filling == Filling::kByGroup) observer_->begins(unit_);
  return memory_.reset_workgroup_memory();
}

/// Runs the unit's batches to their ends.
[[gnu::always_inline]] inline bool Worker::run_batches() {
  if (program_.uses_barrier)
    return (geometry_.packed() ? run_packed_batch() : run_fibers()) && finish_groups();
  if (!geometry_.schedule().is_lockstep()) return run_in_order();
  // The fiber is counted up, not computed: a division for each batch costs one percent in kernels of a few instructions.
  Fiber* const begin = memory_.fibers().data();
  Fiber* const end = begin + memory_.fibers().size();
  Fiber* fiber = begin;
  for (const BatchShape& batch : unit_.batches()) {
    if (!memory_.start(*fiber, batch) || !resume(*fiber)) return false;
    if (fiber->batch.stop == Stop::kTurn)
      return continue_by_turns(*fiber, static_cast<std::uint32_t>(&batch - unit_.batches().data()));
    if (++fiber == end) fiber = begin;
  }
  return true;
}

/// Runs the units that were claimed and those that residents leave, until the launch ends.
template <Filling filling>
void Worker::run_units() {
  std::uint64_t done = 0;
  while (!claims_.empty() && !control_->stopped()) {
    const bool runs = begin_unit<filling>(claims_.take()) && run_batches();
    if (filling == Filling::kByGroup) observer_->ends(unit_);
    if (!runs) break;
    done += unit_.groups();
  }
  control_->done.fetch_add(done, std::memory_order_relaxed);
}

bool Worker::begin_unit(std::uint64_t unit) {
  if (geometry_.flowing()) return begin_unit<Filling::kFlowing>(unit);
  if (geometry_.packed()) return begin_unit<Filling::kPacked>(unit);
  return begin_unit<Filling::kByGroup>(unit);
}

/// Sets the order in which the group's batches run to their next barrier.
void Worker::order_round(std::uint32_t fibers) {
  if (!geometry_.schedule().is_lockstep())
    geometry_.schedule().order_batches(unit_.group(), rounds_[0], fibers, order_);
}

/// The batches of a group in the order of a schedule.
bool Worker::run_in_order() {
  const auto batches = static_cast<std::uint32_t>(unit_.batches().size());
  order_round(batches);
  for (std::uint32_t turn = 0; turn < batches; ++turn) {
    Fiber& fiber = memory_.fibers()[turn % memory_.fibers().size()];
    if (!memory_.start(fiber, unit_.batches()[at_turn(turn)]) || !resume(fiber)) return false;
    if (fiber.batch.stop == Stop::kTurn) return continue_by_turns(fiber, turn);
  }
  return true;
}

bool Worker::resume(Fiber& fiber) {
  for (;;) {
    vm::exec::run(fiber.batch);
    switch (fiber.batch.stop) {
      case Stop::kBarrier:
      case Stop::kNamedBarrier:
        observer_->waits(fiber.batch);
        return true;
      case Stop::kDone:
        return true;
      case Stop::kTurn:
        if (!takes_another_turn(fiber)) return true;
        continue;
      case Stop::kCancelled:
        return end_at(fiber.batch);
      case Stop::kLimit:
        break;
    }
    if (!refill(fiber)) return end_at(fiber.batch);
  }
}

/// Reports that a limit ends the launch at this batch; Batch::stop says which limit. Returns false.
bool Worker::end_at(const Batch& batch) {
  if (control_->end.load() == LaunchResult::End::kNoProgress) {
    Worker& host = host_ != nullptr ? *host_ : *this;
    host.report_deadlock();
    return false;
  }
  const bool by_steps = batch.stop == Stop::kLimit;
  if (batch.stop == Stop::kCancelled)  // an observer ended the launch, if nothing else did
    control_->stop_because(LaunchResult::End::kCancelled);
  ItemLocations locations;
  (host_ != nullptr ? *host_ : *this).add_places(locations, &batch);
  collector_.stopped(std::move(locations).places(), by_steps ? Rule::kL0001 : Rule::kL0002);
  if (by_steps) control_->stop_because(LaunchResult::End::kStepLimit);
  return false;
}

/// Gives the batch another budget of steps. The budget counts rows, and a divergent batch runs more rows than any of its work-items
/// runs instructions. False if some work-item certainly exceeded the limit: all of them together ran more than `items` times as
/// much.
bool Worker::refill(Fiber& fiber) {
  const std::uint64_t max_steps = control_->spec.limits.max_steps;
  if (++fiber.refills >= fiber.shape->items) return false;
  if ((fiber.batch.steps - fiber.steps_at_start) / fiber.shape->items >= max_steps) return false;
  give_steps(fiber.batch, max_steps, kTurnSteps / slower_);
  return true;
}

/// Decides whether a batch that was stopped in a loop runs on at once. False if it waits: its state is one that it had before, or it
/// took so many turns that it may wait and count its rounds.
bool Worker::takes_another_turn(Fiber& fiber) {
  const std::uint64_t most_turns = 2048 * std::min(slower_, kMostSlower);
  Batch& batch = fiber.batch;
  give_steps(batch, batch.steps_left + batch.steps_kept,
             std::max<std::uint64_t>(kTurnSteps / slower_, batch.ip->d));
  const std::uint64_t turns = ++fiber.turns;
  if (turns >= most_turns) return false;
  const std::uint64_t kept_at = std::bit_floor(turns);
  if (turns > kept_at + (slower_ == 1 ? kMostCompared : kMostComparedOfWatched)) return true;
  const std::uint64_t state = memory_.state_of(fiber);
  if (state != 0 && turns > 1 && state == fiber.kept_state) return false;
  if (turns == kept_at) fiber.kept_state = state;
  return true;
}

}  // namespace transpire::scheduler
