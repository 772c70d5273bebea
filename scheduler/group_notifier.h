// GroupNotifier: tells an observer which group runs. All units of a thread share one, since they may run by turns.
#pragma once

#include <utility>

#include "scheduler/unit_groups.h"
#include "vm/observe/observer.h"

namespace transpire::scheduler {

class GroupNotifier {
 public:
  /// Begins a launch. `observer`: of an observed program; else null, and nothing is reported.
  void begin(vm::Observer* observer) {
    observer_ = observer;
    last_ = nullptr;
  }
  /// The group of a unit begins.
  void begins(const UnitGroups& unit) {
    if (observer_ == nullptr) return;
    last_ = &unit;
    observer_->group_begins(unit.id());
  }
  /// The next events belong to the group of a unit. Reports that if another group ran in between.
  void resumes(const UnitGroups& unit) {
    if (observer_ != nullptr && std::exchange(last_, &unit) != &unit)
      observer_->group_goes_on(unit.id());
  }
  /// The group of a unit has ended.
  void ends(const UnitGroups& unit) {
    if (observer_ == nullptr) return;
    resumes(unit);
    observer_->group_ends(unit.id());
  }
  /// A batch waits at a barrier.
  void waits(const vm::exec::Batch& batch) {
    if (observer_ != nullptr) observer_->waits(batch, *batch.barrier);
  }
  /// All work-items have reached the barrier at which `first`, one of their batches, waits.
  void meets(const vm::exec::Batch& first) {
    if (observer_ != nullptr) observer_->meets(first, *first.barrier);
  }

 private:
  vm::Observer* observer_ = nullptr;
  const UnitGroups* last_ = nullptr;  ///< the unit whose group was reported last
};

}  // namespace transpire::scheduler
