#include "opencl/touched_bytes.h"

namespace transpire::opencl {

TouchedBytes::TouchedBytes(const std::byte* memory, const Rectangle& rectangle)
    : start_(memory + rectangle.start()),
      row_bytes_(rectangle.region[0]),
      rows_(rectangle.region[1]),
      row_pitch_(rectangle.row_pitch),
      slices_(rectangle.region[2]),
      slice_pitch_(rectangle.slice_pitch) {
  if (rows_ > 1 && row_pitch_ != row_bytes_) return;
  if (slices_ > 1 && slice_pitch_ != row_bytes_ * rows_) {
    row_bytes_ *= rows_;
    rows_ = 1;
    return;
  }
  row_bytes_ *= rows_ * slices_;
  rows_ = slices_ = 1;
}

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

bool overlap(const TouchedBytes& a, const TouchedBytes& b) {
  if (a.empty() || b.empty() || !overlap(a.hull(), b.hull())) return false;
  for (std::size_t i = 0, j = 0; i < a.rows() && j < b.rows();) {
    const auto mine = a.row(i), theirs = b.row(j);
    if (overlap(mine, theirs)) return true;
    if (mine.data() < theirs.data())
      ++i;
    else
      ++j;
  }
  return false;
}

}  // namespace transpire::opencl
