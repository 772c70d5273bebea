// Numbers that the formulas of GLSL.std.450 are computed with (ulp/formulas.cpp): an estimate of the exact value with the bound of
// its own error, the exact value by MPFR, and the values that Vulkan permits.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <type_traits>

#include "extinst/reference/scratch.h"

namespace transpire::ulp {

/// A number whose distance to the exact one is at most `error`. An operation that is exact adds none. With a NaN or an
/// infinity, only `value` means something.
template <class T>
struct Near {
  T value = 0, error = 0;

  static constexpr T kUnit = std::numeric_limits<T>::epsilon();
  static Near number(double x) { return {static_cast<T>(x), 0}; }
  /// A value of the engine's own choice, where the specification leaves it open.
  static Near undefined(double x) { return number(x); }
  static Near per_degree() { return {std::numbers::pi_v<T> / 180, kUnit}; }
  static Near per_radian() { return {180 / std::numbers::pi_v<T>, 180 * kUnit}; }

  Near operator-() const { return {-value, error}; }
  friend Near operator+(const Near& a, const Near& b) {
    const T sum = a.value + b.value, part = sum - a.value;
    const T lost = (a.value - (sum - part)) + (b.value - part);
    return {sum, (a.error + b.error + std::fabs(lost)) * (1 + 4 * kUnit)};
  }
  friend Near operator-(const Near& a, const Near& b) { return a + -b; }
  friend Near operator*(const Near& a, const Near& b) {
    const T product = a.value * b.value, lost = std::fma(a.value, b.value, -product);
    const T from_operands =
        std::fabs(a.value) * b.error + std::fabs(b.value) * a.error + a.error * b.error;
    return {product, (from_operands + std::fabs(lost)) * (1 + 8 * kUnit)};
  }
  friend Near operator/(const Near& a, const Near& b) {
    const T quotient = a.value / b.value, least = std::fabs(b.value) - b.error;
    const bool is_exact = std::fma(-quotient, b.value, a.value) == 0;
    const T own = is_exact ? 0 : std::fabs(quotient) * kUnit;
    if (!(least > 0)) return {quotient, std::numeric_limits<T>::infinity()};
    const T from_operands = (a.error + std::fabs(quotient) * b.error) / least;
    return {quotient, (from_operands + own) * (1 + 8 * kUnit)};
  }
  friend Near sqrt(const Near& a) {
    if (a.value == 0 && a.error == 0) return a;
    const T root = std::sqrt(a.value);
    if (!(a.value > a.error)) return {root, std::numeric_limits<T>::infinity()};
    const T own = std::fma(-root, root, a.value) == 0 ? 0 : root * kUnit;
    return {root, (a.error / root + own) * (1 + 8 * kUnit)};
  }
  friend Near inverse_sqrt(const Near& a) { return number(1) / sqrt(a); }
  /// condition < 0 ? below : other
  friend Near choose(const Near& condition, const Near& below, const Near& other) {
    const Near& chosen = condition.value < 0 ? below : other;
    if (std::fabs(condition.value) > condition.error || condition.error == 0) return chosen;
    return {chosen.value, std::numeric_limits<T>::infinity()};
  }
  /// The operand of a root where `choose` takes another value if it is below 0.
  friend Near not_below_zero(const Near& a) { return a; }
  /// Limited to 0..1.
  friend Near clamped(const Near& a) {
    if (!std::isfinite(a.value)) return number(a.value > 0 ? 1 : 0);
    if (a.value - a.error >= 1) return number(1);
    if (a.value + a.error <= 0) return number(0);
    return {std::clamp<T>(a.value, 0, 1), a.error};
  }
};

/// A finite number of MPFR, of so many bits that sums and products of any format's numbers are exact in a formula.
class Exact {
 public:
  /// Bits of the thread's numbers from now on: enough for a formula's products of `format`'s numbers, which are six at most.
  static void set_format(const extinst::reference::Format& format) {
    bits() = 7 * (format.infinite_exponent - format.least_exponent);
  }
  static Exact number(double x) {
    return make([&](const auto& m, mpfr_ptr r) { m.set_d(r, x, MPFR_RNDN); });
  }
  static Exact undefined(double x) { return number(x); }
  static Exact per_degree() { return pi() / number(180); }
  static Exact per_radian() { return number(180) / pi(); }
  mpfr_ptr get() const { return number_->get(); }
  bool is_zero() const { return mpfr_zero_p(get()) != 0; }
  bool is_below_zero() const { return !is_zero() && mpfr_signbit(get()) != 0; }

