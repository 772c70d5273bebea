#include "vm/exec/work_item.h"

namespace transpire::vm::exec {
namespace {

std::uint64_t group_id(const Batch& batch, std::uint32_t lane, std::uint32_t d) {
  return batch.packed_group_id[d] != nullptr ? batch.packed_group_id[d][lane] : batch.group_id[d];
}

}  // namespace

std::uint64_t group_number(const Batch& batch, std::uint32_t lane) {
  const std::uint64_t* num_groups = batch.launch->num_groups;
  return (group_id(batch, lane, 2) * num_groups[1] + group_id(batch, lane, 1)) * num_groups[0] +
         group_id(batch, lane, 0);
}

std::uint64_t item_number(const Batch& batch, std::uint32_t lane) {
  const LaunchIds& launch = *batch.launch;
  std::uint64_t number = 0;
  for (std::uint32_t d = 3; d-- > 0;)
    number = number * launch.global_size[d] +
             group_id(batch, lane, d) * launch.enqueued_local_size[d] + batch.local_id[d][lane];
  return number;
}

WorkItem work_item(const Batch& batch, std::uint32_t lane) {
  const LaunchIds& launch = *batch.launch;
  WorkItem item;
  for (std::uint32_t d = 0; d < 3; ++d) {
    item.local_id[d] = batch.local_id[d][lane];
    item.group_id[d] = group_id(batch, lane, d);
    item.global_id[d] = item.group_id[d] * launch.enqueued_local_size[d] + item.local_id[d] +
                        launch.global_offset[d];
  }
  item.group_linear = group_number(batch, lane);
  item.local_linear =
      (item.local_id[2] * batch.local_size[1] + item.local_id[1]) * batch.local_size[0] +
      item.local_id[0];
  return item;
}

}  // namespace transpire::vm::exec
