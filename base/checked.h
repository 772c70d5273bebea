// Checked: a 64-bit size or offset that a module, a launch or a caller can influence. An overflowing sum, product or
// round-up is invalid, and so is every result computed from it. An invalid number exceeds every limit.
#pragma once

#include <cstdint>
#include <optional>

namespace transpire {

class Checked {
 public:
  constexpr Checked() = default;
  constexpr Checked(std::uint64_t value) : value_(value) {}  // NOLINT: numbers stand in sums

  /// True if no computation that led to this number overflowed.
  constexpr bool valid() const { return valid_; }
  /// The number, or 2^64 - 1 if it is invalid; an allocation of that size always fails.
  constexpr std::uint64_t value() const { return valid_ ? value_ : ~std::uint64_t{0}; }
  /// True if the number is valid and at most `limit`. Callers check this before they allocate.
  constexpr bool fits(std::uint64_t limit) const { return valid_ && value_ <= limit; }
  constexpr std::optional<std::uint64_t> get() const {
    return valid_ ? std::optional(value_) : std::nullopt;
  }

  friend constexpr Checked operator+(Checked a, Checked b) {
    Checked sum;
    sum.valid_ = !__builtin_add_overflow(a.value_, b.value_, &sum.value_) && a.valid_ && b.valid_;
    return sum;
  }
  /// A negative difference is invalid.
  friend constexpr Checked operator-(Checked a, Checked b) {
    Checked difference;
    difference.valid_ =
        !__builtin_sub_overflow(a.value_, b.value_, &difference.value_) && a.valid_ && b.valid_;
    return difference;
  }
  /// A product with an invalid factor is invalid, even if the other factor is 0.
  friend constexpr Checked operator*(Checked a, Checked b) {
    Checked product;
    product.valid_ =
        !__builtin_mul_overflow(a.value_, b.value_, &product.value_) && a.valid_ && b.valid_;
    return product;
  }
  constexpr Checked& operator+=(Checked other) { return *this = *this + other; }
  constexpr Checked& operator*=(Checked other) { return *this = *this * other; }

  /// The next multiple of `alignment`, which need not be a power of two. Invalid if `alignment` is 0.
  constexpr Checked align_up(std::uint64_t alignment) const {
    if (alignment == 0) return invalid();
    const std::uint64_t rest = value_ % alignment;
    return rest == 0 ? *this : *this + Checked(alignment - rest);
  }

  /// True if both are the same valid number, or both are invalid.
  friend constexpr bool operator==(Checked a, Checked b) {
    return a.valid_ == b.valid_ && (!a.valid_ || a.value_ == b.value_);
  }

  static constexpr Checked invalid() {
    Checked none;
    none.valid_ = false;
    return none;
  }

 private:
  std::uint64_t value_ = 0;
  bool valid_ = true;
};

/// The absolute value. It is unsigned because that of the smallest std::int64_t does not fit into std::int64_t.
constexpr std::uint64_t magnitude(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return number < 0 ? 0 - bits : bits;
}

}  // namespace transpire
