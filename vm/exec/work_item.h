// WorkItem: the place of a lane's work-item in its launch.
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
/// The work-item with these linear ids.
WorkItem work_item_at(const LaunchIds& launch, std::uint64_t group_linear,
                      std::uint64_t local_linear);

/// Barriers of the work-group between two racing accesses.
enum class BarrierBetween : std::uint8_t {
  kNone,
  kOfOtherMemory,
  kNarrow,  ///< barriers for their memory, but with a scope narrower than the work-group
  kSplit,   ///< barriers for their memory, but an access lies between the two halves of one
};

/// A defect of atomics or fences between two racing accesses that keeps them from ordering these.
/// `first` is behind the first work-item's access, `second`, which reads, is in front of the
/// other's.
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
  bool object_is_local = false;                       ///< space of `first_object`
  std::uint32_t first_scope = 0, second_scope = 0;    ///< for kScopes: spv::Scope
  /// For kReleaseMemory and kAcquireMemory: a bit of SPIR-V's Memory Semantics that the fence lacks.
  std::uint32_t lacking = 0;
};

/// Why an ordered access does not share its bytes with a later one (races/availability.h).
enum class Unshared : std::uint8_t {
  kNone,             ///< nothing orders the two: a race
  kOtherPrivate,     ///< the earlier access is private
  kOwnPrivate,       ///< the later one is
  kNotAvailable,     ///< nothing makes the store available
  kNotVisible,       ///< nothing makes the store visible to the load
  kOtherIncoherent,  ///< the store's memory is not Coherent
  kOwnIncoherent,    ///< the load's memory is not Coherent
};

/// The other access of a race.
struct RacingAccess {
  const Inst* instruction = nullptr;
  WorkItem item;
  AccessKind kind = AccessKind::kLoad;
  AccessKind own = AccessKind::kLoad;  ///< kind of the event's own access
  bool in_group = false;               ///< both accesses are in one work-group
  BarrierBetween barrier = BarrierBetween::kNone;
  Unshared unshared = Unshared::kNone;
  std::vector<NearMiss> near;  ///< likeliest first
};

/// The relation of another place to a finding. findings/related.cpp puts it into words.
enum class Relation : std::uint8_t {
  kCopyBegan,      ///< the asynchronous copy began there
  kLoadedThrough,  ///< a load through the parameter `name`
  kStoredThrough,
  kThrough,  ///< the access of the finding itself is through `name`
  kThroughRestrict,
  kTexelWritten,
  kReserveFailed,  ///< `value` packets were requested, and `other_value` were there
  kReserved,       ///< `value` packets
  kCommitted,
  kEventMade,
  kEventReleased,
  kStatusSet,
  kWaitsForUser,     ///< for a user event that was made there
  kWaitsForCommand,  ///< for the event of a command that was enqueued there
  kOperand,          ///< `name` has `value` in a work-item
  kLifeEnded,        ///< end of the accessed object's lifetime
  kLifeBegins,
};

/// Another place of a finding: where the mistake began, or with which it disagrees.
struct Related {
  /// The work-item or group at that place, if known.
  enum class By : std::uint8_t { kNobody, kItem, kGroup, kSameItem };
  Relation relation{};
  const Program* program = nullptr;   ///< program of the instruction; null: the finding's
  const Inst* instruction = nullptr;  ///< null: none, or the finding's own
  By by = By::kNobody;
  WorkItem item;
  std::string_view name;  ///< name of an operand or a parameter; outlives the launch
  std::uint64_t value = 0, other_value = 0;
};

/// Facts of a finding besides its own instruction.
struct OtherHalf {
  std::optional<RacingAccess> access;  ///< data races: the earlier access
  std::vector<Related> related;
};

}  // namespace transpire::vm::exec
