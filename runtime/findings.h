// From what the scheduler saw (instructions and addresses) to findings for people.
#pragma once

#include "runtime/session.h"
#include "scheduler/launch.h"

namespace transpire::runtime {

/// What a finding is described with; all outlive the call.
struct FindingContext {
  const ModuleState& module;
  const Session& session;
  const Launch& launch;
  const vm::exec::LaunchIds& ids;
  LaunchResult::End end;  ///< of the launch
};

Finding describe(const scheduler::Finding& found, const FindingContext& context);

}  // namespace transpire::runtime
