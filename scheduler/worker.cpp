// Worker: its walk over the work-groups of a launch. A batch of a small kernel runs in some ten nanoseconds, so only state
// that differs between groups and batches is written for each.
#include "scheduler/worker.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "scheduler/fiber_layout.h"
#include "scheduler/item_locations.h"
#include "scheduler/turns.h"
#include "vm/simd/float_mode.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Batch;
using vm::exec::Stop;

/// to[i] = from[i] + value. Blocks of a fixed length, which g++ 12 vectorises at -O2 as well.
void add_to_row(const std::uint32_t* __restrict from, std::uint32_t value,
                std::uint32_t* __restrict to, std::uint32_t lanes) {
  for (std::uint32_t left = lanes; left != 0; left -= 64, from += 64, to += 64)
    for (std::size_t i = 0; i < 64; ++i) to[i] = from[i] + value;
}

/// Number of a worker's fibers. A program with barriers needs one for each batch of a group. Any other needs one, but then the
/// prologue runs again for each batch of a group; if registers are small, each batch has a fiber of its own.
std::size_t count_fibers(const vm::Program& program, const GeometryPlan& geometry,
                         const FiberLayout& layout) {
  constexpr std::size_t kMostBytes = 64 * 1024;
  if (program.uses_barrier) return geometry.max_batches();
  if (program.prologue_instructions == 0 || geometry.packed() || geometry.flowing()) return 1;
  const std::size_t affordable = kMostBytes / std::max<std::uint64_t>(layout.all.value(), 1);
  return std::clamp<std::size_t>(affordable, 1, geometry.max_batches());
}

/// Steps of a turn in a loop before a worker checks for busy-waiting: some 100 microseconds. Watched programs get fewer, since their
/// steps take many times as long.
constexpr std::uint64_t kTurnSteps = std::uint64_t{1} << 14;
/// Factor for watched programs of the number of turns after which a batch continues by turns although it was not seen to wait.
constexpr std::uint64_t kMostSlower = 8;
/// Number of turns after each power of two in which a batch's state is compared with the state at that power of two. One comparison
/// does not suffice, since an inner loop may stand elsewhere after each turn. Watched programs have short turns and need fewer.
constexpr std::uint64_t kMostCompared = 64, kMostComparedOfWatched = 16;

}  // namespace

LaunchControl::LaunchControl(const LaunchSpec& launch, std::uint64_t unit_count, unsigned workers)
    : spec(launch),
      units(unit_count, workers),
      findings(launch.limits.max_findings),
      running(launch) {}

void LaunchControl::stop_because(LaunchResult::End why) {
  LaunchResult::End expected = LaunchResult::End::kCompleted;
  end.compare_exchange_strong(expected, why);
  __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
}

void LaunchControl::began(const Worker& worker) {
  if (spec.executing == nullptr) return;
  const std::lock_guard lock(counted_mutex);
  counted.push_back(&worker);
}

std::uint64_t LaunchControl::instructions() {
  const std::lock_guard lock(counted_mutex);
  std::uint64_t sum = 0;
  for (const Worker* worker : counted) sum += worker->instructions();
  return sum;
}

Checked Worker::bytes_needed(const vm::Program& program, const GeometryPlan& geometry,
                             std::uint64_t workgroup_bytes) {
  const FiberLayout layout(program, geometry.private_lanes());
  const std::uint64_t fibers = count_fibers(program, geometry, layout);
  const Checked all = (layout.all + vm::Program::kPhasePeriod) * fibers +
                      Checked(workgroup_bytes) * geometry.groups_per_unit();
  const Checked own = layout.private_bytes * fibers;
  const Checked charged =
      FiberLayout::of_lanes(program, geometry.charged_items(program.uses_barrier));
  if (!all.valid() || charged.fits(own.value())) return all;
  return all + (charged - own);
}

