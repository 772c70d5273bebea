#include "runtime/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "scheduler/geometry.h"
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

std::string spell(const Size& size, std::uint32_t dimensions) {
  std::string text = fmt::format("({}", size[0]);
  for (std::uint32_t d = 1; d < dimensions; ++d) text += fmt::format(",{}", size[d]);
  return text + ")";
}

Diagnostic invalid(std::string message, std::string help = {}) {
  Diagnostic error = make_diagnostic(Rule::kC0004, std::move(message));
  error.help = std::move(help);
  return error;
}

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

Status check_global(const Geometry& geometry, const Size& global, std::uint32_t pointer_bits) {
  std::uint64_t items = 1;
  for (std::uint32_t d = 0; d < geometry.dimensions; ++d) {
    if (global[d] == 0) return invalid(fmt::format("the global size is zero in dimension {}", d));
    std::uint64_t end = 0;
    if (__builtin_add_overflow(global[d], geometry.global_offset[d], &end) ||
        (pointer_bits == 32 && end > std::uint64_t{1} << 32))
      return invalid(fmt::format("global ids of dimension {} exceed {} bits: offset {}, size {}", d,
                                 pointer_bits, geometry.global_offset[d], global[d]));
    if (__builtin_mul_overflow(items, global[d], &items))
      return invalid(fmt::format("the global size {} has more than 2^64 work-items",
                                 spell(global, geometry.dimensions)));
  }
  return Unit{};
}

Status check_local(const Size& local, std::uint32_t dimensions, const KernelInfo& kernel) {
  std::uint64_t items = 1;
  for (std::uint32_t d = 0; d < dimensions; ++d) {
    if (local[d] == 0)
      return invalid(fmt::format("the work-group size {} is zero in dimension {}",
                                 spell(local, dimensions), d),
                     "leave all of it zero to have it chosen");
    if (__builtin_mul_overflow(items, local[d], &items) || items > kMaxGroupItems)
      return invalid(fmt::format("expected a work-group of at most {} work-items, found {}",
                                 kMaxGroupItems, spell(local, dimensions)),
                     "make the work-groups smaller, or leave their size out to have it chosen");
  }
  if (!kernel.required_local_size) return Unit{};
  const Size& required = *kernel.required_local_size;
  if (local != required)
    return invalid(fmt::format("kernel '{}' requires the work-group size {}, found {}", kernel.name,
                               spell(required, 3), spell(local, dimensions)));
  for (std::uint32_t d = 0; d < 3; ++d)
    if (required[d] == 0 || (d >= dimensions && required[d] != 1))
      return invalid(
          fmt::format("kernel '{}' requires the work-group size {}, found {} dimension{}",
                      kernel.name, spell(required, 3), dimensions, dimensions == 1 ? "" : "s"));
  // The last group of a dimension may be smaller all the same: only a program that was compiled with
  // -cl-uniform-work-group-size excludes that, which its module does not tell.
  return Unit{};
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
  if (size == 0 || size == 8 || size == 16 || size == 32 || size == 64) return Unit{};
  return invalid(fmt::format("expected sub-groups of 8, 16, 32 or 64 work-items, found {}", size));
}

Status check_subgroups(const vm::exec::LaunchIds& ids, const KernelInfo& kernel,
                       std::uint32_t subgroup_size) {
  if (!kernel.subgroups_per_workgroup) return Unit{};
  const std::uint64_t* local = ids.enqueued_local_size;
  const std::uint64_t items = local[0] * local[1] * local[2];
  const std::uint64_t found = (items + subgroup_size - 1) / subgroup_size;
  if (found == *kernel.subgroups_per_workgroup) return Unit{};
  return invalid(
      fmt::format("kernel '{}' requires work-groups of {} sub-groups of {} work-items, found {}",
                  kernel.name, *kernel.subgroups_per_workgroup, subgroup_size, found),
      fmt::format("a work-group of {} work-items has so many",
                  std::uint64_t{*kernel.subgroups_per_workgroup} * subgroup_size));
}

bool ids_fit_31_bits(const vm::exec::LaunchIds& ids) {
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 31;
  for (std::uint32_t d = 0; d < 3; ++d)
    if (ids.global_size[d] >= kLimit || ids.global_offset[d] >= kLimit ||
        ids.global_size[d] + ids.global_offset[d] > kLimit)
      return false;
  return true;
}

Result<vm::exec::LaunchIds> resolve_geometry(const Geometry& geometry, const ModuleState& module,
                                             std::uint32_t number) {
  const KernelInfo& kernel = module.info.kernels[number];
  const std::uint32_t dimensions = geometry.dimensions;
  if (dimensions < 1 || dimensions > 3)
    return invalid(fmt::format("expected 1 to 3 dimensions, found {}", dimensions));
  const Size global = used(geometry.global_size, dimensions, 1);
  if (const Status global_ok = check_global(geometry, global, module.info.pointer_bits); !global_ok)
    return global_ok.errors();
  Size local = used(geometry.local_size, dimensions, 1);
  const Size given = used(geometry.local_size, dimensions, 0);
  if (given == Size{0, 0, 0}) {
    local = kernel.required_local_size
                ? *kernel.required_local_size
                : choose_local_size(global, module.uses[number].group_is_invisible());
  }
  if (const Status local_ok = check_local(local, dimensions, kernel); !local_ok)
    return local_ok.errors();
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
  TRANSPIRE_TRY(const vm::exec::LaunchIds ids, runtime::resolve_geometry(geometry, *state, index));
  std::array<std::uint64_t, 3> size;
  std::copy_n(ids.enqueued_local_size, 3, size.begin());
  return size;
}

}  // namespace transpire
