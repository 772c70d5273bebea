#include "scheduler/awaited_memory.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <tuple>

#include "memory/translate.h"
#include "vm/exec/access.h"
#include "vm/exec/lane_ids.h"

namespace transpire::scheduler {
namespace {

using vm::HandlerTable;
using vm::exec::Batch;

template <class T>
T at(const Batch& batch, std::uint32_t offset, std::uint32_t lane = 0) {
  T value;
  std::memcpy(&value, batch.registers + offset + lane * sizeof(T), sizeof(T));
  return value;
}

/// The form of a load's address. Nothing for instructions other than loads, and for loads of private memory.
std::optional<HandlerTable::AddressForm> form_of(const HandlerTable& table, vm::Handler run) {
  if (run == table.load_uniform_bool ||
      std::ranges::find(table.load_uniform, run) != std::end(table.load_uniform))
    return HandlerTable::kUniformAddress;
  for (std::uint8_t form = 0; form < HandlerTable::kAddressForms; ++form) {
    bool found = false;
    for (std::uint8_t space = 0; space < HandlerTable::kSpaceClasses; ++space) {
      found |= run == table.load_bool[form][space];
      for (const auto& size : table.load) found |= run == size[form][space];
    }
    if (found) return static_cast<HandlerTable::AddressForm>(form);
  }
  return std::nullopt;
}

/// The address of a lane's load, computed from the present registers. Nothing if registers do not say it.
std::optional<std::uint64_t> load_address(const Batch& batch, const vm::Inst& load,
                                          std::uint32_t lane) {
  const auto form = form_of(*batch.program->handlers, load.run);
  if (!form) return std::nullopt;
  const HandlerTable& table = *batch.program->handlers;
  const bool has_index =
      load.run != table.load_uniform_bool &&
      std::ranges::find(table.load_uniform, load.run) == std::end(table.load_uniform);
  const vm::Access& access = *load.access;
  const auto base = at<std::uint64_t>(batch, load.a);
  const auto scale = static_cast<std::uint64_t>(access.scale);
  const auto offset = static_cast<std::uint64_t>(access.offset);
  const auto widened = [&access](std::uint32_t index) {
    return access.zero_extend
               ? std::uint64_t{index}
               : static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(index)});
  };
  switch (*form) {
    case HandlerTable::kUniformAddress:
      return base + offset + (has_index ? at<std::uint64_t>(batch, load.b) * scale : 0);
    case HandlerTable::kAffine64:
      return base + at<std::uint64_t>(batch, load.b) * scale + offset +
             static_cast<std::uint64_t>(access.byte_stride) * lane;
    case HandlerTable::kAffine32:
      return base + offset +
             widened(at<std::uint32_t>(batch, load.b) +
                     static_cast<std::uint32_t>(access.index_stride) * lane) *
                 scale +
             static_cast<std::uint64_t>(access.byte_stride - access.index_stride * access.scale) *
                 lane;
    case HandlerTable::kRow32:
      return base + widened(at<std::uint32_t>(batch, load.b, lane)) * scale + offset;
    case HandlerTable::kRow64:
      return base + at<std::uint64_t>(batch, load.b, lane) * scale + offset;
    default:  // an index plan has no single address register
      return std::nullopt;
  }
}

bool is_atomic_op(vm::Op op) { return op >= vm::Op::kAtomicLoad && op <= vm::Op::kAtomicFMax; }

/// The first instruction of the loop at whose end the batch stands.
const vm::Inst* loop_begin(const Batch& batch) {
  const vm::Program& program = *batch.program;
  const vm::Inst* first = batch.ip;
  const auto leads_to = [&](std::uint32_t block) {
    if (block < program.block_entry.size()) first = std::min(first, program.block_entry[block]);
  };
  switch (program.site_of(batch.ip).op) {
    case vm::Op::kBranch:
      leads_to(static_cast<std::uint32_t>(batch.ip->imm));
      break;
    case vm::Op::kBranchConditional:
      leads_to(batch.ip->targets.on_true);
      leads_to(batch.ip->targets.on_false);
      break;
    case vm::Op::kSwitch:
      leads_to(batch.ip->cases->default_target);
      for (std::uint32_t i = 0; i < batch.ip->cases->count; ++i)
        leads_to(batch.ip->cases->targets[i]);
      break;
    default:
      break;
  }
  return first;
}

/// The memory that an instruction reads for a lane, if other work-items may write it. BusyWait::lanes stays empty.
std::optional<BusyWait> read_by(const Batch& batch, const vm::Inst& instruction,
                                std::uint32_t lane) {
  const vm::Op op = batch.program->site_of(&instruction).op;
  std::optional<std::uint64_t> address;
  if (op == vm::Op::kLoad) address = load_address(batch, instruction, lane);
  if (is_atomic_op(op)) address = at<std::uint64_t>(batch, instruction.a, lane);
  if (!address) return std::nullopt;
  address = memory::untagged(*batch.memory, *address);
  const memory::Allocation* found = memory::allocation_at(*batch.memory, *address);
  if (found == nullptr || found->region == memory::Region::kPrivate || found->is_shadow)
    return std::nullopt;
  const std::uint64_t bytes = instruction.access->bytes;
  BusyWait wait{&instruction, found, *address, bytes};
  if (bytes <= 8 && memory::holds(*found, *address, *address, bytes))
    vm::exec::read_place(vm::exec::place_in(batch, *found, lane, *address - found->begin),
                         &wait.value, bytes);
  return wait;
}

/// The busy-wait of a lane at the loop's last instruction that reads memory. The loop begins at `begin` and ends at Batch::ip.
BusyWait read_in_loop(const Batch& batch, const vm::Inst* begin, std::uint32_t lane) {
  for (const vm::Inst* each = batch.ip; each-- != begin;)
    if (const auto read = read_by(batch, *each, lane)) return *read;
  BusyWait nothing;
  nothing.instruction = batch.ip;
  return nothing;
}

}  // namespace

std::vector<BusyWait> busy_waits_of(const Batch& batch) {
  const vm::Inst* const begin = loop_begin(batch);
  std::vector<BusyWait> all;
  std::map<std::tuple<const vm::Inst*, std::uint64_t, std::uint64_t>, std::size_t> known;
  for (std::uint32_t lane = 0; lane < batch.program->lanes; ++lane) {
    if (!vm::exec::has_lane(batch.mask, lane)) continue;
    const BusyWait read = read_in_loop(batch, begin, lane);
    const auto [place, is_new] =
        known.try_emplace({read.instruction, read.address, read.value}, all.size());
    if (is_new) all.push_back(read);
    all[place->second].lanes[lane / 64] |= std::uint64_t{1} << lane % 64;
  }
  return all;
}

}  // namespace transpire::scheduler
