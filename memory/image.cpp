// lay_out(): checks image shapes and computes the layout of their levels.
#include "memory/image.h"

#include <algorithm>
#include <array>
#include <bit>

namespace transpire::memory {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

/// The sides that the kind of image has, along the coordinates; 1 for the others.
std::array<std::uint64_t, 3> sides_of(const ImageShape& shape) {
  switch (shape.dim) {
    case ImageDim::k1D:
    case ImageDim::k1DBuffer:
      return {shape.width, 1, 1};
    case ImageDim::k1DArray:
      return {shape.width, shape.array_size, 1};
    case ImageDim::k2D:
      return {shape.width, shape.height, 1};
    case ImageDim::k2DArray:
      return {shape.width, shape.height, shape.array_size};
    case ImageDim::k3D:
      return {shape.width, shape.height, shape.depth};
  }
  return {};
}

ShapeError check(const ImageShape& shape) {
  const bool is_flat = shape.dim == ImageDim::k2D || shape.dim == ImageDim::k2DArray;
  if (!is_format(shape.format)) return ShapeError::kFormat;
  if (is_depth(shape.format.order) && !is_flat) return ShapeError::kDepth;
  for (const std::uint64_t side : sides_of(shape))
    if (side == 0 || side > kMaxSide) return ShapeError::kSide;
  const bool has_one_level = shape.dim == ImageDim::k1DBuffer || shape.samples > 1;
  if (shape.levels == 0 || shape.levels > kMaxLevels || shape.levels > complete_levels(shape) ||
      (has_one_level && shape.levels > 1))
    return ShapeError::kLevels;
  if (shape.samples == 0 || shape.samples > kMaxSamples || (shape.samples > 1 && !is_flat))
    return ShapeError::kSamples;
  return ShapeError::kNone;
}

/// Sets the sizes and pitches of a level and returns its bytes. A given pitch of 0 means no gaps.
Checked lay_out_level(const ImageShape& shape, std::uint32_t number, std::uint64_t row_pitch,
                      std::uint64_t slice_pitch, ImageLevel& level) {
  const std::uint32_t axes = sampled_axes(shape.dim);
  const std::array<std::uint64_t, 3> sides = sides_of(shape);
  for (std::uint32_t k = 0; k < 3; ++k)
    level.size[k] = static_cast<std::uint32_t>(
        k < axes ? std::max<std::uint64_t>(sides[k] >> number, 1) : sides[k]);
  level.pitch[0] = std::uint64_t{element_bytes(shape.format)} * shape.samples;
  const Checked row = row_pitch != 0 ? Checked(row_pitch) : Checked(level.pitch[0]) * level.size[0];
  const std::uint64_t rows = axes > 1 ? level.size[1] : 1;
  const Checked slice = slice_pitch != 0 ? Checked(slice_pitch) : row * rows;
  level.row_pitch = row.value();
  level.slice_pitch = slice.value();
  level.pitch[1] = axes == 1 ? level.slice_pitch : level.row_pitch;
  level.pitch[2] = level.slice_pitch;
  const std::uint64_t slices = coordinates(shape.dim) > axes ? level.size[axes]
                               : axes == 3                   ? level.size[2]
                                                             : 1;
  return slice * slices;
}

/// Checks the pitches that the caller chose.
ShapeError check_pitches(const ImageShape& shape) {
  const std::uint64_t element = std::uint64_t{element_bytes(shape.format)} * shape.samples;
  const std::uint64_t row = element * shape.width;  // both below 2^40
  if (shape.row_pitch != 0 && (shape.row_pitch < row || shape.row_pitch % element != 0))
    return ShapeError::kRowPitch;
  if (!has_slices(shape.dim)) return ShapeError::kNone;
  const std::uint64_t pitch = shape.row_pitch != 0 ? shape.row_pitch : row;
  const std::uint64_t rows = sampled_axes(shape.dim) > 1 ? shape.height : 1;
  if (shape.slice_pitch != 0 &&
      (!(Checked(pitch) * rows).fits(shape.slice_pitch) || shape.slice_pitch % pitch != 0))
    return ShapeError::kSlicePitch;
  return ShapeError::kNone;
}

}  // namespace

std::uint32_t complete_levels(const ImageShape& shape) {
  const std::array<std::uint64_t, 3> sides = sides_of(shape);
  std::uint32_t levels = 0;
  for (std::uint32_t k = 0; k < sampled_axes(shape.dim); ++k)
    levels = std::max(levels, static_cast<std::uint32_t>(std::bit_width(sides[k])));
  return levels;
}

ShapeError lay_out(const ImageShape& shape, Image& image) {
  if (const ShapeError error = check(shape); error != ShapeError::kNone) return error;
  if (const ShapeError error = check_pitches(shape); error != ShapeError::kNone) return error;
  Image made;
  made.dim = shape.dim;
  made.format = shape.format;
  made.element_bytes = element_bytes(shape.format);
  made.levels = shape.levels;
  made.samples = shape.samples;
  Checked end;
  for (std::uint32_t l = 0; l < shape.levels; ++l) {
    made.level[l].offset = end.value();
    end += lay_out_level(shape, l, l == 0 ? shape.row_pitch : 0,
                         l == 0 && has_slices(shape.dim) ? shape.slice_pitch : 0, made.level[l]);
    if (!end.fits(kMost)) return ShapeError::kTooLarge;
  }
  made.size_bytes = end.value();
  made.texels = image.texels;
  image = made;
  return ShapeError::kNone;
}

}  // namespace transpire::memory
