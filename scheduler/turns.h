// Turns: runs the batches of a unit for some steps each, one after the other, again and again.
//
// Most units never need it: batches.h runs them batch after batch, each as far as possible. If a batch returns to an earlier state, or
// stays in a loop for very long, it may wait for other work-items, and its unit goes on by turns. So do units with named barriers, with
// an order of their own (ItemOrder) between barriers, and with a group that does not meet at a barrier. Sub-groups
// that wait within a batch until others leave the loop are split off (split_batch.cpp): they get registers of their own and become a
// part. When all parts wait, the thread begins further units, which take turns with this one (worker.h).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "scheduler/divergence.h"
#include "scheduler/pace.h"
#include "scheduler/unit_run.h"

namespace transpire::scheduler {

/// Result of a round of turns.
struct Round {
  bool moved = false;  ///< a part ended, came to a barrier, left one, or was split
  bool runs = false;   ///< a part is in a state that it was not in before
};

/// Work-items of one batch of a group that share registers and run together.
struct Part {
  Fiber* fiber = nullptr;
  BatchShape shape;
  std::uint32_t batch = 0;  ///< its number in the group
  std::uint32_t group = 0;  ///< its number in the unit
  Lanes open{};             ///< if the group has diverged: its open lanes, see Divergence
  bool runs = true;         ///< the part has not ended and waits at no barrier
  Pace pace;
};

class Turns {
 public:
  /// `fibers`: the number of the unit's batches that have begun, each in the fiber of its number. The groups of a packed batch become
  /// a part each, since they are independent.
  Turns(UnitRun& run, std::uint32_t fibers);

  /// Adds the batch at place `last` of the order, which waits. The later ones have not begun.
  void add_waiting(Fiber& fiber, std::uint32_t last);
  /// Lets all parts run.
  void let_all_run();
  /// Takes over the divergence of a group that diverged before it ran by turns. `open`: see Divergence.
  void set_diverged(std::uint32_t group, Divergence divergence, const Lanes& open);

  std::size_t part_count() const { return parts_.size(); }
  /// True if all batches of the unit have begun.
  bool all_begun() const { return next_ == run_.unit.batches().size(); }
  bool has_ended() const;

  // The functions below that return bool return false if the launch ends there, unless they say otherwise.

  /// Begins the unit's next batch.
  bool begin_next_batch();
  /// Runs each part that can run for one turn.
  bool take_turns(Round& round);
  /// Splits parts in which several units of progress run a loop together, when everything waits. They may wait only because they take
  /// and release a lock in the same steps. Splits off at most `most`, and lowers it; the others behave alike. True if there were any.
  bool split_running(std::uint32_t& most);

  /// Digests all parts and the local memory of their groups. 0: too much to digest.
  std::uint64_t state() const;
  /// Adds the locations of all work-items. `interrupted`: the batch at which the launch was ended; null if it is deadlocked.
  void add_places(ItemLocations& places, const vm::exec::Batch* interrupted) const;
  /// Reports the diverged groups of a launch that ends before they do.
  void report_all_divergence();

 private:
  struct Group {
    std::optional<Divergence> divergence;  ///< set when the group has diverged
    bool is_released = false;              ///< every barrier lets its work-items pass
    bool has_ended = false;
  };

  Part& add_part(Fiber& fiber, const BatchShape& shape, std::uint32_t batch, std::uint32_t group);
  void mark_past_divergence(const Part& part);
  bool take_turn(Part& part, Round& round);
  bool judge_turn(Part& part, Round& round);
  static void give_turn(Part& part);
  bool run_to_barriers(Round& round);

  // split_batch.cpp
  /// Units of progress, by group and sub-group or work-item: true if one of its lanes runs, and its lanes.
  using ProgressUnits = std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<bool, Lanes>>;
  ProgressUnits progress_units_of(const Part& part) const;
  bool split(Part& part);
  void split_off(Part& part, const Lanes& lanes);

  // turn_barriers.cpp
  bool advance_groups(Round& round);
  bool advance_group(std::uint32_t group, Round& round);
  bool pass_barrier(std::uint32_t group, const std::vector<Part*>& parts);
  bool complete_parts(const std::vector<Part*>& parts);
  bool release_parts(const std::vector<Part*>& parts);
  bool advance_diverged(std::uint32_t group, const std::vector<Part*>& parts, bool done);
  void report_divergence(std::uint32_t group);
  bool end_group(std::uint32_t group, const std::vector<Part*>& parts);

  UnitRun& run_;
  const bool by_item_;  ///< fair progress: each work-item makes progress by itself
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Group> groups_;
  /// No part was seen to wait for others: each runs to its next barrier. False: each runs for a few steps, see Pace.
  bool to_barriers_ = false;
  /// The first batch that has yet to begin, by its place in the schedule's order.
  std::size_t next_ = 0;
};

/// Lets a unit go on by turns. `fibers`: the number of its batches that have begun, see Turns's constructor; 0 if
/// Turns::add_waiting() or begin_next_batch() says which ones have.
Turns& begin_turns(UnitRun& run, std::uint32_t fibers);

}  // namespace transpire::scheduler
