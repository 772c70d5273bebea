// Initializer and finalizer kernels (SPIR-V 1.1, "Execution Mode"): one work-item each, the former before
// the first launch of a module on a device, the latter when the caller is done with it.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "findings/findings.h"
#include "runtime/device.h"

namespace transpire::runtime {
namespace {

bool is_asked_for(const KernelInfo& kernel, bool finalizers) {
  return finalizers ? kernel.is_finalizer : kernel.is_initializer;
}

/// The launch of a kernel with the surroundings of another launch.
Launch alone(const Launch& like, const std::string& kernel) {
  Launch launch = like;
  launch.kernel = kernel;
  launch.geometry = {};
  launch.arguments.clear();
  launch.progress = nullptr;
  launch.executing = nullptr;
  launch.watch = nullptr;
  return launch;
}

void append(LaunchResult& all, LaunchResult part, const std::string& kernel, bool finalizers) {
  findings::shift_causes(part.findings, all.findings.size());
  for (Finding& finding : part.findings) {
    finding.diagnostic.notes.push_back(
        fmt::format("in the {} '{}'", finalizers ? "finalizer" : "initializer", kernel));
    all.findings.push_back(std::move(finding));
  }
  all.end = part.end;
  all.printf_output += part.printf_output;
  all.instructions += part.instructions;
  all.instruction_counts.insert(all.instruction_counts.end(), part.instruction_counts.begin(),
                                part.instruction_counts.end());
}

}  // namespace

void add_counts(std::span<const std::pair<std::string, std::uint64_t>> counts,
                LaunchResult& result) {
  auto& all = result.instruction_counts;
  for (const auto& [name, count] : counts) {
    const auto known = std::ranges::find(all, name, &std::pair<std::string, std::uint64_t>::first);
    if (known != all.end())
      known->second += count;
    else
      all.emplace_back(name, count);
  }
}

void prepend(LaunchResult& result, LaunchResult before) {
  findings::shift_causes(result.findings, before.findings.size());
  result.findings.insert(result.findings.begin(), std::make_move_iterator(before.findings.begin()),
                         std::make_move_iterator(before.findings.end()));
  result.printf_output.insert(0, before.printf_output);
  result.instructions += before.instructions;
  result.instruction_counts.insert(result.instruction_counts.end(),
                                   before.instruction_counts.begin(),
                                   before.instruction_counts.end());
}

Result<LaunchResult> DeviceState::run_program_kernels(const Launch& like, bool finalizers) {
  LaunchResult all;
  for (const KernelInfo& kernel : like.module.state()->info.kernels) {
    if (!is_asked_for(kernel, finalizers) || all.end != LaunchResult::End::kCompleted) continue;
    TRANSPIRE_TRY(LaunchResult done, run_kernel(alone(like, kernel.name), nullptr));
    append(all, std::move(done), kernel.name, finalizers);
  }
  return all;
}

Result<LaunchResult> DeviceState::initialise(const Launch& launch) {
  const std::shared_ptr<ModuleState>& module = launch.module.state();
  if (module == nullptr || !module->has_initializers) return LaunchResult{};
  const std::shared_ptr<ModuleOnDevice> on_device = module_on_device(module);
  const std::lock_guard lock(on_device->initializing);
  if (on_device->is_initialized) return std::exchange(on_device->unreported, {});
  TRANSPIRE_TRY(LaunchResult before, run_program_kernels(launch, false));
  on_device->is_initialized = before.end == LaunchResult::End::kCompleted;
  return before;
}

Result<LaunchResult> DeviceState::run_initialised(const Launch& launch, vm::Observer* observer,
                                                  LaunchResult before) {
  if (before.end != LaunchResult::End::kCompleted) return before;
  Result<LaunchResult> result = run_kernel(launch, observer);
  if (result) {
    prepend(*result, std::move(before));
  } else if (launch.module.state() != nullptr) {
    const std::shared_ptr<ModuleOnDevice> on_device = module_on_device(launch.module.state());
    const std::lock_guard lock(on_device->initializing);
    prepend(on_device->unreported, std::move(before));
  }
  return result;
}

Result<LaunchResult> DeviceState::run(const Launch& launch, vm::Observer* observer) {
  const std::shared_ptr<ModuleState>& module = launch.module.state();
  const WorkLimit limit = limit_of(launch);
  TRANSPIRE_TRY(const std::optional<ShaderLaunches> shaders, shaders_of(launch, limit));
  if (shaders) return run_shaders(launch, *shaders, limit, observer);
  if (module == nullptr || !module->has_initializers) return run_kernel(launch, observer);
  TRANSPIRE_TRY(LaunchResult before, initialise(launch));
  return run_initialised(launch, observer, std::move(before));
}

Result<LaunchResult> DeviceState::finish(const Launch& like) {
  const std::shared_ptr<ModuleState>& module = like.module.state();
  if (module == nullptr) return make_diagnostic(Rule::kC0002, "the launch names no module");
  const std::shared_ptr<ModuleOnDevice> on_device = module_on_device(module);
  LaunchResult result;
  {
    const std::lock_guard lock(on_device->initializing);
    if (on_device->was_used) {
      TRANSPIRE_TRY(result, run_program_kernels(like, true));
    }
  }
  forget(module);
  return result;
}

}  // namespace transpire::runtime
