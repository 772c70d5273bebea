// Copies and fills of boxes of texels, row by row.
#include "memory/image_copy.h"

#include <cstring>

namespace transpire::memory {
namespace {

/// A box in memory: its first byte, and the bytes between neighbours along the second and the third coordinate.
template <class Byte>
struct Rows {
  Byte* first;
  std::uint64_t pitch[2];

  Byte* at(std::uint64_t y, std::uint64_t z) const { return first + y * pitch[0] + z * pitch[1]; }
};

CopyError check(const Image& image, std::uint32_t level, const std::uint64_t (&origin)[3],
                const std::uint64_t (&size)[3]) {
  if (level >= image.levels) return CopyError::kLevel;
  for (std::uint32_t k = 0; k < 3; ++k)
    if (size[k] == 0 || !(Checked(origin[k]) + size[k]).fits(image.level[level].size[k]))
      return CopyError::kBox;
  return CopyError::kNone;
}

Rows<std::byte> rows_of(const Image& image, std::uint32_t number,
                        const std::uint64_t (&origin)[3]) {
  const ImageLevel& level = image.level[number];
  return {image.texels + level.offset + origin[0] * level.pitch[0] + origin[1] * level.pitch[1] +
              origin[2] * level.pitch[2],
          {level.pitch[1], level.pitch[2]}};
}

std::uint64_t texel_bytes(const Image& image) { return image.level[0].pitch[0]; }

/// Linear memory of a box: pitches of an image's second and third coordinate, and the size.
struct LinearLayout {
  CopyError error = CopyError::kNone;
  std::uint64_t pitch[2] = {};
  Checked bytes;  ///< size of the linear memory
};

LinearLayout layout_of(const Image& image, const ImageBox& box, const LinearPitches& pitches) {
  LinearLayout layout;
  const Checked row_bytes = Checked(box.size[0]) * texel_bytes(image);
  const Checked row = pitches.row_pitch != 0 ? Checked(pitches.row_pitch) : row_bytes;
  const std::uint64_t rows = image.dim == ImageDim::k1DArray ? 1 : box.size[1];
  const Checked slice_bytes = row * rows;
  const Checked slice = pitches.slice_pitch != 0 ? Checked(pitches.slice_pitch) : slice_bytes;
  if (!row_bytes.fits(row.value())) layout.error = CopyError::kRowPitch;
  if (layout.error == CopyError::kNone && !slice_bytes.fits(slice.value()))
    layout.error = CopyError::kSlicePitch;
  const Checked along_y = image.dim == ImageDim::k1DArray ? slice : row;
  layout.pitch[0] = along_y.value();
  layout.pitch[1] = slice.value();
  layout.bytes =
      along_y * (Checked(box.size[1]) - 1) + slice * (Checked(box.size[2]) - 1) + row_bytes;
  return layout;
}

void copy_rows(Rows<std::byte> to, Rows<const std::byte> from, const std::uint64_t (&size)[3],
               std::uint64_t row_bytes) {
  for (std::uint64_t z = 0; z < size[2]; ++z)
    for (std::uint64_t y = 0; y < size[1]; ++y) std::memmove(to.at(y, z), from.at(y, z), row_bytes);
}

Rows<const std::byte> constant(const Rows<std::byte>& rows) {
  return {rows.first, {rows.pitch[0], rows.pitch[1]}};
}

/// Checks a copy between a level and `memory_bytes` of linear memory.
CopyError check_linear(const Image& image, std::uint32_t level, const ImageBox& box,
                       const LinearLayout& layout, std::uint64_t memory_bytes) {
  if (const CopyError error = check(image, level, box.origin, box.size); error != CopyError::kNone)
    return error;
  if (layout.error != CopyError::kNone) return layout.error;
  return layout.bytes.fits(memory_bytes) ? CopyError::kNone : CopyError::kMemory;
}

template <class T>
CopyError fill(const Image& image, std::uint32_t level, const ImageBox& box, TexelKind kind,
               const Texel<T>& color) {
  if (const CopyError error = check(image, level, box.origin, box.size); error != CopyError::kNone)
    return error;
  if (texel_kind(image.format.type) != kind) return CopyError::kFormat;
  std::byte element[16] = {};
  write_texel(element, image.format, color);
  const Rows<std::byte> rows = rows_of(image, level, box.origin);
  const std::uint64_t elements = box.size[0] * image.samples;
  for (std::uint64_t z = 0; z < box.size[2]; ++z)
    for (std::uint64_t y = 0; y < box.size[1]; ++y)
      for (std::uint64_t x = 0; x < elements; ++x)
        std::memcpy(rows.at(y, z) + x * image.element_bytes, element, image.element_bytes);
  return CopyError::kNone;
}

}  // namespace

ImageBox whole(const Image& image, std::uint32_t level) {
  ImageBox box;
  for (std::uint32_t k = 0; k < 3; ++k) box.size[k] = image.level[level].size[k];
  return box;
}

Checked linear_bytes(const Image& image, const ImageBox& box, const LinearPitches& pitches) {
  const LinearLayout layout = layout_of(image, box, pitches);
  return layout.error == CopyError::kNone ? layout.bytes : Checked::invalid();
}

CopyError copy_to_linear(const Image& image, std::uint32_t level, const ImageBox& box,
                         std::span<std::byte> to, const LinearPitches& pitches) {
  const LinearLayout layout = layout_of(image, box, pitches);
  const CopyError error = check_linear(image, level, box, layout, to.size());
  if (error == CopyError::kNone)
    copy_rows({to.data(), {layout.pitch[0], layout.pitch[1]}},
              constant(rows_of(image, level, box.origin)), box.size,
              box.size[0] * texel_bytes(image));
  return error;
}

CopyError copy_from_linear(const Image& image, std::uint32_t level, const ImageBox& box,
                           std::span<const std::byte> from, const LinearPitches& pitches) {
  const LinearLayout layout = layout_of(image, box, pitches);
  const CopyError error = check_linear(image, level, box, layout, from.size());
  if (error == CopyError::kNone)
    copy_rows(rows_of(image, level, box.origin), {from.data(), {layout.pitch[0], layout.pitch[1]}},
              box.size, box.size[0] * texel_bytes(image));
  return error;
}

CopyError copy_box(const Image& from, std::uint32_t from_level, const ImageBox& box,
                   const Image& to, std::uint32_t to_level, const std::uint64_t (&to_origin)[3]) {
  CopyError error = check(from, from_level, box.origin, box.size);
  if (error == CopyError::kNone) error = check(to, to_level, to_origin, box.size);
  if (error == CopyError::kNone && texel_bytes(from) != texel_bytes(to)) error = CopyError::kFormat;
  if (error == CopyError::kNone)
    copy_rows(rows_of(to, to_level, to_origin), constant(rows_of(from, from_level, box.origin)),
              box.size, box.size[0] * texel_bytes(from));
  return error;
}

bool overlap(const ImageBox& box, const std::uint64_t (&origin)[3]) {
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint64_t apart =
        box.origin[k] < origin[k] ? origin[k] - box.origin[k] : box.origin[k] - origin[k];
    if (apart >= box.size[k]) return false;
  }
  return true;
}

CopyError fill_box(const Image& image, std::uint32_t level, const ImageBox& box,
                   const Texel<float>& color) {
  return fill(image, level, box, TexelKind::kFloat, color);
}
CopyError fill_box(const Image& image, std::uint32_t level, const ImageBox& box,
                   const Texel<std::int32_t>& color) {
  return fill(image, level, box, TexelKind::kSigned, color);
}
CopyError fill_box(const Image& image, std::uint32_t level, const ImageBox& box,
                   const Texel<std::uint32_t>& color) {
  return fill(image, level, box, TexelKind::kUnsigned, color);
}

}  // namespace transpire::memory
