#include "runtime/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "extinst/reference/mpfr_library.h"
#include "findings/findings.h"
#include "runtime/arguments.h"
#include "runtime/children.h"
#include "runtime/constant_overlap.h"
#include "runtime/enqueue_rules.h"
#include "runtime/geometry.h"
#include "runtime/instruments.h"
#include "runtime/launch_part.h"
#include "runtime/memory_use.h"
#include "scheduler/stop_switch.h"
#include "transpire/launch_rules.hpp"
#include "vm/reference/handlers.h"

namespace transpire::runtime {
namespace {

/// Each keeps register blocks and a program. A test suite rarely cycles through more kernels than
/// this.
constexpr std::size_t kMaxPrepared = 64;
constexpr std::size_t kMaxIdleMemories = 4;

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

bool same_geometry(const Geometry& a, const Geometry& b) {
  return a.dimensions == b.dimensions && a.global_size == b.global_size &&
         a.local_size == b.local_size && a.global_offset == b.global_offset;
}

/// True if batches are filled across the borders of groups.
bool flows(const analysis::KernelUse& use, const vm::exec::LaunchIds& ids, std::uint32_t lanes) {
  return use.may_flow() && id_bits(ids) <= 31 && scheduler::gains_by_flowing(ids, lanes);
}

scheduler::Filling filling_of(const analysis::KernelUse& use, const vm::Program& program,
                              const vm::exec::LaunchIds& ids, std::uint32_t lanes) {
  if (!program.packed) return scheduler::Filling::kByGroup;
  return flows(use, ids, lanes) ? scheduler::Filling::kFlowing : scheduler::Filling::kPacked;
}

Status check_mpfr() {
  const std::string lacking = extinst::reference::lacking();
  if (lacking.empty()) return Unit{};
  Diagnostic error = make_diagnostic(Rule::kC0034, lacking);
  error.help = "install it (Debian: libmpfr6), or leave math functions in the fast mode";
  return error;
}

/// The settings that lowering looks at. Launches with equal ones share a program.
LaunchSettings effective_settings(const Launch& launch, std::uint32_t kernel) {
  const ModuleState& module = *launch.module.state();
  LaunchSettings settings = launch;
  const LaunchSettings initial;
  settings.subgroup_size = items_of_subgroup(module, kernel, launch);
  if (module.kernel_info(kernel).subgroup_size || settings.subgroup_size == vm::kSubgroupItems)
    settings.subgroup_size = initial.subgroup_size;
  // Nothing else of the schedule is lowered, so all seeds with the same sub-groups share a program.
  settings.schedule = initial.schedule;
  settings.seed = initial.seed;
  settings.fair_progress = initial.fair_progress;
  settings.debug_info = settings.observed && settings.debug_info;
  return settings;
}

/// True if the race check compares accesses to images with those of other launches.
bool wants_all_images(const Launch& launch) {
  return launch.looks_for_races() && launch.wants_memory_use;
}

vm::LaunchFacts facts_of(const Launch& launch, bool constants_change) {
  return {.record_results = launch.results.has_value(),
          .constants_change = constants_change,
          .announces_all_images = wants_all_images(launch)};
}

/// Key of the program that the launch needs. It has the properties of the geometry that lowering
/// may rely on.
ProgramKey program_key(const Launch& launch, std::uint32_t kernel, const vm::exec::LaunchIds& ids,
                       const vm::HandlerTable& handlers, const vm::LaunchFacts& facts) {
  ProgramKey key;
  key.facts = facts;
  key.kernel = kernel;
  key.handlers = &handlers;
  const ModuleState& module = *launch.module.state();
  key.settings = effective_settings(launch, kernel);
  key.layout.id_bits = id_bits(ids);
  // Packing makes group ids and Workgroup memory differ by lane, but fills the batch: two groups in
  // one take no longer than one in a half-empty one.
  key.layout.packed =
      key.layout.id_bits <= 31 && !module.has_named_barriers && !launch.watched() &&
      launch.schedule == Schedule::kLockstep &&
      (scheduler::can_pack(ids, handlers.lanes) || flows(module.uses[kernel], ids, handlers.lanes));
  key.layout.linear_x =
      key.layout.packed ? scheduler::is_one_row(ids) : scheduler::is_linear_x(ids, handlers.lanes);
  if (!module.enqueued.empty()) key.enqueued_subgroup_items = subgroup_items(KernelInfo(), launch);
  if (launch.math == Math::kReference) key.handlers = &vm::exec::reference_handlers(handlers);
  return key;
}

/// Number of work-items of a batch that groups do not share.
std::uint32_t batch_items(const LaunchSettings& settings, const vm::Program& program,
                          std::uint32_t lanes) {
  // Sub-groups that may wait without the others are a batch each.
  if (program.uses_named_barrier) return program.subgroup_size;
  if (settings.schedule == Schedule::kLockstep) return lanes;
  return scheduler::ItemOrder(settings.schedule, settings.seed)
      .batch_items(program.uses_subgroups ? program.subgroup_size : 1);
}

/// Names the executed instructions with their counts. `counts` is by opcode.
std::vector<std::pair<std::string, std::uint64_t>> named_counts(
    const std::vector<std::uint64_t>& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> named;
  for (std::size_t opcode = 0; opcode < counts.size(); ++opcode)
    if (counts[opcode] != 0)
      named.emplace_back(decoder::opcode_name(static_cast<spv::Op>(opcode)), counts[opcode]);
  return named;
}

std::vector<vm::exec::QueueShape> shapes_of(const Launch& launch) {
  std::vector<vm::exec::QueueShape> shapes;
  for (const DeviceQueue& each : launch.queues) shapes.push_back({each.handle, each.size_bytes});
  return shapes;
}

}  // namespace

PreparedLaunch::PreparedLaunch(const Launch& launch, std::uint32_t number,
                               std::shared_ptr<ModuleOnDevice> on_device, ProgramPointer lowered,
                               const vm::exec::LaunchIds& ids, std::uint32_t lanes,
                               scheduler::Filling filling, const vm::LaunchFacts& known)
    : kernel(number),
      geometry(launch.geometry),
      settings(launch),
      facts(known),
      module(std::move(on_device)),
      program(std::move(lowered)),
      plan(ids, lanes, filling, batch_items(launch, *program, lanes),
           scheduler::ItemOrder(launch.schedule, launch.seed, launch.fair_progress)) {}

bool PreparedLaunch::serves_but_for_settings(const Launch& launch, std::uint32_t number,
                                             const vm::LaunchFacts& known) const {
  return facts == known && kernel == number && same_object(module->module, launch.module.state()) &&
         same_geometry(geometry, launch.geometry);
}

bool PreparedLaunch::serves(const Launch& launch, std::uint32_t number,
                            const vm::LaunchFacts& known) const {
  return serves_but_for_settings(launch, number, known) && settings == launch;
}

bool PreparedLaunch::serves_another_seed(const Launch& launch, std::uint32_t number,
                                         const vm::LaunchFacts& known) const {
  LaunchSettings reseeded = launch;
  reseeded.seed = settings.seed;
  return serves_but_for_settings(launch, number, known) && settings == reseeded;
}

DeviceState::DeviceState(const vm::HandlerTable& table, unsigned thread_count)
    : isa(vm::isa_name(table.isa)), handlers(table), threads(thread_count), pool(thread_count) {}

DeviceState::Prepared DeviceState::find_prepared(const Launch& launch, std::uint32_t kernel,
                                                 const vm::LaunchFacts& facts) {
  const std::lock_guard lock(mutex_);
  for (auto at = prepared_.begin(); at != prepared_.end(); ++at) {
    if (!(*at)->serves(launch, kernel, facts)) continue;
    prepared_.splice(prepared_.begin(), prepared_, at);
    return prepared_.front();
  }
  return nullptr;
}

std::shared_ptr<ModuleOnDevice> DeviceState::module_on_device(
    const std::shared_ptr<ModuleState>& state, const ModuleOnDevice* whole) {
  const std::lock_guard lock(mutex_);
  modules_.remove_if([](const auto& entry) { return entry->module.expired(); });
  prepared_.remove_if([](const auto& entry) { return entry->module->module.expired(); });
  for (const auto& entry : modules_)
    if (same_object(entry->module, state)) return entry;
  modules_.push_front(std::make_shared<ModuleOnDevice>(
      state, whole != nullptr ? whole->history : std::make_shared<AddressHistories>()));
  return modules_.front();
}

Result<DeviceState::Prepared> DeviceState::prepare(const Launch& launch, std::uint32_t kernel,
                                                   bool constants_change, const WorkLimit& limit) {
  const vm::LaunchFacts facts = facts_of(launch, constants_change);
  if (Prepared found = find_prepared(launch, kernel, facts)) return found;
  const std::shared_ptr<ModuleState>& module = launch.module.state();
  if (const Status fits = check_subgroup_size(launch.subgroup_size); !fits) return fits.errors();
  TRANSPIRE_TRY(const vm::exec::LaunchIds ids,
                resolve_geometry(launch.geometry, *module, kernel, launch));
  if (const Status whole = check_whole_subgroups(ids, *module, kernel, launch); !whole)
    return whole.errors();
  if (launch.math == Math::kReference)
    if (const Status there = check_mpfr(); !there) return there.errors();
  TRANSPIRE_TRY(ProgramPointer program,
                module->program(program_key(launch, kernel, ids, handlers, facts), limit));
  const scheduler::Filling filling =
      filling_of(module->uses[kernel], *program, ids, handlers.lanes);
  auto prepared =
      std::make_shared<PreparedLaunch>(launch, kernel, module_on_device(module), std::move(program),
                                       ids, handlers.lanes, filling, facts);
  const std::lock_guard lock(mutex_);
  // Batches of one work-item have many registers in all, and a seed seldom runs again: one is kept.
  if (launch.schedule == Schedule::kRandom)
    prepared_.remove_if(
        [&](const Prepared& each) { return each->serves_another_seed(launch, kernel, facts); });
  prepared_.push_front(prepared);
  if (prepared_.size() > kMaxPrepared) prepared_.pop_back();
  return prepared;
}

Result<std::unique_ptr<LaunchMemory>> DeviceState::take_memory(const Prepared& prepared,
                                                               const Launch& launch) {
  ModuleOnDevice& module = *prepared->module;
  const std::lock_guard lock(mutex_);
  if (!prepared->idle.empty()) {
    std::unique_ptr<LaunchMemory> memory = std::move(prepared->idle.back());
    prepared->idle.pop_back();
    return memory;
  }
  const ModuleState& state = *launch.module.state();
  const std::uint64_t max_bytes = launch.limits.max_memory_bytes;
  if (const Status made = module.variables.materialise(*prepared->program, max_bytes); !made)
    return made.errors();
  // Kernels that it enqueues use the variables at the same addresses.
  if (prepared->program->uses_queue)
    if (const Status made = module.variables.materialise_all(state.module, max_bytes); !made)
      return made.errors();
  return std::make_unique<LaunchMemory>(state, prepared->kernel, *prepared->program, prepared->plan,
                                        module.variables,
                                        (*module.history)[launch.reference ? 1 : 0], threads);
}

void DeviceState::return_memory(const Prepared& prepared, std::unique_ptr<LaunchMemory> memory) {
  const std::lock_guard lock(mutex_);
  if (prepared->idle.size() < kMaxIdleMemories) prepared->idle.push_back(std::move(memory));
}

Result<Buffer> DeviceState::program_variable(const Module& module, std::size_t index) {
  const std::shared_ptr<ModuleState>& state = module.state();
  if (index >= state->info.variables.size())
    return make_diagnostic(Rule::kC0026,
                           fmt::format("the module has {} program-scope variables, there is no {}",
                                       state->info.variables.size(), index));
  const std::shared_ptr<ModuleOnDevice> on_device = module_on_device(state);
  TRANSPIRE_TRY(const std::span<std::byte> bytes,
                on_device->variables.bytes_of(state->module, index, Limits{}.max_memory_bytes));
  return Buffer::wrap(bytes, state->info.variables[index].name, on_device);
}

std::size_t DeviceState::prepared_launches() {
  const std::lock_guard lock(mutex_);
  return prepared_.size();
}

void DeviceState::forget(const std::shared_ptr<ModuleState>& state) {
  const std::lock_guard lock(mutex_);
  modules_.remove_if([&](const auto& entry) { return same_object(entry->module, state); });
  prepared_.remove_if([&](const auto& entry) { return same_object(entry->module->module, state); });
}

WorkLimit limit_of(const Launch& launch) {
  const std::atomic<bool>* const cancelled = launch.canceller && launch.canceller->state()
                                                 ? &launch.canceller->state()->stopped()
                                                 : nullptr;
  return WorkLimit::after(launch.limits.timeout_seconds, cancelled);
}

namespace {

/// A log of stores and a watch observe the launch.
Launch observed(Launch launch) {
  launch.observed = true;
  return launch;
}
bool is_to_observe(const Launch& launch) {
  return (launch.stores || launch.watch != nullptr) && !launch.observed;
}

}  // namespace

Result<DeviceState::Lowered> DeviceState::lower(const Launch& launch, const WorkLimit& limit) {
  if (is_to_observe(launch)) return lower(observed(launch), limit);
  const std::shared_ptr<ModuleState>& module = launch.module.state();
  if (module == nullptr) return make_diagnostic(Rule::kC0002, "the launch names no module");
  TRANSPIRE_TRY(const std::uint32_t kernel, module->find_kernel(launch.kernel));
  Lowered lowered;
  TRANSPIRE_TRY(lowered.prepared, prepare(launch, kernel, false, limit));
  lowered.overlaps = find_constant_overlaps(launch, *lowered.prepared->program);
  if (!lowered.overlaps.empty()) {
    TRANSPIRE_TRY(lowered.prepared, prepare(launch, kernel, true, limit));
  }
  return lowered;
}

Result<LaunchResult> DeviceState::run_kernel(const Launch& launch, vm::Observer* observer,
                                             const LaunchPart* part) {
  if (is_to_observe(launch)) return run_kernel(observed(launch), observer, part);
  const Clock::time_point start = Clock::now();
  const WorkLimit limit = limit_of(launch);
  TRANSPIRE_TRY(const Lowered lowered, lower(launch, limit));
  const auto& [prepared, overlaps] = lowered;
  if (prepared->program->uses_queue)
    if (Status known = check_queues(launch); !known) return known.errors();
  TRANSPIRE_TRY(std::unique_ptr<LaunchMemory> memory, take_memory(prepared, launch));
  const Result<ProgramVariables::Use> variables = memory->bind(launch, part, limit);
  if (!variables) {
    return_memory(prepared, std::move(memory));
    return variables.errors();
  }
  prepared->module->was_used.store(true, std::memory_order_relaxed);
  const EnqueueRules rules(*launch.module.state(), launch);
  std::optional<vm::exec::DeviceQueue> queue;
  if (prepared->program->uses_queue)
    queue.emplace(shapes_of(launch), launch.has_default_queue, launch.limits.max_children, rules,
                  vm::exec::CommandMemory{memory->bytes_left() / 2, Children::bytes_of_each()});
  Ran ran;
  const bool notes_use = launch.looks_for_races() && (launch.wants_memory_use || queue);
  Result<LaunchResult> answer =
      run_bound({launch, prepared, observer, queue ? &*queue : nullptr, start, overlaps,
                 launch.limits.max_printf_bytes, notes_use, false, part},
                *memory, ran);
  if (queue)
    Children(*this, {launch, *memory, *queue, observer, limit, !overlaps.empty()})
        .run(*answer, ran.printf_bytes);
  return_memory(prepared, std::move(memory));
  return answer;
}

Result<LaunchResult> DeviceState::run_enqueued(const Launch& launch, std::uint32_t kernel,
                                               const EnqueuingLaunch& by, Ran& ran) {
  Clock::time_point start = Clock::now();
  // Some of the time that it may take is gone.
  const double left = by.limit.seconds_left();
  if (const double timeout = launch.limits.timeout_seconds; timeout > 0 && left > 0)
    start -=
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(timeout - left));
  TRANSPIRE_TRY(const Prepared prepared, prepare(launch, kernel, by.constants_change, by.limit));
  TRANSPIRE_TRY(std::unique_ptr<LaunchMemory> memory, take_memory(prepared, launch));
  const Status bound = memory->bind_within(launch, by.root);
  Result<LaunchResult> answer = bound ? run_bound({launch,
                                                   prepared,
                                                   by.observer,
                                                   &by.queue,
                                                   start,
                                                   {},
                                                   by.launch.limits.max_printf_bytes,
                                                   launch.wants_memory_use,
                                                   true},
                                                  *memory, ran)
                                      : Result<LaunchResult>(bound.errors());
  return_memory(prepared, std::move(memory));
  return answer;
}

