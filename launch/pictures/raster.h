// Makes pictures for people to look at: of an image's texels, of a buffer's elements, and of differences from expected
// contents.
//
//   numbers                        shown
//   UNORM formats                  as they are, those of sRGB as stored, with 16 bits where the format has more than 8
//   SNORM formats                  -1 black, 0 in the middle, 1 white
//   signed integers                the same, with the greatest magnitude in the place of 1
//   unsigned integers, floats      from the least (black) to the greatest (white) that is finite; NaN in magenta
//
// A pixel of one number is grey, a pixel of two is red and green. UNORM formats keep their alpha; other formats are shown
// without alpha. Rows are drawn from top to bottom, slices and layers one below the other, samples of a texel side by side.
// A mipmap is shown by its level 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "launch/pictures/image.h"
#include "launch/pictures/texels.h"

namespace transpire::launch {

/// The colours of a pixel: one (grey) or three. A colour without a number has no channel.
using PixelColours = std::vector<std::optional<Channel>>;

/// Layout of the pixels in memory.
struct Raster {
  std::uint64_t columns = 0, rows = 0;
  PixelColours colours;
  std::optional<Channel> alpha{};
  ChannelScale scale = ChannelScale::kUnsigned;
  std::uint64_t pixel_bytes = 0, row_bytes = 0;   ///< from one pixel or row to the next
  std::uint64_t slice_bytes = 0, slice_rows = 1;  ///< from one slice to the next; rows of a slice

  /// Offset of a pixel.
  std::uint64_t offset(std::uint64_t row, std::uint64_t column) const {
    return row / slice_rows * slice_bytes + row % slice_rows * row_bytes + column * pixel_bytes;
  }
  /// Type of the pixels' numbers, from the first colour that has a channel.
  ScalarType type() const;
};

Raster raster_of(const Texels& texels);
/// The layout of a buffer whose elements have rows. Fails with C0024; `path` is for messages.
Result<Raster> raster_of(const std::string& path, const Pixels& pixels);

/// The numbers that are drawn darkest and brightest.
struct ShownRange {
  double low = 0, high = 0;
  bool is_empty = true;  ///< no number is finite
  bool has_nan = false;

  void add(const ShownRange& other);
};
ShownRange range_of(const Raster& raster, std::span<const std::byte> bytes,
                    const StepLimit& limit = {});
/// "0 .. 3.5"; empty if the format fixes black and white.
std::string text_of(const ShownRange& range, const Raster& raster);

/// The bytes of a PNG file. Fails with C0024. This function and its neighbours throw LimitReached.
Result<std::vector<std::byte>> picture_of(const Raster& raster, const ShownRange& range,
                                          std::span<const std::byte> bytes,
                                          const StepLimit& limit = {});
/// A picture of the differences: black where numbers are equal, white where they are farthest apart. A difference in alpha
/// alone is grey. Pixels where only one of two numbers is NaN are magenta.
Result<std::vector<std::byte>> difference_picture(const Raster& raster,
                                                  std::span<const std::byte> expected,
                                                  std::span<const std::byte> found,
                                                  const StepLimit& limit = {});

}  // namespace transpire::launch
