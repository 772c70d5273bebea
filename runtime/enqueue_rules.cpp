#include "runtime/enqueue_rules.h"

#include <algorithm>

#include "base/checked.h"
#include "runtime/geometry.h"
#include "transpire/launch_rules.hpp"

namespace transpire::runtime {

using vm::exec::EnqueueError;
using vm::exec::NdRange;

Geometry geometry_of(const NdRange& range) {
  Geometry geometry;
  geometry.dimensions = range.dimensions;
  geometry.global_size = range.global;
  geometry.local_size = range.local;
  geometry.global_offset = range.offset;
  return geometry;
}

EnqueueError EnqueueRules::judge(std::uint32_t function, const NdRange& range,
                                 std::span<const std::uint64_t> local_sizes) const {
  const std::uint32_t kernel = module_.enqueued_kernel(function);
  Geometry geometry = geometry_of(range);
  // A command without work-items may be enqueued, and does nothing: what else is wrong with it is.
  for (std::uint32_t d = 0; d < 3; ++d)
    if (geometry.global_size[d] == 0)
      geometry.global_size[d] = std::max<std::uint64_t>(geometry.local_size[d], 1);
  if (!resolve_geometry(geometry, module_, kernel, settings_)) return EnqueueError::kInvalidNdRange;
  Checked bytes;
  for (const std::uint64_t size : local_sizes) bytes += size;
  const auto refused = refusal_of(module_.kernel_info(kernel), bytes.value());
  return refused && !(refused->may_run && settings_.lenient) ? EnqueueError::kOutOfResources
                                                             : EnqueueError::kNone;
}

std::uint32_t EnqueueRules::count_subgroups(std::uint32_t function, const NdRange& range) const {
  const std::uint32_t kernel = module_.enqueued_kernel(function);
  const Result<vm::exec::LaunchIds> ids =
      resolve_geometry(geometry_of(range), module_, kernel, settings_);
  if (!ids) return 0;
  const std::uint64_t size = subgroup_items(module_.kernel_info(kernel), settings_);
  std::uint64_t items = 1;
  for (const std::uint64_t extent : ids->enqueued_local_size) items *= extent;
  return static_cast<std::uint32_t>((items + size - 1) / size);
}

}  // namespace transpire::runtime
