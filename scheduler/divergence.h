// Divergence: where the work-items of a group first stopped after the group diverged at a barrier.
//
// A lane is *open* as long as its work-item has neither reached a barrier nor ended since its group diverged.
#pragma once

#include <utility>
#include <vector>

#include "scheduler/item_locations.h"

namespace transpire::scheduler {

/// Removes `others` from `lanes` and returns the lanes that it removed.
inline Lanes take(Lanes& lanes, const std::uint64_t others[vm::exec::kMaxMaskWords]) {
  Lanes taken;
  for (std::uint32_t word = 0; word < vm::exec::kMaxMaskWords; ++word) {
    taken[word] = lanes[word] & others[word];
    lanes[word] &= ~others[word];
  }
  return taken;
}

inline bool same_lanes(const std::uint64_t a[vm::exec::kMaxMaskWords],
                       const std::uint64_t b[vm::exec::kMaxMaskWords]) {
  std::uint64_t differences = 0;
  for (std::uint32_t word = 0; word < vm::exec::kMaxMaskWords; ++word)
    differences |= a[word] ^ b[word];
  return differences == 0;
}

class Divergence {
 public:
  /// Records the location of each open lane that waits at a barrier or has ended, and removes it from `open`.
  void note(const vm::exec::Batch& batch, Lanes& open) {
    using vm::exec::Stop;
    if (batch.stop == Stop::kBarrier || batch.stop == Stop::kNamedBarrier)
      places_.add(Waiting::Where::kAtBarrier, batch.barrier, batch, take(open, batch.mask));
    Lanes gone = open;
    if (batch.stop != Stop::kDone) take(gone, batch.live);
    places_.add(Waiting::Where::kEnded, nullptr, batch, take(open, gone.data()));
  }

  /// Records the lanes that are still open when the launch ends before the group does.
  void note_rest(const vm::exec::Batch& batch, const Lanes& open) {
    places_.add(Waiting::Where::kElsewhere, nullptr, batch, open);
  }

  /// All recorded locations, ordered by their first work-items.
  std::vector<Waiting> places() && { return std::move(places_).places(); }

 private:
  ItemLocations places_;
};

}  // namespace transpire::scheduler
