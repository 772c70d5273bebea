// Lifetimes: the positions at which a virtual register holds a value that a lane still reads. A
// lane runs there or waits; these are kept apart.
//
// A lane that stands at a position needs the values that are live there in its own control flow,
// and only those. Two kinds of writes can destroy one:
//
//   copies on an edge into a row    write the running lanes only: they destroy what is live right
//                                   after the copy
//   all others, copies of scalars   write every lane: they destroy that, and also what lanes need
//   too                             that wait at later blocks meanwhile
//
// Registers may share a place when no write of one destroys the other (see Emitter::coalesce).
#pragma once

#include <cstdint>
#include <vector>

#include "vm/emit/emitter.h"

namespace transpire::vm::emission {

/// Finds lifetimes over blocks whose positions are numbered.
class LifetimeAnalysis {
 public:
  /// `cycles` are natural loops. The blocks outlive the analysis.
  LifetimeAnalysis(const std::vector<LinearBlock>& blocks, std::vector<Cycle> cycles);

  /// Finds `live` and `held` of the register with these `events`. Returns false, without writing,
  /// if the analysis has used up its budget of work.
  bool find(const Events& events, Lifetime* lifetime);

  /// How many loops the block is in.
  std::uint32_t depth(std::uint32_t block) const;

 private:
  struct Event {
    Position at = 0;
    bool is_use = false;
  };
  /// State of the register in one block.
  struct State {
    std::uint32_t round = 0;  ///< number of the find() that wrote the rest
    bool live_in = false, live_out = false;
    std::uint32_t first_event = 0, event_count = 0;
  };

  void find_first_runners();
  void sort_events(const Events& events);
  State& touch(std::uint32_t block);
  bool flow_back();
  void write_segments(std::uint32_t block, Lifetime* lifetime) const;

  const std::vector<LinearBlock>& blocks_;
  std::vector<Cycle> cycles_;
  std::vector<std::uint32_t> inner_;  ///< by block: the smallest cycle around it, or kNoCycle
  std::vector<std::vector<std::uint32_t>> preds_;
  /// By block: the first block that may run while lanes wait at this one; itself when none does.
  std::vector<std::uint32_t> first_runner_;
  std::uint64_t work_left_;

  std::uint32_t round_ = 0;
  std::vector<State> states_;
  std::vector<std::uint32_t> touched_;
  std::vector<Event> events_;
};

/// Sorts cycles by their first blocks, finds the parent of each, and returns the innermost cycle by
/// block, or kNoCycle. Cycles are nested or disjoint.
std::vector<std::uint32_t> nest(std::vector<Cycle>* cycles, std::size_t blocks);

/// Sorts segments and joins those that meet.
void tidy(SegmentList* segments);

/// Adds `more` to `segments`; both are tidy.
void unite(SegmentList* segments, const SegmentList& more);

/// True if a value defined before `write` is still needed after it. `segments` are tidy.
bool needed_across(const SegmentList& segments, Position write);

}  // namespace transpire::vm::emission