Worker::Worker(const vm::Program& program, const GeometryPlan& geometry,
               std::uint64_t workgroup_bytes)
    : program_(program),
      geometry_(geometry),
      layout_(program, geometry.private_lanes()),
      workgroup_bytes_(workgroup_bytes),
      cursor_(geometry),
      fibers_(count_fibers(program, geometry, layout_)),
      workgroup_memory_((Checked(workgroup_bytes) * geometry.groups_per_unit()).value()),
      rounds_(geometry.groups_per_unit()),
      group_states_(program.uses_barrier ? geometry.groups_per_unit() : 0),
      executed_(program.counts_instructions ? vm::kMostOpcodes : 0),
      slower_(program.watched ? 64 : 1),
      by_item_(geometry.schedule().is_fair() && !program.uses_subgroups) {
  collector_.set_rounds(rounds_.data(), geometry.packed() ? geometry.full_items() : 0);
  if (geometry.packed()) {
    const std::uint32_t lanes = geometry.lanes();
    packed_rows_ = AlignedArray<std::uint32_t>(std::size_t{4} * lanes);
    packed_rows_.zero();
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
      packed_rows_[3 * lanes + lane] =
          static_cast<std::uint32_t>(geometry.packed_slot()[lane] * workgroup_bytes);
  }
  if (geometry.flowing()) {
    packed_rows_ = AlignedArray<std::uint32_t>(std::size_t{6} * geometry.lanes());
    packed_rows_.zero();
    for (std::uint32_t d = 0; d < 3; ++d)
      flowing_shape_.local_id[d] = packed_rows_.data() + (d == 0 ? 4 : 5) * geometry.lanes();
  }
  for (Fiber& fiber : fibers_) make_fiber(fiber);
}

Worker::~Worker() = default;

void Worker::begin(LaunchControl& control) {
  control_ = &control;
  const LaunchSpec& spec = control.spec;
  observer_ = program_.watched ? spec.observer : nullptr;
  collector_.begin(spec.memory, &control.findings, spec.limits.max_printf_bytes);
  prepares_batches_ = (control.notes != nullptr && control.notes->has_aliases()) ||
                      control.undefined != nullptr || !program_.private_variables.empty();
  const std::uint64_t max_steps = spec.limits.max_steps;
  const std::uint64_t steps = max_steps == 0 ? ~std::uint64_t{0} : max_steps;
  first_steps_ = std::min(steps, kTurnSteps / slower_);
  later_steps_ = steps - first_steps_;
  for (Fiber& fiber : fibers_) {
    if (!clean_) {
      std::memset(fiber.batch.pending, 0, layout_.private_live - layout_.pending);
      fiber.batch.lowest_pending = vm::exec::kNoPending;
    }
    begin_fiber(fiber);
  }
  turns_.reset();
  residents_.clear();
  spare_fibers_.clear();
  __atomic_store_n(&steps_by_turns_, 0, __ATOMIC_RELAXED);
  seen_generation_ = 0;
  waits_ = state_repeated_ = deadlock_reported_ = false;
  split_subgroups_ = 0;
  states_ = {};
  for (vm::exec::GroupState& state : group_states_) state = {};
  std::fill(executed_.begin(), executed_.end(), 0);
}

/// Sets everything in a fiber that stays the same during a launch.
void Worker::begin_fiber(Fiber& fiber) {
  Batch& batch = fiber.batch;
  const LaunchSpec& spec = control_->spec;
  for (const auto& scalar : program_.argument_scalars)
    std::memcpy(batch.registers + scalar.offset, &spec.arguments[scalar.slot], 8);
  fiber.prologue_shape = nullptr;
  batch.cancel = &control_->stop;
  batch.observer = spec.observer;
  batch.queue = spec.queue;
  batch.notes = control_->notes.get();
  batch.items = nullptr;
  fiber.notes.reset();
  batch.undefined = nullptr;
  batch.loaded_undefined = false;
  fiber.undefined.reset();
  batch.memory = map_;
  batch.max_steps = spec.limits.max_steps;
  batch.steps = 0;
}

void Worker::run(LaunchControl& control) {
  const vm::FloatMode mode;
  // One copy a launch: the map is read through a pointer by every memory access.
  const memory::AddressMap map = control.spec.memory->map();
  map_ = &map;
  begin(control);
  control.began(*this);
  const DeadlockState::Active active(control.deadlock);
  clean_ = false;
  while (!control.stopped() && !control.findings.reached()) {
    if (!claims_.claim_chunk(control.units)) break;
    if (geometry_.flowing())
      run_units<Filling::kFlowing>();
    else if (geometry_.packed())
      run_units<Filling::kPacked>();
    else
      run_units<Filling::kByGroup>();
  }
  clean_ = !control.stopped();
  forget_notes();
}

void Worker::add_collectors(std::vector<Collector*>& collectors) {
  if (!collector_.empty()) collectors.push_back(&collector_);
  for (const std::unique_ptr<Worker>& resident : residents_) resident->add_collectors(collectors);
}

