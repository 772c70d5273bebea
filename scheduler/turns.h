// Turns: run work-groups with a loop that busy-waits for other work-items.
//
// Most groups never busy-wait. worker.cpp and fibers.cpp run them batch after batch, each as far as possible. If a batch returns
// to an earlier state, or stays in a loop for very long, its group continues by turns: each of its batches runs for some steps, one
// after the other. Sub-groups that wait within a batch until others leave the loop are split off (split_batch.cpp): they get
// registers of their own and become a part. When all parts wait, further groups begin, each in a worker of its own (a resident)
// that the same thread runs.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "scheduler/divergence.h"
#include "scheduler/pace.h"
#include "scheduler/worker.h"

namespace transpire::scheduler {

/// Work-items of one batch of a group that share registers and run together.
struct Worker::Part {
  Fiber* fiber = nullptr;
  BatchShape shape;
  std::uint32_t batch = 0;  ///< its number in the group
  std::uint32_t group = 0;  ///< its number in the unit
  Lanes open{};             ///< if the group has diverged: its open lanes, see Divergence
  bool runs = true;         ///< the part has not ended and waits at no barrier
  Pace pace;
};

/// A unit of work that is run by turns.
struct Worker::Turns {
  struct Group {
    std::optional<Divergence> divergence;  ///< set when the group has diverged
    bool is_released = false;              ///< every barrier lets its work-items pass
    bool has_ended = false;
  };
  std::vector<std::unique_ptr<Part>> parts;
  std::vector<Group> groups;
  /// No part was seen to wait for others: each runs to its next barrier. False: each runs for a few steps, see Pace.
  bool to_barriers = false;
  std::size_t next =
      0;  ///< the first batch that has yet to begin, by its place in the schedule's order
};

}  // namespace transpire::scheduler
