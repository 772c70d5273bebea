// TouchedBytes: the memory that a command of the host accesses: a range, or the rows of a
// rectangle.
#pragma once

#include <cstddef>
#include <span>

#include "opencl/rectangle.h"

namespace transpire::opencl {

class TouchedBytes {
 public:
  TouchedBytes() = default;
  // A range is one row.
  TouchedBytes(std::span<const std::byte> range) : start_(range.data()), row_bytes_(range.size()) {}
  TouchedBytes(std::span<std::byte> range) : TouchedBytes(std::span<const std::byte>(range)) {}
  /// The rows of a rectangle in memory that begins at `memory`. Rows without a gap between them are
  /// one.
  TouchedBytes(const std::byte* memory, const Rectangle& rectangle);

  bool empty() const { return row_bytes_ == 0; }
  std::size_t rows() const { return rows_ * slices_; }
  /// The rows in order of their addresses.
  std::span<const std::byte> row(std::size_t index) const {
    return {start_ + index / rows_ * slice_pitch_ + index % rows_ * row_pitch_, row_bytes_};
  }
  /// The range from the first byte to the last one.
  std::span<const std::byte> hull() const { return {start_, row(rows() - 1).data() + row_bytes_}; }

 private:
  const std::byte* start_ = nullptr;
  std::size_t row_bytes_ = 0;
  std::size_t rows_ = 1, row_pitch_ = 0;  ///< rows of each slice
  std::size_t slices_ = 1, slice_pitch_ = 0;
};

bool overlap(std::span<const std::byte> a, std::span<const std::byte> b);
bool overlap(const TouchedBytes& a, const TouchedBytes& b);

}  // namespace transpire::opencl
