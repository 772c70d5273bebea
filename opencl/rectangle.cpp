// Rectangles of bytes: checks, overlap, copies.
#include "opencl/rectangle.h"

#include <algorithm>
#include <cstring>

#include "opencl/entry_point.h"

namespace transpire::opencl {
namespace {

/// Adds `b * c` to `a`, numbers of the application's. Returns false if the sum overflows.
bool add_product(std::size_t& a, std::size_t b, std::size_t c) {
  std::size_t product = 0;
  return !__builtin_mul_overflow(b, c, &product) && !__builtin_add_overflow(a, product, &a);
}

/// True if [a, a + size) and [b, b + size) are disjoint when both repeat every `pitch`.
bool apart_modulo(std::size_t a, std::size_t b, std::size_t size, std::size_t pitch) {
  a %= pitch;
  b %= pitch;
  return (b >= a + size && b + size <= a + pitch) || (a >= b + size && a + size <= b + pitch);
}

bool overlap_with_equal_pitches(const Rectangle& r, std::size_t a, std::size_t b) {
  const std::size_t slice_bytes = (r.region[1] - 1) * r.row_pitch + r.region[0];
  const std::size_t block_bytes = (r.region[2] - 1) * r.slice_pitch + slice_bytes;
  if (a + block_bytes <= b || b + block_bytes <= a) return false;
  return !apart_modulo(a, b, r.region[0], r.row_pitch) &&
         !apart_modulo(a, b, slice_bytes, r.slice_pitch);
}

/// Compares rows of both in order of their addresses: the row that begins later must begin behind
/// the other.
bool overlap_by_rows(const Rectangle& a, std::size_t offset_a, const Rectangle& b,
                     std::size_t offset_b) {
  const std::size_t rows = a.region[1] * a.region[2];
  const auto start = [](const Rectangle& r, std::size_t offset, std::size_t row) {
    return offset + r.at(row % r.region[1], row / r.region[1]);
  };
  for (std::size_t i = 0, j = 0; i != rows && j != rows;) {
    const std::size_t row_a = start(a, offset_a, i);
    const std::size_t row_b = start(b, offset_b, j);
    if (row_a < row_b + a.region[0] && row_b < row_a + a.region[0]) return true;
    ++(row_a < row_b ? i : j);
  }
  return false;
}

}  // namespace

Rectangle make_rectangle(const std::size_t* origin, const std::size_t* region,
                         std::size_t row_pitch, std::size_t slice_pitch) {
  check(origin != nullptr && region != nullptr, CL_INVALID_VALUE);
  Rectangle made;
  std::copy_n(origin, 3, made.origin.begin());
  std::copy_n(region, 3, made.region.begin());
  check(region[0] != 0 && region[1] != 0 && region[2] != 0, CL_INVALID_VALUE);
  made.row_pitch = row_pitch != 0 ? row_pitch : region[0];
  check(made.row_pitch >= region[0], CL_INVALID_VALUE);
  std::size_t rows = 0;
  check(add_product(rows, region[1], made.row_pitch), CL_INVALID_VALUE);
  made.slice_pitch = slice_pitch != 0 ? slice_pitch : rows;
  check(made.slice_pitch >= rows && made.slice_pitch % made.row_pitch == 0, CL_INVALID_VALUE);
  return made;
}

bool fits(const Rectangle& r, std::size_t size) {
  std::size_t row = r.origin[1];  // behind the last one
  std::size_t slice = r.origin[2];
  std::size_t end = r.origin[0];
  return add_product(row, r.region[1], 1) && add_product(slice, r.region[2], 1) &&
         add_product(end, r.region[0], 1) && add_product(end, row - 1, r.row_pitch) &&
         add_product(end, slice - 1, r.slice_pitch) && end <= size;
}

bool overlap(const Rectangle& a, std::size_t offset_a, const Rectangle& b, std::size_t offset_b) {
  if (a.row_pitch == b.row_pitch && a.slice_pitch == b.slice_pitch)
    return overlap_with_equal_pitches(a, offset_a + a.start(), offset_b + b.start());
  return overlap_by_rows(a, offset_a, b, offset_b);
}

void copy(std::byte* to, const Rectangle& to_rectangle, const std::byte* from,
          const Rectangle& from_rectangle) {
  const std::array<std::size_t, 3>& region = to_rectangle.region;
  for (std::size_t z = 0; z != region[2]; ++z)
    for (std::size_t y = 0; y != region[1]; ++y)
      std::memmove(to + to_rectangle.at(y, z), from + from_rectangle.at(y, z), region[0]);
}

}  // namespace transpire::opencl