std::uint64_t Worker::instructions() const {
  std::uint64_t sum = __atomic_load_n(&steps_by_turns_, __ATOMIC_RELAXED);
  for (const Fiber& fiber : fibers_) sum += __atomic_load_n(&fiber.batch.steps, __ATOMIC_RELAXED);
  return sum;
}

/// Runs the units that were claimed and those that residents leave, until the launch ends.
template <Filling filling>
void Worker::run_units() {
  std::uint64_t done = 0;
  while (!claims_.empty() && !control_->stopped()) {
    const bool runs = begin_unit<filling>(claims_.take()) && run_batches();
    if (filling == Filling::kByGroup) announce_end();
    if (!runs) break;
    done += filling == Filling::kFlowing ? 1 : groups_;
  }
  control_->done.fetch_add(done, std::memory_order_relaxed);
}

/// Begins a unit: sets the coordinates and the shape of its groups, and resets their memory. False if the launch ends there.
template <Filling filling>
bool Worker::begin_unit(std::uint64_t unit) {
  collector_.begin_unit();
  if constexpr (filling == Filling::kFlowing) {
    set_flowing_unit(unit);
    return true;
  }
  if (program_.uses_barrier) std::fill(rounds_.begin(), rounds_.end(), 0);
  if constexpr (filling == Filling::kPacked) {
    groups_ = geometry_.groups_of_unit(unit);
    if (!cursor_.go_to(unit * geometry_.groups_per_unit())) packed_row_is_set_ = false;
    set_packed_groups(fibers_[0]);
    batches_ = {&geometry_.packed_shape(groups_), 1};
  } else {
    group_ = geometry_.schedule().group_at(unit, geometry_.group_count());
    cursor_.go_to(group_);
    const GroupShape& shape = geometry_.shape(cursor_.id());
    batches_ = shape.batches;
    for (Fiber& fiber : fibers_) set_group(fiber.batch, cursor_.id(), shape.size);
    announce_begin();
    cursor_.step();
  }
  return reset_workgroup_memory();
}

bool Worker::begin_unit(std::uint64_t unit) {
  if (geometry_.flowing()) return begin_unit<Filling::kFlowing>(unit);
  if (geometry_.packed()) return begin_unit<Filling::kPacked>(unit);
  return begin_unit<Filling::kByGroup>(unit);
}

/// Sets the order in which the group's batches run to their next barrier.
void Worker::order_round(std::uint32_t fibers) {
  if (!geometry_.schedule().is_lockstep())
    geometry_.schedule().order_batches(group_, rounds_[0], fibers, order_);
}

/// Calls the observer: this worker's group begins.
void Worker::announce_begin() {
  if (observer_ == nullptr) return;
  (host_ != nullptr ? *host_ : *this).announced_ = this;
  observer_->group_begins(fibers_[0].batch.group_id);
}

/// Calls the observer if another group ran in between: the next events belong to this worker's group.
void Worker::announce_resume() {
  Worker& host = host_ != nullptr ? *host_ : *this;
  if (observer_ != nullptr && std::exchange(host.announced_, this) != this)
    observer_->group_goes_on(fibers_[0].batch.group_id);
}

/// Calls the observer: this worker's group has ended.
void Worker::announce_end() {
  if (observer_ == nullptr) return;
  announce_resume();
  observer_->group_ends(fibers_[0].batch.group_id);
}

/// Runs the unit's batches to their ends.
bool Worker::run_batches() {
  if (program_.uses_barrier)
    return (geometry_.packed() ? run_packed_batch() : run_fibers()) && finish_groups();
  if (!geometry_.schedule().is_lockstep()) return run_in_order();
  // The fiber is counted up, not computed: a division for each batch costs one percent in kernels of a few instructions.
  Fiber* const begin = fibers_.data();
  Fiber* const end = begin + fibers_.size();
  Fiber* fiber = begin;
  for (const BatchShape& batch : batches_) {
    if (!start(*fiber, batch) || !resume(*fiber)) return false;
    if (fiber->batch.stop == Stop::kTurn)
      return continue_by_turns(*fiber, static_cast<std::uint32_t>(&batch - batches_.data()));
    if (++fiber == end) fiber = begin;
  }
  return true;
}

/// The batches of a group in the order of a schedule.
bool Worker::run_in_order() {
  const auto batches = static_cast<std::uint32_t>(batches_.size());
  order_round(batches);
  for (std::uint32_t turn = 0; turn < batches; ++turn) {
    Fiber& fiber = fibers_[turn % fibers_.size()];
    if (!start(fiber, batches_[at_turn(turn)]) || !resume(fiber)) return false;
    if (fiber.batch.stop == Stop::kTurn) return continue_by_turns(fiber, turn);
  }
  return true;
}

