// The memory that a checker may take for all that it notes.
#pragma once

#include <cstdint>
#include <utility>

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

/// What its owner has taken of a budget, which gets it back when this goes.
class Charge {
 public:
  Charge() = default;
  Charge(Charge&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Charge& operator=(Charge&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Charge() { give_back(bytes_); }
  /// Of one budget always. False, and nothing is taken, where so much is not left; without a budget all is.
  bool take(Budget* budget, std::uint64_t bytes) {
    if (budget == nullptr) return true;
    if (!budget->take(bytes)) return false;
    budget_ = budget;
    bytes_ += bytes;
    return true;
  }
  /// A part of what was taken.
  void give_back(std::uint64_t bytes) {
    if (budget_ == nullptr) return;
    budget_->give_back(bytes);
    bytes_ -= bytes;
  }

 private:
  Budget* budget_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace transpire::inspect
