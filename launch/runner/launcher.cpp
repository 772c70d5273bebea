// Launches kernels: see launch/runner/launcher.h.
#include "launch/runner/launcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/checked.h"
#include "launch/report/diagnose.h"
#include "launch/runner/launch_tree.h"
#include "transpire/launch_rules.hpp"

namespace transpire::launch {
namespace {

/// Launches that are shorter than this report progress only between each other: reporting costs as much as they do.
constexpr double kShortSeconds = 0.05;

}  // namespace

namespace {

/// The work-items of the launch's groups, which have the sizes that the launch or the kernel gives them.
Result<SizeList> items_of_groups(const LaunchStep& launch, const KernelInfo& kernel,
                                 const std::string& plan_file) {
  const auto refuse = [&](std::string message, std::string help) {
    return located({command_error(kBadGeometry, std::move(message), std::move(help))},
                   launch.groups.where, plan_file);
  };
  if (launch.global.dimensions != 0)
    return refuse("the launch has a global size and a number of groups", "give one of them");
  SizeList items = launch.groups;
  if (launch.local.dimensions == 0 && !kernel.required_local_size)
    return refuse("nothing says how large the launch's groups are",
                  "kernel '" + kernel.name +
                      "' requires no size: add '-l 64', or 'local 64' in a launch file");
  SizeList local = launch.local;
  if (local.dimensions == 0) {
    local.size = *kernel.required_local_size;
    local.dimensions = local.size[2] != 1 ? 3 : local.size[1] != 1 ? 2 : 1;
  }
  items.dimensions = std::max(items.dimensions, local.dimensions);
  for (std::uint32_t i = 0; i < items.dimensions; ++i) {
    const std::uint64_t groups = i < launch.groups.dimensions ? launch.groups.size[i] : 1;
    const std::uint64_t each = i < local.dimensions ? local.size[i] : 1;
    const Checked sum = Checked(groups) * each;
    if (!sum.valid()) return refuse("the groups have 2^64 work-items or more", {});
    items.size[i] = sum.value();
  }
  return items;
}

}  // namespace

Result<Geometry> geometry_of(const LaunchStep& step, const KernelInfo& kernel,
                             const std::string& plan_file) {
  LaunchStep launch = step;
  if (launch.groups.dimensions != 0) {
    TRANSPIRE_TRY(launch.global, items_of_groups(step, kernel, plan_file));
  }
  if (launch.global.dimensions == 0)
    return located(
        {command_error(
            kBadGeometry, "the launch has no global size",
            "say how many work-items to run: '-g 1024', or 'global 1024' in a launch file")},
        launch.where, plan_file);
  Geometry geometry;
  geometry.dimensions = launch.global.dimensions;
  const auto fill = [&](std::array<std::uint64_t, 3>& target, const SizeList& sizes,
                        std::uint64_t rest) {
    for (std::uint32_t i = 0; i < 3 && sizes.dimensions != 0; ++i)
      target[i] = i < sizes.dimensions ? sizes.size[i] : rest;
  };
  fill(geometry.global_size, launch.global, 1);
  fill(geometry.local_size, launch.local, 1);
  fill(geometry.global_offset, launch.offset, 0);
  for (const SizeList* sizes : {&launch.local, &launch.offset})
    if (sizes->dimensions > launch.global.dimensions)
      return located(
          {command_error(
              kBadGeometry,
              fmt::format("the global size has {} dimension{}, the {} has {}",
                          launch.global.dimensions, launch.global.dimensions == 1 ? "" : "s",
                          sizes == &launch.local ? "local size" : "offset", sizes->dimensions))},
          sizes->where, plan_file);
  return geometry;
}

const SourceLine& place_of(const LaunchStep& step, const Launch& launch) {
  const SourceLine& size = step.groups.dimensions != 0 ? step.groups.where : step.global.where;
  const auto refusal = refusal_of(launch);
  if (!refusal) return step.where;
  switch (refusal->kind) {
    case LaunchRefusal::Kind::kParameters:
    case LaunchRefusal::Kind::kLocalMemory:
      return step.where;
    case LaunchRefusal::Kind::kGlobalOffset:
      return step.offset.dimensions != 0 ? step.offset.where : size;
    case LaunchRefusal::Kind::kItemSize:
    case LaunchRefusal::Kind::kGroupSize:
      return step.local.dimensions != 0 ? step.local.where : size;
    default:
      return size;
  }
}

Launch Launcher::launch_of(const KernelInfo& kernel, std::size_t program, const Geometry& geometry,
                           const std::vector<BoundArgument>& arguments) const {
  Launch launch = with_settings(kernel.name, program);
  launch.geometry = geometry;
  if (overrides_.local_size && !kernel.required_local_size)
    launch.geometry.local_size = *overrides_.local_size;
  for (const BoundArgument& argument : arguments) launch.arguments.push_back(argument.argument);
  return launch;
}

/// The caller adds arguments and sizes.
Launch Launcher::with_settings(const std::string& kernel, std::size_t program) const {
  Launch launch(machine_.programs[program], kernel);
  machine_.settings.apply_to(launch);
  launch.shared = buffers_.shared();
  machine_.queues.give_to(launch);
  machine_.settings.apply_to(launch.limits);
  launch.limits.timeout_seconds = clock_.seconds_left();
  launch.results = machine_.results;
  launch.canceller = overrides_.canceller;
  if (overrides_.watched) launch.stores = overrides_.watched->log;
  if (overrides_.progress) {
    const auto progress = std::make_shared<LaunchProgress>(LaunchProgress{kernel});
    launch.executing = [progress](std::uint64_t count) { progress->instructions = count; };
    launch.progress = [this, progress](std::uint64_t done, std::uint64_t total) {
      progress->done = done;
      progress->total = total;
      return overrides_.progress(*progress);
    };
  }
  return launch;
}

void Launcher::warn_of_leniency(const Launch& launch, const SourceLine& where) {
  Diagnostics warnings;
  if (auto refusal = refusal_of(launch); refusal && refusal->may_run) {
    refusal->diagnostic.severity = Severity::kWarning;
    refusal->diagnostic.help.clear();
    warnings = placed({std::move(refusal->diagnostic)}, where);
  }
  if (lenient_kernels_.insert(launch.kernel).second)
    for (Diagnostic& store : launch.module.stores_through_const(launch.kernel))
      warnings.push_back(std::move(store));
  for (Diagnostic& warning : warnings) report_.warnings.push_back(std::move(warning));
}

/// Puts the option and its whole time into the message of a time limit; the launch knows only the remaining time.
void Launcher::name_time_limit(Diagnostic& finding, const Launch& launch) const {
  const double each = machine_.settings.timeout_seconds.value_or(0),
               total = machine_.settings.total_timeout_seconds.value_or(0);
  const bool is_total = total > 0 && launch.limits.timeout_seconds != each;
  if (is_total)
    finding.message = fmt::format("kernel '{}' was running when the {:g} s for the whole run ended",
                                  launch.kernel, total);
  finding.help = fmt::format("raise '{}', or find an endless loop with '--max-steps'",
                             is_total ? "--timeout-total" : "--timeout");
}

void Launcher::add_findings(std::vector<Finding> findings, const std::string& kernel) {
  for (Finding& finding : findings) report_.findings.push_back({std::move(finding), kernel, false});
}

Status Launcher::run(Launch& launch, LaunchReport& sums) {
  if (overrides_.watched) buffers_.watch(*overrides_.watched);
  auto result = overrides_.run_launch ? overrides_.run_launch(machine_.device, launch)
                                      : machine_.device.run(launch);
  if (!result) return result.errors();
  ++sums.repeats;
  sums.local_size = result->local_size;
  sums.work_items += result->work_items;
  sums.instructions += result->instructions;
  for (const auto& [name, count] : result->instruction_counts)
    sums.instruction_counts[name] += count;
  sums.wall_seconds += result->wall_seconds;
  sums.lower_seconds += result->lower_seconds;
  sums.end = result->end;
  sums.printf_output += result->printf_output;
  add_children(sums, *result);
  for (Finding& finding : result->findings)
    if (finding.diagnostic.rule == kTimeLimit) name_time_limit(finding.diagnostic, launch);
  add_findings(std::move(result->findings), sums.kernel);
  if (result->end != LaunchResult::End::kCompleted) stopped_ = true;
  if (result->wall_seconds < kShortSeconds) launch.progress = nullptr;
  return Unit{};
}

Status Launcher::finish() {
  if (report_.launches.empty() ||
      std::ranges::none_of(machine_.programs[0].info().kernels, &KernelInfo::is_finalizer))
    return Unit{};
  auto result = machine_.device.finish(with_settings("", 0));
  if (!result) return result.errors();
  report_.text += result->printf_output;
  add_findings(std::move(result->findings), report_.launches.back().kernel);
  return Unit{};
}

}  // namespace transpire::launch
