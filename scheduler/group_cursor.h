// GroupCursor: walks over the groups of a launch. A step to the next group needs no division, unlike GeometryPlan::group_at().
#pragma once

#include <cstdint>

#include "scheduler/geometry.h"

namespace transpire::scheduler {

class GroupCursor {
 public:
  /// The cursor stands nowhere at first. The plan must outlive it.
  explicit GroupCursor(const GeometryPlan& plan) : plan_(plan) {}

  /// Goes to the group of a linear number. False if it stands neither there nor at the group before.
  bool go_to(std::uint64_t group) {
    if (group == at_) return true;
    if (group == at_ + 1) {
      step();
      return true;
    }
    plan_.group_at(at_ = group, id_);
    return false;
  }
  /// Goes to the next group, x fastest.
  void step() {
    const std::uint64_t* count = plan_.ids().num_groups;
    ++at_;
    if (++id_[0] < count[0]) return;
    id_[0] = 0;
    if (++id_[1] < count[1]) return;
    id_[1] = 0;
    ++id_[2];
  }
  /// Goes `groups` further in the present line, which must not end before.
  void step_in_line(std::uint32_t groups) {
    at_ += groups;
    id_[0] += groups;
  }
  /// True if the line goes on behind the next `groups` groups.
  bool line_holds(std::uint32_t groups) const {
    return id_[0] + groups < plan_.ids().num_groups[0];
  }
  /// The present group's coordinates.
  const std::uint64_t* id() const { return id_; }

 private:
  const GeometryPlan& plan_;
  std::uint64_t at_ = ~std::uint64_t{1};  ///< at first no group, and none before one
  std::uint64_t id_[3] = {};
};

}  // namespace transpire::scheduler
