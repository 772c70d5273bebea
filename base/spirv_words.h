// Recognises SPIR-V by its magic number, in either byte order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace transpire {

inline constexpr std::uint32_t kSpirvMagic = 0x07230203;

/// The word with its bytes in reverse order.
constexpr std::uint32_t swapped_bytes(std::uint32_t word) {
  return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

/// True if the bytes begin with SPIR-V's magic number. The words behind it may be damaged.
inline bool is_spirv(std::span<const std::byte> bytes) {
  std::uint32_t first = 0;
  if (bytes.size() >= sizeof first) std::memcpy(&first, bytes.data(), sizeof first);
  return first == kSpirvMagic || first == swapped_bytes(kSpirvMagic);
}

/// True if the bytes are a text: assembly text, valid or not. A text has no zero byte near its start. A module whose
/// magic number is damaged has one in its version word.
inline bool is_assembler_text(std::span<const std::byte> bytes) {
  if (bytes.empty() || is_spirv(bytes)) return false;
  const auto head = bytes.first(std::min<std::size_t>(bytes.size(), 512));
  return std::find(head.begin(), head.end(), std::byte{0}) == head.end();
}

}  // namespace transpire
