// Describes the scheduler's findings (instructions and addresses) for people.
#pragma once

#include "findings/part.h"
#include "findings/places.h"
#include "memory/address_book.h"
#include "memory/address_space.h"
#include "scheduler/launch.h"

namespace transpire::findings {

/// Inputs for the description of a finding. All outlive the call.
struct FindingContext {
  const decoder::Module& module;
  const Places& places;
  const vm::Program& program;  ///< program of the launch
  const memory::AddressSpace& space;
  const Launch& launch;
  const vm::exec::LaunchIds& ids;
  LaunchResult::End end;           ///< end of the launch
  std::uint64_t max_printf_bytes;  ///< limit for the launch and its children
  memory::AddressBook& book;       ///< addresses of buffers, also in earlier launches
  const Part* part = nullptr;      ///< null: the launch is no part of another one
};

/// "buffer 'y'"
std::string spell(const memory::Allocation& allocation, const FindingContext& context);

/// Names the finding's allocation so, or "memory" if it has none.
std::string target_of(const scheduler::Finding& found, const FindingContext& context);

/// The place in the module of an instruction of the launch's program; of null a place without an instruction.
const vm::Source& source_of(const vm::Inst* instruction, const FindingContext& context);

/// Bytes from the allocation's start; negative in front of it.
std::int64_t offset_in(const memory::Allocation& allocation, std::uint64_t address);

/// Appends descriptions of `found` with their causes.
void append_described(const std::vector<scheduler::Finding>& found, const FindingContext& context,
                      std::vector<Finding>& findings);

/// Adds `before` to the indices of all causes, for findings that `before` other findings precede.
void shift_causes(std::vector<Finding>& findings, std::size_t before);

}  // namespace transpire::findings
