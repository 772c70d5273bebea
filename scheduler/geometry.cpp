// Group shapes and the local ids of their lanes.
#include "scheduler/geometry.h"

#include <algorithm>
#include <bit>

#include "base/checked.h"
#include "vm/exec/lane_ids.h"

namespace transpire::scheduler {
namespace {

/// Writes the local ids of the lanes from linear id `first` on. Lanes past the end of the group continue the
/// numbering, so that consecutive ids stay consecutive in the whole row.
void fill_local_ids(std::uint32_t* const rows[3], std::uint32_t lanes, std::uint64_t first,
                    const std::uint64_t size[3]) {
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    std::uint64_t place[3] = {first + lane, 0, 0};
    if (size[1] != 1 || size[2] != 1) vm::exec::place_of(first + lane, size, place);
    for (std::uint32_t d = 0; d < 3; ++d) rows[d][lane] = static_cast<std::uint32_t>(place[d]);
  }
}

std::uint64_t items_of(const std::uint64_t size[3]) { return size[0] * size[1] * size[2]; }

bool is_uniform(const vm::exec::LaunchIds& ids) {
  for (std::uint32_t d = 0; d < 3; ++d)
    if (ids.global_size[d] % ids.enqueued_local_size[d] != 0) return false;
  return true;
}

}  // namespace

void set_lanes(std::uint64_t mask[vm::exec::kMaxMaskWords], std::uint32_t items) {
  for (std::uint32_t word = 0; word < vm::exec::kMaxMaskWords; ++word) {
    const std::uint32_t first = word * 64;
    if (items >= first + 64)
      mask[word] = ~std::uint64_t{0};
    else
      mask[word] = items > first ? (std::uint64_t{1} << (items - first)) - 1 : 0;
  }
}

std::array<std::uint64_t, 3> count_groups(const std::uint64_t global_size[3],
                                          const std::uint64_t local_size[3]) {
  std::array<std::uint64_t, 3> count{};
  for (std::uint32_t d = 0; d < 3; ++d) count[d] = divide_up(global_size[d], local_size[d]);
  return count;
}

bool can_pack(const vm::exec::LaunchIds& ids, std::uint32_t lanes) {
  const std::uint64_t items = items_of(ids.enqueued_local_size);
  return items <= lanes / 2 && is_uniform(ids) && items_of(ids.num_groups) >= 2;
}

bool gains_by_flowing(const vm::exec::LaunchIds& ids, std::uint32_t lanes) {
  const std::uint64_t items = items_of(ids.enqueued_local_size), groups = items_of(ids.num_groups);
  if (groups < 2 || !is_one_row(ids) || !is_uniform(ids)) return false;
  const Checked batches = can_pack(ids, lanes) ? Checked(divide_up(groups, lanes / items))
                                               : Checked(groups) * divide_up(items, lanes);
  const std::uint64_t filled = divide_up(items_of(ids.global_size), lanes);
  return !batches.fits(filled) && batches.value() - filled >= filled / 8;
}

bool is_linear_x(const vm::exec::LaunchIds& ids, std::uint32_t lanes) {
  if (ids.enqueued_local_size[1] == 1 && ids.enqueued_local_size[2] == 1) return true;
  return ids.enqueued_local_size[0] % lanes == 0 && ids.global_size[0] % lanes == 0;
}

bool is_one_row(const vm::exec::LaunchIds& ids) {
  for (std::uint32_t d = 1; d < 3; ++d)
    if (ids.enqueued_local_size[d] != 1 || ids.num_groups[d] != 1) return false;
  return true;
}