  Exact operator-() const { return *this * number(-1); }
  friend Exact operator+(const Exact& a, const Exact& b) {
    return make([&](const auto& m, mpfr_ptr r) { m.add(r, a.get(), b.get(), MPFR_RNDN); });
  }
  friend Exact operator-(const Exact& a, const Exact& b) {
    return make([&](const auto& m, mpfr_ptr r) { m.sub(r, a.get(), b.get(), MPFR_RNDN); });
  }
  friend Exact operator*(const Exact& a, const Exact& b) {
    return make([&](const auto& m, mpfr_ptr r) { m.mul(r, a.get(), b.get(), MPFR_RNDN); });
  }
  friend Exact operator/(const Exact& a, const Exact& b) {
    return make([&](const auto& m, mpfr_ptr r) { m.div(r, a.get(), b.get(), MPFR_RNDN); });
  }
  friend Exact sqrt(const Exact& a) {
    return make([&](const auto& m, mpfr_ptr r) { m.sqrt(r, a.get(), MPFR_RNDN); });
  }
  friend Exact inverse_sqrt(const Exact& a) { return number(1) / sqrt(a); }
  friend Exact choose(const Exact& condition, const Exact& below, const Exact& other) {
    return condition.is_below_zero() ? below : other;
  }
  friend Exact not_below_zero(const Exact& a) { return a; }
  friend Exact clamped(const Exact& a) {
    if (a.is_below_zero()) return number(0);
    return (number(1) - a).is_below_zero() ? number(1) : a;
  }

 private:
  static mpfr_prec_t& bits() {
    thread_local mpfr_prec_t number = 64;
    return number;
  }
  template <class Compute>
  static Exact make(Compute compute) {
    const extinst::reference::Mpfr& mpfr = *extinst::reference::mpfr_library();
    Exact result;
    result.number_ = std::make_shared<extinst::reference::Number>(mpfr, bits());
    compute(mpfr, result.get());
    return result;
  }
  static Exact pi() {
    return make([](const auto& m, mpfr_ptr r) { m.const_pi(r, MPFR_RNDN); });
  }

  std::shared_ptr<extinst::reference::Number> number_;
};

/// The numbers that Vulkan permits as the value of a formula whose every step has the error of Vulkan's table: from `low` to
/// `high`, both of the format, or any number. Rounding on the way only makes the range smaller.
template <vm::Kind kKind>
struct Permitted {
  using T = std::conditional_t<kKind == vm::Kind::kF64, long double, double>;
  T low = 0, high = 0;
  bool any = false;

  static constexpr extinst::reference::Format kFormat = extinst::reference::format_of(kKind);
  static Permitted any_number() { return {0, 0, true}; }
  static Permitted number(double x) { return {x, x, !std::isfinite(x)}; }
  static Permitted undefined(double) { return any_number(); }
  static Permitted per_degree() { return correctly_rounded(std::numbers::pi_v<T> / 180); }
  static Permitted per_radian() { return correctly_rounded(180 / std::numbers::pi_v<T>); }

