#include "scheduler/unit_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "scheduler/state_digest.h"
#include "vm/exec/long_work.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Batch;

/// True if fibers begin at a certain place of a page. Otherwise many blocks smaller than a page would use the same part of it, and so
/// the same cache sets.
bool has_phase(const FiberLayout& layout, std::size_t fibers) {
  return fibers == 1 || !layout.all.fits(vm::Program::kPhasePeriod);
}

/// The place of a fiber's memory in a page, see Program::register_phase.
std::size_t phase_of(const vm::Program& program) {
  const auto code = reinterpret_cast<std::uintptr_t>(program.code.data());
  return (code / kRowAlign * kRowAlign + program.register_phase) % vm::Program::kPhasePeriod;
}

template <class T>
void fill_row(std::byte* row, std::uint64_t bits, std::uint32_t lanes) {
  const T value = static_cast<T>(bits);
  for (std::uint32_t lane = 0; lane < lanes; ++lane)
    std::memcpy(row + lane * sizeof(T), &value, sizeof(T));
}

void write_initial_row(std::byte* row, vm::Kind kind, std::uint64_t bits, std::uint32_t lanes) {
  switch (vm::lane_bytes(kind)) {
    case 1:
      return fill_row<std::uint8_t>(row, bits, lanes);
    case 2:
      return fill_row<std::uint16_t>(row, bits, lanes);
    case 4:
      return fill_row<std::uint32_t>(row, bits, lanes);
    case 8:
      return fill_row<std::uint64_t>(row, bits, lanes);
    default:
      std::memset(row, bits != 0 ? 0xff : 0, vm::row_bytes(kind, lanes));
  }
}

/// Number of fibers, without spare ones. A program with barriers needs one for each batch of a group. Any other needs one, but then the
/// prologue runs again for each batch of a group; if registers are small, each batch has a fiber of its own.
std::size_t count_fibers(const vm::Program& program, const GeometryPlan& geometry,
                         const FiberLayout& layout) {
  constexpr std::size_t kMostBytes = 64 * 1024;
  if (program.uses_barrier) return geometry.max_batches();
  if (program.prologue_instructions == 0 || geometry.packed() || geometry.flowing()) return 1;
  const std::size_t affordable = kMostBytes / std::max<std::uint64_t>(layout.all.value(), 1);
  return std::clamp<std::size_t>(affordable, 1, geometry.max_batches());
}

}  // namespace

