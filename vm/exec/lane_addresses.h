// The addresses of one access in all running lanes, and the allocation that contains them. Included
// by the memory handlers of each instruction set.
#pragma once

#include "memory/translate.h"
#include "vm/exec/handlers.h"
#include "vm/exec/lanes.h"

namespace transpire::vm::TRANSPIRE_ISA {
namespace {

using memory::AddressMap;
using memory::Allocation;
using memory::Region;

/// Maximum for an access; passes merge no more into one.
constexpr std::uint32_t kMaxComponents = 16;

/// The lanes' addresses of one access: base + offset[lane], or base + stride * lane.
struct Lanes {
  std::uint64_t base = 0;   ///< affine: of lane 0; rows: the lowest one
  std::int64_t stride = 0;  ///< affine
  const std::uint32_t* offset =
      nullptr;  ///< rows: from the lowest address, below 2^31; good in all lanes
  std::uint64_t low = 0, high = 0;    ///< lowest and highest address of a running lane
  std::uint32_t first = 0, last = 0;  ///< first and last running lane
};

TRANSPIRE_INLINE std::uint64_t address_of(const Lanes& lanes, std::uint32_t lane) {
  if (lanes.offset == nullptr)
    return lanes.base + static_cast<std::uint64_t>(lanes.stride * static_cast<std::int64_t>(lane));
  return lanes.base + lanes.offset[lane];
}

template <bool kWrite>
TRANSPIRE_INLINE bool permits(const Allocation& a, const Access& access) {
  return kWrite ? memory::permits_store(a, access.stores) : memory::permits_load(a, access.loads);
}

/// The allocation that holds [low, high + bytes), if the whole access is permitted there.
template <bool kWrite>
TRANSPIRE_INLINE const Allocation* resolve(const Batch* batch, const Access& access,
                                           std::uint64_t low, std::uint64_t high) {
  const Allocation& a = memory::in_slot(*batch->memory, low);
  if (!memory::holds(a, low, high, access.bytes) || !permits<kWrite>(a, access)) return nullptr;
  return &a;
}

/// True if the private variable with this number lives in all running lanes.
TRANSPIRE_INLINE bool alive(const Batch* batch, std::uint32_t variable) {
  return memory::lives(batch->private_live, variable, kMaskWords, batch->mask);
}
TRANSPIRE_INLINE bool private_alive(const Batch* batch, const Allocation* a) {
  return alive(batch, a->index);
}

/// Host address of the allocation's first byte; not for private memory.
TRANSPIRE_INLINE std::byte* host_of(const Batch* batch, const Allocation* a) {
  return memory::host_of(*a, batch->workgroup_memory);
}

/// True if all lanes see the same bytes: not private memory, and not workgroup memory of several
/// groups.
TRANSPIRE_INLINE bool is_plain(const Batch* batch, const Allocation* a) {
  if (a->region == Region::kWorkgroup) return batch->packed_workgroup_base == nullptr;
  return a->region != Region::kPrivate;
}

/// Every running lane's address is a multiple of the required alignment.
TRANSPIRE_INLINE bool aligned(const Lanes& lanes, const Access& access) {
  if (access.align_mask == 0) return true;
  if (lanes.offset == nullptr)
    return ((lanes.base | static_cast<std::uint64_t>(lanes.stride)) & access.align_mask) == 0;
  std::uint32_t bits = static_cast<std::uint32_t>(lanes.base);
  for (std::uint32_t i = 0; i < kLanes; ++i) bits |= lanes.offset[i];
  return (bits & access.align_mask) == 0;
}

}  // namespace
}  // namespace transpire::vm::TRANSPIRE_ISA
