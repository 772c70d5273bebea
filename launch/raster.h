// Pictures for people to look at: of an image's texels, of a buffer's elements, and of what differs from what was expected.
//
//   numbers                        shown
//   UNORM formats                  as they are, those of sRGB as stored, with 16 bits where the format has more than 8
//   SNORM formats                  -1 black, 0 in the middle, 1 white
//   signed integers                the same, with the greatest magnitude in the place of 1
//   unsigned integers, floats      from the least (black) to the greatest (white) that is finite; NaN in magenta
//
// One number is grey, two are red and green. Alpha is that of UNORM formats; others are shown without it. Rows of an
// image come from the topmost one; slices and layers stand below each other, samples of a texel side by side. Of a mipmap
// level 0 is shown.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "launch/image.h"
#include "launch/texels.h"

namespace transpire::launch {

/// The colours of a pixel: one of grey, else three, of which some may have no number.
using PixelColours = std::vector<std::optional<Channel>>;

/// What numbers lie where.
struct Raster {
  std::uint64_t columns = 0, rows = 0;
  PixelColours colours;
  std::optional<Channel> alpha{};
  ChannelScale scale = ChannelScale::kUnsigned;
  std::uint64_t pixel_bytes = 0, row_bytes = 0;   ///< from one to the next
  std::uint64_t slice_bytes = 0, slice_rows = 1;  ///< the same, and rows of a slice

  /// Where the pixel begins.
  std::uint64_t offset(std::uint64_t row, std::uint64_t column) const {
    return row / slice_rows * slice_bytes + row % slice_rows * row_bytes + column * pixel_bytes;
  }
  /// Of its numbers, by the first colour that there is.
  ScalarType type() const;
};

Raster raster_of(const Texels& texels);
/// Of a buffer with rows. Fails with C0024; `path` is for messages.
Result<Raster> raster_of(const std::string& path, const Pixels& pixels);

/// What the darkest and the brightest number are.
struct ShownRange {
  double low = 0, high = 0;
  bool is_empty = true;  ///< no number is finite
  bool has_nan = false;

  void add(const ShownRange& other);
};
ShownRange range_of(const Raster& raster, std::span<const std::byte> bytes,
                    const StepLimit& limit = {});
/// "0 .. 3.5"; empty where the numbers are shown as they are.
std::string spelled(const ShownRange& range, const Raster& raster);

/// A PNG file. Fails with C0024; throws LimitReached, as the others do.
Result<std::vector<std::byte>> picture_of(const Raster& raster, const ShownRange& range,
                                          std::span<const std::byte> bytes,
                                          const StepLimit& limit = {});
/// How far apart the numbers are, the farthest white and equal ones black; a difference in alpha is grey, and magenta where one
/// of two is NaN.
Result<std::vector<std::byte>> difference_picture(const Raster& raster,
                                                  std::span<const std::byte> expected,
                                                  std::span<const std::byte> found,
                                                  const StepLimit& limit = {});

}  // namespace transpire::launch