GeometryPlan::GeometryPlan(const vm::exec::LaunchIds& ids, std::uint32_t lanes, Filling filling,
                           std::uint32_t batch_items, const ItemOrder& schedule)
    : ids_(ids),
      lanes_(lanes),
      batch_items_(batch_items == 0 ? lanes : batch_items),
      schedule_(schedule),
      filling_(filling),
      is_uniform_(is_uniform(ids)),
      group_count_(items_of(ids.num_groups)) {
  std::uint32_t smaller = 0;
  for (std::uint32_t d = 0; d < 3; ++d) {
    const bool has_small = ids.global_size[d] % ids.enqueued_local_size[d] != 0;
    small_group_[d] = has_small ? ids.num_groups[d] - 1 : ~std::uint64_t{0};
    smaller |= static_cast<std::uint32_t>(has_small) << d;
  }
  for (std::uint32_t number = 0; number < 8; ++number)
    if ((number & ~smaller) == 0) make_shape(number);
  if (packed()) make_packed_shapes();
  const std::uint32_t most = packed()    ? groups_per_unit_ * full_items()
                             : flowing() ? lanes_
                                         : std::min(batch_items_, full_items());
  private_lanes_ = static_cast<std::uint32_t>(
      std::bit_ceil(std::min<std::uint64_t>(most, std::max<std::uint64_t>(work_items(), 1))));
}

std::uint64_t GeometryPlan::work_items() const { return items_of(ids_.global_size); }

std::uint64_t GeometryPlan::charged_items(bool has_barriers) const {
  constexpr std::uint64_t kWidest = vm::exec::kMaxLanes;
  const std::uint64_t items = std::min<std::uint64_t>(full_items(), work_items());
  if (has_barriers && items > kWidest) return divide_up(items, kWidest) * kWidest;
  return std::bit_ceil(std::min(kWidest, work_items()));
}

void GeometryPlan::make_shape(std::uint32_t number) {
  auto shape = std::make_unique<GroupShape>();
  for (std::uint32_t d = 0; d < 3; ++d) {
    const std::uint64_t full = ids_.enqueued_local_size[d];
    shape->size[d] = (number >> d & 1) != 0 ? ids_.global_size[d] % full : full;
  }
  shape->items = static_cast<std::uint32_t>(items_of(shape->size));
  const std::uint32_t batches = (shape->items + batch_items_ - 1) / batch_items_;
  shape->rows = AlignedArray<std::uint32_t>(std::size_t{batches} * 3 * lanes_);
  shape->batches.resize(batches);
  for (std::uint32_t i = 0; i < batches; ++i) {
    BatchShape& batch = shape->batches[i];
    batch.first_local_linear = i * batch_items_;
    batch.items = std::min(batch_items_, shape->items - i * batch_items_);
    set_lanes(batch.mask, batch.items);
    std::uint32_t* rows[3];
    for (std::uint32_t d = 0; d < 3; ++d)
      batch.local_id[d] = rows[d] = shape->rows.data() + (std::size_t{i} * 3 + d) * lanes_;
    fill_local_ids(rows, lanes_, batch.first_local_linear, shape->size);
  }
  max_batches_ = std::max(max_batches_, batches);
  shapes_[number] = std::move(shape);
}

void GeometryPlan::make_packed_shapes() {
  GroupShape& shape = *shapes_[0];
  groups_per_unit_ =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(lanes_ / shape.items, group_count_));
  packed_slot_ = AlignedArray<std::uint32_t>(lanes_);
  // The rows of the shape's only batch have room for all lanes. Repeat the group's ids along them.
  std::uint32_t* rows = shape.rows.data();
  for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
    packed_slot_[lane] = std::min(lane / shape.items, groups_per_unit_ - 1);
    for (std::uint32_t d = 0; d < 3; ++d) {
      std::uint32_t* row = rows + std::size_t{d} * lanes_;
      row[lane] = row[lane % shape.items];
    }
  }
  packed_shapes_.assign(groups_per_unit_, shape.batches[0]);
  for (std::uint32_t groups = 1; groups <= groups_per_unit_; ++groups) {
    packed_shapes_[groups - 1].items = groups * shape.items;
    set_lanes(packed_shapes_[groups - 1].mask, groups * shape.items);
  }
}

void GeometryPlan::group_at(std::uint64_t linear, std::uint64_t group_id[3]) const {
  vm::exec::place_of(linear, ids_.num_groups, group_id);
}

}  // namespace transpire::scheduler
