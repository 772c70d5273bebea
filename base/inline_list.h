// A list that stores a few elements in itself, and more on the heap. Operands and targets are mostly one to four ids.
// Stored in place, they need no allocation and no second cache line, on which lowering of large modules spends its time.
// The elements share their memory with the pointer, so a list of ids is as large as a std::vector. (boost's small_vector
// stores pointer, size and capacity beside the elements.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace transpire {

/// Members have the same meaning as in std::vector; iterators are pointers. A list has at most 2^32 - 1 elements.
template <class T, std::uint32_t kInPlace = 16 / sizeof(T)>
class InlineList {
  static_assert(std::is_trivially_copyable_v<T> && kInPlace > 0);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  InlineList() = default;
  InlineList(std::initializer_list<T> values) { append(values.begin(), values.size()); }
  InlineList(std::size_t count, T value) { resize(count, value); }
  template <std::input_iterator It>
  InlineList(It first, It last) {
    insert(end(), first, last);
  }
  InlineList(const InlineList& other) { append(other.data(), other.size_); }
  InlineList(InlineList&& other) noexcept { steal(other); }
  ~InlineList() { release(); }
  InlineList& operator=(const InlineList& other) {
    if (this == &other) return *this;
    clear();
    append(other.data(), other.size_);
    return *this;
  }
  InlineList& operator=(InlineList&& other) noexcept {
    if (this == &other) return *this;
    release();
    steal(other);
    return *this;
  }
  InlineList& operator=(std::initializer_list<T> values) {
    clear();
    append(values.begin(), values.size());
    return *this;
  }
  InlineList& operator=(const std::vector<T>& values) {
    clear();
    append(values.data(), values.size());
    return *this;
  }

  T* data() { return on_heap() ? heap_ : in_place_; }
  const T* data() const { return on_heap() ? heap_ : in_place_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& front() { return *data(); }
  const T& front() const { return *data(); }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }

  void clear() { size_ = 0; }
  void reserve(std::size_t count) {
    if (count > capacity_) grow(count);
  }
  void push_back(T value) {
    if (size_ == capacity_) grow(std::size_t{size_} + 1);
    data()[size_++] = value;
  }
  void pop_back() { --size_; }
  void resize(std::size_t count, T value = T{}) {
    reserve(count);
    if (count > size_) std::fill(data() + size_, data() + count, value);
    size_ = static_cast<std::uint32_t>(count);
  }
  void assign(std::size_t count, T value) {
    clear();
    resize(count, value);
  }
  template <std::input_iterator It>
  void assign(It first, It last) {
    clear();
    insert(end(), first, last);
  }
  T* insert(const T* at, T value) { return insert(at, &value, &value + 1); }
  T* insert(const T* at, std::initializer_list<T> values) {
    return insert(at, values.begin(), values.end());
  }
  /// Inserts elements before `at`. They must not be elements of this list.
  template <std::input_iterator It>
  T* insert(const T* at, It first, It last) {
    const auto index = static_cast<std::size_t>(at - data());
    const auto count = static_cast<std::size_t>(std::distance(first, last));
    reserve(size_ + count);
    T* const place = data() + index;
    std::copy_backward(place, data() + size_, data() + size_ + count);
    std::copy(first, last, place);
    size_ += static_cast<std::uint32_t>(count);
    return place;
  }
  T* erase(const T* at) { return erase(at, at + 1); }
  T* erase(const T* first, const T* last) {
    T* const place = data() + (first - data());
    std::copy(last, static_cast<const T*>(end()), place);
    size_ -= static_cast<std::uint32_t>(last - first);
    return place;
  }

  friend bool operator==(const InlineList& a, const InlineList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend auto operator<=>(const InlineList& a, const InlineList& b) {
    return std::lexicographical_compare_three_way(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  bool on_heap() const { return capacity_ > kInPlace; }

  void append(const T* values, std::size_t count) { insert(end(), values, values + count); }

  void grow(std::size_t count) {
    const std::size_t capacity = std::max<std::size_t>(count, std::size_t{capacity_} * 2);
    T* const larger = std::allocator<T>().allocate(capacity);
    std::copy(begin(), end(), larger);
    release();
    heap_ = larger;
    capacity_ = static_cast<std::uint32_t>(capacity);
  }

  void release() {
    if (on_heap()) std::allocator<T>().deallocate(heap_, capacity_);
    capacity_ = kInPlace;
  }

  // Moves the elements of `other` here and leaves `other` empty. The caller has released this list's own memory.
  void steal(InlineList& other) noexcept {
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, kInPlace);
    if (on_heap()) {
      heap_ = other.heap_;
    } else {
      std::copy(other.in_place_, other.in_place_ + kInPlace, in_place_);
    }
  }

  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = kInPlace;
  union {
    T in_place_[kInPlace] = {};
    T* heap_;
  };
};

}  // namespace transpire
