#include "scheduler/awaited_memory.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "memory/translate.h"
#include "vm/exec/access.h"
#include "vm/exec/lane_ids.h"
#include "vm/exec/read_address.h"
#include "vm/program/targets.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Batch;

/// The first instruction of the loop at whose end the batch stands.
const vm::Inst* loop_begin(const Batch& batch) {
  const vm::Inst* first = batch.ip;
  vm::for_each_target(*batch.program, *batch.ip,
                      [&](const vm::Inst* target) { first = std::min(first, target); });
  return first;
}

/// The memory that an instruction reads for a lane, if other work-items may write it. BusyWait::lanes stays empty.
std::optional<BusyWait> read_by(const Batch& batch, const vm::Inst& instruction,
                                std::uint32_t lane) {
  const auto read = vm::exec::read_address(batch, instruction, lane);
  if (!read) return std::nullopt;
  const std::uint64_t address = memory::untagged(*batch.memory, read->address);
  const std::uint64_t bytes = read->size_bytes;
  const memory::Allocation* found = memory::allocation_at(*batch.memory, address);
  if (found == nullptr || found->region == memory::Region::kPrivate || found->is_shadow)
    return std::nullopt;
  BusyWait wait{&instruction, found, address, bytes};
  if (bytes <= 8 && memory::holds(*found, address, address, bytes))
    vm::exec::read_place(vm::exec::place_in(batch, *found, lane, address - found->begin),
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
