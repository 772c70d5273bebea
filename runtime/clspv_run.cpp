// Runs the launches of a shader that clspv made of a kernel, and puts their results together.
#include <algorithm>
#include <iterator>
#include <utility>

#include "runtime/clspv_printf.h"
#include "runtime/device.h"
#include "scheduler/stop_switch.h"

namespace transpire::runtime {
namespace {

/// Adds the text that the kernel left in its buffer of printf.
void print(const Launch& launch, std::span<const std::byte> buffer, LaunchResult& result) {
  const ModuleState& module = *launch.module.state();
  const PrintedText printed = read_clspv_printf(
      module.module, *module.clspv, buffer,
      launch.limits.max_printf_bytes -
          std::min<std::uint64_t>(launch.limits.max_printf_bytes, result.printf_output.size()));
  result.printf_output += printed.text;
  if (printed.is_whole) return;
  Finding& finding = result.findings.emplace_back();
  finding.diagnostic = make_diagnostic(
      Rule::kL0005, "the shader's printf buffer was full, or the text beyond the limit");
  finding.diagnostic.help = "print less";
}

}  // namespace

Result<LaunchResult> DeviceState::run_clspv(const Launch& launch, vm::Observer* observer) {
  const std::atomic<bool>* const cancelled = launch.canceller && launch.canceller->state()
                                                 ? &launch.canceller->state()->stopped()
                                                 : nullptr;
  const WorkLimit limit = WorkLimit::after(launch.limits.timeout_seconds, cancelled);
  const std::shared_ptr<ModuleOnDevice> on_device = module_on_device(launch.module.state());
  TRANSPIRE_TRY(ShaderLaunches shaders, shader_launches(launch, on_device->clspv_buffers, limit));
  LaunchResult all;
  for (Launch& shader : shaders.launches) {
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
  if (shaders.printf) print(launch, shaders.printf->bytes(), all);
  return all;
}

}  // namespace transpire::runtime
