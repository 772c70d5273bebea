// ItemOrder: the order in which a launch's work-items run, where OpenCL leaves it open. The order is defined by groups and
// work-items, never by lanes or threads, so a schedule and its seed give the same run on every machine.
//
//   lockstep:  the fastest order; the functions here serve the other schedules
//   serial:    one work-item after the other, each to its next barrier or its end, group after group
//   reverse:   as serial, beginning with the last one
//   random:    the seed decides the order of groups, how many consecutive work-items are a batch, the order of a group's
//              batches from each barrier to the next, and the order of commands of queues on the device
//
// If a kernel has instructions of sub-groups, a batch holds whole sub-groups.
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
  /// True: a busy-waiting work-item lets all others run. False: it lets work-items of other sub-groups run.
  bool is_fair() const { return fair_; }

  /// Work-items of a batch: a power of two up to 64, since every instruction set has at least 64 lanes. `together`: number of
  /// work-items that must share a batch, 1 or the size of a sub-group.
  std::uint32_t batch_items(std::uint32_t together) const;

  /// The linear number of the group that runs at a place of the order. `count`: all groups; each has one place.
  std::uint64_t group_at(std::uint64_t place, std::uint64_t count) const;

  /// Sets `order` to the order in which the `count` batches of a group run to their next barrier. `round`: barriers that the
  /// group has passed.
  void order_batches(std::uint64_t group, std::uint32_t round, std::uint32_t count,
                     std::vector<std::uint32_t>& order) const;

  /// Index of the command that runs next, out of `ready` commands on the device. `done`: commands of the launch that have run.
  std::uint64_t command_at(std::uint64_t done, std::uint64_t ready) const;

 private:
  Schedule kind_ = Schedule::kLockstep;
  std::uint32_t seed_ = 0;
  bool fair_ = false;
};

/// The sub-group size that a random schedule chooses for kernels that leave it open.
std::uint32_t scheduled_subgroup_size(std::uint32_t seed);

}  // namespace transpire::scheduler
