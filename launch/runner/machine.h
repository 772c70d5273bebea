// Machine: everything that the launches of a run share, and its preparation.
#pragma once

#include <optional>

#include "launch/runner/known_queues.h"
#include "launch/runner/run_clock.h"
#include "launch/runner/verdict.h"

namespace transpire::launch {

struct Machine {
  Programs programs;
  Device device;
  KnownQueues queues;
  AskedSettings settings;            ///< with the environment that the module was validated for
  std::optional<ResultLog> results;  ///< set if a print or an expectation asks for legal results
};

/// Reads the suppressions, loads and validates the module, checks the plan against it, and makes the device and the queues.
/// Warnings and errors go to `verdict`; nothing if the run ends here. `settings` are those of plan and overrides together.
std::optional<Machine> prepare_machine(const LaunchPlan& plan, const RunOverrides& overrides,
                                       const AskedSettings& settings, const RunClock& clock,
                                       Verdict& verdict, RunReport& report);

}  // namespace transpire::launch
