// MemoryUse: the accesses of a launch to memory that outlives it, with the data to describe them after the launch.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "findings/part.h"
#include "races/footprint.h"
#include "runtime/state.h"

namespace transpire::runtime {

struct MemoryUseState {
  MemoryUseState(bool notes_touchers, std::uint64_t max_bytes)
      : footprint(notes_touchers, max_bytes) {}

  std::shared_ptr<ModuleState> module;
  ProgramPointer program;
  /// Keeps the module on its device alive, so that no later object gets the addresses of its program-scope variables.
  std::shared_ptr<const void> variables;
  std::string kernel;
  vm::exec::LaunchIds ids;
  std::optional<findings::Part> part;  ///< none: the launch is no part of another one
  races::Footprint footprint;
  struct Range {
    std::span<const std::byte> bytes;
    std::string name;
    bool is_argument = false;  ///< a buffer or an image that the launch was given
    bool is_image = false;
  };
  std::vector<Range> ranges;

  /// The description of an instruction for findings.
  struct Shown {
    Diagnostic diagnostic;  ///< has the place, but no message
    std::string place;      ///< "step.cl:5:62"
  };
  /// Description of the instruction at an index in Program::code. Descriptions are cached, because making them is slow and
  /// many findings share an instruction.
  const Shown& shown_at(std::uint32_t place) const;

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::uint32_t, Shown> shown_;
};

/// The memory that a finished launch could access and that outlives it. `space` is the launch's address space.
std::vector<MemoryUseState::Range> ranges_of(const memory::AddressSpace& space,
                                             const Launch& launch);

/// Appends the finding L0010 with the message `why`, unless `findings` has it.
void report_unchecked(std::string why, std::vector<Finding>& findings);
/// Message of L0010 for a check that had no memory for all of its records.
std::string without_memory(std::string_view check);

/// Help for races between two commands of the host.
inline constexpr const char* kWhatOrdersCommands =
    "the event of the one in the wait list of the other orders the two, or an in-order queue for "
    "both, or a barrier between them in one queue";

/// Relation of two launches that accessed the same bytes.
enum class Enqueued {
  kByHost,    ///< the host enqueued both
  kByKernel,  ///< kernels enqueued both
  kByOther,   ///< the first one descends from the second one
  kAsParts    ///< they are parts of one launch
};

/// Describes conflicting accesses of two launches as findings R0102, and R0103 if the host enqueued both; as R0100 if the two are
/// parts of one launch.
std::vector<Finding> describe_conflicts(const std::vector<races::Footprint::Conflict>& conflicts,
                                        const MemoryUseState& own, const MemoryUseState& other,
                                        Enqueued enqueued);

}  // namespace transpire::runtime
