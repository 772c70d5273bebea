// In which order a launch's work-items run, where OpenCL leaves that open. It is stated in groups and work-items, never in
// lanes or threads: a schedule and its seed give the same run on every machine.
//
//   lockstep:  whatever is fastest; all else here is about the others
//   serial:    one work-item after the other, each to its next barrier or its end, group after group
//   reverse:   the same from the last one
//   random:    groups in an order by the seed; so many consecutive work-items as the seed says run as one, and between two
//              barriers these take turns in an order that is another one each time; commands of queues on the device
//              in any order
//
// Work-items of a sub-group whose kernel has sub-groups' instructions stay together: a batch then holds whole sub-groups.
#pragma once

#include <cstdint>
#include <vector>

#include "transpire/launch_settings.hpp"

namespace transpire::scheduler {

class ItemOrder {
 public:
  ItemOrder() = default;
  ItemOrder(Schedule kind, std::uint32_t seed, bool fair = false)
      : kind_(kind), seed_(seed), fair_(fair) {}

  bool is_lockstep() const { return kind_ == Schedule::kLockstep; }
  /// A loop of one work-item that waits lets all others go on, not those of other sub-groups only.
  bool is_fair() const { return fair_; }

  /// Work-items of a batch, a power of two up to 64, which is no more than any instruction set has lanes. `together`: those
  /// that must not be parted, 1 or the size of a sub-group.
  std::uint32_t batch_items(std::uint32_t together) const;

  /// The group that runs at this place of the order; each of `count` once.
  std::uint64_t group_at(std::uint64_t place, std::uint64_t count) const;

  /// The batches of a group in the order in which they run between two of its barriers, `round` of which it has passed.
  void order_batches(std::uint64_t group, std::uint32_t round, std::uint32_t count,
                     std::vector<std::uint32_t>& order) const;

  /// Which of so many commands that are ready on the device runs next, after `done` others of the launch.
  std::uint64_t command_at(std::uint64_t done, std::uint64_t ready) const;

 private:
  Schedule kind_ = Schedule::kLockstep;
  std::uint32_t seed_ = 0;
  bool fair_ = false;
};

/// The size of sub-groups that a random schedule chooses for kernels that leave it open.
std::uint32_t scheduled_subgroup_size(std::uint32_t seed);

}  // namespace transpire::scheduler
