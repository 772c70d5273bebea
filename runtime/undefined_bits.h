// UndefinedBits: the mask of a buffer's undefined bits, for programs that track undefined values. Slices share the mask of
// their buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

namespace transpire::runtime {

class UndefinedBits {
 public:
  explicit UndefinedBits(std::uint64_t size_bytes) : size_bytes_(size_bytes) {}

  std::uint64_t size_bytes() const { return size_bytes_; }
  /// The mask; the first call allocates it with all bits set. Null if there is no memory for it; all bits then count as
  /// defined. Thread-safe.
  std::byte* bytes() {
    std::call_once(made_, [this] {
      bytes_.reset(static_cast<std::byte*>(std::malloc(size_bytes_ == 0 ? 1 : size_bytes_)));
      if (bytes_ != nullptr) std::memset(bytes_.get(), 0xff, size_bytes_);
    });
    return bytes_.get();
  }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  const std::uint64_t size_bytes_;
  std::once_flag made_;
  std::unique_ptr<std::byte, Free> bytes_;
};

}  // namespace transpire::runtime
