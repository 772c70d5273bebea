#include "scheduler/unit_run.h"

#include <bit>

#include "scheduler/turns.h"
#include "vm/exec/lane_ids.h"

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

UnitRun::UnitRun(const vm::Program& launched, const GeometryPlan& plan,
                 std::uint64_t workgroup_bytes, UnitHost& thread, bool resident)
    : program(launched),
      geometry(plan),
      host(thread),
      is_resident(resident),
      slower(launched.watched ? 64 : 1),
      unit(plan, workgroup_bytes),
      memory(launched, plan, unit, workgroup_bytes, collector),
      rounds(plan.groups_per_unit()) {
  collector.set_rounds(rounds.data(), plan.packed() ? plan.full_items() : 0);
}

UnitRun::~UnitRun() = default;

void UnitRun::begin(LaunchControl& launch, const memory::AddressMap& map, GroupNotifier& watching) {
  control = &launch;
  observer = &watching;
  const LaunchSpec& spec = launch.spec;
  collector.begin(spec.memory, &launch.findings, spec.limits.max_printf_bytes);
  memory.begin(launch, map, kTurnSteps / slower);
  turns.reset();
}

bool UnitRun::begin_unit(std::uint64_t number) {
  if (geometry.flowing()) return begin_unit<Filling::kFlowing>(number);
  if (geometry.packed()) return begin_unit<Filling::kPacked>(number);
  return begin_unit<Filling::kByGroup>(number);
}

bool UnitRun::resume(Fiber& fiber) {
  for (;;) {
    vm::exec::run(fiber.batch);
    switch (fiber.batch.stop) {
      case Stop::kBarrier:
      case Stop::kNamedBarrier:
        observer->waits(fiber.batch);
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

bool UnitRun::end_at(const Batch& batch) {
  host.report_end(*this, batch);
  return false;
}

/// The budget counts rows, and a divergent batch runs more rows than any of its work-items runs instructions. Some work-item certainly
/// exceeded the limit if all of them together ran more than `items` times as much.
bool UnitRun::refill(Fiber& fiber) const {
  const std::uint64_t max_steps = control->spec.limits.max_steps;
  if (++fiber.refills >= fiber.shape->items) return false;
  if ((fiber.batch.steps - fiber.steps_at_start) / fiber.shape->items >= max_steps) return false;
  give_steps(fiber.batch, max_steps, kTurnSteps / slower);
  return true;
}

/// Decides whether a batch that was stopped in a loop runs on at once. False if it waits: its state is one that it had before, or it
/// took so many turns that it may wait and count its rounds.
bool UnitRun::takes_another_turn(Fiber& fiber) const {
  const std::uint64_t most_turns = 2048 * std::min(slower, kMostSlower);
  Batch& batch = fiber.batch;
  give_steps(batch, batch.steps_left + batch.steps_kept,
             std::max<std::uint64_t>(kTurnSteps / slower, batch.ip->d));
  const std::uint64_t taken = ++fiber.turns;
  if (taken >= most_turns) return false;
  const std::uint64_t kept_at = std::bit_floor(taken);
  if (taken > kept_at + (slower == 1 ? kMostCompared : kMostComparedOfWatched)) return true;
  const std::uint64_t state = memory.state_of(fiber);
  if (state != 0 && taken > 1 && state == fiber.kept_state) return false;
  if (taken == kept_at) fiber.kept_state = state;
  return true;
}

bool UnitRun::complete(const Batch& waiting, vm::exec::GroupParts group) {
  waiting.complete(waiting.barrier, group);
  for (std::uint32_t p = 0; p < group.count; ++p) {
    const Batch& batch = *group.parts[p].batch;
    if (batch.stop == Stop::kLimit || batch.stop == Stop::kCancelled) return end_at(batch);
  }
  return true;
}

bool UnitRun::complete_alone(Batch& batch, std::uint32_t begin, std::uint32_t end) {
  if (batch.stop != Stop::kBarrier || batch.complete == nullptr) return true;
  for (std::uint32_t lane = begin; lane < end; ++lane) {
    if (!vm::exec::has_lane(batch.mask, lane)) continue;
    const vm::exec::GroupPart part{&batch, lane, lane + 1};
    if (!complete(batch, {&part, 1})) return false;
  }
  return true;
}

bool UnitRun::finish_group(std::uint32_t group, Batch& batch, std::uint32_t lane) {
  std::vector<vm::exec::GroupState>& states = memory.group_states();
  return states.empty() || states[group].is_clean() ||
         vm::exec::finish_group(states[group], &batch, lane, program.checks_sync) || end_at(batch);
}

bool UnitRun::finish_groups() {
  for (std::uint32_t group = 0; group < unit.groups(); ++group)
    if (!finish_group(group, memory.fibers()[0].batch, group * geometry.full_items())) return false;
  return true;
}

void UnitRun::order_round(std::uint32_t count) {
  if (!geometry.schedule().is_lockstep())
    geometry.schedule().order_batches(unit.group(), rounds[0], count, order_);
}

Lanes UnitRun::packed_lanes(std::uint32_t slot) const {
  const std::uint32_t items = geometry.full_items();
  Lanes lanes{};
  for (std::uint32_t lane = slot * items; lane < (slot + 1) * items; ++lane)
    lanes[lane / 64] |= std::uint64_t{1} << (lane % 64);
  return lanes;
}

}  // namespace transpire::scheduler
