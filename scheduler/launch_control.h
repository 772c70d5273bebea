// LaunchControl: the state that the threads of one launch share: the units that are left, the reason for the launch's end, the limit of
// findings, and notes of checks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "scheduler/deadlock.h"
#include "scheduler/launch.h"
#include "scheduler/launch_registry.h"
#include "scheduler/unit_claims.h"
#include "vm/exec/launch_notes.h"
#include "vm/exec/undefined_notes.h"

namespace transpire::scheduler {

class UnitMemory;

struct LaunchControl {
  LaunchControl(const LaunchSpec& launch, std::uint64_t unit_count, unsigned threads);
  LaunchControl(const LaunchControl&) = delete;
  LaunchControl& operator=(const LaunchControl&) = delete;

  const LaunchSpec& spec;
  UnitCounter units;
  std::atomic<std::uint64_t> done{0};  ///< groups that have ended; in flowing launches, units
  /// Accessed atomically; Batch::cancel points to it. Every batch reads it, so it has a cache line of its own.
  alignas(64) bool stop = false;
  std::atomic<LaunchResult::End> end{LaunchResult::End::kCompleted};
  FindingLimit findings;
  std::unique_ptr<vm::exec::LaunchNotes> notes;  ///< null unless the program keeps notes
  std::unique_ptr<vm::exec::UndefinedNotes>
      undefined;  ///< null unless the program tracks undefined values
  std::mutex counted_mutex;
  std::vector<const UnitMemory*> counted;  ///< see began()
  DeadlockState deadlock;
  LaunchRegistration running;

  /// Ends the launch early. The first reason counts.
  void stop_because(LaunchResult::End why);
  /// Registers the memory of a thread that takes part, if instructions() will be called.
  void began(const UnitMemory& memory);
  /// Instructions times lanes that all threads have executed so far. May be called while they run.
  std::uint64_t instructions();
  bool stopped() const { return __atomic_load_n(&stop, __ATOMIC_RELAXED); }
};

}  // namespace transpire::scheduler
