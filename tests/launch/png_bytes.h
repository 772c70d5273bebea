// PNG files written by hand, so that all kinds of them can be read: ISO/IEC 15948. Nothing is compressed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace transpire::test {

struct PngHead {
  std::uint32_t columns = 1, rows = 1;
  std::uint8_t bits = 8;    ///< of a sample
  std::uint8_t colour = 0;  ///< 0: grey, 2: colours, 3: of a palette, 4 and 6: with alpha
  bool interlaced = false;  ///< Adam7
};

inline std::string big_endian(std::uint32_t value) {
  std::string text;
  for (unsigned shift = 32; shift > 0; shift -= 8)
    text += static_cast<char>(value >> (shift - 8) & 255);
  return text;
}

inline std::uint32_t crc_of(std::string_view text) {
  std::uint32_t crc = ~0u;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

/// `type` and `data` with their length and their checksum.
inline std::string png_chunk(const std::string& type, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + type + data +
         big_endian(crc_of(type + data));
}

/// The text as one block of zlib's that is not compressed; at most 65,535 bytes.
inline std::string stored(const std::string& text) {
  std::uint32_t a = 1, b = 0;
  for (const char c : text) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  const auto size = static_cast<std::uint16_t>(text.size());
  const auto low_first = [](std::uint16_t value) {
    return std::string{static_cast<char>(value & 255), static_cast<char>(value >> 8)};
  };
  return "\x78\x01\x01" + low_first(size) + low_first(static_cast<std::uint16_t>(~size)) + text +
         big_endian(b << 16 | a);
}

/// The file. `chunks` stand in front of the samples; `rows` are these, each behind a 0, which says that no filter was used.
inline std::vector<std::byte> png_bytes(const PngHead& head, const std::string& chunks,
                                        const std::string& rows) {
  const std::string last{static_cast<char>(head.bits), static_cast<char>(head.colour), '\0', '\0',
                         static_cast<char>(head.interlaced ? 1 : 0)};
  const std::string file =
      "\x89PNG\r\n\x1a\n" +
      png_chunk("IHDR", big_endian(head.columns) + big_endian(head.rows) + last) + chunks +
      png_chunk("IDAT", stored(rows)) + png_chunk("IEND", "");
  const auto bytes = std::as_bytes(std::span(file));
  return {bytes.begin(), bytes.end()};
}

/// A pass of Adam7: the pixels that it has.
struct PngPass {
  std::uint32_t first_column, first_row, column_step, row_step;
};
inline constexpr std::array<PngPass, 7> kAdam7{{{0, 0, 8, 8},
                                                {4, 0, 8, 8},
                                                {0, 4, 4, 8},
                                                {2, 0, 4, 4},
                                                {0, 2, 2, 4},
                                                {1, 0, 2, 2},
                                                {0, 1, 1, 2}}};

}  // namespace transpire::test
