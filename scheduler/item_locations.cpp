#include "scheduler/item_locations.h"

#include <algorithm>
#include <bit>

#include "scheduler/aligned.h"
#include "scheduler/awaited_memory.h"
#include "vm/exec/lane_ids.h"

namespace transpire::scheduler {
namespace {

using vm::exec::Batch;
using vm::exec::Stop;

/// The location of lanes that wait to continue with a block: the first instruction of the block that comes from the module. If that
/// is a barrier, the lanes have reached it.
struct Place {
  Waiting::Where where = Waiting::Where::kOtherBranch;
  const vm::Inst* instruction = nullptr;
};

Place place_of(const vm::Program& program, std::size_t block) {
  const vm::Inst* const entry = program.block_entry[block];
  const bool is_last = block + 1 == program.block_entry.size();
  const vm::Inst* const end =
      is_last ? program.code.data() + program.code.size() : program.block_entry[block + 1];
  const vm::Inst* first = nullptr;
  for (const vm::Inst* at = entry; at < end; ++at) {
    const vm::Source& source = program.source_of(at);
    if (first == nullptr && source.word_offset != 0) first = at;
    if (first == nullptr || source.word_offset == 0) continue;
    if (&source != &program.source_of(first)) break;
    // The edge in front of a barrier has the barrier's source: lanes wait there until others arrive.
    if (program.site_of(at).op == vm::Op::kControlBarrier || source.op == spv::Op::OpControlBarrier)
      return {Waiting::Where::kAtBarrier, at};
  }
  return {Waiting::Where::kOtherBranch, first == nullptr ? entry : first};
}

/// A location for lanes of a batch. `lanes` must not be empty.
Waiting waiting_at(Waiting::Where where, const vm::Inst* instruction, const Batch& batch,
                   const Lanes& lanes) {
  std::uint64_t count = 0;
  for (std::uint64_t word : lanes) count += static_cast<std::uint64_t>(std::popcount(word));
  Waiting place;
  place.where = where;
  place.instruction = instruction;
  place.count = count;
  place.first = work_item(batch, vm::exec::lowest_lane(lanes.data()));
  return place;
}

}  // namespace

std::vector<Waiting> locations_of_subgroup(const Batch& batch, std::uint32_t lane,
                                           const vm::Inst* instruction) {
  const auto place = static_cast<std::uint32_t>(work_item(batch, lane).local_linear);
  const std::uint32_t size = batch.program->subgroup_size, begin = lane - place % size;
  std::uint32_t end = std::min(begin + size, batch.program->lanes);
  if (batch.group_items != 0)  // packed batch: the next lanes belong to another group
    end = std::min(end, lane - place + batch.group_items);
  Lanes here{}, elsewhere{}, ended{};
  for (std::uint32_t each = begin; each < end; ++each) {
    const std::uint64_t bit = std::uint64_t{1} << (each % 64);
    const std::uint32_t word = each / 64;
    if ((batch.exists[word] & bit) == 0) continue;
    Lanes& part = (batch.mask[word] & bit) != 0   ? here
                  : (batch.live[word] & bit) != 0 ? elsewhere
                                                  : ended;
    part[word] |= bit;
  }
  ItemLocations places;
  places.add(Waiting::Where::kTakesPart, instruction, batch, here);
  places.add(Waiting::Where::kElsewhere, nullptr, batch, elsewhere);
  places.add(Waiting::Where::kEnded, nullptr, batch, ended);
  return std::move(places).places();
}

Lanes lanes_of(const std::uint64_t mask[vm::exec::kMaxMaskWords]) {
  Lanes lanes;
  copy_fixed<vm::exec::kMaxMaskWords>(mask, lanes.data());
  return lanes;
}

bool none(const Lanes& lanes) {
  return std::all_of(lanes.begin(), lanes.end(), [](std::uint64_t word) { return word == 0; });
}

ItemLocations::Key ItemLocations::key_of(const Waiting& place) {
  return {place.where, place.instruction, place.allocation, place.address, place.value};
}

void ItemLocations::add(Waiting place) {
  const auto [known, is_new] = places_.try_emplace(key_of(place), place);
  if (is_new) return;
  Waiting& each = known->second;
  each.count += place.count;
  if (place.first < each.first) each.first = place.first;
}

void ItemLocations::add(Waiting::Where where, const vm::Inst* instruction, const Batch& batch,
                        const Lanes& lanes) {
  if (!none(lanes)) add(waiting_at(where, instruction, batch, lanes));
}

void ItemLocations::add_busy_wait(const Batch& batch) {
  for (const BusyWait& each : busy_waits_of(batch)) {
    Waiting place = waiting_at(Waiting::Where::kBusyWait, each.instruction, batch, each.lanes);
    place.allocation = each.allocation;
    place.address = each.address;
    place.size_bytes = each.size_bytes;
    place.value = each.value;
    add(std::move(place));
  }
  add_pending(batch);
}

void ItemLocations::add(std::span<const Waiting> places) {
  for (const Waiting& place : places) add(place);
}

void ItemLocations::add_not_begun(const WorkItem& first, std::uint64_t count) {
  Waiting place;
  place.where = Waiting::Where::kNotBegun;
  place.count = count;
  place.first = first;
  add(place);
}

void ItemLocations::add_pending(const Batch& batch) {
  if (batch.lowest_pending == vm::exec::kNoPending) return;
  const vm::Program& program = *batch.program;
  for (std::size_t block = batch.lowest_pending; block < program.block_entry.size(); ++block) {
    if ((batch.pending_set[block / 64] >> (block % 64) & 1) == 0) continue;
    Lanes lanes{};
    std::copy_n(batch.pending + block * program.mask_words, program.mask_words, lanes.begin());
    const Place place = place_of(program, block);
    add(place.where, place.instruction, batch, lanes);
  }
}

void ItemLocations::add_interrupted(const Batch& batch) {
  add(Waiting::Where::kStopped, batch.ip, batch, lanes_of(batch.mask));
  add_pending(batch);
}

void ItemLocations::add_idle(const Batch& batch) {
  if (batch.stop == Stop::kDone) return;
  const bool has_begun = batch.barrier != nullptr;
  add(has_begun ? Waiting::Where::kAtBarrier : Waiting::Where::kNotBegun, batch.barrier, batch,
      lanes_of(batch.mask));
  add_pending(batch);
}

std::vector<Waiting> ItemLocations::places() && {
  std::vector<Waiting> places;
  for (auto& [_, place] : places_) places.push_back(std::move(place));
  std::sort(places.begin(), places.end(),
            [](const Waiting& a, const Waiting& b) { return a.first < b.first; });
  return places;
}

}  // namespace transpire::scheduler
