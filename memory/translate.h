// Translation of virtual addresses to memory; all code translates with these functions. They find the allocation of an address,
// check that an access stays within it and is permitted, check that a variable lives, and locate its bytes.
//
// Handlers are compiled once for each instruction set and must not share functions out of line, so everything here is inlined.
#pragma once

#include <cstdint>

#include "memory/address_space.h"

#define TRANSPIRE_TRANSLATE inline __attribute__((always_inline))

namespace transpire::memory {

/// The address without its owner's tag. Allocation::begin has no tag either.
TRANSPIRE_TRANSLATE std::uint64_t untagged(const AddressMap& map, std::uint64_t address) {
  return map.has_tags ? without_tag(address) : address;
}

/// The allocation in whose slots an address without a tag lies. Addresses in empty slots and outside of all slots give the
/// sentinel: it has no bytes and permits nothing, so callers of holds() need no test for null.
TRANSPIRE_TRANSLATE const Allocation& in_slot(const AddressMap& map, std::uint64_t address) {
  const std::uint64_t slot = (address >> map.slot_shift) - map.first_slot;
  return map.allocations[slot < map.slot_count ? map.slots[slot] : 0];
}

/// The allocation in whose slots an address without a tag lies, or null.
TRANSPIRE_TRANSLATE const Allocation* allocation_at(const AddressMap& map, std::uint64_t address) {
  const Allocation* found = &in_slot(map, address);
  return found == map.allocations ? nullptr : found;
}

/// The image that an allocation holds. Null if it is no image.
TRANSPIRE_TRANSLATE const Image* image_of(const Allocation& allocation) {
  return allocation.region == Region::kImage ? allocation.image : nullptr;
}

/// The pipe that an allocation holds. Null if it is no pipe.
TRANSPIRE_TRANSLATE Pipe* pipe_of(const Allocation& allocation) {
  return allocation.region == Region::kPipe ? allocation.pipe : nullptr;
}

/// Bytes of a slot. Addresses below this number, such as null, are in no slot.
TRANSPIRE_TRANSLATE std::uint64_t slot_bytes(const AddressMap& map) {
  return std::uint64_t{1} << map.slot_shift;
}

/// True if all of [low, high + bytes) lies in the allocation. `low` must not be above `high`. Addresses count modulo 2^64.
TRANSPIRE_TRANSLATE bool holds(const Allocation& allocation, std::uint64_t low, std::uint64_t high,
                               std::uint64_t bytes) {
  const std::uint64_t start = low - allocation.begin, end = high - allocation.begin;
  return end <= allocation.size_bytes && bytes <= allocation.size_bytes - end && start <= end;
}

/// True if `bytes` fit into the allocation. last_offset(): the highest offset from its begin at which they fit, if they do.
TRANSPIRE_TRANSLATE bool has_room(const Allocation& allocation, std::uint64_t bytes) {
  return bytes <= allocation.size_bytes;
}
TRANSPIRE_TRANSLATE std::uint64_t last_offset(const Allocation& allocation, std::uint64_t bytes) {
  return allocation.size_bytes - bytes;
}

/// True if a pointer of one of the storage classes `through` may load here. permits_store(): may store here.
TRANSPIRE_TRANSLATE bool permits_load(const Allocation& allocation, PointerSpaces through) {
  return (allocation.loads & through) != 0;
}
TRANSPIRE_TRANSLATE bool permits_store(const Allocation& allocation, PointerSpaces through) {
  return (allocation.stores & through) != 0;
}

/// The lifetime of a private variable: `words` words with a bit for each lane.
template <class Word>
TRANSPIRE_TRANSLATE Word* lifetime_words(Word* live, std::uint64_t variable, std::uint32_t words) {
  return live + variable * words;
}
/// True if a variable lives in all lanes of a mask.
TRANSPIRE_TRANSLATE bool lives(const std::uint64_t* live, std::uint64_t variable,
                               std::uint32_t words, const std::uint64_t* mask) {
  std::uint64_t dead = 0;
  for (std::uint32_t w = 0; w < words; ++w)
    dead |= mask[w] & ~lifetime_words(live, variable, words)[w];
  return dead == 0;
}
TRANSPIRE_TRANSLATE bool lives_in_lane(const std::uint64_t* live, std::uint64_t variable,
                                       std::uint32_t words, std::uint32_t lane) {
  return (lifetime_words(live, variable, words)[lane / 64] >> lane % 64 & 1) != 0;
}

/// Host address of the allocation's first byte. For local memory it is the address in the group whose local memory begins at
/// `workgroup`. Private memory has no such address, since its bytes are interleaved: see private_place().
TRANSPIRE_TRANSLATE std::byte* host_of(const Allocation& allocation, std::byte* workgroup) {
  return allocation.region == Region::kWorkgroup ? workgroup + allocation.offset : allocation.host;
}

/// Offset of a byte of a lane's private memory, counted from lane 0's first byte. Private memory of `lanes` lanes is interleaved
/// by 4-byte words, so that a variable of 4 bytes is a row. `offset`: the byte's offset in the lane's memory.
TRANSPIRE_TRANSLATE std::uint64_t private_place(std::uint64_t offset, std::uint32_t lane,
                                                std::uint32_t lanes) {
  return (offset & ~std::uint64_t{3}) * lanes + std::uint64_t{lane} * 4 + (offset & 3);
}

}  // namespace transpire::memory