void Worker::set_group(Batch& batch, const std::uint64_t id[3], const std::uint64_t size[3]) {
  copy_fixed<3>(id, batch.group_id);
  copy_fixed<3>(size, batch.local_size);
}

/// Writes the rows of group ids of a packed batch, whose first group is at the cursor; moves the cursor behind its groups.
void Worker::set_packed_groups(Fiber& fiber) {
  const std::uint32_t lanes = geometry_.lanes();
  const std::uint64_t* id = cursor_.id();
  copy_fixed<3>(id, fiber.batch.group_id);
  std::uint32_t* rows = packed_rows_.data();
  if (cursor_.line_holds(groups_)) {
    add_to_row(geometry_.packed_slot(), static_cast<std::uint32_t>(id[0]), rows, lanes);
    for (std::uint32_t d = 1; d < 3 && !packed_row_is_set_; ++d)
      std::fill_n(rows + d * lanes, lanes, static_cast<std::uint32_t>(id[d]));
    packed_row_is_set_ = true;
    cursor_.step_in_line(groups_);
    return;
  }
  const std::uint32_t items = geometry_.full_items();
  for (std::uint32_t group = 0; group < groups_; ++group, cursor_.step())
    for (std::uint32_t d = 0; d < 3; ++d)
      std::fill_n(rows + d * lanes + group * items, items, static_cast<std::uint32_t>(id[d]));
  packed_row_is_set_ = false;
}

bool Worker::start(Fiber& fiber, const BatchShape& shape) {
  Batch& batch = fiber.batch;
  copy_fixed<vm::exec::kMaxMaskWords>(shape.mask, batch.mask);
  copy_fixed<vm::exec::kMaxMaskWords>(shape.mask, batch.live);
  copy_fixed<3>(shape.local_id, batch.local_id);
  batch.exists = shape.mask;
  if (program_.prologue_instructions != 0 && fiber.prologue_shape != &shape) {
    batch.ip = program_.code.data();
    vm::exec::run(batch);
    fiber.prologue_shape = &shape;
  }
  batch.ip = program_.code.data() + program_.prologue_instructions;
  batch.barrier = nullptr;
  batch.call = 0;
  batch.steps_left = first_steps_;
  batch.steps_kept = later_steps_;
  fiber.shape = &shape;
  fiber.steps_at_start = batch.steps;
  fiber.refills = fiber.turns = 0;
  return !prepares_batches_ || prepare(fiber);
}

/// Prepares state that few programs and few launches need: notes of checks, shadows, private memory.
bool Worker::prepare(Fiber& fiber) {
  if (control_->notes != nullptr && control_->notes->has_aliases()) begin_notes(fiber);
  if (control_->undefined != nullptr) begin_undefined(fiber);
  return program_.private_variables.empty() || prepare_private(fiber);
}

/// Gives the fiber empty notes for its new work-items. Parts that were split off from the earlier batch may still use the old notes.
void Worker::begin_notes(Fiber& fiber) {
  if (fiber.notes == nullptr || fiber.notes.use_count() > 1)
    fiber.notes = fiber.batch.notes->notes_of_batch();
  else
    fiber.notes->clear();
  fiber.batch.items = fiber.notes.get();
}

void Worker::begin_undefined(Fiber& fiber) {
  if (fiber.undefined == nullptr || fiber.undefined.use_count() > 1)
    fiber.undefined = std::make_shared<vm::exec::UndefinedItems>(*control_->undefined, program_);
  else
    fiber.undefined->clear();
  fiber.batch.undefined = fiber.undefined.get();
  fiber.batch.loaded_undefined = false;
}

/// Frees the notes of all fibers, which may have used up the checks' memory limit.
void Worker::forget_notes() {
  for (Fiber& fiber : fibers_) {
    fiber.notes.reset();
    fiber.undefined.reset();
  }
}

bool Worker::resume(Fiber& fiber) {
  for (;;) {
    vm::exec::run(fiber.batch);
    switch (fiber.batch.stop) {
      case Stop::kBarrier:
      case Stop::kNamedBarrier:
        if (observer_ != nullptr) observer_->waits(fiber.batch, *fiber.batch.barrier);
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
  const std::uint64_t state = state_of(fiber);
  if (state != 0 && turns > 1 && state == fiber.kept_state) return false;
  if (turns == kept_at) fiber.kept_state = state;
  return true;
}

}  // namespace transpire::scheduler
