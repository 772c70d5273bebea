// Digests of memory, by which states of a launch are compared.
#pragma once

#include <cstddef>
#include <cstdint>

#include "memory/address_space.h"

namespace transpire::scheduler {

/// Digests bytes to which no other thread stores. `before` is the digest of the data in front of them, or 0.
std::uint64_t digest(const void* bytes, std::size_t size, std::uint64_t before);

/// Digests all memory that kernels may store to, while other threads may do so. `bytes` is set to its size.
std::uint64_t digest_stored_memory(const memory::AddressMap& map, std::uint64_t& bytes);

}  // namespace transpire::scheduler
