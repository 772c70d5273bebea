// The memory that a checker may take for all that it notes.
#pragma once

#include <cstdint>

namespace transpire::inspect {

class Budget {
 public:
  explicit Budget(std::uint64_t max_bytes) : left_(max_bytes) {}
  /// False, and nothing is taken, where so much is not left.
  bool take(std::uint64_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    return true;
  }
  void give_back(std::uint64_t bytes) { left_ += bytes; }
  std::uint64_t left() const { return left_; }

 private:
  std::uint64_t left_;
};

}  // namespace transpire::inspect
