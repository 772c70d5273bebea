// Flowing launches: batches take consecutive work-items across the borders of groups. The kernel's work-items must be
// independent, and the launch one row. Groups of 129 work-items then cost hardly more than groups of 128.
#include <algorithm>

#include "scheduler/worker.h"

namespace transpire::scheduler {

/// Writes the rows of group ids and local ids of the work-items from `first` on. Lanes past the end continue the
/// numbering.
void Worker::set_flowing_items(std::uint64_t first) {
  const std::uint32_t lanes = geometry_.lanes(), items = geometry_.full_items();
  std::uint32_t* groups = packed_rows_.data();
  std::uint32_t* locals = packed_rows_.data() + std::size_t{4} * lanes;
  auto group = static_cast<std::uint32_t>(first / items);
  auto local = static_cast<std::uint32_t>(first % items);
  fibers_[0].batch.group_id[0] = group;
  for (std::uint32_t lane = 0; lane < lanes; ++group, local = 0) {
    const std::uint32_t end = std::min(lanes, lane + items - local);
    for (; lane < end; ++lane, ++local) {
      groups[lane] = group;
      locals[lane] = local;
    }
  }
}

void Worker::set_flowing_unit(std::uint64_t unit) {
  const std::uint32_t lanes = geometry_.lanes();
  const std::uint64_t item = unit * lanes;
  Fiber& fiber = fibers_[0];
  fiber.batch.group_id[1] = fiber.batch.group_id[2] = 0;
  set_flowing_items(item);
  flowing_shape_.items =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(lanes, geometry_.work_items() - item));
  set_lanes(flowing_shape_.mask, flowing_shape_.items);
  groups_ = 1;
  batches_ = {&flowing_shape_, 1};
  fiber.prologue_shape = nullptr;  // the prologue depends on local ids, which are new
}

}  // namespace transpire::scheduler
