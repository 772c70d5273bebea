// Rectangles of bytes in linear memory, as the ...BufferRect commands name them.
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

  /// The first byte; where row `y` of slice `z` starts.
  std::size_t start() const { return at(0, 0); }
  std::size_t at(std::size_t y, std::size_t z) const {
    return (origin[2] + z) * slice_pitch + (origin[1] + y) * row_pitch + origin[0];
  }
};

/// From what the application gives. A pitch of 0 is computed from the region. Throws CL_INVALID_VALUE
/// when a pointer is null, the region is empty, or a pitch is too small or not a multiple.
Rectangle make_rectangle(const std::size_t* origin, const std::size_t* region,
                         std::size_t row_pitch, std::size_t slice_pitch);

/// Whether all of it is among `size` bytes.
bool fits(const Rectangle& rectangle, std::size_t size);

/// Whether two rectangles of the same region in the same memory share a byte. OpenCL 2.2 API,
/// "Appendix D: CL_MEM_COPY_OVERLAP", where their pitches are equal; else compares row by row.
/// The offsets are of the sub-buffers in which they lie.
bool overlap(const Rectangle& a, std::size_t offset_a, const Rectangle& b, std::size_t offset_b);

void copy(std::byte* to, const Rectangle& to_rectangle, const std::byte* from,
          const Rectangle& from_rectangle);

}  // namespace transpire::opencl
