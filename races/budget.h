// Budget: the memory that a checker may use for its notes. Charge: a part of a budget that one object uses.
#pragma once

#include <cstdint>
#include <utility>

namespace transpire::races {

class Budget {
 public:
  explicit Budget(std::uint64_t max_bytes) : left_(max_bytes) {}
  /// Takes bytes. False, and nothing is taken, if fewer are left.
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

/// Bytes that its owner has taken from a budget. The destructor gives them back.
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
  /// Takes bytes, from the same budget in all calls. False, and nothing is taken, if fewer are left. A null budget has no limit.
  bool take(Budget* budget, std::uint64_t bytes) {
    if (budget == nullptr) return true;
    if (!budget->take(bytes)) return false;
    budget_ = budget;
    bytes_ += bytes;
    return true;
  }
  /// Gives back a part of the bytes that were taken.
  void give_back(std::uint64_t bytes) {
    if (budget_ == nullptr) return;
    budget_->give_back(bytes);
    bytes_ -= bytes;
  }

 private:
  Budget* budget_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace transpire::races
