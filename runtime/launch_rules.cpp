// Judges launches that a device refuses: see transpire/launch_rules.hpp.
#include "transpire/launch_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/result.h"
#include "scheduler/schedule.h"

namespace transpire {
namespace {

using Size = std::array<std::uint64_t, 3>;
using Kind = LaunchRefusal::Kind;
using Refused = std::optional<LaunchRefusal>;

constexpr const char* kLeniently = "'lenient' runs it all the same, with a warning";

std::string spell(const Size& size, std::uint32_t dimensions) {
  return fmt::format("({})", fmt::join(size.begin(), size.begin() + dimensions, ","));
}

LaunchRefusal invalid(Kind kind, std::string message, std::string help = {}) {
  LaunchRefusal refusal{kind, false, make_diagnostic(Rule::kC0004, std::move(message))};
  refusal.diagnostic.help = std::move(help);
  return refusal;
}

LaunchRefusal beyond_device(Kind kind, std::string message, const std::string& help) {
  LaunchRefusal refusal{kind, true, make_diagnostic(Rule::kC0005, std::move(message))};
  refusal.diagnostic.help = fmt::format("{}; {}", help, kLeniently);
  return refusal;
}

Refused judge_global(const Geometry& geometry, std::uint32_t pointer_bits) {
  std::uint64_t items = 1;
  for (std::uint32_t d = 0; d < geometry.dimensions; ++d) {
    const std::uint64_t size = geometry.global_size[d];
    const std::uint64_t offset = geometry.global_offset[d];
    if (size == 0)
      return invalid(Kind::kGlobalSize, fmt::format("the global size is zero in dimension {}", d));
    std::uint64_t end = 0;
    if (__builtin_add_overflow(size, offset, &end) ||
        (pointer_bits == 32 && end > std::uint64_t{1} << 32))
      return invalid(Kind::kGlobalOffset,
                     fmt::format("global ids of dimension {} exceed {} bits: offset {}, size {}", d,
                                 pointer_bits, offset, size));
    if (__builtin_mul_overflow(items, size, &items))
      return invalid(Kind::kGlobalSize,
                     fmt::format("the global size {} has more than 2^64 work-items",
                                 spell(geometry.global_size, geometry.dimensions)));
  }
  return std::nullopt;
}

/// Each dimension, then all together.
Refused judge_extent(const Size& local, std::uint32_t dimensions) {
  const auto too_large = [&](Kind kind) {
    return invalid(kind,
                   fmt::format("expected a work-group of at most {} work-items, found {}",
                               kMaxGroupItems, spell(local, dimensions)),
                   "make the work-groups smaller, or leave their size out to have it chosen");
  };
  std::uint64_t items = 1;
  for (std::uint32_t d = 0; d < dimensions; ++d) {
    if (local[d] == 0)
      return invalid(Kind::kGroupSize,
                     fmt::format("the work-group size {} is zero in dimension {}",
                                 spell(local, dimensions), d),
                     "leave all of it zero to have it chosen");
    if (local[d] > kMaxGroupItems) return too_large(Kind::kItemSize);
    items *= local[d];  // at most 4096 to the third power
  }
  if (items > kMaxGroupItems) return too_large(Kind::kGroupSize);
  return std::nullopt;
}

Refused judge_required(const Size& local, std::uint32_t dimensions, const KernelInfo& kernel) {
  if (!kernel.required_local_size) return std::nullopt;
  const Size& required = *kernel.required_local_size;
  if (!std::equal(local.begin(), local.begin() + dimensions, required.begin()))
    return invalid(Kind::kGroupSize,
                   fmt::format("kernel '{}' requires the work-group size {}, found {}", kernel.name,
                               spell(required, 3), spell(local, dimensions)));
  for (std::uint32_t d = dimensions; d < 3; ++d)
    if (required[d] != 1)
      return invalid(
          Kind::kGroupSize,
          fmt::format("kernel '{}' requires the work-group size {}, found {} dimension{}",
                      kernel.name, spell(required, 3), dimensions, dimensions == 1 ? "" : "s"));
  return std::nullopt;
}

Refused judge_sub_groups(std::uint64_t items, const KernelInfo& kernel,
                         std::uint32_t subgroup_items) {
  if (!kernel.subgroups_per_workgroup) return std::nullopt;
  const std::uint64_t found = (items + subgroup_items - 1) / subgroup_items;
  if (found == *kernel.subgroups_per_workgroup) return std::nullopt;
  return invalid(
      Kind::kGroupSize,
      fmt::format("kernel '{}' requires work-groups of {} sub-groups of {} work-items, found {}",
                  kernel.name, *kernel.subgroups_per_workgroup, subgroup_items, found),
      fmt::format("a work-group of {} work-items has so many",
                  std::uint64_t{*kernel.subgroups_per_workgroup} * subgroup_items));
}

bool is_shader(const ModuleInfo& module) {
  const auto has = [&](const char* capability) {
    return std::ranges::find(module.capabilities, capability) != module.capabilities.end();
  };
  return has("Shader") && !has("Kernel");
}

Refused judge_division(const ModuleInfo& module, const Geometry& geometry, const Size& local) {
  for (std::uint32_t d = 0; d < geometry.dimensions; ++d)
    if (geometry.global_size[d] % local[d] != 0)
      return beyond_device(
          Kind::kGroupSize,
          fmt::format("the work-group size {} does not divide the global size {}",
                      spell(local, geometry.dimensions),
                      spell(geometry.global_size, geometry.dimensions)),
          is_shader(module)
              ? "a shader is dispatched by whole groups: say how many, or round the global size up "
                "and guard with 'if (i < n)'"
              : "OpenCL C 1.2 has only work-groups of one size: round the global size up and guard "
                "with 'if (i < n)', or build with -cl-std=CL2.0 or later");
  return std::nullopt;
}

Refused judge_sizes(const ModuleInfo& module, const KernelInfo& kernel, const Geometry& geometry,
                    std::uint32_t subgroup_items) {
  const std::uint32_t dimensions = geometry.dimensions;
  if (dimensions < 1 || dimensions > 3)
    return invalid(Kind::kDimensions,
                   fmt::format("expected 1 to 3 dimensions, found {}", dimensions));
  if (Refused refused = judge_global(geometry, module.pointer_bits)) return refused;
  Size local{1, 1, 1};
  std::copy_n(geometry.local_size.begin(), dimensions, local.begin());
  const bool is_chosen = std::all_of(local.begin(), local.begin() + dimensions,
                                     [](std::uint64_t n) { return n == 0; });
  if (is_chosen && !kernel.required_local_size) return std::nullopt;
  if (is_chosen) local = *kernel.required_local_size;
  if (Refused refused = judge_extent(local, dimensions)) return refused;
  if (Refused refused = judge_required(local, dimensions, kernel)) return refused;
  if (Refused refused = judge_sub_groups(local[0] * local[1] * local[2], kernel, subgroup_items))
    return refused;
  return module.uniform_groups ? judge_division(module, geometry, local) : std::nullopt;
}

Refused judge_parameters(const KernelInfo& kernel) {
  std::uint32_t read = 0, written = 0, samplers = 0, pipes = 0;
  for (const ParameterInfo& parameter : kernel.parameters) {
    if (parameter.binding) continue;  // OpenCL's limits hold for parameters of kernels
    if (parameter.is_sampler) ++samplers;
    if (parameter.pipe) ++pipes;
    if (parameter.image)
      ++(parameter.access == "write_only" || parameter.access == "read_write" ? written : read);
  }
  const auto beyond = [&](std::uint32_t found, std::uint32_t most, std::string_view what) {
    return beyond_device(
        Kind::kParameters,
        fmt::format("kernel '{}' has {} parameters that are {}", kernel.name, found, what),
        fmt::format("the device takes {}", most));
  };
  if (read > kMaxImageArguments) return beyond(read, kMaxImageArguments, "images to read");
  if (written > kMaxImageArguments) return beyond(written, kMaxImageArguments, "images to write");
  if (samplers > kMaxSamplers) return beyond(samplers, kMaxSamplers, "samplers");
  if (pipes > kMaxPipeArguments) return beyond(pipes, kMaxPipeArguments, "pipes");
  return std::nullopt;
}

}  // namespace

Refused refusal_of(const ModuleInfo& module, const KernelInfo& kernel, const Geometry& geometry,
                   std::uint32_t subgroup_items) {
  if (Refused refused = judge_sizes(module, kernel, geometry, subgroup_items)) return refused;
  return judge_parameters(kernel);
}

Refused refusal_of(const KernelInfo& kernel, std::uint64_t argument_bytes) {
  std::uint64_t bytes = 0;
  const bool is_known = !__builtin_add_overflow(kernel.local_bytes, argument_bytes, &bytes);
  if (is_known && bytes <= kLocalMemoryBytes) return std::nullopt;
  return beyond_device(Kind::kLocalMemory,
                       fmt::format("a work-group of kernel '{}' has {} bytes of local memory",
                                   kernel.name, is_known ? fmt::to_string(bytes) : "2^64 or more"),
                       fmt::format("the device has {} bytes", kLocalMemoryBytes));
}

Refused refusal_of(const Launch& launch) {
  const KernelInfo* const kernel = launch.module.kernel(launch.kernel);
  if (kernel == nullptr) return std::nullopt;
  Refused refused =
      refusal_of(launch.module.info(), *kernel, launch.geometry, subgroup_items(*kernel, launch));
  if (refused) return refused;
  std::uint64_t bytes = 0;
  for (const Argument& argument : launch.arguments)
    if (__builtin_add_overflow(bytes, argument.local_bytes, &bytes)) bytes = ~std::uint64_t{0};
  return refusal_of(*kernel, bytes);
}

std::optional<Diagnostic> refusal_of_queue_size(std::uint64_t size_bytes) {
  if (size_bytes != 0 && size_bytes <= DeviceQueue::kMaxBytes) return std::nullopt;
  return make_diagnostic(Rule::kC0003,
                         fmt::format("expected 1 to {} bytes as the size of a queue, found {}",
                                     DeviceQueue::kMaxBytes, size_bytes));
}

std::optional<Diagnostic> refusal_of_queue_count(std::size_t count) {
  if (count <= kMaxDeviceQueues) return std::nullopt;
  return make_diagnostic(
      Rule::kC0003, fmt::format("expected at most {} queues, found {}", kMaxDeviceQueues, count));
}

std::uint32_t subgroup_items(const KernelInfo& kernel, const LaunchSettings& settings) {
  if (kernel.subgroup_size) return *kernel.subgroup_size;
  if (settings.subgroup_size != 0) return settings.subgroup_size;
  const bool is_open = settings.schedule == Schedule::kRandom && !kernel.subgroups_per_workgroup;
  return is_open ? scheduler::scheduled_subgroup_size(settings.seed) : kSubgroupItems;
}

bool has_only_uniform_groups(std::string_view source_language) {
  return source_language.starts_with("OpenCL C 1");
}

}  // namespace transpire
