// MemoryUse: what a launch did to memory that outlives it, with what is needed to tell of it when the launch is over.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/footprint.h"
#include "runtime/state.h"

namespace transpire::runtime {

struct MemoryUseState {
  MemoryUseState(bool notes_touchers, std::uint64_t max_bytes)
      : footprint(notes_touchers, max_bytes) {}

  std::shared_ptr<ModuleState> module;
  ProgramPointer program;
  /// The module on its device. Its program-scope variables stay where they are: what comes later has others elsewhere.
  std::shared_ptr<const void> variables;
  std::string kernel;
  vm::exec::LaunchIds ids;
  inspect::Footprint footprint;
  struct Range {
    std::span<const std::byte> bytes;
    std::string name;
    bool is_argument = false;  ///< a buffer or an image that the launch was given
    bool is_image = false;
  };
  std::vector<Range> ranges;

  /// An instruction that something is told of, as it is shown.
  struct Shown {
    Diagnostic diagnostic;  ///< with where it is, and no message
    std::string place;      ///< "step.cl:5:62"
  };
  /// By its index in Program::code. What is found once is found with many others, and showing takes long.
  const Shown& shown_at(std::uint32_t place) const;

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::uint32_t, Shown> shown_;  ///< kept until the end
};

/// Of a launch in that space that has ended.
std::vector<MemoryUseState::Range> ranges_of(const memory::AddressSpace& space,
                                             const Launch& launch);

/// L0010, each once.
void tell_unchecked(std::string why, std::vector<Finding>& findings);
/// Its words where a check had no room for all of the memory.
std::string without_memory(std::string_view check);

/// Help where two commands of the host race.
inline constexpr const char* kWhatOrdersCommands =
    "the event of the one in the wait list of the other orders the two, or an in-order queue for "
    "both, or a barrier between them in one queue";

/// Which two launches they are that did something to the same bytes.
enum class Enqueued {
  kByHost,
  kByKernel,
  kByOther  ///< the first one by a kernel that the second one enqueued, or by that itself
};

/// The findings of that, R0102. Of what the host enqueued: R0103 as well.
std::vector<Finding> describe_conflicts(const std::vector<inspect::Footprint::Conflict>& conflicts,
                                        const MemoryUseState& own, const MemoryUseState& other,
                                        Enqueued enqueued);

}  // namespace transpire::runtime
