// GeometryPlan: the layout of a launch's work-items in batches. It has the shapes of the launch's work-groups, and for each batch
// of a shape the lanes that exist and their local ids. All workers share one plan.
//
// Groups at the far end of a dimension may be smaller (non-uniform groups), so there are up to
// eight shapes: bit d of a shape's number says that the group is the last one, and smaller, in
// dimension d.
//
//   not packed: a unit of work is one group;  its n items fill ceil(n / lanes) batches
//   packed:     a unit of work is `groups_per_unit` consecutive groups that share one batch
//   flowing:    a unit of work is a batch of consecutive work-items, wherever groups begin and end;
//               only for launches of one row, of kernels whose work-items do not need each other
//
// A plan never changes. It knows nothing of programs or memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/aligned.h"
#include "scheduler/schedule.h"
#include "vm/exec/engine.h"

namespace transpire::scheduler {

/// a / b, rounded up, without overflow for any a and any b but 0.
constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

/// How batches are filled with work-items.
enum class Filling : std::uint8_t { kByGroup, kPacked, kFlowing };

/// Sets the `items` lowest lanes of a mask.
void set_lanes(std::uint64_t mask[vm::exec::kMaxMaskWords], std::uint32_t items);

/// One batch of a group: the lanes that exist, and their places in the group. It fills one cache line.
struct alignas(64) BatchShape {
  std::uint64_t mask[vm::exec::kMaxMaskWords] = {};
  const std::uint32_t* local_id[3] = {};  ///< rows; lanes past the end continue the numbering
  std::uint32_t first_local_linear = 0;
  std::uint32_t items = 0;  ///< lanes in `mask`
};

/// A work-group of a certain size.
struct GroupShape {
  std::uint64_t size[3] = {1, 1, 1};
  std::uint32_t items = 1;
  std::vector<BatchShape> batches;
  AlignedArray<std::uint32_t> rows;  ///< the rows of all BatchShape::local_id
};

class GeometryPlan {
 public:
  /// `ids.num_groups` must be the result of count_groups(). kPacked requires can_pack(), kFlowing
  /// requires is_one_row() and full groups, and a schedule other than lockstep requires kByGroup.
  /// `batch_items`: work-items of a batch, if fewer than its lanes; 0: as many as it has lanes.
  GeometryPlan(const vm::exec::LaunchIds& ids, std::uint32_t lanes, Filling filling,
               std::uint32_t batch_items = 0, const ItemOrder& schedule = {});

  const vm::exec::LaunchIds& ids() const { return ids_; }
  std::uint32_t lanes() const { return lanes_; }
  /// Work-items of a full batch.
  std::uint32_t batch_items() const { return batch_items_; }
  const ItemOrder& schedule() const { return schedule_; }
  bool packed() const { return filling_ == Filling::kPacked; }
  bool flowing() const { return filling_ == Filling::kFlowing; }
  std::uint64_t group_count() const { return group_count_; }
  /// Groups that share a batch; 1 when not packed.
  std::uint32_t groups_per_unit() const { return groups_per_unit_; }
  std::uint64_t unit_count() const {
    return flowing() ? divide_up(work_items(), lanes_) : divide_up(group_count_, groups_per_unit_);
  }
  /// Number of groups in a unit. The last unit may have fewer than the others.
  std::uint32_t groups_of_unit(std::uint64_t unit) const {
    const std::uint64_t left = group_count_ - unit * groups_per_unit_;
    return static_cast<std::uint32_t>(left < groups_per_unit_ ? left : groups_per_unit_);
  }
  std::uint64_t work_items() const;
  /// The most lanes of any batch that are work-items, rounded up to a power of two.
  std::uint32_t private_lanes() const { return private_lanes_; }
  /// Number of work-items whose private memory one worker is charged for. The number is the same for all instruction sets, and at
  /// least the number of work-items that have private memory at once.
  std::uint64_t charged_items(bool has_barriers) const;
  /// Batches of the largest group.
  std::uint32_t max_batches() const { return max_batches_; }

  /// The shape of a group. Packed plans have packed_shape() instead.
  const GroupShape& shape(const std::uint64_t group_id[3]) const {
    if (is_uniform_) return *shapes_[0];
    std::uint32_t number = 0;
    for (std::uint32_t d = 0; d < 3; ++d)
      number |= static_cast<std::uint32_t>(group_id[d] == small_group_[d]) << d;
    return *shapes_[number];
  }
  /// One batch of `groups` whole groups, lane after lane; 1 <= groups <= groups_per_unit().
  const BatchShape& packed_shape(std::uint32_t groups) const { return packed_shapes_[groups - 1]; }
  /// For each lane of a packed batch the number of its group within the batch.
  const std::uint32_t* packed_slot() const { return packed_slot_.data(); }
  /// Work-items of a full group.
  std::uint32_t full_items() const { return shapes_[0]->items; }

  /// Coordinates of a group from its linear index.
  void group_at(std::uint64_t linear, std::uint64_t group_id[3]) const;

 private:
  void make_shape(std::uint32_t number);
  void make_packed_shapes();

  vm::exec::LaunchIds ids_;
  std::uint32_t lanes_;
  std::uint32_t batch_items_;
  ItemOrder schedule_;
  Filling filling_;
  bool is_uniform_;
  std::uint32_t groups_per_unit_ = 1;
  std::uint64_t group_count_ = 1;
  std::uint32_t max_batches_ = 1;
  std::uint32_t private_lanes_ = 1;
  /// For each dimension the coordinate of the smaller last group; all ones if every group is full.
  std::array<std::uint64_t, 3> small_group_{};
  std::array<std::unique_ptr<GroupShape>, 8> shapes_;
  std::vector<BatchShape> packed_shapes_;
  AlignedArray<std::uint32_t> packed_slot_;
};

/// Number of groups that cover the global size, in each dimension.
std::array<std::uint64_t, 3> count_groups(const std::uint64_t global_size[3],
                                          const std::uint64_t local_size[3]);

/// True if several groups can share a batch: all groups are full, two fit into a batch, and two exist.
bool can_pack(const vm::exec::LaunchIds& ids, std::uint32_t lanes);

/// True if the launch is one row of full groups, and batches that end with their groups would be at least an
/// eighth more than its work-items fill.
bool gains_by_flowing(const vm::exec::LaunchIds& ids, std::uint32_t lanes);

/// True if in every batch that is not packed the lanes have consecutive LocalId[0] and equal other local ids,
/// see vm::LowerOptions::linear_x.
bool is_linear_x(const vm::exec::LaunchIds& ids, std::uint32_t lanes);

/// True if the launch is one row of groups, and each group one row of work-items. Packed batches require this
/// for vm::LowerOptions::linear_x.
bool is_one_row(const vm::exec::LaunchIds& ids);

}  // namespace transpire::scheduler
