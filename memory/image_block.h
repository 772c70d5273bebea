// Block accesses of sub-groups to images. They read and write bytes of a row of texels as they lie in memory, beginning at any
// byte, whatever the format is.
//
// Beyond the image a read gives the texel at the edge. The extension requires this for texels of four bytes and leaves it open
// for smaller ones; this code does it for both. Larger texels have no block accesses.
//
// Source: cl_intel_subgroups, "Sub-group Read and Write Functions".
#pragma once

#include <cstdint>

#include "memory/image.h"

namespace transpire::memory {

/// The most bytes of a texel for which block accesses are defined.
inline constexpr std::uint32_t kMostBlockTexel = 4;

/// `bytes` bytes of row y of level 0, from byte x on. Any of them may lie outside of the image.
struct BlockSpan {
  std::int64_t x = 0;
  std::int32_t y = 0;
  std::uint32_t bytes = 0;
};

inline std::int64_t row_bytes(const Image& image) {
  return std::int64_t{image.width()} * image.element_bytes;
}

/// True if all bytes of the span lie inside of the image.
inline bool holds(const Image& image, const BlockSpan& span) {
  return span.x >= 0 && span.x + span.bytes <= row_bytes(image) && span.y >= 0 &&
         static_cast<std::uint32_t>(span.y) < image.height();
}

/// Offset of byte x of row y from the image's first byte. Outside of the image it is the corresponding byte of the texel at the
/// edge.
inline std::uint64_t edge_byte(const Image& image, std::int64_t x, std::int64_t y) {
  const std::int64_t texel = image.element_bytes, row = row_bytes(image);
  const std::int64_t within = (x % texel + texel) % texel;
  const std::int64_t column = x < 0 ? within : x >= row ? row - texel + within : x;
  const std::int64_t last = std::int64_t{image.height()} - 1;
  const std::int64_t line = y < 0 ? 0 : y > last ? last : y;
  return image.level[0].offset + static_cast<std::uint64_t>(line) * image.level[0].pitch[1] +
         static_cast<std::uint64_t>(column);
}

/// Reads the bytes of a span, at most 8. The first byte becomes the lowest one.
inline std::uint64_t read_block(const Image& image, const BlockSpan& span) {
  std::uint64_t value = 0;
  for (std::uint32_t k = 0; k < span.bytes; ++k)
    value |= std::to_integer<std::uint64_t>(image.texels[edge_byte(image, span.x + k, span.y)])
             << 8 * k;
  return value;
}

/// Writes the bytes of a span that lie inside of the image, at most 8.
inline void write_block(const Image& image, const BlockSpan& span, std::uint64_t value) {
  for (std::uint32_t k = 0; k < span.bytes; ++k) {
    const BlockSpan one{span.x + k, span.y, 1};
    if (holds(image, one))
      image.texels[edge_byte(image, one.x, one.y)] = static_cast<std::byte>(value >> 8 * k & 0xff);
  }
}

}  // namespace transpire::memory
