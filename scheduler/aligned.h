// AlignedArray: memory of a size known at run time, aligned for rows. copy_fixed(): copies of a size known at compile time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "base/checked.h"

namespace transpire::scheduler {

/// Rows and register blocks start at cache lines; 64 is also the widest vector's alignment.
inline constexpr std::size_t kRowAlign = 64;

/// Copies N elements. Unlike std::copy_n, g++ 12 expands it in place: a call costs 4 ns, and there
/// are several a batch.
template <std::size_t N, class T>
inline void copy_fixed(const T* from, T* to) {
  std::memcpy(to, from, N * sizeof(T));
}

/// An array at an aligned address, owned. The constructor leaves its elements uninitialised; zeroed() does not.
template <class T>
class AlignedArray {
 public:
  AlignedArray() = default;
  /// A zeroed array at an address that is `place` modulo `period`. Large arrays come from the system, which provides pages as they
  /// are touched. Throws std::bad_alloc.
  static AlignedArray zeroed(std::size_t count, std::size_t period = kRowAlign,
                             std::size_t place = 0) {
    constexpr std::size_t kLarge = std::size_t{1} << 20;
    AlignedArray made;
    const Checked bytes = Checked(count) * sizeof(T) + period;
    const bool is_large = !bytes.fits(kLarge);
    if (bytes.valid())
      made.data_.reset(
          static_cast<T*>(is_large ? std::calloc(bytes.value(), 1) : std::malloc(bytes.value())));
    if (made.data_ == nullptr) throw std::bad_alloc();
    const auto address = reinterpret_cast<std::uintptr_t>(made.data_.get());
    made.skipped_ = (place + period - address % period) % period;
    made.size_ = count;
    if (!is_large) made.zero();
    return made;
  }
  /// Throws std::bad_alloc, also if the number of bytes overflows.
  explicit AlignedArray(std::size_t count) : size_(count) {
    const Checked bytes = (Checked(count) * sizeof(T)).align_up(kRowAlign);
    if (bytes == Checked(0)) return;
    if (bytes.valid()) data_.reset(static_cast<T*>(std::aligned_alloc(kRowAlign, bytes.value())));
    if (data_ == nullptr) throw std::bad_alloc();
  }

  T* data() const {
    return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(data_.get()) + skipped_);
  }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data()[i]; }
  void zero() const {
    if (size_ != 0) std::memset(data(), 0, size_ * sizeof(T));
  }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t skipped_ = 0;  ///< bytes in front of the first element
  std::size_t size_ = 0;
};

}  // namespace transpire::scheduler
