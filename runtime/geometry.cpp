#include "runtime/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "runtime/clspv_regions.h"
#include "scheduler/geometry.h"
#include "transpire/launch_rules.hpp"
#include "transpire/local_size.hpp"

namespace transpire::runtime {
namespace {

using Size = std::array<std::uint64_t, 3>;

constexpr std::uint64_t kGoodGroupItems = 256;
/// The narrowest batch. The choice must not depend on the instruction set, as kernels can see it;
/// batches of 128 lanes are served by trying twice as much first.
constexpr std::uint64_t kRowItems = 64;
/// Smaller groups than this cost more than the uneven last group that avoids them.
constexpr std::uint64_t kTinyGroupItems = 32;

/// The largest divisor of `n` that is at most `limit` and a multiple of `unit`; 0 when there is
/// none.
std::uint64_t largest_divisor(std::uint64_t n, std::uint64_t limit, std::uint64_t unit) {
  for (std::uint64_t d = std::min(n, limit) / unit * unit; d > 0; d -= unit)
    if (n % d == 0) return d;
  return 0;
}

/// Unused dimensions are one work-item, whatever the caller left in them.
Size used(const Size& size, std::uint32_t dimensions, std::uint64_t unused) {
  Size result = size;
  for (std::uint32_t d = dimensions; d < 3; ++d) result[d] = unused;
  return result;
}

Diagnostic refuse_chosen(const KernelInfo& kernel, std::uint64_t items) {
  return make_diagnostic(
      Rule::kC0004,
      fmt::format("kernel '{}' requires work-groups of {} sub-groups, which have {} work-items: "
                  "expected at most {}",
                  kernel.name, *kernel.subgroups_per_workgroup, items, kMaxGroupItems));
}

}  // namespace

Size choose_local_size(const Size& global, bool may_be_uneven) {
  Size local{1, 1, 1};
  for (std::uint64_t unit : {2 * kRowItems, kRowItems, std::uint64_t{1}})
    if (local[0] <= 1) local[0] = largest_divisor(global[0], kGoodGroupItems, unit);
  // A row that fills more than half of its last batch is not mixed with others: consecutive lanes
  // then have consecutive ids, which is worth more than the idle lanes.
  const std::uint64_t rest = local[0] % kRowItems;
  if (rest <= kRowItems / 2) {
    local[1] = largest_divisor(global[1], kGoodGroupItems / local[0], 1);
    local[2] = largest_divisor(global[2], kGoodGroupItems / (local[0] * local[1]), 1);
  }
  if (local[0] * local[1] * local[2] >= kTinyGroupItems) return local;
  // No overflow: the caller has checked the product.
  if (global[0] * global[1] * global[2] <= kGoodGroupItems) return global;
  if (may_be_uneven && global[0] > kTinyGroupItems)
    return {std::min(kGoodGroupItems, global[0]), 1, 1};
  return local;
}

Status check_subgroup_size(std::uint32_t size) {
  if (size == 0 || std::ranges::find(kSubgroupSizes, size) != kSubgroupSizes.end()) return Unit{};
  return make_diagnostic(
      Rule::kC0004,
      fmt::format("expected sub-groups of 8, 16, 32 or 64 work-items, found {}", size));
}

std::uint32_t items_of_subgroup(const ModuleState& module, std::uint32_t number,
                                const LaunchSettings& settings) {
  LaunchSettings fixed = settings;
  if (module.uses[number].has_matrices) fixed.schedule = Schedule::kLockstep;
  return subgroup_items(module.kernel_info(number), fixed);
}

Status check_whole_subgroups(const vm::exec::LaunchIds& ids, const ModuleState& module,
                             std::uint32_t number, const LaunchSettings& settings) {
  if (!module.uses[number].has_matrices) return Unit{};
  const std::uint32_t items = items_of_subgroup(module, number, settings);
  for (const Region& region : regions_of(ids)) {
    const auto [x, y, z] = region.group_size;
    if (x * y * z % items == 0) continue;
    return make_diagnostic(
        Rule::kU0001,
        fmt::format("cooperative matrices in work-groups of {} x {} x {} are not supported: they "
                    "need whole sub-groups of {} work-items, or of another 'subgroup-size'",
                    x, y, z, items));
  }
  return Unit{};
}

std::uint32_t id_bits(const vm::exec::LaunchIds& ids) {
  std::uint32_t bits = 24;
  for (std::uint32_t d = 0; d < 3; ++d) {
    const auto fits = [&] {
      const std::uint64_t limit = std::uint64_t{1} << bits;
      return ids.global_size[d] < limit && ids.global_offset[d] < limit &&
             ids.global_size[d] + ids.global_offset[d] <= limit;
    };
    while (bits < 64 && !fits()) bits = bits == 24 ? 28 : bits == 28 ? 31 : 64;
  }
  return bits;
}

Result<vm::exec::LaunchIds> resolve_geometry(const Geometry& geometry, const ModuleState& module,
                                             std::uint32_t number, const LaunchSettings& settings) {
  const KernelInfo& kernel = module.kernel_info(number);
  const std::uint32_t in_subgroup = items_of_subgroup(module, number, settings);
  auto refusal = refusal_of(module.info, kernel, geometry, in_subgroup);
  if (refusal && !(refusal->may_run && settings.lenient)) return std::move(refusal->diagnostic);
  const std::uint32_t dimensions = geometry.dimensions;
  const Size global = used(geometry.global_size, dimensions, 1);
  Size local = used(geometry.local_size, dimensions, 1);
  const Size given = used(geometry.local_size, dimensions, 0);
  if (given == Size{0, 0, 0}) {
    if (kernel.required_local_size)
      local = *kernel.required_local_size;
    else if (kernel.subgroups_per_workgroup)
      local = {std::uint64_t{*kernel.subgroups_per_workgroup} * in_subgroup, 1, 1};
    else
      local = choose_local_size(global, module.uses[number].group_is_invisible() &&
                                            !(module.clspv && module.info.uniform_groups));
    // A number of sub-groups may make more than a work-group holds.
    if (local[0] > kMaxGroupItems) return refuse_chosen(kernel, local[0]);
  }
  vm::exec::LaunchIds ids;
  ids.work_dim = dimensions;
  const Size offset = used(geometry.global_offset, dimensions, 0);
  std::copy_n(global.begin(), 3, ids.global_size);
  std::copy_n(offset.begin(), 3, ids.global_offset);
  std::copy_n(local.begin(), 3, ids.enqueued_local_size);
  std::copy_n(scheduler::count_groups(ids.global_size, ids.enqueued_local_size).begin(), 3,
              ids.num_groups);
  return ids;
}

}  // namespace transpire::runtime

namespace transpire {

Result<std::array<std::uint64_t, 3>> resolve_local_size(const Module& module,
                                                        std::string_view kernel,
                                                        const Geometry& geometry) {
  const std::shared_ptr<runtime::ModuleState>& state = module.state();
  if (state == nullptr) return make_diagnostic(Rule::kC0002, "the launch names no module");
  TRANSPIRE_TRY(const std::uint32_t index, state->find_kernel(std::string(kernel)));
  TRANSPIRE_TRY(const vm::exec::LaunchIds ids,
                runtime::resolve_geometry(geometry, *state, index, LaunchSettings{}));
  std::array<std::uint64_t, 3> size;
  std::copy_n(ids.enqueued_local_size, 3, size.begin());
  return size;
}

}  // namespace transpire
