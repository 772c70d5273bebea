// RulesOfLaunch: what a launch says of the functions that its kernels enqueue, before they are enqueued. The same rules are
// asked when they are launched (runtime/geometry.h, transpire/launch_rules.hpp).
#pragma once

#include "runtime/state.h"
#include "vm/exec/device_queue.h"

namespace transpire::runtime {

/// The geometry that a command asks for.
Geometry geometry_of(const vm::exec::NdRange& range);

class RulesOfLaunch final : public vm::exec::CommandRules {
 public:
  /// Both outlive it.
  RulesOfLaunch(const ModuleState& module, const LaunchSettings& settings)
      : module_(module), settings_(settings) {}

  vm::exec::EnqueueError judge(std::uint32_t function, const vm::exec::NdRange& range,
                               std::span<const std::uint64_t> local_sizes) const override;
  std::uint32_t count_subgroups(std::uint32_t function,
                                const vm::exec::NdRange& range) const override;

 private:
  const ModuleState& module_;
  const LaunchSettings& settings_;
};

}  // namespace transpire::runtime