  /// The place of a number's last bit in the format, a power of two.
  static T unit(T x) {
    if constexpr (sizeof(T) == 8) {
      const int e = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) - 1023;
      const int place = std::max(e - kFormat.fraction_bits, kFormat.least_exponent);
      return std::bit_cast<double>(static_cast<std::uint64_t>(place + 1023) << 52);
    } else {
      const int e = x == 0 ? kFormat.least_exponent : std::ilogb(x) - kFormat.fraction_bits;
      return std::ldexp(T{1}, std::max(e, kFormat.least_exponent));
    }
  }
  static T down(T x) {
    const T place = unit(x);
    return std::floor(x / place) * place;
  }
  static T up(T x) { return -down(-x); }
  static Permitted correctly_rounded(T x) { return between(down(x), up(x)); }
  /// From `low` to `high`, numbers of the format; where they are too large for it, any number: Vulkan permits infinity there.
  static Permitted between(T low, T high) {
    const T beyond = std::ldexp(T{1}, kFormat.infinite_exponent);
    if (!(low > -beyond && high < beyond)) return any_number();
    return {low, high, false};
  }
  /// Vulkan's ulp(x): of a power of two, the smaller distance to a neighbour.
  static T ulp(T x) {
    const T place = unit(x);
    const bool is_power = std::fabs(x) == std::ldexp(place, kFormat.fraction_bits);
    const bool is_least = place == std::ldexp(T{1}, kFormat.least_exponent);
    return is_power && !is_least ? place / 2 : place;
  }
  static Permitted within_ulps(T least, T most, T ulps) {
    return between(up(least - ulps * ulp(least)), down(most + ulps * ulp(most)));
  }

  Permitted operator-() const { return {-high, -low, any}; }
  friend Permitted operator+(const Permitted& a, const Permitted& b) {
    if (a.any || b.any) return any_number();
    return between(down(a.low + b.low), up(a.high + b.high));
  }
  friend Permitted operator-(const Permitted& a, const Permitted& b) { return a + -b; }
  friend Permitted operator*(const Permitted& a, const Permitted& b) {
    if (a.any || b.any) return any_number();
    const auto [least, most] =
        std::minmax({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
    return between(down(least), up(most));
  }
  /// 2.5 ulp for divisors of the sizes that Vulkan lists.
  friend Permitted operator/(const Permitted& a, const Permitted& b) {
    constexpr int kLargest = kFormat.infinite_exponent - 2;
    const T first = std::min(std::fabs(b.low), std::fabs(b.high)),
            last = std::max(std::fabs(b.low), std::fabs(b.high));
    const bool in_range = std::signbit(b.low) == std::signbit(b.high) &&
                          first >= std::ldexp(T{1}, -kLargest) &&
                          last <= std::ldexp(T{1}, kLargest);
    if (a.any || b.any || !in_range) return any_number();
    const auto [least, most] =
        std::minmax({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
    return within_ulps(least, most, T{2.5});
  }
  /// 1 / inversesqrt(a); of 0, 0.
  friend Permitted sqrt(const Permitted& a) {
    if (a.any || a.low < 0) return any_number();
    const auto root = [](T x) { return number(1) / inverse_sqrt(Permitted{x, x, false}); };
    if (a.high == 0) return a;
    const Permitted most = root(a.high);
    return hull(a.low == 0 ? number(0) : root(a.low), most);
  }
  friend Permitted not_below_zero(const Permitted& a) {
    return {std::max<T>(a.low, 0), std::max<T>(a.high, 0), a.any};
  }
  /// 2 ulp
  friend Permitted inverse_sqrt(const Permitted& a) {
    if (a.any || !(a.low > 0)) return any_number();
    return within_ulps(1 / std::sqrt(a.high), 1 / std::sqrt(a.low), T{2});
  }
  friend Permitted choose(const Permitted& condition, const Permitted& below,
                          const Permitted& other) {
    if (condition.any) return below.any || other.any ? any_number() : hull(below, other);
    if (condition.high < 0) return below;
    return condition.low < 0 ? hull(below, other) : other;
  }
  static Permitted hull(const Permitted& a, const Permitted& b) {
    if (a.any || b.any) return any_number();
    return {std::min(a.low, b.low), std::max(a.high, b.high), false};
  }
  friend Permitted clamped(const Permitted& a) {
    if (a.any) return {0, 1, false};
    return {std::clamp<T>(a.low, 0, 1), std::clamp<T>(a.high, 0, 1), false};
  }
};

}  // namespace transpire::ulp
