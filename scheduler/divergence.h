// Where the work-items of a group went that did not meet at a barrier.
#pragma once

#include <utility>
#include <vector>

#include "scheduler/whereabouts.h"

namespace transpire::scheduler {

/// Takes those of `lanes` out that are also in `others`, and gives them.
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
  /// Sorts the lanes of `open` that stopped or ended into places; the others stay in it.
  void note(const vm::exec::Batch& batch, Lanes& open) {
    using vm::exec::Stop;
    if (batch.stop == Stop::kBarrier || batch.stop == Stop::kNamedBarrier)
      places_.add(Waiting::Where::kAtBarrier, batch.barrier, batch, take(open, batch.mask));
    Lanes gone = open;
    if (batch.stop != Stop::kDone) take(gone, batch.live);
    places_.add(Waiting::Where::kEnded, nullptr, batch, take(open, gone.data()));
  }

  /// What is still open when the group was cut short.
  void note_rest(const vm::exec::Batch& batch, const Lanes& open) {
    places_.add(Waiting::Where::kElsewhere, nullptr, batch, open);
  }

  std::vector<Waiting> places() && { return std::move(places_).places(); }

 private:
  Whereabouts places_;
};

}  // namespace transpire::scheduler
