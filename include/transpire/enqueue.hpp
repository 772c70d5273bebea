// Device-side enqueue: queues of the device, and kernels that kernels enqueue ("OpenCL C 2.0", "Enqueuing Kernels").
// transpire/transpire.hpp includes this header.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "transpire/diagnostic.hpp"

namespace transpire {

/// A queue of the device. A kernel gets it as an argument or from get_default_queue().
struct DeviceQueue {
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;

  std::uint64_t handle = 1;  ///< identifies the queue in its launch; below 2^32 and not 0
  /// Bytes of commands that may wait in the queue, 1 to kMaxBytes. A waiting command takes 64 bytes, the bytes that its
  /// block captures, and 8 bytes for each event and each local size.
  std::uint64_t size_bytes = std::uint64_t{64} << 20;
};
/// Maximum number of queues of a launch.
inline constexpr std::size_t kMaxDeviceQueues = 1024;

/// Maximum number of live events of a launch's kernels. An enqueue that needs one more fails with
/// CLK_EVENT_ALLOCATION_FAILURE.
inline constexpr std::uint32_t kMaxDeviceEvents = std::uint32_t{1} << 20;

/// A child of a launch: a kernel or marker that the launched kernel or another child enqueued.
struct ChildLaunch {
  enum class End : std::uint8_t {
    kCompleted,
    kCancelled,  ///< an event in its wait list had an error status
    kRefused,    ///< the VM refused to launch it: see the findings
    kNeverRan,   ///< an event in its wait list could never complete
    kStopped,    ///< a limit ended the launch before this child had completed
  };
  static constexpr std::size_t kLaunch = ~std::size_t{0};

  std::string kernel;  ///< the enqueued function; empty: a marker
  std::size_t parent =
      kLaunch;  ///< the child that enqueued it, in LaunchResult::children; kLaunch: the launch
  std::array<std::uint64_t, 3> enqueued_by{};  ///< global id of the work-item that enqueued it
  SourceLine source;                           ///< place of the enqueue
  std::uint32_t dimensions = 1;
  std::array<std::uint64_t, 3> global_size{1, 1, 1};
  std::array<std::uint64_t, 3> local_size{};  ///< the work-group size used; valid once it ran
  std::array<std::uint64_t, 3> global_offset{};
  End end = End::kStopped;
  double seconds = 0;          ///< duration of its execution
  std::uint64_t findings = 0;  ///< number of findings in this child alone
};

}  // namespace transpire
