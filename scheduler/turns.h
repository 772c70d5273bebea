// Turns: how a worker runs work-groups of which a loop waits for what other work-items do.
//
// Most never do, and run as worker.cpp and fibers.cpp say: batch after batch, each as far as it gets. One whose batch comes back to
// a state that it was in before, or goes round for very long, goes on by turns from there. All its batches then run a little
// each, and what stands still in one is parted: sub-groups that wait, within the batch, for those in the loop get
// registers of their own and go on as a part. Where all of them wait, further groups are begun, each in a worker of its own
// (a resident) which the same thread runs.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "scheduler/divergence.h"
#include "scheduler/pace.h"
#include "scheduler/worker.h"

namespace transpire::scheduler {

/// Work-items of one batch of a group that run as one.
struct Worker::Part {
  Fiber* fiber = nullptr;
  BatchShape shape;
  std::uint32_t batch = 0;  ///< its number in the group
  std::uint32_t group = 0;  ///< its number in the unit
  Lanes open{};             ///< of a group that parted: see Divergence
  bool runs = true;         ///< it has neither ended nor waits at a barrier
  Pace pace;
};

/// A unit of work that is run by turns.
struct Worker::Turns {
  struct Group {
    std::optional<Divergence> divergence;  ///< once it parted
    bool is_released = false;              ///< every barrier lets pass
    bool has_ended = false;
  };
  std::vector<std::unique_ptr<Part>> parts;
  std::vector<Group> groups;
  /// Whose batches have yet to begin, from this turn of the schedule on.
  const GroupShape* shape = nullptr;
  std::uint32_t next = 0;
  std::uint64_t group_id[3] = {};

  bool all_begun() const { return shape == nullptr || next == shape->batches.size(); }
};

}  // namespace transpire::scheduler
