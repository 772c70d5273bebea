// LaunchSettings: how a launch computes, and its checks. The interface passes this struct on to lowering unchanged.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace transpire {

/// Rounding of the results of floating-point arithmetic.
enum class Rounding { kToNearestEven, kTowardsZero };

/// Precision of OpenCL.std's math and geometric functions, and of OpDot.
enum class Math {
  kFast,  ///< within the specification's error bounds
  /// Correctly rounded. GNU MPFR decides the cases that double cannot; without MPFR, launches are refused with C0034.
  kReference,
};

/// The order in which work-items run, where OpenCL leaves it open (docs/schedules.md). kLockstep uses all threads, the
/// other schedules use one.
enum class Schedule {
  kLockstep,  ///< the fastest order
  kSerial,    ///< one work-item after the other, each to its next barrier or its end
  kReverse,   ///< like kSerial, from the last work-item to the first
  kRandom,    ///< an order that LaunchSettings::seed chooses
};

/// The effect of a shader's access out of bounds of a buffer that a descriptor binds: StorageBuffer and Uniform (docs/shaders.md).
enum class Robust {
  kFault,  ///< it is a finding; loads give zeros, stores and atomics are dropped
  kClamp,  ///< it goes to the last place of the buffer where it fits (Vulkan's robustBufferAccess)
  kZero,  ///< loads and atomics give zeros, stores and atomics are dropped (robustBufferAccess2, nullDescriptor)
};

/// With LaunchSettings::poison, each byte of memory that nothing has written. Four of them are the int -1515870811.
inline constexpr std::byte kPoison{0xa5};

/// The rows of launch_settings.def document each member and give its initial value.
struct LaunchSettings {
#define TRANSPIRE_SETTING(type, member, initial, ...) type member = initial;
#include "transpire/launch_settings.def"
#undef TRANSPIRE_SETTING

  /// True if an observer or the race check follows the accesses to memory. Such a launch runs on one thread.
  bool watched() const { return observed || looks_for_races(); }
  bool looks_for_races() const { return check_race || check_same_value; }

  friend auto operator<=>(const LaunchSettings&, const LaunchSettings&) = default;
};

}  // namespace transpire
