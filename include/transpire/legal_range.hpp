// LegalRange: the results that another implementation of OpenCL may give where a kernel stored a number.
//
//   transpire::ResultLog log = transpire::ResultLog::create();
//   launch.results = log;                       // before Device::run
//   const transpire::LegalRange range =
//       log.range(buffer, 4 * i, transpire::FloatType::kFloat, transpire::Profile::kFull);
//   if (!range.allows(theirs[i])) ...
//
// This header computes the interval around a number from an error bound in units in the last place (ULP).
// ResultLog in transpire.hpp finds the bound. The header needs the standard library only; nothing is linked.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "transpire/float_type.hpp"

namespace transpire {

/// A profile of OpenCL. It decides which error bounds the functions of a device must meet.
enum class Profile { kFull, kEmbedded };

struct LegalRange {
  enum class Kind {
    kInterval,  ///< legal results are `low` to `high`, both included
    kOpen,      ///< every result is legal: OpenCL gives no bound
  };
  Kind kind = Kind::kInterval;
  double value = 0;          ///< Transpire's result; a double represents every half and float
  double low = 0, high = 0;  ///< numbers of the type; both are `value` if no other is legal
  bool may_flush = false;    ///< zeros of both signs are legal, too: a subnormal may be flushed
  double ulp = 0;            ///< the error bound behind `low` and `high`, against the exact result
  /// The operation that made the number: "sin", "OpFDiv", or several separated by commas. Empty if the log has none: the
  /// number then counts as an input, and only `value` is legal.
  std::string operation;

  /// True if another implementation may give the number `other`. If the result is a NaN, any NaN is legal. The sign of
  /// a zero matters if the interval ends at zero.
  bool allows(double other) const {
    if (kind == Kind::kOpen) return true;
    if (std::isnan(value) && std::isnan(other)) return true;
    if (other == 0 && may_flush) return true;
    if (!(low <= other && other <= high)) return false;
    if (other != 0) return true;
    const bool negative_is_legal = low < 0 || (low == 0 && std::signbit(low));
    const bool positive_is_legal = high > 0 || (high == 0 && !std::signbit(high));
    return std::signbit(other) ? negative_is_legal : positive_is_legal;
  }
};

namespace range_detail {

/// Parameters of a floating-point type: binary digits of the significand, exponent of the least normal number, and
/// exponent of the first power of two that is too large.
struct Format {
  int precision, least_exponent, beyond_exponent;
};

inline Format format_of(FloatType type) {
  if (type == FloatType::kHalf) return {11, -14, 16};
  if (type == FloatType::kFloat) return {24, -126, 128};
  return {53, -1022, 1024};
}

inline double least_normal(FloatType type) {
  return std::ldexp(1.0, format_of(type).least_exponent);
}
inline double largest(FloatType type) {
  const Format format = format_of(type);
  return std::ldexp(2.0 - std::ldexp(1.0, 1 - format.precision), format.beyond_exponent - 1);
}

/// The distance from `x` to the neighbouring number with the larger magnitude.
inline double unit_of(double x, const Format& format) {
  int exponent = format.least_exponent;
  if (x != 0) exponent = std::max(std::ilogb(x), exponent);
  return std::ldexp(1.0, exponent - (format.precision - 1));
}

/// Returns x + distance. Rounds an inexact sum towards x. Sums of 2^1024 and more are infinite.
inline double moved(double x, double distance) {
  const double sum = x + distance;
  const double room = (std::numeric_limits<double>::max() - std::abs(x)) + 0x1p971;
  if (std::isinf(sum) && std::abs(distance) >= room) return sum;
  const bool too_far = distance < 0 ? sum - x < distance : sum - x > distance;
  return too_far ? std::nextafter(sum, x) : sum;
}

/// Rounds x to a number of the format, upwards or downwards. Results from the first too large power of two on are infinite.
inline double number_at(double x, const Format& format, bool up) {
  if (std::isinf(x)) return x;
  const double unit = unit_of(x, format);
  const double steps = x / unit;
  const double number = (up ? std::ceil(steps) : std::floor(steps)) * unit;
  const double beyond = format.beyond_exponent < 1024 ? std::ldexp(1.0, format.beyond_exponent)
                                                      : std::numeric_limits<double>::infinity();
  if (std::abs(number) >= beyond)
    return std::copysign(std::numeric_limits<double>::infinity(), number);
  return number == 0 ? std::copysign(0.0, x) : number;
}

}  // namespace range_detail

/// Returns the interval of numbers of `type` within `max_ulp` units in the last place of `value`. The unit is that of the
/// largest magnitude that the interval reaches. For an infinity or a NaN only `value` is legal. For a zero, the interval
/// extends only to the side of its sign. `may_flush`: a zero is legal, too, if the interval contains subnormal numbers.
inline LegalRange legal_range(double value, FloatType type, double max_ulp,
                              bool may_flush = false) {
  const range_detail::Format format = range_detail::format_of(type);
  LegalRange range;
  range.value = range.low = range.high = value;
  range.ulp = max_ulp;
  if (!std::isfinite(value)) return range;
  const double reach = std::abs(value) + max_ulp * range_detail::unit_of(value, format);
  const double distance =
      max_ulp * range_detail::unit_of(std::isfinite(reach) ? reach : value, format);
  if (distance != 0 && (value != 0 || std::signbit(value)))
    range.low = range_detail::number_at(range_detail::moved(value, -distance), format, true);
  if (distance != 0 && (value != 0 || !std::signbit(value)))
    range.high = range_detail::number_at(range_detail::moved(value, distance), format, false);
  const double least = range_detail::least_normal(type);
  const bool has_subnormals =
      range.low < least && range.high > -least && (range.low != 0 || range.high != 0);
  range.may_flush = may_flush && has_subnormals;
  return range;
}

}  // namespace transpire
