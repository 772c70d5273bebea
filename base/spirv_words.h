// What bytes are: SPIR-V's words begin with a magic number, in either byte order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace transpire {

inline constexpr std::uint32_t kSpirvMagic = 0x07230203;

/// The word in the other byte order.
constexpr std::uint32_t swapped_bytes(std::uint32_t word) {
  return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

/// Whether words come, of a module or of something that is damaged behind its beginning.
inline bool is_spirv(std::span<const std::byte> bytes) {
  std::uint32_t first = 0;
  if (bytes.size() >= sizeof first) std::memcpy(&first, bytes.data(), sizeof first);
  return first == kSpirvMagic || first == swapped_bytes(kSpirvMagic);
}

/// Whether something is assembler text, good or bad, and no words that lost their beginning: text has no zero
/// byte near its start, a module has one in its version word.
inline bool is_assembler_text(std::span<const std::byte> bytes) {
  if (bytes.empty() || is_spirv(bytes)) return false;
  const auto head = bytes.first(std::min<std::size_t>(bytes.size(), 512));
  return std::find(head.begin(), head.end(), std::byte{0}) == head.end();
}

}  // namespace transpire