Checked UnitMemory::bytes_needed(const vm::Program& program, const GeometryPlan& geometry,
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

UnitMemory::UnitMemory(const vm::Program& program, const GeometryPlan& geometry,
                       const UnitGroups& unit, std::uint64_t workgroup_bytes,
                       vm::exec::EventSink& sink)
    : program_(program),
      geometry_(geometry),
      unit_(unit),
      layout_(program, geometry.private_lanes()),
      workgroup_bytes_(workgroup_bytes),
      sink_(sink),
      fibers_(count_fibers(program, geometry, layout_)),
      workgroup_memory_((Checked(workgroup_bytes) * geometry.groups_per_unit()).value()),
      group_states_(program.uses_barrier ? geometry.groups_per_unit() : 0),
      executed_(program.counts_instructions ? vm::kMostOpcodes : 0) {
  for (Fiber& fiber : fibers_) make(fiber);
}

void UnitMemory::begin(const LaunchControl& control, const memory::AddressMap& map,
                       std::uint64_t first_turn) {
  control_ = &control;
  map_ = &map;
  prepares_batches_ = (control.notes != nullptr && control.notes->has_aliases()) ||
                      control.undefined != nullptr || has_private();
  const std::uint64_t max_steps = control.spec.limits.max_steps;
  const std::uint64_t steps = max_steps == 0 ? ~std::uint64_t{0} : max_steps;
  first_steps_ = std::min(steps, first_turn);
  later_steps_ = steps - first_steps_;
  for (Fiber& fiber : fibers_) {
    if (!clean_) {
      std::memset(fiber.batch.pending, 0, layout_.private_live - layout_.pending);
      fiber.batch.lowest_pending = vm::exec::kNoPending;
    }
    begin(fiber);
  }
  clean_ = false;
  spare_fibers_.clear();
  __atomic_store_n(&added_steps_, 0, __ATOMIC_RELAXED);
  for (vm::exec::GroupState& state : group_states_) state = {};
  std::fill(executed_.begin(), executed_.end(), 0);
}

void UnitMemory::end() {
  clean_ = !control_->stopped();
  forget_notes();
}

/// Sets everything in a fiber that stays the same during a launch.
void UnitMemory::begin(Fiber& fiber) {
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

bool UnitMemory::start(Fiber& fiber, const BatchShape& shape) {
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
bool UnitMemory::prepare(Fiber& fiber) {
  if (control_->notes != nullptr && control_->notes->has_aliases()) begin_notes(fiber);
  if (control_->undefined != nullptr) begin_undefined(fiber);
  return !has_private() || prepare_private(fiber);
}

bool UnitMemory::has_private() const {
  return layout_.private_bytes.value() != 0 || program_.life_counters != 0;
}

/// Gives the fiber empty notes for its new work-items. Parts that were split off from the earlier batch may still use the old notes.
void UnitMemory::begin_notes(Fiber& fiber) {
  if (fiber.notes == nullptr || fiber.notes.use_count() > 1)
    fiber.notes = fiber.batch.notes->notes_of_batch();
  else
    fiber.notes->clear();
  fiber.batch.items = fiber.notes.get();
}

void UnitMemory::begin_undefined(Fiber& fiber) {
  if (fiber.undefined == nullptr || fiber.undefined.use_count() > 1)
    fiber.undefined = std::make_shared<vm::exec::UndefinedItems>(*control_->undefined, program_);
  else
    fiber.undefined->clear();
  fiber.batch.undefined = fiber.undefined.get();
  fiber.batch.loaded_undefined = false;
}

void UnitMemory::forget_notes() {
  for (Fiber& fiber : fibers_) {
    fiber.notes.reset();
    fiber.undefined.reset();
  }
}

Fiber& UnitMemory::free_fiber() {
  for (Fiber& fiber : fibers_)
    if (fiber.shape == nullptr) return fiber;
  for (const std::unique_ptr<Fiber>& fiber : spare_fibers_)
    if (fiber->shape == nullptr) return *fiber;
  Fiber& made = *spare_fibers_.emplace_back(std::make_unique<Fiber>());
  make(made);
  begin(made);
  return made;
}

void UnitMemory::free_fibers() {
  for (Fiber& fiber : fibers_) fiber.shape = nullptr;
  for (const std::unique_ptr<Fiber>& fiber : spare_fibers_) {
    fiber->shape = nullptr;
    fiber->notes.reset();
  }
}

std::uint64_t UnitMemory::instructions() const {
  std::uint64_t sum = __atomic_load_n(&added_steps_, __ATOMIC_RELAXED);
  for (const Fiber& fiber : fibers_) sum += __atomic_load_n(&fiber.batch.steps, __ATOMIC_RELAXED);
  return sum;
}

void UnitMemory::make(Fiber& fiber) {
  const FiberLayout& layout = layout_;
  // Registers are zeroed, too, since unmasked arithmetic reads rows that no lane has written.
  fiber.memory = has_phase(layout, fibers_.size())
                     ? AlignedArray<std::byte>::zeroed(
                           layout.all.value(), vm::Program::kPhasePeriod, phase_of(program_))
                     : AlignedArray<std::byte>::zeroed(layout.all.value());
  std::byte* base = fiber.memory.data();
  Batch& batch = fiber.batch;
  batch.program = &program_;
  batch.registers = base;
  batch.pending = reinterpret_cast<std::uint64_t*>(base + layout.pending);
  batch.pending_set = reinterpret_cast<std::uint64_t*>(base + layout.pending_set);
  batch.private_live = reinterpret_cast<std::uint64_t*>(base + layout.private_live);
  batch.lives = reinterpret_cast<std::uint16_t*>(base + layout.lives);
  batch.private_memory = base + layout.private_memory;
  batch.private_shift = static_cast<std::uint32_t>(std::countr_zero(geometry_.private_lanes()));
  batch.workgroup_memory = workgroup_memory_.data();
  batch.sink = &sink_;
  batch.launch = &geometry_.ids();
  std::copy_n(geometry_.ids().enqueued_local_size, 3, batch.local_size);
  batch.group_state = group_states_.data();
  batch.executed = executed_.data();
  unit_.attach(batch);
  for (const auto& scalar : program_.initial_scalars)
    std::memcpy(base + scalar.offset, &scalar.bits, 8);
  for (const auto& row : program_.initial_rows)
    write_initial_row(base + row.offset, row.kind, row.bits, program_.lanes);
}

/// Fills memory in pieces, since one batch may have gigabytes. False if the launch was stopped in between.
bool UnitMemory::fill(std::byte* bytes, std::uint64_t size, std::byte value) const {
  for (std::uint64_t done = 0; done < size; done += vm::exec::kPieceBytes) {
    if (done != 0 && control_->stopped()) return false;
    std::memset(bytes + done, static_cast<int>(value),
                std::min(vm::exec::kPieceBytes, size - done));
  }
  return true;
}

bool UnitMemory::reset_workgroup_bytes() {
  if (!fill(workgroup_memory_.data(), workgroup_memory_.size(), program_.local_memory_start))
    return false;
  // Where undefined values are tracked, the second half of each group's local memory is the shadow of the first half.
  const bool has_shadow = program_.tracks_undefined();
  const std::uint64_t half = workgroup_bytes_ / 2;
  for (std::uint64_t at = 0; at < workgroup_memory_.size(); at += workgroup_bytes_) {
    std::byte* const group = workgroup_memory_.data() + at;
    if (has_shadow && !fill(group + half, half, std::byte{0xff})) return false;
    for (const LocalRange& zeroed : control_->spec.zeroed_local) {
      std::byte* const begin = group + zeroed.offset;
      if (!fill(begin, zeroed.size_bytes, std::byte{})) return false;
      if (has_shadow && !fill(begin + half, zeroed.size_bytes, std::byte{})) return false;
    }
  }
  return true;
}

bool UnitMemory::prepare_private(Fiber& fiber) {
  Batch& batch = fiber.batch;
  const std::uint32_t lanes = geometry_.private_lanes();
  std::memcpy(batch.private_live, program_.initial_lifetimes.data(),
              program_.initial_lifetimes.size() * 8);
  std::fill_n(batch.lives, std::size_t{program_.life_counters} * lanes, std::uint16_t{0});
  // OpenCL leaves the contents undefined. Zeros or poison keep results independent of the batch that ran before.
  if (!fill(batch.private_memory, layout_.private_bytes.value(), std::byte{})) return false;
  for (const auto& [offset, bytes] : program_.poisoned_private)
    if (!fill(batch.private_memory + std::uint64_t{offset} * lanes, std::uint64_t{bytes} * lanes,
              kPoison))
      return false;
  for (const PrivateImage& image : control_->spec.private_images) {
    for (std::size_t at = 0; at < image.bytes.size(); at += 4) {
      if (at % 1024 == 0 && control_->stopped()) return false;
      std::uint32_t word = 0;
      std::memcpy(&word, image.bytes.data() + at,
                  std::min<std::size_t>(4, image.bytes.size() - at));
      fill_row<std::uint32_t>(batch.private_memory + (image.offset + at) * lanes, word, lanes);
    }
  }
  return true;
}

namespace {

/// Copies a batch without Batch::steps, which the supervising thread may read at the same time.
void copy_uncounted(const Batch& from, Batch& to) {
  static_assert(std::is_trivially_copyable_v<Batch>);
  const auto* const source = reinterpret_cast<const std::byte*>(&from);
  auto* const target = reinterpret_cast<std::byte*>(&to);
  const auto begin =
      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&from.steps) - source);
  const std::size_t end = begin + sizeof(from.steps);
  std::memcpy(target, source, begin);
  std::memcpy(target + end, source + end, sizeof(Batch) - end);
}

}  // namespace

void UnitMemory::copy_state(const Fiber& from, Fiber& to) const {
  std::memcpy(to.memory.data(), from.memory.data(), layout_.all.value());
  Batch next = from.batch;
  next.registers = to.batch.registers;
  next.pending = to.batch.pending;
  next.pending_set = to.batch.pending_set;
  next.private_live = to.batch.private_live;
  next.lives = to.batch.lives;
  next.private_memory = to.batch.private_memory;
  copy_uncounted(next, to.batch);
  to.prologue_shape = nullptr;
  to.notes = from.notes;
  to.undefined = from.undefined;
}

std::uint64_t UnitMemory::digest_workgroup_memory(std::uint64_t before) const {
  return digest(workgroup_memory_.data(), workgroup_memory_.size(), before);
}

std::uint64_t UnitMemory::state_of(const Fiber& fiber) const {
  constexpr std::uint64_t kMostBytes = std::uint64_t{32} << 20;
  const FiberLayout& layout = layout_;
  const std::uint64_t bytes = layout.all.value();
  if (bytes > kMostBytes) return 0;
  const Batch& batch = fiber.batch;
  std::uint64_t state = digest(batch.registers, program_.register_bytes - program_.idle_bytes, 0);
  state = digest(fiber.memory.data() + layout.pending, bytes - layout.pending, state);
  state = digest(batch.mask, sizeof(batch.mask), state);
  state = digest(batch.live, sizeof(batch.live), state);
  return digest(&batch.ip, sizeof(batch.ip), state);
}

}  // namespace transpire::scheduler
