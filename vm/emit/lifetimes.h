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
// Registers may share a place when no write of one destroys the other (see coalesce.cpp).
#pragma once

#include <cstdint>
#include <vector>

#include "vm/emit/linear_order.h"
#include "vm/emit/live_ranges.h"

namespace transpire::vm::emission {

using SegmentList = InlineList<Segment>;

/// A definition of a register, and its effect on registers in the same place.
struct Write {
  Position at = 0;
  bool every_lane = true;  ///< also lanes that do not run
  VReg source = kNoReg;    ///< an edge's copy: no write if this register shares the place, too
};

/// Where the registers of one place are needed and written. All sorted.
struct Lifetime {
  SegmentList live;  ///< by lanes that run there
  SegmentList held;  ///< by lanes that wait at a later block
  InlineList<Write> writes;
};

class LifetimeAnalysis {
 public:
  /// Both outlive the analysis. `positions` is by linear block.
  LifetimeAnalysis(const LinearOrder& order, const std::vector<BlockPositions>& positions);

  /// Finds `live` and `held` of the register with these `events`. Returns false, without writing,
  /// if the analysis has used up its budget of work.
  bool find(const Events& events, Lifetime* lifetime);

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

  const LinearOrder& order_;
  const std::vector<BlockPositions>& positions_;
  std::vector<std::vector<std::uint32_t>> preds_;
  /// By block: the first block that may run while lanes wait at this one; itself when none does.
  std::vector<std::uint32_t> first_runner_;
  std::uint64_t work_left_;

  std::uint32_t round_ = 0;
  std::vector<State> states_;
  std::vector<std::uint32_t> touched_;
  std::vector<Event> events_;
};

/// Sorts segments and joins those that meet.
void tidy(SegmentList* segments);

/// Adds `more` to `segments`; both are tidy.
void unite(SegmentList* segments, const SegmentList& more);

/// True if a value defined before `write` is still needed after it. `segments` are tidy.
bool needed_across(const SegmentList& segments, Position write);

}  // namespace transpire::vm::emission
