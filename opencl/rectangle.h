// Rectangles of bytes in linear memory, as the ...BufferRect commands describe them.
#pragma once

#include <array>
#include <cstddef>

namespace transpire::opencl {

/// Where a region lies in some memory. Pitches are bytes: from row to row, from slice to slice.
///
///   slice 0   |....#####....|   '#' a row of region[0] bytes, region[1] rows, region[2] slices
///             |....#####....|   '.' the rest of the row pitch
struct Rectangle {
  std::array<std::size_t, 3> origin{};
  std::array<std::size_t, 3> region{};
  std::size_t row_pitch = 0;
  std::size_t slice_pitch = 0;

  /// Offset of the first byte; offset of row `y` of slice `z`.
  std::size_t start() const { return at(0, 0); }
  std::size_t at(std::size_t y, std::size_t z) const {
    return (origin[2] + z) * slice_pitch + (origin[1] + y) * row_pitch + origin[0];
  }
};

/// Makes a rectangle from the application's arguments. A pitch of 0 is computed from the region.
/// Throws CL_INVALID_VALUE if a pointer is null, the region is empty, or a pitch is too small or
/// not a multiple.
Rectangle make_rectangle(const std::size_t* origin, const std::size_t* region,
                         std::size_t row_pitch, std::size_t slice_pitch);

/// True if all of it lies within `size` bytes.
bool fits(const Rectangle& rectangle, std::size_t size);

/// True if two rectangles of the same region in the same memory share a byte. With equal pitches
/// this is OpenCL 2.2 API, "Appendix D: CL_MEM_COPY_OVERLAP"; otherwise rows are compared. The
/// offsets are of the sub-buffers that contain the rectangles.
bool overlap(const Rectangle& a, std::size_t offset_a, const Rectangle& b, std::size_t offset_b);

void copy(std::byte* to, const Rectangle& to_rectangle, const std::byte* from,
          const Rectangle& from_rectangle);

}  // namespace transpire::opencl