Result<LaunchResult> DeviceState::run_bound(const Bound& bound, LaunchMemory& memory, Ran& ran) {
  const Launch& launch = bound.launch;
  const Prepared& prepared = bound.prepared;
  const Clock::time_point ready = Clock::now();
  scheduler::LaunchSpec spec = memory.spec(launch);
  spec.queue = bound.queue;
  spec.begun = ready;
  // Lowering and waiting have used up part of the time limit. A launch that has none left gets a
  // minimal rest, because 0 would mean no limit.
  double& timeout = spec.limits.timeout_seconds;
  if (timeout > 0) timeout = std::max(timeout - seconds(ready - bound.start), 1e-9);
  const std::vector<std::unique_ptr<Instrument>> instruments =
      make_instruments({launch, *prepared, memory, bound.queue, bound.notes_use, bound.is_child,
                        bound.part == nullptr ? nullptr : &bound.part->place});
  vm::CompositeObserver observers;
  if (launch.observed && bound.observer != nullptr) observers.add(bound.observer);
  for (const auto& instrument : instruments) {
    observers.add(&instrument->observer());
    instrument->begin();
  }
  spec.observer = observers.empty() ? nullptr : &observers;
  scheduler::Outcome outcome = scheduler::run(spec, memory.team(), pool);
  Result<LaunchResult> answer{LaunchResult{}};  // made where the caller wants it
  LaunchResult& result = *answer;
  result.findings = bound.overlaps;
  result.wall_seconds = outcome.seconds;
  result.lower_seconds = seconds(ready - bound.start);
  result.end = outcome.end;
  result.printf_output = std::move(outcome.printf_output);
  ran = {prepared->program.get(), outcome.printf_bytes};
  result.instructions = outcome.instructions;
  result.instruction_counts = named_counts(outcome.executed);
  const vm::exec::LaunchIds& ids = prepared->plan.ids();
  std::copy_n(ids.enqueued_local_size, 3, result.local_size.begin());
  result.work_items = prepared->plan.work_items();
  if (const ModuleState& module = *launch.module.state(); !outcome.findings.empty())
    findings::append_described(outcome.findings,
                               {module.module, module.places(), *prepared->program, memory.space(),
                                launch, ids, result.end, bound.max_printf_bytes, memory.book(),
                                bound.part == nullptr ? nullptr : &bound.part->place},
                               result.findings);
  for (const auto& instrument : instruments) instrument->finish(result);
  if (outcome.notes_gave_up) report_unchecked(without_memory("ub"), result.findings);
  return answer;
}

}  // namespace transpire::runtime
