// Pointers that say whose they are: TagPointer, TagLife, and what an access does with a tag. See
// memory/address_space.h.
#include "vm/exec/tags.h"

#include <optional>

#include "vm/exec/lane_ids.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {
namespace {

using memory::AddressMap;
using memory::Allocation;
using memory::Region;

/// The owner of memory in the region: the work-item's number or its group's. Other memory has none.
std::optional<std::uint64_t> owner_of(const Batch& batch, std::uint32_t lane, Region region) {
  switch (region) {
    case Region::kWorkgroup:
      return group_linear_id(batch, lane);
    case Region::kPrivate:
      return global_linear_id(batch, lane);
    default:
      return std::nullopt;
  }
}

/// Which life of a private variable, or of the one whose shadow it is, the lane is in; 0: they are not counted.
std::uint64_t life_of(const Batch& batch, std::uint32_t lane, const Allocation& allocation) {
  const Program& program = *batch.program;
  if (program.life_counters == 0 || allocation.region != Region::kPrivate) return 0;
  const PrivateVariable* variable = &program.private_variables[allocation.index];
  if (variable->shadow_of != 0) variable = &program.private_variables[variable->shadow_of - 1];
  if (variable->life_counter == 0) return 0;
  const std::size_t counter = variable->life_counter - 1;
  return batch.lives[(counter << batch.private_shift) + lane];
}

template <class LifeOf>
void tag(const Inst* ip, std::byte* r, const Batch& batch, LifeOf life) {
  const auto* a = reinterpret_cast<const std::uint64_t*>(r + ip->a);
  auto* d = reinterpret_cast<std::uint64_t*>(r + ip->d);
  const AddressMap& map = *batch.memory;
  for (std::uint32_t lane = 0; lane < batch.program->lanes; ++lane) {
    if (!has_lane(batch.mask, lane)) continue;
    // An address with a tag is in no slot, and keeps the one that it has.
    const Allocation* found = map.has_tags ? memory::allocation_at(map, a[lane]) : nullptr;
    const auto owner = found == nullptr ? std::nullopt : owner_of(batch, lane, found->region);
    const std::uint64_t own = owner ? map.tag_of(*owner, life(lane, *found)) : 0;
    d[lane] = a[lane] | own << memory::kTagShift;
  }
}

}  // namespace

Holder holder_of(const Batch& batch, std::uint32_t lane, const Allocation& allocation,
                 std::uint64_t tag) {
  const AddressMap& map = *batch.memory;
  const auto owner = owner_of(batch, lane, allocation.region);
  if (!owner) return Holder::kOther;
  const std::uint64_t meant = map.life_of(tag, *owner);
  if (meant == 0) return Holder::kOwn;
  const std::uint64_t now = life_of(batch, lane, allocation);
  if (meant == now) return Holder::kOwn;
  return meant < now ? Holder::kEarlierLife : Holder::kOther;
}

void tag_lanes(const Inst* ip, std::byte* r, const Batch* batch) {
  tag(ip, r, *batch, [](std::uint32_t, const Allocation&) { return std::uint64_t{0}; });
}

/// The life that the variable is in, or was in last: at the end of a round it has ended.
void tag_lives(const Inst* ip, std::byte* r, const Batch* batch) {
  tag(ip, r, *batch,
      [&](std::uint32_t lane, const Allocation& found) { return life_of(*batch, lane, found); });
}

}  // namespace transpire::vm::exec
