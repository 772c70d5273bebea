// Reads picture files: .png by libpng, and Netpbm's .pgm, .ppm and .pfm. The first bytes of a file decide its form.
//
//   form         numbers of a pixel                                       what they are
//   PNG          grey; grey and alpha; colours; colours and alpha         1 to 16 bits, and colours of a palette
//   P2 P5, P3 P6 grey; colours                                            0 to the number in the file's head, at most 65535
//   Pf, PF       grey; colours                                            floats
//
// Sources: ISO/IEC 15948 (PNG) by libpng; Netpbm, "PGM" and "PPM"; "PFM Portable FloatMap Image Format" (P. Debevec).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/checked.h"
#include "base/input_file.h"
#include "transpire/result.hpp"

namespace transpire::launch {

/// The pixels of a picture: rows from top to bottom, without gaps.
struct Picture {
  std::uint64_t columns = 0, rows = 0;
  unsigned channels = 1;                  ///< numbers of a pixel, 1 to 4
  std::uint32_t most = 255;               ///< the integer that means 1.0; 0: numbers are floats
  std::vector<float> floats{};            ///< numbers of a .pfm file
  std::vector<std::uint16_t> integers{};  ///< numbers of all other files

  /// A number of a pixel as the file has it.
  double number(std::uint64_t pixel, unsigned channel) const {
    const std::uint64_t at = pixel * channels + channel;
    return most == 0 ? static_cast<double>(floats[at]) : integers[at];
  }
  std::uint64_t bytes() const {
    return floats.size() * sizeof(float) + integers.size() * sizeof(std::uint16_t);
  }
};

/// Number of numbers of a picture.
Checked number_count(std::uint64_t columns, std::uint64_t rows, unsigned channels);

/// The diagnostic L0004: the numbers of the pixels take more than `max_bytes`.
Diagnostic too_many_pixels(const std::string& path, std::uint64_t columns, std::uint64_t rows,
                           std::uint64_t max_bytes);

/// Reads a picture file. Fails with C0001 (no such file, or not a picture) and L0004 (the file or its numbers have more
/// bytes than the limit).
Result<Picture> read_picture(const std::string& path, const ReadLimit& limit);

/// Decodes the bytes of a .png file. `path` is for messages. Fails as read_picture() does.
Result<Picture> read_png(const std::string& path, std::span<const std::byte> file,
                         std::uint64_t max_bytes);

}  // namespace transpire::launch
