// Bit masks of lanes: one bit a lane in 64-bit words, lane 0 lowest.
#pragma once

#include "vm/simd/vector.h"

namespace transpire::vm::TRANSPIRE_ISA {

/// The words of a mask row. Unlike other rows these are only 8-byte aligned.
TRANSPIRE_INLINE std::uint64_t* mask_row(std::byte* r, std::uint32_t offset) {
  return reinterpret_cast<std::uint64_t*>(r + offset);
}

/// A scalar bool as a word: all lanes or none.
TRANSPIRE_INLINE std::uint64_t scalar_word(std::byte* r, std::uint32_t offset) {
  return 0 - (scalar<std::uint64_t>(r, offset) & 1);
}

}  // namespace transpire::vm::TRANSPIRE_ISA
