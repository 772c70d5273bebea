// Pointers that say whose they are: TagPointer, and what an access does with a tag. See
// memory/address_space.h.
#include "vm/exec/tags.h"

#include "vm/exec/lane_ids.h"
#include "vm/program/program.h"

namespace transpire::vm::exec {

using memory::AddressMap;
using memory::Allocation;
using memory::Region;

std::uint64_t own_tag(const Batch& batch, std::uint32_t lane, Region region) {
  switch (region) {
    case Region::kWorkgroup:
      return batch.memory->tag_of(group_linear_id(batch, lane));
    case Region::kPrivate:
      return batch.memory->tag_of(global_linear_id(batch, lane));
    default:
      return 0;
  }
}

void tag_lanes(const Inst* ip, std::byte* r, const Batch* batch) {
  const auto* a = reinterpret_cast<const std::uint64_t*>(r + ip->a);
  auto* d = reinterpret_cast<std::uint64_t*>(r + ip->d);
  const AddressMap& map = *batch->memory;
  for (std::uint32_t lane = 0; lane < batch->program->lanes; ++lane) {
    if (!has_lane(batch->mask, lane)) continue;
    // An address with a tag is in no slot, and keeps the one that it has.
    const Allocation* found = map.has_tags ? memory::allocation_at(map, a[lane]) : nullptr;
    const std::uint64_t tag = found == nullptr ? 0 : own_tag(*batch, lane, found->region);
    d[lane] = a[lane] | tag << memory::kTagShift;
  }
}

}  // namespace transpire::vm::exec
