// Image: the description of an image, and the place of each texel in memory. A caller asks for an ImageShape; lay_out() checks it and
// makes the Image, plain data that handlers read.
//
// A texel has three coordinates. Coordinates that the kind of image lacks are 0; an array's layer is the last coordinate:
//
//     1D, 1D buffer: x    1D array: x, layer    2D: x, y    2D array: x, y, layer    3D: x, y, z
//
// Samples of a texel lie side by side. Levels of a mipmap lie one behind the other, level 0 with the pitches that the
// caller chose, the others without gaps.
#pragma once

#include <cstdint>

#include "base/checked.h"
#include "memory/image_format.h"

namespace transpire::memory {

enum class ImageDim : std::uint8_t { k1D, k1DArray, k1DBuffer, k2D, k2DArray, k3D };

/// Coordinates that the addressing mode and the filter apply to: 1, 2 or 3.
TRANSPIRE_TRANSLATE constexpr std::uint32_t sampled_axes(ImageDim dim) {
  return dim == ImageDim::k3D ? 3 : dim == ImageDim::k2D || dim == ImageDim::k2DArray ? 2 : 1;
}
TRANSPIRE_TRANSLATE constexpr bool is_array(ImageDim dim) {
  return dim == ImageDim::k1DArray || dim == ImageDim::k2DArray;
}
/// True if the last coordinate counts slices or layers, which have a pitch.
TRANSPIRE_TRANSLATE constexpr bool has_slices(ImageDim dim) {
  return is_array(dim) || dim == ImageDim::k3D;
}
/// All coordinates of a texel, an array's layer included.
TRANSPIRE_TRANSLATE constexpr std::uint32_t coordinates(ImageDim dim) {
  return sampled_axes(dim) + (is_array(dim) ? 1 : 0);
}

/// The most texels along a side. The limit keeps coordinates and their neighbours within 32-bit integers.
inline constexpr std::uint64_t kMaxSide = (std::uint64_t{1} << 30) - 1;
/// The most levels of a mipmap: a complete one for 32,768 texels along a side.
inline constexpr std::uint32_t kMaxLevels = 16;
/// The most samples of a texel.
inline constexpr std::uint32_t kMaxSamples = 64;

/// The image that a caller asks for, unchecked. Sizes are in texels, pitches in bytes. Members that the kind of image lacks are
/// ignored.
struct ImageShape {
  ImageDim dim = ImageDim::k2D;
  ImageFormat format;
  std::uint64_t width = 1, height = 1, depth = 1, array_size = 1;
  std::uint64_t row_pitch = 0;    ///< from a row to the next; 0: no gaps
  std::uint64_t slice_pitch = 0;  ///< from a slice of a 3D image or a layer to the next; 0: no gaps
  std::uint32_t levels = 1;       ///< levels of a mipmap; 1: no mipmap
  std::uint32_t samples =
      1;  ///< samples of each texel; several: 2D images and 2D arrays, no mipmap
};

/// One level of an image.
struct ImageLevel {
  std::uint64_t offset = 0;  ///< bytes from the image's first byte to the level's first texel
  std::uint64_t row_pitch = 0, slice_pitch = 0;
  std::uint32_t size[3] = {1, 1, 1};  ///< along each coordinate, an array's layers included
  std::uint64_t pitch[3] = {};        ///< bytes from a texel to the next one along each coordinate

  TRANSPIRE_TRANSLATE constexpr bool holds(std::int32_t x, std::int32_t y, std::int32_t z) const {
    return (static_cast<std::uint32_t>(x) < size[0]) & (static_cast<std::uint32_t>(y) < size[1]) &
           (static_cast<std::uint32_t>(z) < size[2]);
  }
};

struct Image {
  ImageDim dim = ImageDim::k2D;
  ImageFormat format;
  std::uint32_t element_bytes = 4;
  std::uint32_t levels = 1;
  std::uint32_t samples = 1;
  std::uint64_t size_bytes = 0;  ///< bytes of all levels
  std::byte* texels = nullptr;   ///< the first one of level 0, on the host; not owned
  ImageLevel level[kMaxLevels];

  TRANSPIRE_TRANSLATE std::uint32_t width() const { return level[0].size[0]; }
  TRANSPIRE_TRANSLATE std::uint32_t height() const {
    return sampled_axes(dim) > 1 ? level[0].size[1] : 1;
  }
  TRANSPIRE_TRANSLATE std::uint32_t depth() const {
    return dim == ImageDim::k3D ? level[0].size[2] : 1;
  }
  TRANSPIRE_TRANSLATE std::uint32_t array_size() const {
    return is_array(dim) ? level[0].size[sampled_axes(dim)] : 1;
  }
};

/// Where a texel lies, from the image's first byte. The coordinates are inside the level, the sample is one of the image.
TRANSPIRE_TRANSLATE constexpr std::uint64_t texel_offset(const Image& image,
                                                         const ImageLevel& level, std::int32_t x,
                                                         std::int32_t y, std::int32_t z,
                                                         std::uint32_t sample = 0) {
  return level.offset + static_cast<std::uint64_t>(x) * level.pitch[0] +
         static_cast<std::uint64_t>(y) * level.pitch[1] +
         static_cast<std::uint64_t>(z) * level.pitch[2] +
         std::uint64_t{sample} * image.element_bytes;
}

/// Errors in a shape.
enum class ShapeError : std::uint8_t {
  kNone,
  kFormat,      ///< the order is no format with the type
  kDepth,       ///< a depth format of an image that is neither 2D nor a 2D array
  kSide,        ///< a side of 0 or more than kMaxSide texels
  kRowPitch,    ///< shorter than a row, or not of whole elements
  kSlicePitch,  ///< shorter than a slice, or not of whole rows
  kLevels,      ///< 0, more than kMaxLevels or than the sides have, or a 1D buffer with several
  kSamples,     ///< not 1 to kMaxSamples, or several where there is only one
  kTooLarge     ///< the number of its bytes exceeds 64 bits
};

/// Fills in `image` for a shape, except `texels`. If the shape has an error, returns it and leaves the image unchanged.
ShapeError lay_out(const ImageShape& shape, Image& image);

/// Number of levels of a complete mipmap of the shape. The last level is a single texel.
std::uint32_t complete_levels(const ImageShape& shape);

}  // namespace transpire::memory
