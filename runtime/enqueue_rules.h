// EnqueueRules: judges commands when a kernel enqueues them, for enqueue_kernel's error codes. The rules also apply when the
// commands are launched (runtime/geometry.h, transpire/launch_rules.hpp).
#pragma once

#include "runtime/state.h"
#include "vm/exec/device_queue.h"

namespace transpire::runtime {

/// The geometry of an enqueued command.
Geometry geometry_of(const vm::exec::NdRange& range);

class EnqueueRules final : public vm::exec::CommandRules {
 public:
  /// Both outlive it.
  EnqueueRules(const ModuleState& module, const LaunchSettings& settings)
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
