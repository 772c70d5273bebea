// What another implementation of OpenCL may give where a kernel stored a number.
//
//   transpire::ResultLog log = transpire::ResultLog::create();
//   launch.results = log;                       // before Device::run
//   const transpire::LegalRange range =
//       log.range(buffer, 4 * i, transpire::FloatType::kFloat, transpire::Profile::kFull);
//   if (!range.allows(theirs[i])) ...
//
// This header is the arithmetic: an interval around a number, from a bound in units in the last
// place. Standard library only; nothing to link. transpire.hpp has ResultLog, which knows the
// bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "transpire/float_type.hpp"

namespace transpire {

/// A profile of OpenCL: how exact the functions of a device must be.
enum class Profile { kFull, kEmbedded };

struct LegalRange {
  enum class Kind {
    kInterval,  ///< from `low` to `high`, both included
    kOpen,      ///< nothing bounds the result
  };
  Kind kind = Kind::kInterval;
  double value = 0;          ///< what was computed here; every number of the type is a double
  double low = 0, high = 0;  ///< numbers of the type; both `value` when nothing else may be given
  bool may_flush = false;  ///< a zero of either sign is legal too, as a subnormal that was flushed
  double ulp = 0;  ///< the bound that `low` and `high` follow from, against the exact result
  /// What made the number: "sin", "OpFDiv", or several with commas between; empty: nothing that was
  /// recorded, so the number counts as given.
  std::string operation;

  /// Whether another implementation may give that number. A NaN may be any NaN, and zeros differ by
  /// their sign where the interval ends at zero.
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

/// Of numbers of a type: digits of the significand, and the exponent of the least and the first too
/// large power of two.
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

/// The distance of neighbouring numbers around `x`, on its larger side.
inline double unit_of(double x, const Format& format) {
  int exponent = format.least_exponent;
  if (x != 0) exponent = std::max(std::ilogb(x), exponent);
  return std::ldexp(1.0, exponent - (format.precision - 1));
}

/// x + distance, rounded towards x where a double cannot hold it; infinite from 2^1024 on.
inline double moved(double x, double distance) {
  const double sum = x + distance;
  const double room = (std::numeric_limits<double>::max() - std::abs(x)) + 0x1p971;
  if (std::isinf(sum) && std::abs(distance) >= room) return sum;
  const bool too_far = distance < 0 ? sum - x < distance : sum - x > distance;
  return too_far ? std::nextafter(sum, x) : sum;
}

/// The number of the format nearest to x that is not below it (`up`), or not above. What lies at
/// the first power of two beyond the format counts as infinite.
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

/// The numbers of `type` at most `max_ulp` units in the last place from `value`, the unit being
/// that of the value, or of the larger numbers that the interval reaches. An infinity and a NaN
/// stand for themselves; of a zero only the side of its sign counts. `may_flush`: where the
/// interval holds subnormals, a zero is legal too.
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
