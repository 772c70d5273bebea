#include "scheduler/state_digest.h"

#include <cstring>

#include "scheduler/launch_registry.h"

namespace transpire::scheduler {
namespace {

/// Reads memory to which no other thread stores.
std::uint64_t load_own(const unsigned char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

/// Reads an aligned word of memory to which another host thread's launch may store; such a launch may begin at any time.
std::uint64_t load_shared(const unsigned char* at) {
  using Word [[gnu::may_alias]] = std::uint64_t;
  return __atomic_load_n(reinterpret_cast<const Word*>(at), __ATOMIC_RELAXED);
}

template <typename Load>
std::uint64_t digest_with(Load load, const void* bytes, std::size_t size, std::uint64_t before) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  const auto mix = [](std::uint64_t state, std::uint64_t word) {
    state = (state ^ word) * kOdd;
    return state ^ state >> 29;
  };
  std::uint64_t lane[4] = {before ^ size, before + kOdd, before ^ kOdd, ~before};
  const auto* at = static_cast<const unsigned char*>(bytes);
  const auto mix_byte = [&] {
    lane[0] = mix(lane[0], __atomic_load_n(at, __ATOMIC_RELAXED));
    ++at;
    --size;
  };
  while (size != 0 && reinterpret_cast<std::uintptr_t>(at) % sizeof(std::uint64_t) != 0) mix_byte();
  for (; size >= 32; size -= 32, at += 32)
    for (int i = 0; i < 4; ++i) lane[i] = mix(lane[i], load(at + 8 * i));
  while (size != 0) mix_byte();
  std::uint64_t state = 0;
  for (const std::uint64_t each : lane) state = mix(mix(state, each), each >> 32);
  return state;
}

}  // namespace

std::uint64_t digest_stored_memory(const memory::AddressMap& map, std::uint64_t& bytes) {
  std::uint64_t state = 0;
  bytes = 0;
  for (std::uint64_t number = 1; number < map.allocation_count; ++number) {
    const memory::Allocation* each = &map.allocations[number];
    if (!is_stored_to(*each)) continue;
    state = digest_with(load_shared, each->host, each->size_bytes, state);
    bytes += each->size_bytes;
  }
  return state;
}

std::uint64_t digest(const void* bytes, std::size_t size, std::uint64_t before) {
  return digest_with(load_own, bytes, size, before);
}

}  // namespace transpire::scheduler
