// How a launch computes and what it is checked for: one value from the interface down to lowering.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace transpire {

/// How results of floating-point arithmetic are rounded.
enum class Rounding { kToNearestEven, kTowardsZero };

/// How OpenCL.std's math and geometric functions, and OpDot, are computed.
enum class Math {
  kFast,       ///< within the specification's bounds
  kReference,  ///< correctly rounded, by GNU MPFR where double does not settle it: refused with C0034
               ///< on a machine without it
};

/// In which order work-items run, where OpenCL leaves that open (docs/schedules.md).
enum class Schedule {
  kLockstep,  ///< whatever is fastest, on all threads
  kSerial,  ///< one after the other, each to its next barrier or its end; as all below on one thread
  kReverse,  ///< the same from the last one
  kRandom,   ///< by LaunchSettings::seed
};

/// LaunchSettings::poison: each byte of memory that nothing has written. As an int -1515870811, as a uchar 165.
inline constexpr std::byte kPoison{0xa5};

/// What each member means, and its initial value, is in the rows.
struct LaunchSettings {
#define TRANSPIRE_SETTING(type, member, initial, ...) type member = initial;
#include "transpire/launch_settings.def"
#undef TRANSPIRE_SETTING

  /// Whether something watches what its work-items do to memory, on one thread. If it is observed, each access goes the slow way.
  bool watched() const { return observed || looks_for_races(); }
  bool looks_for_races() const { return check_race || check_same_value; }

  friend auto operator<=>(const LaunchSettings&, const LaunchSettings&) = default;
};

}  // namespace transpire
