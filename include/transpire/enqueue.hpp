// What kernels enqueue themselves, a part of transpire/transpire.hpp ("OpenCL C 2.0", "Enqueuing Kernels").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "transpire/diagnostic.hpp"

namespace transpire {

/// A queue of the device, as a launch's kernels know it: a kernel's argument, or what get_default_queue() gives.
struct DeviceQueue {
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

  std::uint64_t handle = 1;  ///< below 2^32 and not 0; the caller tells his queues apart by it
  /// What may wait in it: the bytes of each command's block, 8 for each event and local size, and 64.
  std::uint64_t size_bytes = std::uint64_t{64} << 20;  ///< 1 to kMaxBytes
};
/// Of a launch.
inline constexpr std::size_t kMaxDeviceQueues = 1024;

/// Events of a launch's kernels that are there at once. The next one cannot be made (CLK_EVENT_ALLOCATION_FAILURE).
inline constexpr std::uint32_t kMaxDeviceEvents = std::uint32_t{1} << 20;

/// A kernel or marker that a launch's kernel enqueued, or one of those.
struct ChildLaunch {
  enum class End : std::uint8_t {
    kCompleted,
    kCancelled,  ///< an event that it waited for had an error
    kRefused,    ///< it could not be launched: see the findings
    kNeverRan,   ///< nothing that it waited for could still come
    kStopped,    ///< a limit ended the launch: in it, or before it
  };
  static constexpr std::size_t kLaunch = ~std::size_t{0};

  std::string kernel;  ///< the enqueued function; empty: a marker
  std::size_t parent =
      kLaunch;  ///< index into LaunchResult::children of who enqueued it; kLaunch: the launch itself
  std::array<std::uint64_t, 3> enqueued_by{};  ///< global id of its work-item
  SourceLine source;                           ///< where
  std::uint32_t dimensions = 1;
  std::array<std::uint64_t, 3> global_size{1, 1, 1};
  std::array<std::uint64_t, 3> local_size{};  ///< the one used, once it ran
  std::array<std::uint64_t, 3> global_offset{};
  End end = End::kStopped;
  double seconds = 0;          ///< that it ran
  std::uint64_t findings = 0;  ///< that are its own
};

}  // namespace transpire
