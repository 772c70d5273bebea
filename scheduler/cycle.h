// Whether a sequence of states repeats itself, by R. P. Brent's algorithm: a state is kept, and another one after twice as
// many. States are digests: of two that differ they are the same once in 2^64.
#pragma once

#include <cstddef>
#include <cstdint>

namespace transpire::scheduler {

class Cycle {
 public:
  /// Whether the state is the one that is kept.
  bool sees(std::uint64_t state) {
    if (length_ != 0 && state == kept_) {
      lap_ = since_ + 1;
      since_ = 0;
      return true;
    }
    if (++since_ > lap_ && lap_ != 0) {  // another one may begin
      lap_ = length_ = 0;
      since_ = 1;
    }
    if (lap_ == 0 && since_ > length_) {
      kept_ = state;
      length_ = length_ == 0 ? 1 : length_ * 2;
      since_ = 0;
    }
    return false;
  }
  /// The last state was the kept one, or one of those that led back to it the last time.
  bool repeats() const { return lap_ != 0; }

 private:
  std::uint64_t kept_ = 0;
  std::uint64_t length_ = 0;  ///< after so many states another one is kept; 0: none is
  std::uint64_t since_ = 0;   ///< states since it was kept or seen
  std::uint64_t lap_ = 0;     ///< states from one time that it was seen to the next; 0: not seen
};

/// A digest of bytes, continued from another one.
std::uint64_t digest(const void* bytes, std::size_t size, std::uint64_t before);

}  // namespace transpire::scheduler
