// Inside the race checker: the access that is being checked, and the epochs of accesses that cannot race with it.
#pragma once

#include "races/race.h"

namespace transpire::races {

/// The memory of a HostPlace or an ObservedRow, which must not be private memory.
template <class Place>
inline Memory memory_of(const Place& place) {
  if (place.is_image) return Memory::kImage;
  return place.is_workgroup ? Memory::kLocal : Memory::kGlobal;
}

struct RaceChecker::CurrentAccess {
  CurrentAccess(const HappensBefore& order, Memory where, vm::AccessKind what)
      : memory(where),
        kind(what),
        first_epoch(where == Memory::kLocal ? order.start() : 1),
        resume_epoch(order.resume_epoch()),
        ordered_epochs(order.fence(where) - order.resume_epoch()) {
    touch.epoch = order.epoch();
  }

  /// True if a touch in an epoch certainly cannot race with the present access: there was no touch (in local memory: none by this group), or
  /// barriers order it before all present actions of the group. False for touches from before the group last continued; their order must
  /// be looked up.
  bool is_ordered(std::uint32_t epoch) const {
    return epoch < first_epoch || epoch - resume_epoch < ordered_epochs;
  }
  /// True if a touch certainly cannot race with the present access, by its epoch or because it is the work-item's own.
  bool is_ordered(const Touch& other) const {
    return is_ordered(other.epoch) || other.item == touch.item;
  }

  /// True if the present access, which is not atomic, certainly shares its bytes with a touch that is ordered before it (Availability).
  bool shares(const Touch& other, bool stored) const {
    using Kind = vm::Sharing::Kind;
    if (sites == nullptr || other.epoch < first_epoch) return true;
    const Kind own = sites[touch.place].sharing.kind, theirs = sites[other.place].sharing.kind;
    if (own == Kind::kPrivate || theirs == Kind::kPrivate) return false;
    if (!stored) return true;
    const bool loads = kind == vm::AccessKind::kLoad;
    if (loads && (own == Kind::kIncoherent || theirs == Kind::kIncoherent)) return false;
    return (theirs != Kind::kShared && (!loads || own != Kind::kShared)) ||
           other.epoch - resume_epoch < shared_epochs;
  }

  Memory memory;
  vm::AccessKind kind;
  Touch touch;
  std::uint8_t scope = 0;           ///< scope of an atomic
  std::uint64_t shift = 0;          ///< OverlappingRange::shift of the address
  std::uint32_t first_epoch;        ///< the first epoch whose touches of this memory count
  std::uint32_t resume_epoch;       ///< HappensBefore::resume_epoch()
  std::uint32_t ordered_epochs;     ///< number of epochs from resume_epoch on that are ordered
  std::uint32_t shared_epochs = 0;  ///< ordered ones whose stores reach all loads of the group
  const vm::Site* sites = nullptr;  ///< Program::sites; null: shares() need not look
};

/// Keeps a read in a cell or segment. If only barriers of whole groups order memory, two reads represent all: any other work-item is
/// unordered with one of two reads by different groups, or by different work-items of one group. `is_ordered`: true for touches that
/// need not be kept.
template <class IsOrdered>
inline void note_read(std::array<Touch, 2>& reads, const Touch& now, std::uint32_t group_start,
                      IsOrdered is_ordered) {
  if (is_ordered(reads[0])) {
    reads[0] = now;
    if (reads[1].epoch != 0 && is_ordered(reads[1])) reads[1].epoch = 0;
  } else if (is_ordered(reads[1]) ||
             (reads[0].epoch < group_start && reads[1].epoch < group_start)) {
    reads[1] = now;
  }
}

/// Notes that the segment's cells were touched in an epoch.
inline void note_touch(Segment& segment, std::uint32_t epoch) {
  segment.newest = std::max(segment.newest, epoch);
}

}  // namespace transpire::races
