// ItemLocations: where work-items are when their group has diverged or the launch is ended early. Each location has the number of
// its work-items.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "scheduler/collector.h"

namespace transpire::scheduler {

/// Locations of the work-items of a sub-group that executes an instruction incompletely. `lane`: a lane that executes it.
std::vector<Waiting> locations_of_subgroup(const vm::exec::Batch& batch, std::uint32_t lane,
                                           const vm::Inst* instruction);

/// Copies a mask.
Lanes lanes_of(const std::uint64_t mask[vm::exec::kMaxMaskWords]);
bool none(const Lanes& lanes);

class ItemLocations {
 public:
  /// Adds lanes of a batch at one location. Equal locations become one.
  void add(Waiting::Where where, const vm::Inst* instruction, const vm::exec::Batch& batch,
           const Lanes& lanes);
  /// Adds all work-items of a batch that was interrupted while it ran: running lanes, and lanes that wait for reconvergence.
  void add_interrupted(const vm::exec::Batch& batch);
  /// Adds all work-items of a batch that was not running when the launch was ended.
  void add_idle(const vm::exec::Batch& batch);

  /// Adds all work-items of a batch that is in a loop that can never end.
  void add_busy_wait(const vm::exec::Batch& batch);
  /// Adds `count` work-items of groups that have not begun; `first` is the first of them.
  void add_not_begun(const WorkItem& first, std::uint64_t count);

  /// Adds locations that other workers gathered.
  void add(std::span<const Waiting> places);

  /// All locations, ordered by their first work-items.
  std::vector<Waiting> places() &&;

 private:
  /// Key under which work-items are one location: kind, instruction, and for busy-waits allocation, address and value.
  using Key = std::tuple<Waiting::Where, const vm::Inst*, const memory::Allocation*, std::uint64_t,
                         std::uint64_t>;
  static Key key_of(const Waiting& place);

  void add_pending(const vm::exec::Batch& batch);
  void add(Waiting place);

  std::map<Key, Waiting> places_;
};

}  // namespace transpire::scheduler
