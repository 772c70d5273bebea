// Inside the race checker: an access that is looked at, and what of its memory needs no look.
#pragma once

#include "inspect/race.h"

namespace transpire::inspect {

/// Of an image: whether the kernel may write it. Else it is told of for others' sake.
inline bool may_race(const vm::Inst* instruction) {
  return vm::ImageOperation::decode(instruction->list->imm).may_race;
}

/// Of a HostPlace or an ObservedRow that is no private one.
template <class Place>
inline Memory memory_of(const Place& place) {
  if (place.is_image) return Memory::kImage;
  return place.is_workgroup ? Memory::kLocal : Memory::kGlobal;
}

struct RaceChecker::Now {
  Now(const HappensBefore& order, Memory where, vm::AccessKind what)
      : memory(where),
        kind(what),
        exists(where == Memory::kLocal ? order.start() : 1),
        start(order.gone_on()),
        ordered(order.fence(where) - order.gone_on()) {
    touch.epoch = order.epoch();
  }

  /// Whether a touch of that epoch orders nothing: there was none (in local memory, none of this group), or barriers put
  /// it before all that the group does now. Of what the group did before it last went on, barriers are looked up.
  bool is_free(std::uint32_t epoch) const { return epoch < exists || epoch - start < ordered; }
  /// The same of a touch of one cell, or the work-item's own.
  bool is_past(const Touch& other) const {
    return is_free(other.epoch) || other.item == touch.item;
  }

  Memory memory;
  vm::AccessKind kind;
  Touch touch;
  std::uint8_t scope = 0;   ///< of an atomic
  std::uint64_t shift = 0;  ///< SharedRange::shift of its address
  std::uint32_t exists, start, ordered;
};

/// Where nothing but barriers of whole groups orders memory, two reads stand for all: any other work-item is unordered with
/// one of two of different groups, or of one group and of different work-items. `is_past` says of which touches nothing
/// has to be kept any longer.
template <class IsPast>
inline void note_read(std::array<Touch, 2>& reads, const Touch& now, std::uint32_t group_start,
                      IsPast is_past) {
  if (is_past(reads[0])) {
    reads[0] = now;
    if (reads[1].epoch != 0 && is_past(reads[1])) reads[1].epoch = 0;
  } else if (is_past(reads[1]) || (reads[0].epoch < group_start && reads[1].epoch < group_start)) {
    reads[1] = now;
  }
}

/// The segment's cells have been touched.
inline void note_touch(Segment& segment, std::uint32_t epoch) {
  segment.newest = std::max(segment.newest, epoch);
}

}  // namespace transpire::inspect
