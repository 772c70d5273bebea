// LirMachine: runs LIR without a Program, to test passes by what functions do. It keeps one row a
// value and follows the engine's rules: the lowest pending block of Function::order runs;
// arithmetic is unmasked; loads, stores and phi copies are masked; what divergence analysis calls
// uniform or affine is one scalar for all lanes (and is checked to fit every active lane).
//
// With one lane it is the plain meaning of the function, so a pass is right when the lanes of a
// batch leave the same traces after it as single work-items did before it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vm/lir/lir.h"

namespace transpire::test {

using namespace vm;
using namespace vm::lir;

/// Groups of a launch, all full. Work-items are numbered group by group, x fastest.
struct MachineGroups {
  std::array<std::uint32_t, 3> local_size{1, 1, 1};
  std::array<std::uint32_t, 3> num_groups{1, 1, 1};
  std::array<std::uint32_t, 3> offset{0, 0, 0};
};

struct MachineOptions {
  std::uint32_t lanes = 1;
  /// The work-item of lane 0; lanes follow one another. Without `groups` it is GlobalId[0], and other
  /// ids are constants.
  std::uint32_t first_id = 0;
  std::uint64_t max_blocks = 2000;  ///< executions of blocks; then it stops where it is
  const MachineGroups* groups = nullptr;
};

/// Lanes that came to a barrier, of the work-group or the sub-group, together.
struct MachineMeeting {
  std::uint32_t source = 0;  ///< the barrier's Value::source
  std::size_t lanes = 0;
};

struct MachineResult {
  /// By lane, what its stores to other than private memory wrote: "address=value;...".
  std::vector<std::string> traces;
  std::vector<bool> finished;
  std::vector<MachineMeeting> meetings;  ///< in the order in which they were executed
  std::string error;                     ///< what divergence analysis got wrong; empty when nothing
};

/// Arguments hold numbers that depend on their slot only, loads from other than private memory give
/// numbers that depend on the address only, private memory starts as zero (a kByValue one as a
/// pattern).
MachineResult run_machine(const vm::lir::Function& function, const MachineOptions& options);

/// Empty when each lane of `after`, run as a batch, leaves the trace that `before` leaves alone.
std::string compare_functions(const vm::lir::Function& before, const vm::lir::Function& after,
                              std::uint32_t lanes);

/// The same for a launch of groups. Batches have up to `lanes` work-items of one group; packed ones as
/// many whole groups as fit.
std::string compare_launches(const vm::lir::Function& before, const vm::lir::Function& after,
                             std::uint32_t lanes, const MachineGroups& groups, bool packed);

}  // namespace transpire::test
