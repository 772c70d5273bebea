// One lane's bits out of a row, for code that is compiled once and is not fast: printf, records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "vm/simd/kind.h"

namespace transpire::vm::exec {

/// The lane's bits of a row, zero-extended.
inline std::uint64_t lane_bits(const std::byte* r, std::uint32_t offset, Kind kind,
                               std::uint32_t lane) {
  std::uint64_t bits = 0;
  if (kind == Kind::kBool) {
    std::memcpy(&bits, r + offset + lane / 64 * 8, 8);
    return bits >> (lane % 64) & 1;
  }
  std::memcpy(&bits, r + offset + std::size_t{lane} * lane_bytes(kind), lane_bytes(kind));
  return bits;
}

}  // namespace transpire::vm::exec
