// WorkItem: where the work-item of a lane stands in its launch.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>

#include "vm/exec/engine.h"
#include "vm/observe/observer.h"

namespace transpire::vm::exec {

struct WorkItem {
  std::array<std::uint64_t, 3> global_id{};  ///< with the global offset
  std::array<std::uint64_t, 3> group_id{};
  std::array<std::uint64_t, 3> local_id{};
  std::uint64_t group_linear = 0;
  std::uint64_t local_linear = 0;

  /// The order of a launch: by work-group, then within the group. Every schedule agrees on it.
  bool operator<(const WorkItem& other) const {
    return std::tie(group_linear, local_linear) < std::tie(other.group_linear, other.local_linear);
  }
};

WorkItem work_item(const Batch& batch, std::uint32_t lane);
/// The one with these linear ids.
WorkItem work_item_at(const LaunchIds& launch, std::uint64_t group_linear,
                      std::uint64_t local_linear);

/// What there is of barriers of the work-group between two accesses that race.
enum class BarrierBetween : std::uint8_t {
  kNone,
  kOfOtherMemory,
  kNarrow,  ///< of their memory, and of a memory scope that is narrower than the work-group
  kSplit,   ///< of their memory, and not both outside of its halves
};

/// What another access races with.
struct OtherAccess {
  const Inst* instruction = nullptr;
  WorkItem item;
  AccessKind kind = AccessKind::kLoad;
  AccessKind own = AccessKind::kLoad;  ///< of the access that the event is about
  bool in_group = false;               ///< both are of one work-group
  BarrierBetween barrier = BarrierBetween::kNone;
};

}  // namespace transpire::vm::exec
