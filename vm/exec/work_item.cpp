#include "vm/exec/work_item.h"

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

}  // namespace transpire::vm::exec
