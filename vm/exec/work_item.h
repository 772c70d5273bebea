// WorkItem: where the work-item of a lane stands in its launch.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

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

/// What atomics or fences between two accesses that race lack to order them. The one that comes first is behind the access of
/// the first work-item, the one that reads is in front of the other's.
struct NearMiss {
  enum class Why : std::uint8_t {
    kRelaxedStore,   ///< `first` does not release
    kRelaxedLoad,    ///< `second` does not acquire
    kRelaxed,        ///< neither
    kReleaseMemory,  ///< `third`, a fence in front of `first`, is for other memory
    kAcquireMemory,  ///< `third`, a fence behind `second`
    kObjectMemory,   ///< the atomic object lies in other memory than what races
    kScopes,         ///< their scopes, or their fences', do not hold both work-items
    kReplaced,    ///< `third`, a store of another work-item, ends the release sequence of `first`
    kTwoObjects,  ///< `first` stores to another object than `second` reads
  };
  Why why{};
  const Inst* first = nullptr;
  const Inst* second = nullptr;
  const Inst* third = nullptr;
  std::uint64_t first_object = 0, second_object = 0;  ///< addresses
  bool object_is_local = false;                       ///< where `first_object` lies
  std::uint32_t first_scope = 0, second_scope = 0;    ///< of kScopes: spv::Scope
  /// For kReleaseMemory and kAcquireMemory: a bit of SPIR-V's Memory Semantics that the fence lacks.
  std::uint32_t lacking = 0;
};

/// What another access races with.
struct RacingAccess {
  const Inst* instruction = nullptr;
  WorkItem item;
  AccessKind kind = AccessKind::kLoad;
  AccessKind own = AccessKind::kLoad;  ///< of the access that the event is about
  bool in_group = false;               ///< both are of one work-group
  BarrierBetween barrier = BarrierBetween::kNone;
  std::vector<NearMiss> near;  ///< the likeliest one first
};

/// The relation of another place to a finding. findings/related.cpp puts it into words.
enum class Relation : std::uint8_t {
  kCopyBegan,      ///< the asynchronous copy began there
  kLoadedThrough,  ///< a load through the parameter `name`
  kStoredThrough,
  kThrough,  ///< the access of the finding itself is through `name`
  kThroughRestrict,
  kTexelWritten,
  kReserveFailed,  ///< `value` packets were asked for, of the `other_value` that there were
  kReserved,       ///< `value` packets
  kCommitted,
  kEventMade,
  kEventReleased,
  kStatusSet,
  kWaitsForUser,     ///< for a user event that was made there
  kWaitsForCommand,  ///< for the event of a command that was enqueued there
  kOperand,          ///< `name` has `value` in a work-item
  kLifeEnded,        ///< of the object that is accessed
  kLifeBegins,
};

/// Another place that a finding is about: where what is wrong now began, or what it should have agreed with.
struct Related {
  /// The work-item or group that was there, as far as it is known.
  enum class By : std::uint8_t { kNobody, kItem, kGroup, kSameItem };
  Relation relation{};
  const Program* program = nullptr;   ///< of the instruction; null: the one that the finding is of
  const Inst* instruction = nullptr;  ///< null: none, or the finding's own
  By by = By::kNobody;
  WorkItem item;
  std::string_view name;  ///< of an operand or a parameter; outlives the launch
  std::uint64_t value = 0, other_value = 0;
};

/// Facts of a finding besides its own instruction.
struct OtherHalf {
  std::optional<RacingAccess> access;  ///< of a data race: the one before
  std::vector<Related> related;
};

}  // namespace transpire::vm::exec
