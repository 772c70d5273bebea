// Boxes of texels filled and copied by the host: between images, and between an image and linear memory (OpenCL API 2.2,
// "Reading, Writing and Copying Image Objects", "Filling Image Objects", "Copying between Image and Buffer Objects").
//
// Every function checks its arguments, returns an error, and changes nothing if there is one. All samples of a texel are filled
// and copied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/checked.h"
#include "memory/image.h"
#include "memory/texel.h"

namespace transpire::memory {

/// The API's origin and region: texels along each coordinate, and an array's layers.
struct ImageBox {
  std::uint64_t origin[3] = {0, 0, 0};
  std::uint64_t size[3] = {1, 1, 1};
};

/// All texels of a level.
ImageBox whole(const Image& image, std::uint32_t level = 0);

/// Bytes from a row to the next, and from a slice of a 3D image or a layer to the next. 0: no gaps.
struct LinearPitches {
  std::uint64_t row_pitch = 0, slice_pitch = 0;
};

enum class CopyError : std::uint8_t {
  kNone,
  kLevel,       ///< the image has no such level
  kBox,         ///< empty, or not inside the level
  kRowPitch,    ///< shorter than a row
  kSlicePitch,  ///< shorter than a slice
  kMemory,      ///< the linear memory is too small
  kFormat,  ///< the images' elements differ in size, or the color is of another kind than the format
};

/// Bytes of linear memory from the first byte of a box to its last. Not valid if a pitch is too short.
Checked linear_bytes(const Image& image, const ImageBox& box, const LinearPitches& pitches);

CopyError copy_to_linear(const Image& image, std::uint32_t level, const ImageBox& box,
                         std::span<std::byte> to, const LinearPitches& pitches = {});
CopyError copy_from_linear(const Image& image, std::uint32_t level, const ImageBox& box,
                           std::span<const std::byte> from, const LinearPitches& pitches = {});

/// Copies a box to a box of the same size at another origin. The images may be of different kinds. Elements are copied
/// unchanged. If the boxes overlap(), the result is undefined.
CopyError copy_box(const Image& from, std::uint32_t from_level, const ImageBox& box,
                   const Image& to, std::uint32_t to_level, const std::uint64_t (&to_origin)[3]);

/// True if a box and a box of the same size at another origin have a texel in common, in one level of an image.
bool overlap(const ImageBox& box, const std::uint64_t (&origin)[3]);

/// Gives all texels of a box one color. Bits of an element that are no color become 0.
CopyError fill_box(const Image& image, std::uint32_t level, const ImageBox& box,
                   const Texel<float>& color);
CopyError fill_box(const Image& image, std::uint32_t level, const ImageBox& box,
                   const Texel<std::int32_t>& color);
CopyError fill_box(const Image& image, std::uint32_t level, const ImageBox& box,
                   const Texel<std::uint32_t>& color);

}  // namespace transpire::memory
