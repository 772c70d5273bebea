// A batch of a small kernel runs in some ten nanoseconds, so only what differs between units is written for each.
//
// Flowing launches: batches take consecutive work-items across the borders of groups. The kernel's work-items must be independent,
// and the launch one row. Groups of 129 work-items then cost hardly more than groups of 128.
#include "scheduler/unit_groups.h"

#include <algorithm>

namespace transpire::scheduler {
namespace {

/// to[i] = from[i] + value. Blocks of a fixed length, which g++ 12 vectorises at -O2 as well.
void add_to_row(const std::uint32_t* __restrict from, std::uint32_t value,
                std::uint32_t* __restrict to, std::uint32_t lanes) {
  for (std::uint32_t left = lanes; left != 0; left -= 64, from += 64, to += 64)
    for (std::size_t i = 0; i < 64; ++i) to[i] = from[i] + value;
}

}  // namespace

UnitGroups::UnitGroups(const GeometryPlan& plan, std::uint64_t workgroup_bytes)
    : plan_(plan), cursor_(plan), size_(plan.ids().enqueued_local_size) {
  const std::uint32_t lanes = plan.lanes();
  if (!plan.packed() && !plan.flowing()) return;
  rows_ = AlignedArray<std::uint32_t>(std::size_t{plan.packed() ? 4u : 6u} * lanes);
  rows_.zero();
  for (std::uint32_t lane = 0; plan.packed() && lane < lanes; ++lane)
    rows_[3 * lanes + lane] =
        static_cast<std::uint32_t>(plan.packed_slot()[lane] * workgroup_bytes);
  for (std::uint32_t d = 0; plan.flowing() && d < 3; ++d)
    flowing_shape_.local_id[d] = rows_.data() + (d == 0 ? 4 : 5) * lanes;
}

void UnitGroups::attach(vm::exec::Batch& batch) const {
  if (plan_.packed()) batch.group_items = plan_.full_items();
  if (!plan_.packed() && !plan_.flowing()) return;
  for (std::uint32_t d = 0; d < 3; ++d) batch.packed_group_id[d] = rows_.data() + d * plan_.lanes();
  batch.packed_workgroup_base = rows_.data() + 3 * plan_.lanes();
}

template <>
void UnitGroups::go_to<Filling::kPacked>(std::uint64_t unit) {
  groups_ = plan_.groups_of_unit(unit);
  if (!cursor_.go_to(unit * plan_.groups_per_unit())) line_is_set_ = false;
  copy_fixed<3>(cursor_.id(), first_);
  fill_packed_rows();
  batches_ = {&plan_.packed_shape(groups_), 1};
}

template <>
void UnitGroups::go_to<Filling::kFlowing>(std::uint64_t unit) {
  const std::uint32_t lanes = plan_.lanes();
  const std::uint64_t item = unit * lanes;
  fill_flowing_rows(item);
  flowing_shape_.items =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(lanes, plan_.work_items() - item));
  set_lanes(flowing_shape_.mask, flowing_shape_.items);
  batches_ = {&flowing_shape_, 1};
}

/// Writes the rows of group ids of a packed batch, whose first group is at the cursor; moves the cursor behind its groups.
void UnitGroups::fill_packed_rows() {
  const std::uint32_t lanes = plan_.lanes();
  const std::uint64_t* id = cursor_.id();
  std::uint32_t* rows = rows_.data();
  if (cursor_.line_holds(groups_)) {
    add_to_row(plan_.packed_slot(), static_cast<std::uint32_t>(id[0]), rows, lanes);
    for (std::uint32_t d = 1; d < 3 && !line_is_set_; ++d)
      std::fill_n(rows + d * lanes, lanes, static_cast<std::uint32_t>(id[d]));
    line_is_set_ = true;
    cursor_.step_in_line(groups_);
    return;
  }
  const std::uint32_t items = plan_.full_items();
  for (std::uint32_t group = 0; group < groups_; ++group, cursor_.step())
    for (std::uint32_t d = 0; d < 3; ++d)
      std::fill_n(rows + d * lanes + group * items, items, static_cast<std::uint32_t>(id[d]));
  line_is_set_ = false;
}

/// Writes the rows of group ids and local ids of the work-items from `first` on. Lanes past the end continue the numbering.
void UnitGroups::fill_flowing_rows(std::uint64_t first) {
  const std::size_t lanes = plan_.lanes(), items = plan_.full_items();
  auto group = static_cast<std::uint32_t>(first / items);
  auto local = static_cast<std::uint32_t>(first % items);
  first_[0] = group;
  std::uint32_t* at = rows_.data();
  for (std::uint32_t* const end = at + lanes; at < end; ++group, local = 0) {
    std::uint32_t* const group_end =
        at + std::min(static_cast<std::size_t>(end - at), items - local);
    for (; at < group_end; ++at, ++local) {
      at[0] = group;
      at[4 * lanes] = local;
    }
  }
}

}  // namespace transpire::scheduler
