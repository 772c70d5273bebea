// UndefinedBits: which bits of a buffer nobody has defined, for programs that track that. Slices share those of their
// buffer.
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

  /// Made when somebody first looks, all of them ones. Null: there is no memory for them, and all counts as defined.
  /// Thread-safe.
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
