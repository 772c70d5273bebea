// UnitGroups: which groups the present unit of work has, and the shapes of its batches. It owns the rows of ids of batches that several
// groups share, and knows nothing of programs, registers or results.
#pragma once

#include <cstdint>
#include <span>

#include "scheduler/group_cursor.h"
#include "vm/exec/engine.h"

namespace transpire::scheduler {

class UnitGroups {
 public:
  /// `workgroup_bytes`: local memory of a group. The plan must outlive this object.
  UnitGroups(const GeometryPlan& plan, std::uint64_t workgroup_bytes);
  UnitGroups(const UnitGroups&) = delete;
  UnitGroups& operator=(const UnitGroups&) = delete;

  /// Goes to a unit. `filling` must be the plan's.
  template <Filling filling>
  void go_to(std::uint64_t unit);

  /// Linear number of the unit's group. Only for units of one group.
  std::uint64_t group() const { return group_; }
  /// Number of the unit's groups; 1 in flowing launches.
  std::uint32_t groups() const { return groups_; }
  /// Shapes of the unit's batches.
  std::span<const BatchShape> batches() const { return batches_; }
  /// Coordinates of the unit's first group.
  const std::uint64_t* id() const { return id_; }

  /// Gives a batch the rows that it reads its ids from, once.
  void attach(vm::exec::Batch& batch) const;
  /// Gives a batch the ids and the size of the unit's first group.
  void enter(vm::exec::Batch& batch) const {
    copy_fixed<3>(id_, batch.group_id);
    copy_fixed<3>(size_, batch.local_size);
  }

 private:
  void fill_packed_rows();
  void fill_flowing_rows(std::uint64_t first);

  const GeometryPlan& plan_;
  GroupCursor cursor_;  ///< at the unit's group, or behind its groups; unused by flowing plans
  std::uint64_t first_[3] = {};  ///< coordinates of the first group, if there may be several
  const std::uint64_t* id_ = first_;
  const std::uint64_t* size_;
  std::uint64_t group_ = 0;
  std::uint32_t groups_ = 1;
  std::span<const BatchShape> batches_;
  /// Packed and flowing plans: group ids in x, y, z, then offsets of local memory. Flowing plans also have local ids in x, and zeros.
  AlignedArray<std::uint32_t> rows_;
  bool line_is_set_ = false;  ///< y and z of rows_ hold the cursor's line
  BatchShape flowing_shape_;
};

// Inline: some launches have groups of a few hundred host instructions.
template <>
inline void UnitGroups::go_to<Filling::kByGroup>(std::uint64_t unit) {
  const ItemOrder& order = plan_.schedule();
  group_ = order.is_lockstep() ? unit : order.group_at(unit, plan_.group_count());
  cursor_.go_to(group_);
  id_ = cursor_.id();
  const GroupShape& shape = plan_.shape(id_);
  size_ = shape.size;
  batches_ = shape.batches;
}
template <>
void UnitGroups::go_to<Filling::kPacked>(std::uint64_t unit);
template <>
void UnitGroups::go_to<Filling::kFlowing>(std::uint64_t unit);

}  // namespace transpire::scheduler
