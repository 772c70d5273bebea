// Runs the launches of a shader that clspv made of a kernel, and puts their results together.
#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/clspv_printf.h"
#include "runtime/device.h"

namespace transpire::runtime {
namespace {

/// Adds the text that the kernel left in its buffer of printf.
void print(const Launch& launch, std::span<const std::byte> buffer, const WorkLimit& limit,
           LaunchResult& result) {
  const ModuleState& module = *launch.module.state();
  const std::uint64_t room =
      launch.limits.max_printf_bytes -
      std::min<std::uint64_t>(launch.limits.max_printf_bytes, result.printf_output.size());
  const PrintedText printed = read_clspv_printf(module.module, *module.clspv, buffer, room, limit);
  result.printf_output += printed.text;
  if (printed.cut_by.empty()) return;
  Finding& finding = result.findings.emplace_back();
  finding.diagnostic = make_diagnostic(Rule::kL0005, std::string(printed.cut_by));
  finding.diagnostic.help = "print less";
}

}  // namespace

Result<std::optional<ShaderLaunches>> DeviceState::shaders_of(const Launch& launch,
                                                              const WorkLimit& limit) {
  const std::shared_ptr<ModuleState>& module = launch.module.state();
  std::optional<ShaderLaunches> shaders;
  if (module == nullptr || !module->clspv || module->clspv->kernel(launch.kernel) == nullptr)
    return shaders;
  const std::shared_ptr<ModuleOnDevice> on_device = module_on_device(module);
  TRANSPIRE_TRY(shaders, shader_launches(launch, on_device->clspv_buffers, limit));
  return shaders;
}

Result<LaunchResult> DeviceState::run_shaders(const Launch& launch, const ShaderLaunches& shaders,
                                              const WorkLimit& limit, vm::Observer* observer) {
  LaunchResult all;
  for (Launch shader : shaders.launches) {
    // The shaders before it have used up part of the time limit.
    shader.limits.timeout_seconds = limit.seconds_left();
    TRANSPIRE_TRY(LaunchResult part, run(shader, observer));
    const std::uint64_t work_items = all.work_items + part.work_items;
    part.wall_seconds += all.wall_seconds;
    part.lower_seconds += all.lower_seconds;
    std::move(all.memory_uses.begin(), all.memory_uses.end(), std::back_inserter(part.memory_uses));
    const std::array<std::uint64_t, 3> local_size =
        all.work_items == 0 ? part.local_size : all.local_size;
    prepend(part, std::move(all));
    all = std::move(part);
    all.work_items = work_items;
    all.local_size = local_size;
    if (all.end != LaunchResult::End::kCompleted) break;
  }
  if (shaders.printf) print(launch, shaders.printf->bytes(), limit, all);
  return all;
}

}  // namespace transpire::runtime
