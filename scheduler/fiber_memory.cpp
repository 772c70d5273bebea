// Memory of a worker's fibers. It is made once, reset when a group or a batch begins, and copied and digested when batches run by
// turns.
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "scheduler/cycle.h"
#include "scheduler/fiber_layout.h"
#include "scheduler/worker.h"
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

}  // namespace

void Worker::make_fiber(Fiber& fiber) {
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
  batch.sink = &collector_;
  batch.launch = &geometry_.ids();
  std::copy_n(geometry_.ids().enqueued_local_size, 3, batch.local_size);
  batch.group_state = group_states_.data();
  batch.executed = executed_.data();
  if (geometry_.packed()) batch.group_items = geometry_.full_items();
  if (geometry_.packed() || geometry_.flowing()) {
    for (std::uint32_t d = 0; d < 3; ++d)
      batch.packed_group_id[d] = packed_rows_.data() + d * geometry_.lanes();
    batch.packed_workgroup_base = packed_rows_.data() + 3 * geometry_.lanes();
  }
  for (const auto& scalar : program_.initial_scalars)
    std::memcpy(base + scalar.offset, &scalar.bits, 8);
  for (const auto& row : program_.initial_rows)
    write_initial_row(base + row.offset, row.kind, row.bits, program_.lanes);
}

/// Fills memory in pieces, since one batch may have gigabytes. False if the launch was stopped in between.
bool Worker::fill(std::byte* bytes, std::uint64_t size, std::byte value) {
  for (std::uint64_t done = 0; done < size; done += vm::exec::kPieceBytes) {
    if (done != 0 && control_->stopped()) return false;
    std::memset(bytes + done, static_cast<int>(value),
                std::min(vm::exec::kPieceBytes, size - done));
  }
  return true;
}

/// Fills local memory with zeros or poison. OpenCL leaves its contents undefined; here no result depends on the group that ran before.
bool Worker::reset_workgroup_bytes() {
  if (!fill(workgroup_memory_.data(), workgroup_memory_.size(), program_.local_memory_start))
    return false;
  if (!program_.tracks_undefined()) return true;
  // The second half of each group's local memory is the shadow of the first half.
  for (std::uint64_t at = 0; at < workgroup_memory_.size(); at += workgroup_bytes_)
    std::memset(workgroup_memory_.data() + at + workgroup_bytes_ / 2, 0xff, workgroup_bytes_ / 2);
  return true;
}

bool Worker::prepare_private(Fiber& fiber) {
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

/// Copies the state of a fiber without its step counter, which stays the target's own.
void Worker::copy_state(const Fiber& from, Fiber& to) const {
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

/// Digests all state of a batch that decides how its loops continue, except memory that other work-items see. 0: the state is too
/// large to digest.
std::uint64_t Worker::state_of(const Fiber& fiber) const {
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
