// From a virtual address to memory, the one way: which allocation an address lies in, whether an access
// stays within it and is permitted, whether a variable lives, and where its bytes are.
//
// The engine's handlers are compiled once per instruction set, and must not share functions out of line:
// everything here is inlined.
#pragma once

#include <cstdint>

#include "memory/address_space.h"

#define TRANSPIRE_TRANSLATE inline __attribute__((always_inline))

namespace transpire::memory {

/// The address as the allocations know it, without its owner's tag.
TRANSPIRE_TRANSLATE std::uint64_t untagged(const AddressMap& map, std::uint64_t address) {
  return map.has_tags ? without_tag(address) : address;
}

/// The allocation whose slot an address without a tag lies in. In an empty slot, and outside of all slots,
/// the sentinel, of no bytes, which permits nothing: so who goes on to ask holds() needs no test for null.
TRANSPIRE_TRANSLATE const Allocation& in_slot(const AddressMap& map, std::uint64_t address) {
  const std::uint64_t slot = (address >> map.slot_shift) - map.first_slot;
  return map.allocations[slot < map.slot_count ? map.slots[slot] : 0];
}

/// The same, null instead of the sentinel.
TRANSPIRE_TRANSLATE const Allocation* allocation_at(const AddressMap& map, std::uint64_t address) {
  const Allocation* found = &in_slot(map, address);
  return found == map.allocations ? nullptr : found;
}

/// What the bytes of an allocation mean, null if it is no image.
TRANSPIRE_TRANSLATE const Image* image_of(const Allocation& allocation) {
  return allocation.region == Region::kImage ? allocation.image : nullptr;
}

/// Null if it is no pipe.
TRANSPIRE_TRANSLATE Pipe* pipe_of(const Allocation& allocation) {
  return allocation.region == Region::kPipe ? allocation.pipe : nullptr;
}

/// How far apart slots are. Addresses below it are in no slot: null, and what lies beside it.
TRANSPIRE_TRANSLATE std::uint64_t slot_bytes(const AddressMap& map) {
  return std::uint64_t{1} << map.slot_shift;
}

/// Whether [low, low + bytes) to [high, high + bytes) lie in the allocation; low is not above high.
/// Addresses count modulo 2^64.
TRANSPIRE_TRANSLATE bool holds(const Allocation& allocation, std::uint64_t low, std::uint64_t high,
                               std::uint64_t bytes) {
  const std::uint64_t start = low - allocation.begin, end = high - allocation.begin;
  return end <= allocation.size_bytes && bytes <= allocation.size_bytes - end && start <= end;
}

/// Whether so many bytes fit into the allocation, and then the highest offset from its begin at which they do.
TRANSPIRE_TRANSLATE bool has_room(const Allocation& allocation, std::uint64_t bytes) {
  return bytes <= allocation.size_bytes;
}
TRANSPIRE_TRANSLATE std::uint64_t last_offset(const Allocation& allocation, std::uint64_t bytes) {
  return allocation.size_bytes - bytes;
}

/// Whether a pointer of one of these storage classes may load here.
TRANSPIRE_TRANSLATE bool permits_load(const Allocation& allocation, PointerSpaces through) {
  return (allocation.loads & through) != 0;
}
TRANSPIRE_TRANSLATE bool permits_store(const Allocation& allocation, PointerSpaces through) {
  return (allocation.stores & through) != 0;
}

/// Lifetimes of private variables stand in words of a bit a lane, `words` of them for each variable.
template <class Word>
TRANSPIRE_TRANSLATE Word* lifetime_words(Word* live, std::uint64_t variable, std::uint32_t words) {
  return live + variable * words;
}
/// Whether a variable lives in all lanes of a mask.
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

/// Host address of the allocation's first byte, of workgroup memory in the group whose bytes begin at
/// `workgroup`. Not for private memory, whose bytes are not side by side: see private_place().
TRANSPIRE_TRANSLATE std::byte* host_of(const Allocation& allocation, std::byte* workgroup) {
  return allocation.region == Region::kWorkgroup ? workgroup + allocation.offset : allocation.host;
}

/// Private memory of so many lanes is interleaved by 4-byte words, so that a variable at one offset is a row. Where the
/// byte at `offset` of a lane's memory lies, counted from lane 0's first byte.
TRANSPIRE_TRANSLATE std::uint64_t private_place(std::uint64_t offset, std::uint32_t lane,
                                                std::uint32_t lanes) {
  return (offset & ~std::uint64_t{3}) * lanes + std::uint64_t{lane} * 4 + (offset & 3);
}

}  // namespace transpire::memory
