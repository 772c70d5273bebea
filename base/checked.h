// Checked: sizes and offsets that a module, a launch or a caller can influence. Sums, products and
// round-ups in 64 bits in which overflow is a value of its own: once something did not fit, the
// result of everything computed from it says so, and compares as larger than any limit.
#pragma once

#include <cstdint>
#include <optional>

namespace transpire {

class Checked {
 public:
  constexpr Checked() = default;
  constexpr Checked(std::uint64_t value) : value_(value) {}  // NOLINT: numbers stand in sums

  /// Whether nothing overflowed on the way here.
  constexpr bool valid() const { return valid_; }
  /// The number; 2^64 - 1 when it is not valid, which no allocation gets.
  constexpr std::uint64_t value() const { return valid_ ? value_ : ~std::uint64_t{0}; }
  /// Valid, and at most `limit`: the question to ask before anything is allocated.
  constexpr bool fits(std::uint64_t limit) const { return valid_ && value_ <= limit; }
  constexpr std::optional<std::uint64_t> get() const {
    return valid_ ? std::optional(value_) : std::nullopt;
  }

  friend constexpr Checked operator+(Checked a, Checked b) {
    Checked sum;
    sum.valid_ = !__builtin_add_overflow(a.value_, b.value_, &sum.value_) && a.valid_ && b.valid_;
    return sum;
  }
  /// Below zero is no size: not valid.
  friend constexpr Checked operator-(Checked a, Checked b) {
    Checked difference;
    difference.valid_ =
        !__builtin_sub_overflow(a.value_, b.value_, &difference.value_) && a.valid_ && b.valid_;
    return difference;
  }
  /// Nothing times what overflowed is not valid either: it was computed from what is wrong.
  friend constexpr Checked operator*(Checked a, Checked b) {
    Checked product;
    product.valid_ =
        !__builtin_mul_overflow(a.value_, b.value_, &product.value_) && a.valid_ && b.valid_;
    return product;
  }
  constexpr Checked& operator+=(Checked other) { return *this = *this + other; }
  constexpr Checked& operator*=(Checked other) { return *this = *this * other; }

  /// The next multiple of `alignment`, which need not be a power of two. Zero aligns nothing and is
  /// not valid.
  constexpr Checked align_up(std::uint64_t alignment) const {
    if (alignment == 0) return invalid();
    const std::uint64_t rest = value_ % alignment;
    return rest == 0 ? *this : *this + Checked(alignment - rest);
  }

  /// The same number, or both not valid.
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

/// The absolute value, which for the smallest number is no std::int64_t.
constexpr std::uint64_t magnitude(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return number < 0 ? 0 - bits : bits;
}

}  // namespace transpire
