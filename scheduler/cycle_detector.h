// CycleDetector: detects that a sequence of states repeats itself, by R. P. Brent's algorithm. It keeps one state to compare with, and
// replaces it by a later one after 1, 2, 4, 8 ... states. A state is a digest of 64 bits, so two different states are taken for
// equal with a probability of 2^-64.
#pragma once

#include <cstdint>

namespace transpire::scheduler {

class CycleDetector {
 public:
  /// Takes the next state of the sequence. True if it equals the kept state.
  bool sees(std::uint64_t state) {
    if (length_ != 0 && state == kept_) {
      lap_ = since_ + 1;
      since_ = 0;
      return true;
    }
    if (++since_ > lap_ && lap_ != 0) {  // the cycle was left; another one may begin
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
  /// True while the sequence is in a cycle: a state was seen again, and not more states than the cycle has followed it.
  bool repeats() const { return lap_ != 0; }

 private:
  std::uint64_t kept_ = 0;
  std::uint64_t length_ =
      0;                     ///< after so many states the kept one is replaced; 0: no state is kept
  std::uint64_t since_ = 0;  ///< states since the kept one was kept or last seen
  std::uint64_t lap_ = 0;    ///< length of the cycle; 0: no cycle is known
};

}  // namespace transpire::scheduler
