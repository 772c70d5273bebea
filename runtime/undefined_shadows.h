// UndefinedShadows: the undefined bits of a launch's buffers, for programs that track undefined values.
//
// A buffer from the host counts as defined at the beginning of each launch: its shadow starts as zeros. A buffer that the
// host declared undefined (Buffer::set_undefined) has a shadow of its own, which persists from launch to launch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <vector>

#include "runtime/state.h"

namespace transpire::runtime {

class UndefinedShadows {
 public:
  /// Returns the buffer's shadow; null if there is no memory for it.
  std::byte* add(const BufferState& buffer) {
    if (buffer.undefined != nullptr) {
      std::byte* const whole = buffer.undefined->bytes();
      return whole == nullptr ? nullptr : whole + buffer.undefined_offset;
    }
    // The system hands out large zeroed memory as it is touched.
    auto* bytes =
        static_cast<std::byte*>(std::calloc(std::max<std::size_t>(buffer.size_bytes, 1), 1));
    zeroed_.emplace_back(bytes, buffer.size_bytes);
    return bytes;
  }
  /// Begins a launch with the same buffers.
  void begin() {
    if (!used_) {
      used_ = true;
      return;
    }
    for (auto& [bytes, size] : zeroed_)
      if (bytes != nullptr) std::fill_n(bytes.get(), size, std::byte{0});
  }

 private:
  struct Free {
    void operator()(std::byte* bytes) const { std::free(bytes); }
  };
  struct Bytes {
    Bytes(std::byte* at, std::uint64_t length) : bytes(at), size(length) {}
    std::unique_ptr<std::byte, Free> bytes;
    std::uint64_t size;
  };
  std::vector<Bytes> zeroed_;
  bool used_ = false;
};

}  // namespace transpire::runtime
