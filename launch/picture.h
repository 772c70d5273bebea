// Pictures that programs read: .png by libpng, and Netpbm's .pgm, .ppm and .pfm. Which of them a file is, its first bytes say.
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

/// Rows from the topmost one, without gaps.
struct Picture {
  std::uint64_t columns = 0, rows = 0;
  unsigned channels = 1;                  ///< numbers of a pixel, 1 to 4
  std::uint32_t most = 255;               ///< what stands for 1; 0: the numbers are floats
  std::vector<float> floats{};            ///< of .pfm
  std::vector<std::uint16_t> integers{};  ///< of the others

  /// A number of a pixel as it stands in the file.
  double number(std::uint64_t pixel, unsigned channel) const {
    const std::uint64_t at = pixel * channels + channel;
    return most == 0 ? static_cast<double>(floats[at]) : integers[at];
  }
  std::uint64_t bytes() const {
    return floats.size() * sizeof(float) + integers.size() * sizeof(std::uint16_t);
  }
};

/// How many numbers a picture of such sizes has.
Checked number_count(std::uint64_t columns, std::uint64_t rows, unsigned channels);

/// L0004: their numbers take more than `max_bytes`.
Diagnostic too_many_pixels(const std::string& path, std::uint64_t columns, std::uint64_t rows,
                           std::uint64_t max_bytes);

/// Fails with C0001 (no such file, or not a picture) and L0004 (more bytes than the limit, of the file and its numbers).
Result<Picture> read_picture(const std::string& path, const ReadLimit& limit);

/// What a .png file's bytes are. `path` is for messages.
Result<Picture> read_png(const std::string& path, std::span<const std::byte> file,
                         std::uint64_t max_bytes);

}  // namespace transpire::launch
