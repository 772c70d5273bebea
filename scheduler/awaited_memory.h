// Finds the memory that work-items wait for: their kernel reads it in a loop that ends only if the memory changes.
#pragma once

#include <vector>

#include "scheduler/collector.h"

namespace transpire::scheduler {

/// Lanes of a batch that wait for the same memory to change.
struct BusyWait {
  /// The load or atomic of the loop that reads the memory. If the loop reads no memory, its last instruction.
  const vm::Inst* instruction = nullptr;
  const memory::Allocation* allocation = nullptr;  ///< null if the loop reads no memory
  std::uint64_t address = 0, size_bytes = 0;
  std::uint64_t value = 0;  ///< the memory's present value, if it has at most 8 bytes
  Lanes lanes{};
};

/// The busy-waits of the running lanes of a batch. The batch must have been stopped at the end of a loop.
std::vector<BusyWait> busy_waits_of(const vm::exec::Batch& batch);

}  // namespace transpire::scheduler
