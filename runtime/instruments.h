// Instruments: the observers of one launch that its settings, its logs and its watch ask for, and the parts of the launch's
// result that they make.
#pragma once

#include <memory>
#include <vector>

#include "findings/part.h"
#include "runtime/device.h"
#include "vm/observe/observer.h"

namespace transpire::runtime {

class Instrument {
 public:
  virtual ~Instrument() = default;
  virtual vm::Observer& observer() = 0;
  /// Called right before the kernel runs.
  virtual void begin() {}
  /// Called once the kernel has ended, with all of the result but the parts that instruments make.
  virtual void finish(LaunchResult& /*result*/) {}
};

/// A bound launch as instruments see it. All of it outlives them.
struct Instrumented {
  const Launch& launch;
  const PreparedLaunch& prepared;
  const LaunchMemory& memory;
  vm::exec::DeviceQueue* queue;  ///< null: the kernel cannot enqueue
  bool notes_use;                ///< fills LaunchResult::memory_uses
  bool is_child;                 ///< a kernel enqueued it
  const findings::Part* part;    ///< null: it is no part of another launch
};

/// Empty for most launches.
std::vector<std::unique_ptr<Instrument>> make_instruments(const Instrumented& of);

}  // namespace transpire::runtime
