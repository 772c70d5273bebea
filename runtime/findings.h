// From what the scheduler saw (instructions and addresses) to findings for people.
#pragma once

#include "runtime/session.h"
#include "scheduler/launch.h"

namespace transpire::runtime {

/// What a finding is described with; all outlive the call.
struct FindingContext {
  const ModuleState& module;
  const vm::Program& program;  ///< that ran
  const memory::AddressSpace& space;
  const Launch& launch;
  const vm::exec::LaunchIds& ids;
  LaunchResult::End end;           ///< of the launch
  std::uint64_t max_printf_bytes;  ///< of the launch with all that it enqueues
  AddressBook& book;               ///< of buffers, those of earlier launches among them
};

/// "buffer 'y'"
std::string spell(const memory::Allocation& allocation, const FindingContext& context);

/// Appends what was found, with what follows from what.
void append_described(const std::vector<scheduler::Finding>& found, const FindingContext& context,
                      std::vector<Finding>& findings);

/// So many findings come before these.
void shift_causes(std::vector<Finding>& findings, std::size_t before);

}  // namespace transpire::runtime
