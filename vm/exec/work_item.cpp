#include "vm/exec/work_item.h"

#include <algorithm>

#include "vm/exec/lane_ids.h"

namespace transpire::vm::exec {

WorkItem work_item(const Batch& batch, std::uint32_t lane) {
  WorkItem item;
  for (std::uint32_t d = 0; d < 3; ++d) {
    item.local_id[d] = local_id(batch, d, lane);
    item.group_id[d] = group_id(batch, d, lane);
    item.global_id[d] = global_id(batch, d, lane);
  }
  item.group_linear = group_linear_id(batch, lane);
  item.local_linear = local_linear_id(batch, lane);
  return item;
}

WorkItem work_item_at(const LaunchIds& launch, std::uint64_t group_linear,
                      std::uint64_t local_linear) {
  WorkItem item;
  item.group_linear = group_linear;
  item.local_linear = local_linear;
  place_of(group_linear, launch.num_groups, item.group_id.data());
  std::uint64_t size[3];  // the last groups may have fewer work-items
  for (std::uint32_t d = 0; d < 3; ++d) {
    const std::uint64_t begin = item.group_id[d] * launch.enqueued_local_size[d];
    size[d] = std::min(launch.enqueued_local_size[d], launch.global_size[d] - begin);
  }
  place_of(local_linear, size, item.local_id.data());
  for (std::uint32_t d = 0; d < 3; ++d)
    item.global_id[d] = launch.global_offset[d] + item.group_id[d] * launch.enqueued_local_size[d] +
                        item.local_id[d];
  return item;
}

}  // namespace transpire::vm::exec
