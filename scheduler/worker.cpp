#include "scheduler/worker.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "scheduler/batches.h"
#include "vm/simd/float_mode.h"

namespace transpire::scheduler {
namespace {

/// After this many busy rounds, then twice as many, and so on, further units begin.
constexpr std::uint64_t kBusyRounds = 32;
/// The most memory and the most fibers that residents and parts may add to a worker.
constexpr std::uint64_t kMostBytes = std::uint64_t{512} << 20;
constexpr std::size_t kMostFibers = 8192;
/// The most sub-groups that one thread splits off in a launch because they run a loop together, see Turns::split_running().
constexpr std::uint32_t kMostSplits = 64;

}  // namespace

Worker::Worker(const vm::Program& program, const GeometryPlan& geometry,
               std::uint64_t workgroup_bytes)
    : program_(program),
      geometry_(geometry),
      workgroup_bytes_(workgroup_bytes),
      own_(program, geometry, workgroup_bytes, *this, false) {}

void Worker::run(LaunchControl& control) {
  const vm::FloatMode mode;
  // One copy a launch: the map is read through a pointer by every memory access.
  const memory::AddressMap map = control.spec.memory->map();
  control_ = &control;
  map_ = &map;
  observer_.begin(program_.watched ? control.spec.observer : nullptr);
  own_.begin(control, map, observer_);
  residents_.clear();
  watch_.begin(control.deadlock);
  deadlock_reported_ = false;
  splits_left_ = kMostSplits;
  control.began(own_.memory);
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
  own_.memory.end();
}

void Worker::add_collectors(std::vector<Collector*>& collectors) {
  if (!own_.collector.empty()) collectors.push_back(&own_.collector);
  for (const std::unique_ptr<UnitRun>& resident : residents_)
    if (!resident->collector.empty()) collectors.push_back(&resident->collector);
}

/// Runs the units that were claimed and those that residents leave, until the launch ends.
template <Filling filling>
void Worker::run_units() {
  std::uint64_t done = 0;
  while (!claims_.empty() && !control_->stopped()) {
    UnitEnd end =
        own_.begin_unit<filling>(claims_.take()) ? run_batches(own_) : UnitEnd::kLaunchEnded;
    if (end == UnitEnd::kGoesOn)
      end = run_by_turns() && own_.finish_groups() ? UnitEnd::kRan : UnitEnd::kLaunchEnded;
    if (filling == Filling::kByGroup) observer_.ends(own_.unit);
    if (end == UnitEnd::kLaunchEnded) break;
    done += own_.unit.groups();
  }
  control_->done.fetch_add(done, std::memory_order_relaxed);
}

void Worker::report_end(UnitRun& unit, const vm::exec::Batch& batch) {
  if (control_->end.load() == LaunchResult::End::kNoProgress) return report_deadlock();
  const bool by_steps = batch.stop == vm::exec::Stop::kLimit;
  if (batch.stop ==
      vm::exec::Stop::kCancelled)  // an observer ended the launch, if nothing else did
    control_->stop_because(LaunchResult::End::kCancelled);
  ItemLocations locations;
  add_places(locations, &batch);
  unit.collector.stopped(std::move(locations).places(), by_steps ? Rule::kL0001 : Rule::kL0002);
  if (by_steps) control_->stop_because(LaunchResult::End::kStepLimit);
}

bool Worker::has_room() const {
  std::uint64_t fibers = own_.memory.spare_count(), groups = 0;
  for (const std::unique_ptr<UnitRun>& resident : residents_) {
    fibers += resident->memory.fiber_count();
    groups += geometry_.groups_per_unit();
  }
  const Checked bytes = own_.memory.fiber_bytes() * fibers + Checked(workgroup_bytes_) * groups;
  return fibers == 0 || (fibers < kMostFibers && bytes.fits(kMostBytes));
}

/// Begins a unit, to run by turns from its beginning.
bool Worker::begin_by_turns(UnitRun& resident, std::uint64_t unit) {
  if (!resident.begin_unit(unit)) return false;
  if (!geometry_.packed()) {
    Turns& turns = begin_turns(resident, 0);
    resident.order_round(static_cast<std::uint32_t>(resident.unit.batches().size()));
    return turns.begin_next_batch();
  }
  Fiber& first = resident.memory.fibers()[0];
  if (!resident.memory.start(first, resident.unit.batches()[0])) return false;
  first.batch.stop = vm::exec::Stop::kTurn;
  begin_turns(resident, 1);
  return true;
}

/// Begins another unit in a resident. It does so even at the limit of findings, since a unit that has begun may wait for it. False if
/// there was none to begin, or no room, or if the launch was stopped.
bool Worker::begin_resident() {
  std::uint64_t unit = 0;
  if (!has_room() || !claims_.take_or_claim(control_->units, unit)) return false;
  const auto idle =
      std::ranges::find_if(residents_, [](const auto& each) { return each->turns == nullptr; });
  if (idle != residents_.end()) return begin_by_turns(**idle, unit) || !control_->stopped();
  UnitRun& made = *residents_.emplace_back(
      std::make_unique<UnitRun>(program_, geometry_, workgroup_bytes_, *this, true));
  made.begin(*control_, *map_, observer_);
  return begin_by_turns(made, unit) || !control_->stopped();
}

/// Begins three times as many batches as there are, of groups that have begun; if all batches have begun, three times as many units.
/// Waiting parts cost time in every round, so few steps must suffice to begin everything. At the limit of findings only one unit
/// begins. Sets `begun` if anything began.
bool Worker::begin_more(bool& begun) {
  constexpr std::size_t kMore = 3;
  std::size_t units = 1;
  const auto begin_batches_of = [&begun](UnitRun& run) {
    if (run.turns == nullptr) return true;
    for (std::size_t left = kMore * run.turns->part_count(); left != 0; --left) {
      if (run.turns->all_begun()) break;
      begun = true;
      if (!run.turns->begin_next_batch()) return false;
    }
    return true;
  };
  if (!begin_batches_of(own_)) return false;
  for (const std::unique_ptr<UnitRun>& resident : residents_) {
    if (!begin_batches_of(*resident)) return false;
    units += resident->turns != nullptr ? 1 : 0;
  }
  if (begun) return true;
  units = control_->findings.reached() ? 1 : kMore * units;
  for (; units != 0 && begin_resident(); --units) begun = true;
  return !control_->stopped();
}

/// Ends the turns of a unit whose groups have all ended.
void Worker::end_turns(UnitRun& run) {
  run.collector.set_past_divergence({});
  run.turns.reset();
  run.memory.free_fibers();
  if (!run.is_resident) return;
  observer_.ends(run.unit);
  run.memory.forget_notes();
  std::vector<std::uint64_t>& executed = run.memory.executed();
  for (std::size_t i = 0; i < executed.size(); ++i)
    own_.memory.executed()[i] += std::exchange(executed[i], 0);
  control_->done.fetch_add(run.unit.groups(), std::memory_order_relaxed);
}

/// Runs a round of turns of all units.
bool Worker::run_round(Round& round) {
  const auto run = [&](UnitRun& unit) {
    if (unit.turns == nullptr) return true;
    if (!unit.turns->take_turns(round)) return false;
    if (unit.turns->has_ended()) end_turns(unit);
    return true;
  };
  return run(own_) && std::ranges::all_of(residents_, [&](auto& each) { return run(*each); });
}

/// True if some unit runs by turns.
bool Worker::some_take_turns() const {
  return own_.turns != nullptr ||
         std::ranges::any_of(residents_, [](const auto& each) { return each->turns != nullptr; });
}

/// Runs rounds of turns until all units have ended.
bool Worker::run_by_turns() {
  bool goes_on = true;
  std::uint64_t quiet = 0, busy = 0, patience = kBusyRounds;
  while (goes_on && some_take_turns()) {
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
  if (!goes_on) give_up_turns();
  return goes_on;
}

/// Ends the turns of a launch that ends before its groups do.
void Worker::give_up_turns() {
  if (control_->end.load() == LaunchResult::End::kNoProgress) report_deadlock();
  const auto give_up = [](UnitRun& run) {
    if (run.turns == nullptr) return false;
    run.turns->report_all_divergence();
    run.turns.reset();
    return true;
  };
  give_up(own_);
  for (const std::unique_ptr<UnitRun>& resident : residents_)
    if (give_up(*resident)) observer_.ends(resident->unit);
}

}  // namespace transpire::scheduler
